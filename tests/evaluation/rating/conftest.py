"""Texts that are rated."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_study import make_pair_texts


@pytest.fixture(scope="session")
def pair_texts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_pair_texts(tmp_path_factory.mktemp("pairs"))
