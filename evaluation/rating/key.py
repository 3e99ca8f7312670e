"""The key of a study: the row and the system of each text on each sheet."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

from allsaid.storage import files
from evaluation.rating.forms import BETTER, Form, form_of
from schemas.errors import UserError

KEY = "key.json"
TRUTH = "Truth"  # the system of the reference texts


@dataclass(frozen=True)
class SheetEntry:
    """One text of a rater's sheet, or one pair of texts in a head-to-head, with its questions."""

    row: int  # position in the key's rows
    systems: tuple[str, ...]  # the text's system; in a head-to-head the systems of both texts
    questions: Sequence[str]


@dataclass(frozen=True)
class Key:
    """The key of a study."""

    study: str  # 16 hex digits that the sheets, answers and key of a study share
    task: str  # selects the form
    data_name: str  # the data set's source, as in MLflow
    data_fingerprint: str
    data_address: str
    split: str
    seed: int
    systems: list[str]
    rows: list[str]  # ids
    # sheets[rater][text]: the positions of the row, of the system, and of the form's part or the second system
    sheets: list[list[list[int]]]
    head_to_head: bool = False

    @property
    def form(self) -> Form:
        return form_of(self.task, self.head_to_head)

    def entry(self, rater: int, text: int) -> SheetEntry:
        """Return an entry of a rater's sheet; raters and texts are numbered from 1."""
        row, system, *rest = self.sheets[rater - 1][text - 1]
        if self.head_to_head:
            return SheetEntry(row, (self.systems[system], self.systems[rest[0]]), (BETTER,))
        return SheetEntry(row, (self.systems[system],), self.form.parts[rest[0] if rest else 0])

    def write(self, path: str) -> None:
        files.write_text(path, json.dumps(asdict(self), ensure_ascii=False) + "\n")

    @classmethod
    def read(cls, path: str) -> Key:
        """Read a key; raise UserError if ``path`` is not one."""
        values = read_json(path)
        try:
            return cls(**{field.name: values[field.name] for field in fields(cls)})
        except (KeyError, TypeError) as fault:
            raise UserError(
                f"{path} is not a key of `allsaid rate make` ({fault}). Give the {KEY} next to sheets/."
            ) from fault


def read_json(path: str) -> Any:  # Any: JSON, for the caller to check
    """Read a JSON file; raise UserError if it is missing or damaged."""
    if not files.exists(path):
        raise UserError(f"There is no file {path}. Check the path.")
    try:
        return json.loads(files.read_text(path))
    except ValueError as fault:
        raise UserError(f"{path} is not valid JSON ({fault}). Ask for the file again.") from fault
