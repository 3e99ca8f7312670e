"""Quality gates: limits that a run's texts must keep, by themselves and against an earlier run's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf

from allsaid.console import counted
from allsaid.proof.figures import FIGURES
from allsaid.settings import number
from batch_infer.proof.summary import EXTRA, GIVEN, Summary
from schemas.errors import UserError


@dataclass(frozen=True)
class Gates:
    """The limits of the gates, inclusive; by default only a run of mostly error rows fails."""

    given: float = number(0, 0, 100)  # lowest mean of % given (head word)
    extra: float = number(inf, 0)  # highest mean of extra items a text
    errors: float = number(0.5, 0, 1)  # largest share of error rows
    uncertified: float = number(1, 0, 1)  # largest share of uncertified texts among the certifiable ones
    # The largest allowed changes for the worse from the earlier run.
    given_fall: float = number(100, 0, 100)  # of the mean of % given, in points
    extra_rise: float = number(inf, 0)  # of the mean of extra items, in items a text
    errors_rise: float = number(1, 0, 1)  # of the share of error rows, in shares of 1

    @property
    def compare(self) -> bool:
        """Whether a limit asks for an earlier run."""
        allowed = (self.given_fall, self.extra_rise, self.errors_rise)
        return allowed != (ANY.given_fall, ANY.extra_rise, ANY.errors_rise)

    @property
    def alone(self) -> Gates:
        """The limits of a first run, which has no earlier one."""
        return replace(self, given_fall=ANY.given_fall, extra_rise=ANY.extra_rise, errors_rise=ANY.errors_rise)


ANY = Gates()
_LIMITED = {"given": GIVEN, "given_fall": GIVEN, "extra": EXTRA, "extra_rise": EXTRA}


def check_measured(gates: Gates, measured: Sequence[str]) -> None:
    """Raise UserError if a gate limits a figure that is not measured for the model's texts."""
    for gate, key in _LIMITED.items():
        if getattr(gates, gate) != getattr(ANY, gate) and key not in measured:
            raise UserError(
                f"The gate '{gate}' limits '{FIGURES[key].name}', which is not measured of this model's texts. "
                "Leave it out."
            )


def broken(summary: Summary, last: Summary | None, gates: Gates) -> list[str]:
    """Return a sentence for each limit that the run breaks; ``last`` is the earlier run."""
    given, extra, errors = summary.percent_given or 0, summary.extra_items or 0, summary.error_share
    found = []
    if given < gates.given:
        found.append(f"{given:.2f}% of the items are given; the gate 'given' asks for {gates.given:g}%.")
    if extra > gates.extra:
        found.append(f"A text names {extra:.2f} extra items; the gate 'extra' allows {gates.extra:g}.")
    if errors > gates.errors:
        found.append(
            f"{errors:.1%} of {counted(summary.input_rows, 'row')} could not become a text; the gate 'errors' allows "
            f"{gates.errors:.1%}. {_most_frequent(summary)}Their column 'error' says why."
        )
    certified = summary.percent_certified
    if certified is not None and 1 - certified / 100 > gates.uncertified:
        rows = ", ".join(summary.uncertified_rows)
        found.append(
            f"{1 - certified / 100:.1%} of {counted(summary.provable_texts, 'text')} are not certified; the gate "
            f"'uncertified' allows {gates.uncertified:.1%}. The first rows are {rows}; their columns 'missing', "
            "'extra' and 'unattested' say why."
        )
    return found if last is None else found + _worse(given, extra, errors, last, gates)


def _most_frequent(summary: Summary) -> str:
    """Return a sentence on the most frequent reason of error rows, with its first row."""
    reason = next(iter(summary.reasons), None)
    return f"Most often, as in row {reason.first_rows[0]}: {reason.example} " if reason else ""


def _worse(given: float, extra: float, errors: float, last: Summary, gates: Gates) -> list[str]:
    """Return the sentences on figures that became worse; an earlier run without texts has no means to compare with."""
    before_given, before_extra = last.percent_given or 0, last.extra_items
    found = []
    if before_given - given > gates.given_fall:
        found.append(
            f"The items given went from {before_given:.2f}% to {given:.2f}%; the gate 'given_fall' allows "
            f"{gates.given_fall:g} points."
        )
    if before_extra is not None and extra - before_extra > gates.extra_rise:
        found.append(
            f"The extra items a text went from {before_extra:.2f} to {extra:.2f}; the gate 'extra_rise' allows "
            f"{gates.extra_rise:g} more."
        )
    if errors - last.error_share > gates.errors_rise:
        found.append(
            f"The share of error rows went from {last.error_share:.1%} to {errors:.1%}; the gate 'errors_rise' allows "
            f"{gates.errors_rise:.1%} more."
        )
    return found
