"""The commands about dumps and data sets, but for `allsaid ingest`."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

import typer

from allsaid import console
from allsaid.commands.options import DataFolder, OutputFolder


def fetch(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A corpus, by the name of its source.")],
    output: OutputFolder,
) -> None:
    """Download a public dump and check what came.

    Its licence and citation are shown first. A download that was cut off goes on where it stopped.

    Example: allsaid fetch dialogue-acts --output dumps
    """
    from pipelines.fetching import fetch as room

    for path in room.fetch(name, output):
        console.answer("fetch", path=str(path))


def path(data: DataFolder) -> None:
    """Print the folder of the data set that readers see.

    Example: ls $(allsaid path data)/examples
    """
    from pipelines.datasets import snapshot

    console.answer("path", path=snapshot.folder(data))


def validate(
    data: Annotated[str, typer.Argument(metavar="DIR", help="A data set's folder, or the output of `generate`.")],
) -> None:
    """Check a data set or generated texts against their rules.

    The Arrow schemas come first, then Great Expectations; pages go to DIR/validation/. Exits with 1 when a rule is
    broken.

    Example: allsaid validate data
    """
    if not run_validation(data):
        raise typer.Exit(1)


def run_validation(data: str) -> bool:
    """Check a data set or texts and tell what was found; whether all rules hold."""
    outcomes = outcomes_of(data)
    broken = [outcome for outcome in outcomes if not outcome.passed]
    rows = [(o.border, o.rule, o.failed, o.checked, ", ".join(o.places)) for o in broken]
    figures = {"rules": len(outcomes), "broken": [asdict(outcome) for outcome in broken]}
    header = ("border", "rule", "failed", "checked", "first places")
    console.result("validate", figures, "Broken rules", header, rows)
    console.say(
        f"{len(outcomes) - len(broken)} of {len(outcomes)} rules hold; the pages are in {data.rstrip('/')}/validation/."
    )
    return not broken


def outcomes_of(data: str) -> list[Any]:
    """What each rule of a data set or of texts finds, as `schemas.checks.validate` says it."""
    from pipelines.storage import files

    if files.exists(files.join(data, "job.json")):
        from batch_infer.job import validate as texts

        return texts.run(data)
    from pipelines.validation import validate as room

    return room.run(data)


def history(data: DataFolder) -> None:
    """Show the counts of every run of a data set.

    They come as a table and as DIR/history.png.

    Example: allsaid history data
    """
    from pipelines.datasets import history as room

    past = room.read(data)
    rows = [(run.title, run.status, run.read, run.kept, run.rejected, f"{run.reused} of {run.shares}") for run in past]
    header = ("run", "status", "read", "kept", "rejected", "shares reused")
    picture = room.draw(data, past)
    figures = {"runs": [asdict(run) for run in past], "picture": picture}
    console.result("history", figures, f"Runs of {data}", header, rows)
    for run in past:
        for fault in run.faults:
            console.say(f"{run.run}: {fault}")
    if picture:
        console.say(f"The picture of these runs is {picture}.")
