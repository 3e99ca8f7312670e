"""``allsaid compare --texts``: where two systems' texts of the same rows differ, and which says more.

They are two runs of `allsaid evaluate`, or two output folders of `allsaid generate`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from statistics import fmean

from allsaid import console
from allsaid.console import out
from allsaid.proof.figures import FIGURES, Figure
from allsaid.storage import files
from batch_infer.proof.summary import NAME, read
from batch_infer.proof.texts import read_rows
from evaluation.tasks.rows import Row, from_table
from schemas.errors import UserError
from training.tracking.connection import for_reading
from training.tracking.results import Server

SHOWN = 10  # differing texts that are printed


@dataclass(frozen=True)
class Side:
    """One run's or folder's texts of the rows that both have."""

    run: str  # its id, or the folder
    system: str
    rows: list[Row]
    known: Mapping[str, Figure] = field(default_factory=lambda: FIGURES)  # as its texts call them

    @property
    def tokens(self) -> float:
        return fmean(len(row.tokens) for row in self.rows)

    @property
    def percent_given(self) -> float | None:
        return _mean([row.percent_given for row in self.rows])

    @property
    def extra_items(self) -> float | None:
        return _mean([None if row.extra is None else len(row.extra) for row in self.rows])


def run(first: str, second: str) -> list[tuple[Row, Row]]:
    """Print and give back the pairs of texts that differ; raises :class:`UserError` where both share no row."""
    one, other = (
        _of_folder(name) if files.exists(files.join(name, NAME)) else _of_run(name) for name in (first, second)
    )
    common = {row.id for row in one.rows} & {row.id for row in other.rows}
    if not common:
        raise UserError(
            f"{first} and {second} hold texts of different rows. Evaluate both on one data set, or generate both from "
            "one input."
        )
    one, other = (replace(side, rows=[row for row in side.rows if row.id in common]) for side in (one, other))
    pairs = list(zip(one.rows, other.rows, strict=True))
    differing = [pair for pair in pairs if pair[0].text != pair[1].text]
    _show(one, other, differing, len(pairs))
    return differing


def _of_run(run_id: str) -> Side:
    """The texts of dev examples that a run of `allsaid evaluate` holds."""
    server = Server(for_reading())
    run = server.run(run_id)
    rows = sorted(from_table(server.table(run_id)), key=lambda row: row.id)
    return Side(run_id, run.data.tags.get("system", run_id), rows)


def _of_folder(folder: str) -> Side:
    """The first text of each row in an output folder of `allsaid generate`."""
    rows = [
        Row(
            one.id,
            one.goal,
            one.asked,
            "",
            one.text,
            one.tokens,
            None if one.percent_given is None else one.missing,
            None if one.extra_count is None else one.extra,
            doubled=[],
        )
        for one in sorted(read_rows(folder), key=lambda one: one.id)
    ]
    return Side(folder, folder, rows, read(folder).known)


def _mean(values: Sequence[float | None]) -> float | None:
    """None where a value is not measured."""
    known = [value for value in values if value is not None]
    return fmean(known) if len(known) == len(values) else None


def _show(one: Side, other: Side, differing: Sequence[tuple[Row, Row]], count: int) -> None:
    for left, right in differing[:SHOWN]:
        out.print(f"{left.goal or left.id}: {'; '.join(left.agenda)}", style="bold", markup=False)
        for side, row in ((one, left), (other, right)):
            out.print(f"  {side.system}: {row.text.replace(chr(10), ' / ')}", markup=False)
            for what in ("missing", "extra"):
                if named := getattr(row, what):
                    out.print(f"    {what}: {'; '.join(named)}", markup=False)
        out.print()
    rows = [
        (one.known["tokens"].name, *(one.known["tokens"].show(side.tokens) for side in (one, other))),
        *(
            (one.known[key].name, *(one.known[key].show(getattr(side, key)) for side in (one, other)))
            for key in ("percent_given", "extra_items")
            if getattr(one, key) is not None and getattr(other, key) is not None
        ),
    ]
    if one.percent_given is not None and other.percent_given is not None:
        gains = [(left.percent_given or 0) - (right.percent_given or 0) for left, right in differing]
        more = sum(gain > 0 for gain in gains), sum(gain < 0 for gain in gains)
        rows.append(("texts that give more", *map(str, more)))
    figures = {
        "texts": count,
        "differing": [{"id": left.id, one.run: asdict(left), other.run: asdict(right)} for left, right in differing],
    }
    title = f"{len(differing)} of {count} texts differ"
    console.result("compare", figures, title, ("figure", one.system, other.system), rows)
    if one.percent_given is not None and other.percent_given is not None:
        console.say(_verdict((one.percent_given, one.system), (other.percent_given, other.system)))


def _verdict(*sides: tuple[float, str]) -> str:
    """Of two systems and the percentage that each gives."""
    (least, _), (most, system) = sorted(sides)
    if least == most:
        return f"Both give {most:.1f}% of the items."
    return f"{system} gives more: {most:.1f}% of the items against {least:.1f}%."
