"""``allsaid compare --texts``: show where two systems' texts for the same rows differ, and which covers more.

The texts come from runs of `allsaid evaluate` or output folders of `allsaid generate`.
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
    """One system's texts for the rows that both systems have."""

    run: str  # a run's id, or a folder
    system: str
    rows: list[Row]
    figures: Mapping[str, Figure] = field(default_factory=lambda: FIGURES)  # with the names that suit its texts

    @property
    def means(self) -> dict[str, float | None]:
        """The mean of each figure over the rows; None if it was not measured for all."""
        return {
            "tokens": fmean(len(row.tokens) for row in self.rows),
            "percent_given": _mean([row.percent_given for row in self.rows]),
            "extra_items": _mean([None if row.extra is None else len(row.extra) for row in self.rows]),
        }


def run(first: str, second: str) -> list[tuple[Row, Row]]:
    """Print and return the pairs of texts that differ; raise UserError if the systems share no row."""
    sides = [_of_folder(name) if files.exists(files.join(name, NAME)) else _of_run(name) for name in (first, second)]
    common = set.intersection(*({row.id for row in side.rows} for side in sides))
    if not common:
        raise UserError(
            f"{first} and {second} hold texts of different rows. Evaluate both on one data set, or generate both from "
            "one input."
        )
    left, right = (replace(side, rows=[row for row in side.rows if row.id in common]) for side in sides)
    pairs = list(zip(left.rows, right.rows, strict=True))
    differing = [pair for pair in pairs if pair[0].text != pair[1].text]
    _show(left, right, differing, len(pairs))
    return differing


def _of_run(run_id: str) -> Side:
    """Return the texts of a run of `allsaid evaluate`."""
    server = Server(for_reading())
    run = server.run(run_id)
    rows = sorted(from_table(server.table(run_id)), key=lambda row: row.id)
    return Side(run_id, run.data.tags.get("system", run_id), rows)


def _of_folder(folder: str) -> Side:
    """Return the first text of each row in an output folder of `allsaid generate`."""
    rows = [
        Row(
            text.id,
            text.goal,
            text.checked_lines,
            "",
            text.text,
            text.tokens,
            None if text.percent_given is None else text.missing,
            None if text.extra_count is None else text.extra,
            doubled=[],
        )
        for text in sorted(read_rows(folder), key=lambda text: text.id)
    ]
    return Side(folder, folder, rows, read(folder).known)


def _mean(values: Sequence[float | None]) -> float | None:
    """Return the mean, or None if a value was not measured."""
    known = [value for value in values if value is not None]
    return fmean(known) if len(known) == len(values) else None


def _show(left: Side, right: Side, differing: Sequence[tuple[Row, Row]], count: int) -> None:
    for ours, theirs in differing[:SHOWN]:
        out.print(f"{ours.goal or ours.id}: {'; '.join(ours.agenda)}", style="bold", markup=False)
        for side, row in ((left, ours), (right, theirs)):
            out.print(f"  {side.system}: {row.text.replace(chr(10), ' / ')}", markup=False)
            for what, names in (("missing", row.missing), ("extra", row.extra)):
                if names:
                    out.print(f"    {what}: {'; '.join(names)}", markup=False)
        out.print()
    first, second = left.means, right.means
    rows = [
        (left.figures[key].name, left.figures[key].show(first[key]), left.figures[key].show(second[key]))
        for key in first
        if first[key] is not None and second[key] is not None
    ]
    verdict, percent, other_percent = "", first["percent_given"], second["percent_given"]
    if percent is not None and other_percent is not None:
        gains = [(ours.percent_given or 0) - (theirs.percent_given or 0) for ours, theirs in differing]
        wins = sum(gain > 0 for gain in gains), sum(gain < 0 for gain in gains)
        rows.append(("texts that give more", str(wins[0]), str(wins[1])))
        (lower, _), (higher, system) = sorted([(percent, left.system), (other_percent, right.system)])
        verdict = f"{system} gives more: {higher:.1f}% of the items against {lower:.1f}%."
        if lower == higher:
            verdict = f"Both give {higher:.1f}% of the items."
    result = {
        "texts": count,
        "differing": [{"id": ours.id, left.run: asdict(ours), right.run: asdict(theirs)} for ours, theirs in differing],
    }
    title = f"{len(differing)} of {count} texts differ"
    console.result("compare", result, title, ("figure", left.system, right.system), rows)
    if verdict:
        console.say(verdict)
