"""The findings in the cells of a table, reported by column with the remedy; rejected rows count as well."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any  # Any: JSON

from allsaid.console import counted
from pipelines.datasets.statistics import ALL, REJECTED, Histograms, add_up, describe, lost_zeros
from pipelines.sources.records.cells import (
    BROKEN,
    CUT_NUMBER,
    ERROR,
    ESCAPES,
    MARKUP,
    MONTH,
    REPAIRED,
    REPLACED,
    SHORT_ROW,
)

LOST_ZEROS = "lost_zeros"
_AS_TEXT = "Make the column text in the spreadsheet before the values are typed or imported, and export it again."
DAMAGED = (ERROR, CUT_NUMBER, MONTH, LOST_ZEROS)  # by a spreadsheet
SENTENCES: Mapping[str, str] = {
    SHORT_ROW: "missing at the end of a row; they and the cells after them are read as empty.",
    MARKUP: "with HTML, of which only the text is read.",
    ESCAPES: r"with escapes such as \n or \", read as the characters that they mean.",
    BROKEN: "with damaged text, such as Ã© for é; `repair: true` in the mapping repairs it.",
    REPAIRED: "with damaged text, repaired as the mapping says.",
    REPLACED: "with � in place of lost characters. Export the table again from its source, as UTF-8.",
    ERROR: "with a spreadsheet's error such as #NAME? or ####, read as empty. Correct the formulas, widen the column, "
    "and export it again.",
    CUT_NUMBER: f"with a long number that a spreadsheet has shortened, such as 1.23E+12. {_AS_TEXT}",
    MONTH: f"with a day and a month, such as 03-Apr; a spreadsheet may have made it from 3-4. {_AS_TEXT}",
    LOST_ZEROS: f"that may have lost leading zeros, since nearly all others are longer. {_AS_TEXT}",
}


def findings(statistics: Mapping[str, Any]) -> dict[str, dict[str, int]]:
    """Return column -> finding -> cells, of a manifest's statistics."""
    figures = statistics["figures"]
    sums, rejected = (
        {name: figure["sum"] for name, figure in figures.get(rows, {}).items()} for rows in (ALL, REJECTED)
    )
    sums |= {f"{LOST_ZEROS} {column}": cells for column, cells in statistics.get("lost zeros", {}).items()}
    found: dict[str, dict[str, int]] = {}
    for name, cells in sums.items():
        finding, _, column = name.partition(" ")
        kept = cells - rejected.get(name, 0)
        is_month = finding == MONTH and kept * 2 < sums.get(
            f"given {column}", 0
        )  # else such days are what the column holds
        if finding in SENTENCES and cells and (is_month or finding != MONTH):
            found.setdefault(column, {})[finding] = cells
    return found


def findings_of(parts: Iterable[Histograms]) -> dict[str, dict[str, int]]:
    """Return column -> finding -> cells, of figures of rows, which include "given <column>"."""
    histograms = add_up(parts)
    return findings({"figures": describe(histograms), "lost zeros": lost_zeros(histograms)})


def sentences(found: Mapping[str, Mapping[str, int]]) -> Iterator[str]:
    """Yield a sentence for each finding of each column."""
    for column, kinds in found.items():
        for finding, cells in kinds.items():
            yield f"Column '{column}': {counted(cells, 'cell')} {SENTENCES[finding]}"
