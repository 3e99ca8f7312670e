"""``DIR/history.parquet``, the counts of every run, and the picture that `allsaid history` draws of them."""

from __future__ import annotations

import io

import pyarrow as pa
import pyarrow.parquet as pq

from allsaid.console import say
from allsaid.storage import files
from allsaid.storage.parquet import open_parquet
from pipelines.datasets.gates import means
from pipelines.datasets.snapshot import DAMAGED_HISTORY, HISTORY_NAME, PICTURE_NAME
from schemas.checks.table import check_schema, to_table
from schemas.errors import UserError
from schemas.runs.history import ASIDE, HISTORY, PUBLISHED, Mean, RunCounts
from schemas.runs.manifest import Manifest


def date_of(run: str) -> str:
    """Return the date in a run's name; "" if it has none."""
    return run.rpartition("/")[0].removeprefix("run_date=")


def entry(manifest: Manifest, reused: int, seconds: float, faults: list[str]) -> RunCounts:
    """Return a run's row of the history."""
    return RunCounts(
        run=manifest.run,
        run_date=date_of(manifest.run),
        created=manifest.created,
        status=ASIDE if faults else PUBLISHED,
        read=manifest.read,
        kept=manifest.kept,
        rejected=manifest.rejected_total,
        losses=len(manifest.losses),
        shards=len(manifest.shards),
        reused=reused,
        seconds=round(seconds, 1),
        means=[Mean(name, value) for name, value in means(manifest).items()],
        faults=faults,
        fingerprint=manifest.fingerprint,
    )


def add(output: str, row: RunCounts) -> None:
    """Add a run to the history by replacing the file; a damaged history is kept under another name."""
    path = files.join(output, HISTORY_NAME)
    rows = [to_table([row], HISTORY)]
    if files.exists(path):
        try:
            rows.insert(0, _table(path))
        except UserError as fault:
            kept = files.join(output, DAMAGED_HISTORY)
            with files.open_read(path) as damaged:
                files.replace(kept, damaged.read())
            say(f"{fault} It is kept as {kept}; a new history begins.", "warning")
    buffer = io.BytesIO()
    pq.write_table(pa.concat_tables(rows), buffer, compression="zstd")
    files.replace(path, buffer.getvalue())


def exists(output: str) -> bool:
    return files.exists(files.join(output, HISTORY_NAME))


def read(output: str) -> list[RunCounts]:
    """Return every run of a data set, oldest first; raise UserError if there is no history."""
    path = files.join(output, HISTORY_NAME)
    if not exists(output):
        raise UserError(
            f"{output} has no history. Give the output of `allsaid ingest` or `allsaid nightly`; a run that failed may "
            "have left nothing there."
        )
    try:
        rows = _table(path).to_pylist()
    except UserError as fault:
        raise UserError(
            f"{fault} The next `allsaid ingest` keeps it as {DAMAGED_HISTORY}, and begins a new history."
        ) from fault
    return [RunCounts(**{**row, "means": [Mean(**mean) for mean in row["means"]]}) for row in rows]


def _table(path: str) -> pa.Table:
    """Return the rows of a history; raise UserError if it is damaged, or of another version."""
    try:
        with files.open_read(path) as stream:
            table = open_parquet(stream).read(use_threads=False)
    except (OSError, pa.ArrowException) as fault:
        raise UserError(f"{path} is damaged ({fault}).") from fault
    check_schema(table.schema, HISTORY, path, remedy=" Another version of Allsaid may have written it.")
    return table


def draw(output: str, history: list[RunCounts]) -> str:
    """Draw the counts and means of each run; return the picture's path, or "" with a warning if it can't be written."""
    from matplotlib.figure import Figure  # without pyplot, which takes as long again to load

    places = range(len(history))
    by_run = [{mean.name: mean.value for mean in past.means} for past in history]
    # Names with a blank, "<finding> <column>" of a user's table, are left out, since there are many.
    names = sorted(name for name in set[str]().union(*by_run) if " " not in name)
    picture = Figure(figsize=(12, 4), layout="constrained")
    panels = picture.subplots(1, 2)
    for column in ("read", "kept", "rejected"):
        panels[0].plot(places, [getattr(past, column) for past in history], marker=".", label=column)
    for name in names:
        panels[1].plot(places, [of_run.get(name) for of_run in by_run], marker=".", label=name)
    aside = [place for place in places if history[place].status == ASIDE]
    for panel, title in zip(panels, ("records", "means"), strict=True):
        panel.set_title(title)
        panel.set_xticks(list(places), [past.title for past in history], rotation=45, ha="right")
        for place in aside:
            panel.axvline(place, color="tab:red", alpha=0.4, linestyle=":")
        panel.set_ylim(bottom=0)
        panel.grid(alpha=0.3)
        panel.legend()
    buffer = io.BytesIO()
    picture.savefig(buffer, dpi=120)
    path = files.join(output, PICTURE_NAME)
    try:
        files.replace(path, buffer.getvalue())
    except OSError as fault:  # the folder may belong to another user
        say(f"The picture of these runs, {path}, can't be written ({fault.strerror}).", "warning")
        return ""
    return path
