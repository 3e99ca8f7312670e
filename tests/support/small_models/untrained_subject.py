"""An untrained model of a small data set, as `allsaid evaluate` measures it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from small_data import publish
from tiny_model import save_untrained

from allsaid.modeling.config import Config
from allsaid.modeling.data.dataset import DataSet
from allsaid.modeling.tasks.contract import Task
from evaluation.tasks import evaluate
from evaluation.tasks.system import Subject, find


def untrained(folder: Path, border: str, rows: Sequence[object], config: Config, task: Task) -> Subject:
    """A subject with the first four rows of a border to test with."""
    data = publish(folder / "data", {}, **{border: {"train": rows, "dev": rows[:2], "test": rows[:4]}})  # type: ignore[arg-type]
    model = save_untrained(folder / "model", data, config, task)
    subject = Subject(find(str(model)), DataSet(str(data)), "test")
    evaluate.check(subject)
    return subject
