"""Fixtures that all tests share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

# As in training/__init__.py, which a test file that imports torch first would come before.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

ROOT = Path(__file__).resolve().parent.parent


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--data-root", default=str(ROOT.parent / "shared" / "data"), help="folder of the real dumps")


@pytest.fixture(scope="session")
def data_root(request: pytest.FixtureRequest) -> Path:
    """The folder of the real dumps; tests that need it are skipped where it is missing."""
    root = Path(request.config.getoption("--data-root"))
    if not root.is_dir():
        pytest.skip(f"The real dumps are not at {root}; give their folder with --data-root.")
    return root
