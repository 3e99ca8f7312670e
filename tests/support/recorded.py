"""What a training tells its recorder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from allsaid.modeling.config import Config
from allsaid.modeling.data.dataset import DataSet
from training.fitting import loop
from training.fitting.finish import Result
from training.runs import run_folder


class Recorded:
    """A recorder that keeps what it is told."""

    def __init__(self) -> None:
        self.told: dict[str, list[Any]] = {}

    def __getattr__(self, name: str) -> Any:
        return lambda *values: self.told.setdefault(name, []).append(values)


def train(config: Config, folder: Path, run_dir: Path, resume: bool = False) -> tuple[Result, Recorded]:
    """Train, and return the result with what the training told."""
    data, recorded = DataSet(str(folder)), Recorded()
    run_folder.claim(config, data, run_dir, resume)
    return loop.train(config, data, run_dir, recorded, resume), recorded  # type: ignore[arg-type]
