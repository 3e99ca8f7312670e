"""The command about past runs, of a data set or of nightly runs; it loads neither PyTorch nor Beam."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Annotated

import typer

from allsaid import console
from allsaid.storage.run_store import run_folder
from schemas.errors import UserError


@dataclass(frozen=True)
class Night:
    """A nightly run that is still on disk; its counts are None if it has not ended."""

    run: str
    status: str
    texts: int | None = None
    errors: int | None = None
    searched: int | None = None
    reused: int | None = None
    model: str = ""
    sentences: Sequence[str] = ()  # broken gates, drift and training

    @property
    def counts(self) -> Iterator[object]:
        """Return the cells of the table behind the status."""
        counts = (self.texts, self.errors, self.searched, self.reused)
        return (("" if cell is None else cell) for cell in (*counts, self.model))


def history(
    data: Annotated[
        str, typer.Argument(metavar="DIR", help="A data set's folder, or the output of `allsaid nightly`.")
    ],
    picture: Annotated[bool, typer.Option("--picture", help="Draw DIR/history.png, too.")] = False,
) -> None:
    """Show the counts of every run of a data set, or of nightly runs.

    Of nightly runs only those that are still on disk are shown. A picture is drawn of data sets alone.

    Example: allsaid history data --picture
    """
    from pipelines.datasets import history as runs  # it loads PyArrow, which `allsaid --help` must not

    if runs.exists(data):
        return _show_data_set(data, picture)
    from batch_infer.nights import folders  # slow to load, and a data set needs none of it

    if not (past := folders.past(data)):
        return _show_data_set(data, picture)
    if picture:
        raise UserError(f"{data} holds nightly runs, and --picture draws the runs of a data set. Leave it out.")
    nights = [_night(data, *run) for run in past]
    header = ("run", "status", "texts", "error rows", "searched", "reused", "model")
    rows = [(night.run, night.status, *night.counts) for night in nights]
    console.result("history", {"runs": [asdict(night) for night in nights]}, f"Nightly runs in {data}", header, rows)
    for night in nights:
        for sentence in night.sentences:
            console.say(f"{night.run}: {sentence}")
    return None


def _night(output: str, run: str, status: str) -> Night:
    from batch_infer.proof import summary

    try:
        found = summary.read(run_folder(output, run))
    except UserError:  # it has not ended, or another version of Allsaid wrote it
        return Night(run, status)
    model = f"{found.model_name} {found.model_version}".strip()
    drift = [change for change in found.drift if not any(change in gate for gate in found.gates)]
    sentences = [*found.gates, *drift, *found.training]
    return Night(run, status, found.texts, found.errors, found.searched, found.taken_over, model, sentences)


def _show_data_set(data: str, picture: bool) -> None:
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
