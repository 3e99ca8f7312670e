"""What pointing costs, on docs/pointing.md."""

from __future__ import annotations

from typing import Any

from allsaid.markdown import table
from pages.results import paragraph, result, when

NAMES = {
    "recipes": "Recipes, whose ingredients' words are copied",
    "dialogues": "Turns of dialogues, which copy cells of a table",
}


def speed() -> str:
    """Models that copy beside the attention models of their tasks, in training and in search."""
    found = result("pointer_speed")
    text = paragraph(
        f"""
        `benchmarks/speed/pointer_speed.py`: texts of a length that is forced, and with them what a copying model says
        of where its words come from. One core by processor time, medians of {found["recipes"]["rounds"]} rounds in
        turn; in brackets the share of what attention reaches in the same round. Wanted were 70% in training and 60% in
        search. {when("pointer_speed")}
        """
    )
    return "\n\n".join([text, *(_case(name, found[name]) for name in NAMES)])


def _case(name: str, found: dict[str, Any]) -> str:
    sizes, shares = found["sizes"], found["of_attention"]
    text = paragraph(
        f"""
        {NAMES[name]}: {sizes["hidden"]} hidden units and {sizes["words"]:,} words, batches of {sizes["batch"]};
        {sizes["texts"]} texts of {sizes["length"]} tokens with a beam of {sizes["width"]}.
        """
    )
    rows = [
        [system]
        + [
            f"{found[unit][system]:,.{places}f}{_share(shares[kind].get(system))}"
            for kind, unit, places in (("training", "tokens_per_second", 0), ("generation", "texts_per_second", 2))
        ]
        for system in found["tokens_per_second"]
    ]
    return f"{text}\n\n{table(['system', 'trained tokens a second', 'texts a second'], rows)}"


def _share(share: float | None) -> str:
    return "" if share is None else f" ({share:.0%})"
