"""The figures of docs/small-tables.md: texts by the number of training texts, and the reading of certified texts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from allsaid.markdown import table
from pages.results import ROOT, paragraph, result, when

CURVE, READING = "small_tables", "reading"
EARLIER = ("reading_1", "reading_2", "reading_3")  # each led to stricter rules; of other rows, by other readers
PICTURE = ROOT / "docs" / f"{CURVE}.png"
CELLS = {"products": "products-269-table+assemble", "laptops": "laptops-200-table+assemble"}  # by what was read
NOT_MEASURED = "Not measured yet."
SUBSTITUTE = "Without certificates in the output, a text counts as certified if no value is missing or extra."
FIGURES = {
    "certified_percent": "% certified",
    "bleu": "BLEU-4",
    "distinct_per_100": "different texts of 100",
    "equal_percent": "% equal to another row's",
    "texts_per_second": "texts a second",
    "training_seconds": "seconds of training",
}
READ = {
    "true_percent": "% true and complete",
    "wrong_percent": "% wrong",
    "no sentence_percent": "% no sentence",
    "no majority_percent": "% without a majority",
    "claims_percent": "% with claims",
}


def curve() -> str:
    """A row for each table, number of training texts and system."""
    if not is_measured(CURVE):
        return NOT_MEASURED
    found = result(CURVE)
    cells = found["cells"]
    false = false_certificates()
    rows = [
        [
            cell["table"],
            f"{cell['size']:,}",
            cell["system"],
            str(cell["texts"]),
            *("-" if cell[key] is None else f"{cell[key]:.1f}" for key in FIGURES),
            false.get(name, "-"),
        ]
        for name, cell in cells.items()
    ]
    heads = ["table", "training texts", "system", "texts", *FIGURES.values(), "% false certificates"]
    proof = "" if all(cell["has_certificates"] for cell in cells.values()) else SUBSTITUTE
    said = paragraph(f"`allsaid generate` had the options `{found['options']}`. {proof} {when(CURVE)}")
    picture = f"\n\n![Certified share, BLEU and variety, by training texts]({PICTURE.name})" if PICTURE.exists() else ""
    return f"{table(heads, rows)}\n\n{said}{picture}"


def false_certificates() -> dict[str, str]:
    """Of the cells whose systems were read: the share of certified texts that readers found not true."""
    if not is_measured(READING):
        return {}
    origins: Mapping[str, Any] = result(READING)["origins"]
    shares = {cell: origins[f"generated: {name}"] for name, cell in CELLS.items()}
    return {cell: f"{of['false_certificates_percent']:.1f} of {of['n']}" for cell, of in shares.items()}


def reading() -> str:
    """What readers said who did not know where a text was from."""
    if not is_measured(READING):
        return NOT_MEASURED
    found = result(READING)
    rows = [
        [
            name,
            str(of["n"]),
            *(f"{of[key]:.1f}" for key in READ),
            _false(of),
            _alpha(of["agreement"]["verdicts"]),
        ]
        for name, of in found["origins"].items()
    ]
    heads = ["texts", "read", *READ.values(), "% false certificates", "Krippendorff's alpha"]
    alpha = found["agreement"]
    said = paragraph(
        f"{found['readers']} readers; the verdict of a text is that of most of them. Krippendorff's alpha over all "
        f"texts is {_alpha(alpha['verdicts'])}, of true or not {_alpha(alpha['true or not'])}. {when(READING)}"
    )
    before = ", ".join(f"{result(name)['origins']['generated']['false_certificates_percent']:.1f}%" for name in EARLIER)
    earlier = paragraph(
        f"Earlier readings, each of other rows by other readers, had {before} false certificates. The rules became "
        "stricter after each of them; their result files stand beside this one's."
    )
    return f"{table(heads, rows)}\n\n{said}\n\n{earlier}"


def in_short() -> str:
    """The share of false certificates, beside the same of people's texts."""
    found = result(READING)
    origins = found["origins"]
    of, people = origins["generated"], origins["people"]
    shares = [one["false_certificates_percent"] for name, one in origins.items() if name.startswith("generated: ")]
    return paragraph(
        f"""
        **False certificates: {of["false_certificates_percent"]:.1f}%** of {of["n"]} certified texts, with 95%
        confidence at most {of["false_certificates_at_most_percent"]:.1f}%; by data set {min(shares):.1f}% to
        {max(shares):.1f}% ([docs/small-tables.md](docs/small-tables.md)). {found["readers"]} model readers each read
        them mixed with texts by people and did not know which is which. By the same rubric,
        {100 - people["true_percent"]:.0f}% of the {people["n"]} texts by people were wrong, incomplete or no sentences.
        {when(READING)}
        """
    )


def is_measured(name: str) -> bool:
    return (ROOT / "benchmarks" / "results" / f"{name}.json").exists()


def _false(of: Mapping[str, Any]) -> str:
    if "false_certificates" not in of:
        return "-"
    return f"{of['false_certificates_percent']:.1f} (at most {of['false_certificates_at_most_percent']:.1f})"


def _alpha(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"
