"""A study's key: which row and whose text stand at each number of a sheet."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import MISSING, asdict, dataclass, fields
from typing import Any

from allsaid.storage import files
from evaluation.rating.forms import BETTER, Form, form_of
from schemas.errors import UserError

KEY = "key.json"
TRUTH = "Truth"


@dataclass(frozen=True)
class Place:
    """What stands at a number of a sheet."""

    row: int  # position in the key's rows
    systems: tuple[str, ...]  # whose text it is; of a head-to-head the first's and the second's
    questions: Sequence[str]


@dataclass(frozen=True)
class Key:
    """Which row and system stand behind each text of each rater's sheet."""

    study: str  # 16 hex digits: sheets, answers and key of one study carry the same
    task: str  # of the forms
    data_name: str  # the data set's source, as in MLflow
    data_fingerprint: str
    data_address: str
    split: str
    seed: int
    systems: list[str]
    rows: list[str]  # ids
    # rater, text -> position in rows, then in systems; behind them the part of a form that has several, or the second
    # system of a head-to-head
    sheets: list[list[list[int]]]
    head_to_head: bool = False

    @property
    def form(self) -> Form:
        return form_of(self.task, self.head_to_head)

    def place(self, rater: int, text: int) -> Place:
        """Both are counted from 1."""
        row, system, *more = self.sheets[rater - 1][text - 1]
        if self.head_to_head:
            return Place(row, (self.systems[system], self.systems[more[0]]), (BETTER,))
        return Place(row, (self.systems[system],), self.form.parts[more[0] if more else 0])

    def write(self, path: str) -> None:
        files.write_text(path, json.dumps(asdict(self), ensure_ascii=False) + "\n")

    @classmethod
    def read(cls, path: str) -> Key:
        """Raises UserError where ``path`` is no key."""
        values = read_json(path)
        try:
            wanted = [one.name for one in fields(cls) if one.default is MISSING or one.name in values]
            return cls(**{name: values[name] for name in wanted})
        except (KeyError, TypeError) as fault:
            raise UserError(
                f"{path} is no key of `allsaid rate make` ({fault}). Give the {KEY} beside sheets/."
            ) from fault


def read_json(path: str) -> Any:
    if not files.exists(path):
        raise UserError(f"{path} is not there. Check the path.")
    try:
        return json.loads(files.read_text(path))
    except ValueError as fault:
        raise UserError(f"{path} is no JSON ({fault}). Ask for the file again.") from fault
