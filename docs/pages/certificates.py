"""The figures of docs/coverage.md: planted nonsense that is refused, and reference texts that pass."""

from __future__ import annotations

from allsaid.markdown import table
from pages.results import facts, labels, result

FIGURES = labels("planted")


def planted() -> str:
    """Return the figures for each number of training texts, and the numbers of texts."""
    found = result("planted")
    texts = found["texts"]
    rows = [[size, *(f"{cell[key]:.1f}" for key in FIGURES)] for size, cell in found["training_texts"].items()]
    counts = facts(
        {
            "planted texts": texts["planted"],
            "wrong texts of models": texts["models"],
            "good texts of models": texts["control"],
        }
    )
    return f"{table(['training texts', *FIGURES.values()], rows)}\n\n{counts}"


def speed() -> str:
    """Return certified texts per second next to the texts per second without certificates."""
    found = result("certified_speed")
    return facts(
        {
            "new products": found["rows"],
            "certified texts a second": f"{found['certified_texts_per_second']:.1f}",
            "texts a second of an earlier version, without certificates": f"{found['texts_per_second_before']:.1f}",
        }
    )
