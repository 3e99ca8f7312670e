"""The speed of models that copy, on docs/figures.md, and the gates of scratchpads, on docs/papers.md."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from allsaid.markdown import table
from pages.results import facts, labels, result

SIZES = labels("notes_speed sizes")


def notes() -> str:
    """Return the speed of coverage and scratchpad; in brackets the extra time over plain copying attention."""
    found = result("notes_speed")
    return _rates(found, found["time_of_copynet"], lambda share: f"{share - 1:+.0%}")


def recipes() -> str:
    """Return the speed of models that copy words of ingredients; in brackets the share of attention's speed."""
    return _pointing("recipes")


def dialogues() -> str:
    """Return the speed of models that copy cells of a table; in brackets the share of attention's speed."""
    return _pointing("dialogues")


def _pointing(name: str) -> str:
    found = result("pointer_speed")[name]
    return _rates(found, found["of_attention"], lambda share: f"{share:.0%}")


def _rates(found: Mapping[str, Any], shares: Mapping[str, Mapping[str, float]], show: Callable[[float], str]) -> str:
    rows = []
    for system in found["tokens_per_second"]:
        cells = [f"{found['tokens_per_second'][system]:,.0f}", f"{found['texts_per_second'][system]:,.2f}"]
        for place, kind in enumerate(("training", "generation")):
            if system in shares[kind]:
                cells[place] += f" ({show(shares[kind][system])})"
        rows.append([f"`{system}`", *cells])
    sizes = {label: f"{found['sizes'][key]:,}" for key, label in SIZES.items()}
    setup = facts(sizes | {"rounds, whose medians are shown": found["rounds"]})
    return f"{table(['system', 'trained tokens a second', 'texts a second'], rows)}\n\n{setup}"


def gates() -> str:
    """Return what scratchpads with other initial biases of their gates write, next to plain copying."""
    found = result("gates")
    splits = found["splits"]
    rows = [
        [
            f"scratchpad, {name}" if "gate" in figures else "plain copying",
            *(f"{100 * figures[key]:.2f}" if key in figures else "" for key in ("gate", "gate_open")),
            f"{figures['perplexity']:.2f}",
            f"{figures['entropy']:.3f}",
        ]
        for name, figures in found["systems"].items()
    ]
    setup = facts({"questions, train and dev": f"{splits['train']:,}, {splits['dev']:,}"})
    head = [
        "system, and the bias of its gates",
        "mean gate, %",
        "gates above one half, %",
        "perplexity",
        "entropy, nats",
    ]
    return f"{table(head, rows)}\n\n{setup}"
