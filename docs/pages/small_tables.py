"""The figures of docs/figures.md: texts by the number of training texts, and the reading of certified texts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from allsaid.markdown import table
from pages.results import facts, labels, result

CURVE, READING = "small_tables", "reading"
EARLIER = ("reading_1", "reading_2", "reading_3")  # each led to stricter rules; of other rows, by other readers
CELLS = {"products": "products-269-table+assemble", "laptops": "laptops-200-table+assemble"}  # whose texts were read
FIGURES = labels("small_tables")
READ = labels("reading")


def curve() -> str:
    """Return a row for each table, number of training texts and system."""
    false = _false_certificates()
    rows = [
        [
            cell["table"],
            f"{cell['size']:,}",
            cell["system"],
            str(cell["texts"]),
            *("-" if cell[key] is None else f"{cell[key]:.1f}" for key in FIGURES),
            false.get(name, "-"),
        ]
        for name, cell in result(CURVE)["cells"].items()
    ]
    heads = ["table", "training texts", "system", "texts", *FIGURES.values(), "% false certificates"]
    options = facts({"options of `allsaid generate`": f"`{result(CURVE)['options']}`"})
    return f"{table(heads, rows)}\n\n{options}"


def _false_certificates() -> dict[str, str]:
    """Return the share of certified texts that readers found false, of the systems whose texts were read."""
    origins = result(READING)["origins"]
    shares = {cell: origins[f"generated: {name}"] for name, cell in CELLS.items()}
    return {cell: f"{read['false_certificates_percent']:.1f} of {read['n']}" for cell, read in shares.items()}


def reading() -> str:
    """Return the verdicts of readers who did not know where a text was from."""
    found = result(READING)
    rows = [
        [
            name,
            str(read["n"]),
            *(f"{read[key]:.1f}" for key in READ),
            _false(read),
            _alpha(read["agreement"]["verdicts"]),
        ]
        for name, read in found["origins"].items()
    ]
    heads = ["texts", "read", *READ.values(), "% false certificates", "Krippendorff's alpha"]
    earlier = [result(name)["origins"]["generated"]["false_certificates_percent"] for name in EARLIER]
    more = facts(
        {
            "readers": found["readers"],
            "Krippendorff's alpha of all verdicts": _alpha(found["agreement"]["verdicts"]),
            "Krippendorff's alpha of true or not": _alpha(found["agreement"]["true or not"]),
            "% false certificates in earlier readings": ", ".join(f"{percent:.1f}" for percent in earlier),
        }
    )
    return f"{table(heads, rows)}\n\n{more}"


def in_short() -> str:
    """Return the share of false certificates, next to the share of wrong reference texts."""
    found = result(READING)
    origins = found["origins"]
    read, people = origins["generated"], origins["people"]
    shares = [
        figures["false_certificates_percent"] for name, figures in origins.items() if name.startswith("generated: ")
    ]
    return facts(
        {
            "certified texts read, by model readers": f"{read['n']}, {found['readers']}",
            "**% false certificates**": f"**{read['false_certificates_percent']:.1f}**",
            "at most, with 95% confidence": f"{read['false_certificates_at_most_percent']:.1f}",
            "by data set": f"{min(shares):.1f} to {max(shares):.1f}",
            f"% of {people['n']} texts by people that are wrong, incomplete or no sentences": (
                f"{100 - people['true_percent']:.0f}"
            ),
        }
    )


def _false(read: Mapping[str, Any]) -> str:
    if "false_certificates" not in read:
        return "-"
    return f"{read['false_certificates_percent']:.1f} (at most {read['false_certificates_at_most_percent']:.1f})"


def _alpha(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"
