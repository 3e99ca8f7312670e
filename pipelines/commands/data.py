"""The commands about dumps and data sets, except `allsaid ingest`."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from allsaid import console
from allsaid.options import DataFolder, OutputFolder


def fetch(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A corpus, by the name of its source.")],
    output: OutputFolder,
) -> None:
    """Download a public dump and check its files.

    Licence and citation are shown first. An interrupted download resumes.

    Example: allsaid fetch dialogue-acts --output dumps
    """
    from pipelines.fetching import fetch as fetching

    for path in fetching.fetch(name, output):
        console.answer("fetch", path=str(path))


def path(data: DataFolder) -> None:
    """Print the folder of the data set that readers see.

    Example: ls $(allsaid path data)/examples
    """
    from pipelines.datasets import snapshot

    console.answer("path", path=snapshot.folder(data))


def history(
    data: DataFolder, picture: Annotated[bool, typer.Option("--picture", help="Draw DIR/history.png, too.")] = False
) -> None:
    """Show the counts of every run of a data set.

    Example: allsaid history data --picture
    """
    from pipelines.datasets import history as runs

    past = runs.read(data)
    rows = [(run.title, run.status, run.read, run.kept, run.rejected, f"{run.reused} of {run.shards}") for run in past]
    header = ("run", "status", "read", "kept", "rejected", "shards reused")
    drawn = runs.draw(data, past) if picture else ""  # loads Matplotlib, which takes longer than all the rest
    figures = {"runs": [asdict(run) for run in past], "picture": drawn}
    console.result("history", figures, f"Runs of {data}", header, rows)
    for run in past:
        for fault in run.faults:
            console.say(f"{run.run}: {fault}")
    if drawn:
        console.say(f"The picture of these runs is {drawn}.")
