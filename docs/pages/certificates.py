"""The figures of docs/certificate.md: planted nonsense that is refused, and reference texts that pass."""

from __future__ import annotations

from allsaid.markdown import table
from pages.results import paragraph, result, when

NAME = "planted"
FIGURES = {
    "refused": "% of planted texts refused",
    "refused, all models": "% of models' wrong texts refused",
    "references_passed": "% of test texts by people attested",
    "passed, control": "% of models' good texts attested",
}


def planted() -> str:
    """A row for each number of training texts."""
    found = result(NAME)
    rows = [[size, *(f"{cell[key]:.1f}" for key in FIGURES)] for size, cell in found["training_texts"].items()]
    texts = found["texts"]
    said = paragraph(
        f"Of `samples/products.csv`: {texts['planted']} planted texts, {texts['models']} wrong and {texts['control']} "
        f"good texts of models, judged by hand. Sizes under the last are means of five samples. {when(NAME)}"
    )
    return f"{table(['training texts', *FIGURES.values()], rows)}\n\n{said}"
