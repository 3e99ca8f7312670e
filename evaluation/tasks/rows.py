"""The table of texts of a run of kind ``evaluate``: one text for each of the same dev examples in every run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, TypeAlias

from allsaid.modeling.data.dataset import DataSet, fixed_sample
from allsaid.modeling.tasks.contract import Task
from schemas.checks.json_value import JsonValue

AnyExample: TypeAlias = Any  # of a task that is known only at run time
TRUE = "true/"  # prefix of the figures of reference texts
VOCABULARY = "vocabulary.json"  # in a run: word counts of its texts and of the reference texts, largest first
SHOWN = 200  # dev examples, those with the smallest ids


@dataclass(frozen=True)
class Row:
    """A system's text for one example, and its faults."""

    id: str
    goal: str
    agenda: list[str]  # L, as written
    reference: str  # the reference text
    text: str
    tokens: list[str]  # T of the text
    missing: list[str] | None  # agenda items that the text does not cover; None if items are not looked for
    extra: list[str] | None  # items or values of the text that the agenda lacks; None if not looked for
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
    documents: Mapping[str, Mapping[str, JsonValue]]  # data for plots, by file name


def sample(task: Task, data: DataSet, limit: int | None) -> list[AnyExample]:
    """Return the examples of the table; fewer only if the evaluation has a ``limit``."""
    return fixed_sample(task.examples(data, "dev"), min(SHOWN, limit or SHOWN))


def chosen(task: Task, data: DataSet, split: str, limit: int | None) -> list[AnyExample]:
    """Return the examples to score: those with the smallest ids, by default all."""
    return fixed_sample(task.examples(data, split), limit)


def is_empty(task: Task, data: DataSet, split: str) -> bool:
    """Return whether the task has no example in a split; the manifest may count others."""
    return next(iter(task.examples(data, split)), None) is None


def to_columns(rows: Sequence[Row]) -> dict[str, list[JsonValue]]:
    return {column.name: [getattr(row, column.name) for row in rows] for column in fields(Row)}


def from_table(table: Iterable[dict[str, Any]]) -> list[Row]:  # Any: a value of each field
    """Return the rows of a table from MLflow."""
    return [Row(**{column.name: row[column.name] for column in fields(Row)}) for row in table]
