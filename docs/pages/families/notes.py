"""What keeping notes costs, on docs/scratchpad.md."""

from __future__ import annotations

from allsaid.markdown import table
from pages.results import paragraph, result, when

SYSTEMS = {"copynet": "plain attention (`copynet`)", "coverage": "`coverage`", "scratchpad": "`scratchpad`"}


def speed() -> str:
    """Coverage and scratchpad beside plain copying attention, in training and in search."""
    found = result("notes_speed")
    sizes, over = found["sizes"], found["time_of_copynet"]
    text = paragraph(
        f"""
        `benchmarks/speed/notes_speed.py`, {sizes["hidden"]} hidden units and {sizes["words"]:,} words, batches of
        {sizes["batch"]} questions; {sizes["texts"]} questions of {sizes["length"]} tokens with a beam of
        {sizes["width"]}. One core by processor time, medians of {found["rounds"]} rounds in turn; in brackets the time
        over that of plain attention in the same round. Wanted were at most 40% in training and 60% in search.
        {when("notes_speed")}
        """
    )
    rows = [
        [called]
        + [
            f"{found[unit][system]:,.{places}f}{_over(over[kind].get(system))}"
            for kind, unit, places in (("training", "tokens_per_second", 0), ("generation", "texts_per_second", 2))
        ]
        for system, called in SYSTEMS.items()
    ]
    return f"{text}\n\n{table(['system', 'trained tokens a second', 'texts a second'], rows)}"


def _over(share: float | None) -> str:
    return "" if share is None else f" ({share - 1:+.0%})"
