"""The fixture that all tests of the batch job share."""

from __future__ import annotations

from pathlib import Path

import pytest
from tiny_model import save_tiny_model


@pytest.fixture(scope="session")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_tiny_model(tmp_path_factory.mktemp("model"))
