"""The commands about dumps and data sets, except `allsaid ingest`."""

from __future__ import annotations

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
