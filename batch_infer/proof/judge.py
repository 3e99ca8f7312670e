"""Measurement of a model's texts."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Generic, TypeVar

from allsaid.decoding.hypothesis import Hypothesis
from allsaid.language.text import tokenize
from allsaid.modeling.saved.knowledge import Knowledge
from allsaid.modeling.text.restore import restore
from allsaid.proof.coverage import Coverage
from allsaid.proof.figures import FIGURES, RECORD_FIGURES, Figure
from batch_infer.rows.inputs import Row
from schemas.errors import UserError
from schemas.example import NO_ITEM

TaskRow = TypeVar("TaskRow")
Measure = Callable[[Hypothesis], Coverage]


def figures_of(coverage: Coverage, tokens: int) -> dict[str, float]:
    """Return the figures of a text with this number of tokens, by their keys."""
    return {
        "percent_given": coverage.percent_given,
        "percent_given_full_name": coverage.percent_given_full_name,
        "percent_given_any_word": coverage.percent_given_any_word,
        "extra_items": len(coverage.extra),
        "tokens": tokens,
    }


class Judge(Generic[TaskRow]):
    """Judge of the texts of one kind of rows; this base class is for tasks without required items.

    Judges of other tasks are subclasses (`batch_infer.proof.judges`). A row is the input of the task: a row of goal
    and agenda, or one of the task's own kind.
    """

    MEANS: tuple[str, ...] = ("tokens",)  # keys of figures, in the order in which a summary lists their means

    def __init__(self, knowledge: Knowledge) -> None:
        self.knowledge = knowledge

    def publish(self, tokens: Sequence[str], row: TaskRow) -> str:
        """Return the published text of T tokens."""
        return restore(tokens, self.knowledge.casing)

    def measure(self, tokens: Sequence[str], row: TaskRow) -> Coverage:
        """Return the items that a text of T tokens covers, and its extra items."""
        return Coverage([], [], [], [], [], [])

    def read(self, text: str, row: TaskRow) -> tuple[list[str], list[int]]:
        """Return the T tokens of a published text, and for each the position of its item, NO_ITEM for none."""
        tokens = [token.lower() for token in tokenize(text)]
        return tokens, [NO_ITEM] * len(tokens)

    def measure_published(self, text: str, tokens: Sequence[str], row: TaskRow) -> Coverage:
        """Measure a published text, read as T tokens."""
        return self.measure(tokens, row)

    def measure_reference(self, tokens: Sequence[str], row: TaskRow) -> Coverage:
        """Measure the reference text of a row, whose author may say what the row lacks, such as a time."""
        return self.measure(tokens, row)

    def claims(self, text: str) -> list[str]:
        """Return the recurring claims of a published text that no column supports, except forbidden ones."""
        return []

    def figures(self, tokens: Sequence[str], row: TaskRow, coverage: Coverage) -> dict[str, float]:
        """Return a text's value of each of ``MEANS``; ``coverage`` is the result of :meth:`measure`."""
        every = figures_of(coverage, len(tokens))
        return {key: every[key] for key in self.MEANS}

    def required_lines(self, row: TaskRow) -> list[str]:
        """Return the lines that a text must cover, one for each item of :meth:`measure`."""
        return []

    def check_seen(self, refuse: bool) -> None:
        """Raise UserError if unfamiliar rows are to be refused, but the model can't recognise them."""
        if refuse:
            raise UserError(
                f"Models of the task '{self.knowledge.task}' don't record the rows of their training. "
                "Leave --refuse-unfamiliar out."
            )

    def mark_unfamiliar(self, row: Row, refuse: bool = False) -> Row:
        """Add the goal and values that training has not seen to the row; with ``refuse`` an unseen goal is an error."""
        return row

    def in_order(self, row: TaskRow, found: Sequence[Hypothesis], measure: Measure) -> Iterable[Hypothesis]:
        """Return the hypotheses of a row, best first, as ranked by the search; ``measure`` measures each once."""
        return found

    def is_record(self, row: TaskRow) -> bool:
        """Return whether the items are values of a record rather than names."""
        return False

    @property
    def columns(self) -> Collection[str]:
        """The columns of a user's table."""
        return []

    @property
    def own_figures(self) -> dict[str, Figure]:
        """The figures of ``MEANS`` that only this task has, or that it names differently."""
        known = {**FIGURES, **self.knowledge.task.figures}
        shared = [*FIGURES.values(), *RECORD_FIGURES.values()]
        return {key: known[key] for key in self.MEANS if known[key] not in shared}
