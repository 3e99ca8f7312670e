"""The figures of the list of foods, on docs/coverage.md."""

from __future__ import annotations

from typing import Any

from allsaid.markdown import table
from pages.results import facts, result


def measured() -> str:
    """Return the extra items of reference texts and the planted foods found, by the size of the training part."""
    found = result("foods")
    texts, judged = found["texts"], found["judged"]
    rows = [
        [f"{name} ({cells['recipes']:,})", _cell(cells, "extra_items/library"), _cell(cells, "planted_found_percent")]
        for name, cells in found["trained_on"].items()
    ]
    counts = facts(
        {
            "reference texts of the library": f"{texts['library']:,}",
            "of them with a planted item": texts["planted"],
            "extra items of reference texts that were read": judged["read"],
            "of them foods that the agenda lacks": judged["not_in_the_agenda"],
            "time to measure a text, over the older rule's": f"{found['times_slower']:.2f}",
        }
    )
    head = ["training part (recipes)", "extra items a reference text", "% of planted items found"]
    return f"{table(head, rows)}\n\n{counts}"


def _cell(cells: dict[str, Any], key: str) -> str:
    return f"{cells['list'][key]:.2f} ({cells['training'][key]:.2f})"
