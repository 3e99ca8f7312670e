"""``allsaid compare --texts``: where two evaluations' texts of the same dev examples differ, and which says more."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from statistics import fmean

from allsaid import console
from allsaid.console import UserError, out
from evaluation.tasks.rows import Row, from_table
from training.metrics.figures import FIGURES
from training.tracking.connection import for_reading
from training.tracking.results import Server

SHOWN = 10  # differing texts that are printed


@dataclass(frozen=True)
class Side:
    """One run's texts of the examples that both runs have."""

    run: str
    system: str
    rows: list[Row]

    @property
    def percent_given(self) -> float:
        return fmean(row.percent_given for row in self.rows)

    @property
    def extra_items(self) -> float:
        return fmean(len(row.extra) for row in self.rows)


def run(first: str, second: str) -> list[tuple[Row, Row]]:
    """Print and give back the pairs of texts that differ; raises :class:`UserError` where the runs share no example."""
    server = Server(for_reading())
    one, other = (_side(server, run_id) for run_id in (first, second))
    common = {row.id for row in one.rows} & {row.id for row in other.rows}
    if not common:
        raise UserError(f"Runs {first} and {second} hold texts of different examples. Evaluate both on one data set.")
    one, other = (Side(side.run, side.system, [row for row in side.rows if row.id in common]) for side in (one, other))
    pairs = list(zip(one.rows, other.rows, strict=True))
    differing = [pair for pair in pairs if pair[0].text != pair[1].text]
    _show(one, other, differing, len(pairs))
    return differing


def _side(server: Server, run_id: str) -> Side:
    run = server.run(run_id)
    rows = sorted(from_table(server.table(run_id)), key=lambda row: row.id)
    return Side(run_id, run.data.tags.get("system", run_id), rows)


def _show(one: Side, other: Side, differing: Sequence[tuple[Row, Row]], count: int) -> None:
    better = [sum(left.percent_given > right.percent_given for left, right in differing)]
    better.append(sum(left.percent_given < right.percent_given for left, right in differing))
    for left, right in differing[:SHOWN]:
        out.print(f"{left.goal or left.id}: {'; '.join(left.agenda)}", style="bold", markup=False)
        for side, row in ((one, left), (other, right)):
            out.print(f"  {side.system}: {row.text.replace(chr(10), ' / ')}", markup=False)
            for what in ("missing", "extra"):
                if named := getattr(row, what):
                    out.print(f"    {what}: {'; '.join(named)}", markup=False)
        out.print()
    rows = [
        *(
            (FIGURES[key].name, *(FIGURES[key].show(getattr(side, key)) for side in (one, other)))
            for key in ("percent_given", "extra_items")
        ),
        ("texts that give more", *map(str, better)),
    ]
    figures = {
        "texts": count,
        "differing": [{"id": left.id, one.run: asdict(left), other.run: asdict(right)} for left, right in differing],
    }
    title = f"{len(differing)} of {count} dev texts differ"
    console.result("compare", figures, title, ("figure", one.system, other.system), rows)
    console.say(_verdict(one, other))


def _verdict(one: Side, other: Side) -> str:
    if one.percent_given == other.percent_given:
        return f"Both give {one.percent_given:.1f}% of the items."
    more, less = (one, other) if one.percent_given > other.percent_given else (other, one)
    return f"{more.system} gives more: {more.percent_given:.1f}% of the items against {less.percent_given:.1f}%."
