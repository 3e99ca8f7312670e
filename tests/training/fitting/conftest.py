"""The data set that trainings learn from."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from small_data import make_example, publish


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    examples = [make_example(number) for number in range(60)]
    examples[42] = replace(examples[41], id="again")
    return publish(tmp_path_factory.mktemp("data"), {"train": examples[:43], "dev": examples[43:]})
