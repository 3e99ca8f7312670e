"""What was found in the cells of a table, told by column with the remedy; rejected rows count, too."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from allsaid.console import counted
from pipelines.datasets.statistics import ALL, REJECTED, Histograms, add_up, describe, lost_zeros
from pipelines.sources.records.cells import BROKEN, CUT_NUMBER, ERROR, MARKUP, MONTH, REPAIRED, REPLACED

LOST_ZEROS = "lost_zeros"
_AS_TEXT = "Make the column text in the spreadsheet before the values are typed or imported, and export it anew."
SPOILT = (ERROR, CUT_NUMBER, MONTH, LOST_ZEROS)  # by a spreadsheet
SENTENCES: Mapping[str, str] = {
    MARKUP: "with HTML, read as its text.",
    BROKEN: "with text that was broken before, such as Ã© for é; `repair: true` in the mapping mends that.",
    REPAIRED: "with text that was broken before, mended as the mapping says.",
    REPLACED: "with � in place of lost characters. Export the table anew from its source, as UTF-8.",
    ERROR: "with a spreadsheet's error such as #NAME? or ####, read as empty. Mend the formulas, widen the column, and "
    "export it anew.",
    CUT_NUMBER: f"with a long number of which a spreadsheet kept a few digits, such as 1.23E+12. {_AS_TEXT}",
    MONTH: f"with a day without a year, such as 03-Apr, which may have been 3-4. {_AS_TEXT}",
    LOST_ZEROS: f"that may have lost the zeros they began with, since nearly all others are longer. {_AS_TEXT}",
}


def findings(statistics: Mapping[str, Any]) -> dict[str, dict[str, int]]:
    """Column -> finding -> cells, of a manifest's statistics."""
    figures = statistics["figures"]
    sums, rejected = (
        {name: figure["sum"] for name, figure in figures.get(rows, {}).items()} for rows in (ALL, REJECTED)
    )
    sums |= {f"{LOST_ZEROS} {column}": cells for column, cells in statistics.get("lost zeros", {}).items()}
    found: dict[str, dict[str, int]] = {}
    for name, cells in sums.items():
        finding, _, column = name.partition(" ")
        kept = cells - rejected.get(name, 0)
        is_month = finding == MONTH and kept * 2 < sums.get(f"given {column}", 0)  # else the column holds such days
        if finding in SENTENCES and cells and (is_month or finding != MONTH):
            found.setdefault(column, {})[finding] = cells
    return found


def findings_of(parts: Iterable[Histograms]) -> dict[str, dict[str, int]]:
    """Column -> finding -> cells, of the figures of rows that make no data set, "given <column>" among them."""
    histograms = add_up(parts)
    return findings({"figures": describe(histograms), "lost zeros": lost_zeros(histograms)})


def sentences(found: Mapping[str, Mapping[str, int]]) -> Iterator[str]:
    for column, kinds in found.items():
        for finding, cells in kinds.items():
            yield f"Column '{column}': {counted(cells, 'cell')} {SENTENCES[finding]}"
