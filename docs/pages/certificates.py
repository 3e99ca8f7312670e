"""The figures of docs/certificate.md: planted nonsense that is refused, and reference texts that pass."""

from __future__ import annotations

from allsaid.markdown import table
from pages.results import paragraph, result, when

NAME, SPEED = "planted", "certified_speed"
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


def speed() -> str:
    """Certified texts a second beside the texts a second of before."""
    found = result(SPEED)
    return paragraph(
        f"""
        Of {found["rows"]} new products, {found["certified_texts_per_second"]:.1f} certified texts a second were written
        with `--min-coverage 100`, where an earlier version, without certificates, wrote
        {found["texts_per_second_before"]:.1f} texts a second: the search runs again for fewer rows. Medians of three
        runs in turns, on one core of a busy machine (`benchmarks/speed/certified_speed.py`). {when(SPEED)}
        """
    )
