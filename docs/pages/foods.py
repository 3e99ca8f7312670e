"""What the list of foods finds, on docs/coverage.md."""

from __future__ import annotations

from allsaid.markdown import table
from pages.results import paragraph, result, when


def measured() -> str:
    """Extra items of reference texts and planted foods that are found, by the size of the training part."""
    found = result("foods")
    judged, texts = found["judged"], found["texts"]
    rows = [
        [f"{name} ({of['recipes']:,})", *(_cell(of, key) for key in ("extra_items/library", "planted_found_percent"))]
        for name, of in found["trained_on"].items()
    ]
    text = paragraph(
        f"""
        The same {texts["library"]:,} reference texts of the library, and {texts["planted"]} of them with a planted
        item of another recipe, by training parts of three sizes; in brackets by the older rule. Of {judged["read"]}
        extra items of reference texts that were read, {judged["not_in_the_agenda"]} are foods that the agenda lacks.
        A text takes {found["times_slower"]:.2f} times as long to measure. {when("foods")}
        """
    )
    head = ["training part (recipes)", "extra items a reference text", "% of planted items found"]
    return f"{text}\n\n{table(head, rows)}"


def _cell(of: dict, key: str) -> str:
    return f"{of['list'][key]:.2f} ({of['training'][key]:.2f})"
