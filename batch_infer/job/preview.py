"""Preview of a run at the terminal: its first texts with their items ticked, and an estimate for the whole input."""

from __future__ import annotations

import io
import math
from collections.abc import Collection

import pyarrow as pa

from allsaid.console import counted, out
from allsaid.storage import files
from allsaid.storage.parquet import open_parquet
from batch_infer.job import folder
from batch_infer.proof.reasons import general
from batch_infer.proof.summary import Summary, text_files
from batch_infer.rows import facts
from batch_infer.rows.kinds import tables
from schemas.checks.table import from_table
from schemas.texts.finding import LOOK
from schemas.texts.generated import Generated

SHOWN = 20


def show(output: str, summary: Summary, whole: int, workers: int) -> None:
    """Print texts of ``output``, and for ``whole`` rows, if these are more, what to expect.

    These are the first :data:`SHOWN`. In a proof, all texts with a finding come first, however many there are. Of the
    rows without a text for one reason, only the first is printed.
    """
    size, texts, printed = 0, 0, {True: 0, False: 0}  # printed: texts with a finding, and others
    reasons: set[str] = set()
    written = folder.mapping_of(output)
    mapping = tables.mapping_of(written) if written else None
    for is_first in (True, False) if summary.submitted_texts else (False,):
        for path in text_files(output):
            with files.open_read(path) as stream:
                size += 0 if is_first else stream.seek(0, io.SEEK_END)
                table = open_parquet(stream).read(use_threads=False)
            texts += 0 if is_first else table.column("error").null_count
            places: list[int] = []
            cells = zip(table.column("error").to_pylist(), table.column("findings").to_pylist(), strict=True)
            for place, (error, findings) in enumerate(cells):
                reason = error and general(error)
                is_flagged = bool(findings and summary.submitted_texts)
                is_room = is_first or sum(printed.values()) < SHOWN
                if is_flagged is is_first and is_room and reason not in reasons:
                    places.append(place)
                    printed[is_flagged] += reason is None
                    reasons |= {reason} if reason else set()
            for row in from_table(table.take(pa.array(places, pa.int64())), Generated):
                is_record = bool(row.used) and facts.is_record(row)
                _print(row, facts.weak_lines(row, facts.measured(row, mapping)[1]) if is_record else set())
    if summary.submitted_texts and texts > sum(printed.values()):
        others = f"{printed[False]} of the {texts - printed[True]:,} others"
        out.print(f"Printed: all texts with a finding ({printed[True]:,}), and {others}.", markup=False)
    elif texts > SHOWN:
        out.print(f"These are the first rows; `allsaid report {output}` shows all {texts:,} texts.")
    if whole == summary.input_rows:
        return
    seconds = summary.search_seconds * whole / summary.input_rows / workers
    out.print(
        f"The whole input, {counted(whole, 'row')}, would take about {_duration(seconds)} with "
        f"{counted(workers, 'worker')} and {_size(size * whole / summary.input_rows)}."
    )


def _print(row: Generated, weak: Collection[str]) -> None:
    """Print a row; weak: its lines that rest on weak evidence."""
    given = [] if row.percent_given is None else [f"{row.percent_given:.0f}% given"]
    extra = [] if row.extra_count is None else [f"{row.extra_count} extra"]
    figures = ", ".join([*given, *extra, *([str(row.id)] if row.goal and row.id else [])])
    out.print((row.goal or row.id) + (f" ({figures})" if figures else ""), style="bold", markup=False)
    for line in row.unfamiliar:
        out.print(f"  ? {line}: never seen in training", markup=False)
    if row.error is not None:
        out.print(f"  error: {row.error}\n", markup=False)
        return
    used = list(row.used)
    for item in row.checked_lines:
        ticked = item in used
        if ticked:
            used.remove(item)
        sign = "✓" if ticked else "✗" if item in row.missing else " "
        out.print(f"  {sign} {item}" + (" (weak evidence)" if item in weak else ""), markup=False)
    for item, why in zip(row.unfitted, row.unfitted_why, strict=True):
        out.print(f"  ! {item}: {why}", markup=False)
    for name in row.extra:
        out.print(f"  + {name}", markup=False)
    for finding in row.findings:
        if finding.grade == LOOK and finding.line and finding.line not in (*row.missing, *row.extra):
            out.print(f"  ! {finding.passage or finding.line}: {finding.kind}", markup=False)
    for line in row.text.split("\n"):
        out.print(f"  {line}", markup=False)
    out.print()


def _duration(seconds: float) -> str:
    if seconds < 90:
        return counted(math.ceil(seconds), "second")
    return f"{seconds / 60:.0f} minutes" if seconds < 5400 else f"{seconds / 3600:.1f} hours"


def _size(size: float) -> str:
    for unit in ("bytes", "kB", "MB"):
        if size < 1000:
            return f"{size:.0f} {unit}"
        size /= 1000
    return f"{size:.1f} GB"
