"""Quality gates of generated texts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from allsaid.console import counted
from allsaid.gates import Measured
from allsaid.proof.figures import FIGURES
from batch_infer.options.job import ANY, TextGates
from batch_infer.proof.summary import EXTRA, GIVEN, Summary
from schemas.errors import UserError

_LIMITED = {"given": GIVEN, "given_fall": GIVEN, "extra": EXTRA, "extra_rise": EXTRA}
# Advice for who submits texts of some rows alone.
_OF_A_PART = " If the texts are meant for a part of the table, add --gate errors=1."


def check_measured(gates: TextGates, measured: Sequence[str]) -> None:
    """Raise UserError if a gate limits a figure that is not measured for the model's texts."""
    for gate, key in _LIMITED.items():
        if getattr(gates, gate) != getattr(ANY, gate) and key not in measured:
            raise UserError(
                f"The gate '{gate}' limits '{FIGURES[key].name}', which is not measured for this model's texts. "
                "Leave it out."
            )


def measure(summary: Summary, last: Summary | None) -> Iterator[Measured]:
    """Yield the figures that gates limit; ``last`` is the summary of the earlier run."""
    given, extra, errors = summary.percent_given or 0, summary.extra_items or 0, summary.error_share
    most_frequent = summary.reasons[0] if summary.reasons else None
    example = ""
    if most_frequent:
        example = f"Most often, as in row {most_frequent.first_rows[0]}: {most_frequent.example} "
    # `allsaid prove` sums up the texts submitted to it.
    fault, advice = ("have no proven text", _OF_A_PART) if summary.submitted_texts else ("could not become a text", "")
    yield Measured("given", given, f"{given:.2f}% of the items are given", "{:g}%", is_least=True)
    yield Measured("extra", extra, f"A text names {extra:.2f} extra items", "{:g}")
    yield Measured(
        "errors",
        errors,
        f"{errors:.1%} of {counted(summary.input_rows, 'row')} {fault}",
        advice=f"{example}Their column 'error' says why.{advice}",
    )
    if summary.percent_certified is not None:
        uncertified = 1 - summary.percent_certified / 100
        yield Measured(
            "uncertified",
            uncertified,
            f"{uncertified:.1%} of {counted(summary.provable_texts, 'text')} are not certified",
            advice=f"The first rows are {', '.join(summary.uncertified_rows)}; their columns 'missing', 'extra' and "
            "'unattested' say why.",
        )
    if last is None:
        return
    # An earlier run without texts has no averages to compare with.
    before, extra_before = last.percent_given or 0, last.extra_items
    what = f"The items given went from {before:.2f}% to {given:.2f}%"
    yield Measured("given_fall", before - given, what, "{:g} points")
    if extra_before is not None:
        what = f"The extra items per text went from {extra_before:.2f} to {extra:.2f}"
        yield Measured("extra_rise", extra - extra_before, what, "{:g} more")
    what = f"The share of error rows went from {last.error_share:.1%} to {errors:.1%}"
    yield Measured("errors_rise", errors - last.error_share, what, "{:.1%} more")
