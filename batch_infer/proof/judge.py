"""What is measured of a model's texts."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from allsaid.decoding.hypothesis import Hypothesis
from allsaid.modeling.saved.model_folder import Bundle
from allsaid.modeling.tasks.contract import name_of
from allsaid.modeling.text.restore import restore
from allsaid.proof.coverage import Coverage
from allsaid.proof.figures import FIGURES, RECORD_FIGURES, Figure
from batch_infer.rows.inputs import Row
from schemas.errors import UserError


class Judge:
    """Measures the texts of one model, here of a task that asks for no items.

    Judges of other tasks are made from this one (`batch_infer.proof.judges`). A row is what the task reads: a row of
    goal and agenda, or one of its own.
    """

    MEANS: tuple[str, ...] = ("tokens",)  # keys of figures: a summary holds their means over texts, in this order

    def __init__(self, bundle: Bundle) -> None:
        self.bundle = bundle

    def publish(self, tokens: Sequence[str], row: Any) -> str:
        """The text of T tokens as it goes out."""
        return restore(tokens, self.bundle.casing)

    def measure(self, tokens: Sequence[str], row: Any) -> Coverage:
        """Which items a text of T tokens says, and what it says beyond its row."""
        return Coverage([], [], [], [], [], [])

    def claims(self, tokens: Sequence[str], row: Any) -> list[str]:
        """The recurring claims of a text of T tokens that no column supports, but for forbidden ones."""
        return []

    def figures(self, tokens: Sequence[str], row: Any, said: Coverage) -> dict[str, float]:
        """A text's own value of each of ``MEANS``; ``said`` is what :meth:`measure` has found."""
        return {"tokens": len(tokens)}

    def asked(self, row: Any) -> list[str]:
        """The lines of what a text is to say, one for each item of :meth:`measure`."""
        return []

    def check_seen(self, refuse: bool) -> None:
        """Raises UserError where rows can't be refused for what training has never seen, but should be."""
        if refuse:
            raise UserError(
                f"Models of the task '{name_of(self.bundle.task)}' don't tell what their training has seen. "
                "Leave --refuse-unfamiliar out."
            )

    def look(self, row: Row, refuse: bool = False) -> Row:
        """The row with what training has never seen of it; an error row where that is its goal, if ``refuse``."""
        return row

    def in_order(self, row: Any, found: Sequence[Hypothesis]) -> Iterable[Hypothesis]:
        """The texts of a row, the best first; they come as the search has ranked them."""
        return found

    def is_record(self, row: Any) -> bool:
        """Whether the items are values of a record, and not names."""
        return False

    @property
    def columns(self) -> Collection[str]:
        """The columns of a user's table."""
        return []

    @property
    def own_figures(self) -> dict[str, Figure]:
        """Those of ``MEANS`` that the task calls otherwise than all others, or that it alone has."""
        called = {key: self.bundle.task.FIGURES.get(key, FIGURES.get(key)) for key in self.MEANS}
        shared = [*FIGURES.values(), *RECORD_FIGURES.values()]
        return {key: figure for key, figure in called.items() if figure not in shared}
