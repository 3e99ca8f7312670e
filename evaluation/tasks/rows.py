"""The table of texts that every run of kind ``evaluate`` holds: always the same dev examples, one text each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, TypeAlias

from allsaid.modeling.data.dataset import DataSet, fixed_sample
from allsaid.modeling.tasks.contract import Task
from schemas.checks.json_value import JsonValue

AnyExample: TypeAlias = Any  # of a task that is known only at run time
TRUE = "true/"  # before the names of the reference texts' own figures
VOCABULARY = "vocabulary.json"  # in a run: counts of the words of its texts and of the true ones, largest first
SHOWN = 200  # dev examples, those with the smallest ids


@dataclass(frozen=True)
class Row:
    """A system's text for one example, and what is wrong with it."""

    id: str
    goal: str
    agenda: list[str]  # L, as written
    reference: str  # the reference text
    text: str
    tokens: list[str]  # T of the text
    missing: list[str] | None  # agenda items that the text does not give; None where nothing looks for items
    extra: list[str] | None  # what it says that the agenda lacks; None likewise
    doubled: list[str]  # agenda items that it introduces twice

    @property
    def percent_given(self) -> float | None:
        if self.missing is None:
            return None
        return 100 * (1 - len(self.missing) / len(self.agenda)) if self.agenda else 100.0


@dataclass(frozen=True)
class Evaluation:
    figures: dict[str, float]  # by name and protocol
    rows: list[Row]  # of the dev examples that every run shows
    documents: Mapping[str, Mapping[str, JsonValue]]  # what the pages draw, by file name


def sample(task: Task, data: DataSet, limit: int | None) -> list[AnyExample]:
    """The examples whose texts go into the table; fewer only where a whole evaluation is cut to ``limit``."""
    return fixed_sample(task.examples(data, "dev"), min(SHOWN, limit or SHOWN))


def chosen(task: Task, data: DataSet, split: str, limit: int | None) -> list[AnyExample]:
    """The examples that are scored: those with the smallest ids, by default all."""
    return fixed_sample(task.examples(data, split), limit)


def is_empty(task: Task, data: DataSet, split: str) -> bool:
    """Whether the task finds no example there; its examples may be others than the manifest counts."""
    return next(iter(task.examples(data, split)), None) is None


def to_columns(rows: Sequence[Row]) -> dict[str, list[JsonValue]]:
    return {column.name: [getattr(row, column.name) for row in rows] for column in fields(Row)}


def from_table(written: Iterable[dict[str, Any]]) -> list[Row]:
    """Rows of a table as MLflow gives it back."""
    return [Row(**{column.name: row[column.name] for column in fields(Row)}) for row in written]
