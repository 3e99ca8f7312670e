"""The commands in the order of `allsaid --help`. Each imports its rooms only when it runs."""

from __future__ import annotations

import platform
from importlib import metadata
from typing import Annotated

import typer

from allsaid import console
from allsaid.commands import data, demo, evaluation, ingest, nightly, rate, texts, tracking
from allsaid.commands.options import BEAM_OPTIONS
from training.runs.command import train

LIBRARIES = ("torch", "apache-beam", "pyarrow", "mlflow")  # on whose versions it may depend what a command does

app = typer.Typer(
    name="allsaid",
    help="Turn structured data into text that says everything it was asked to say, and prove it.\n\n"
    "Every command takes --log-format json: news as JSON lines on standard error, figures as JSON on standard "
    "output.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,  # rich help costs 0.2 s at every start
    pretty_exceptions_enable=False,
)


def _show_version(wanted: bool) -> None:
    if wanted:
        libraries = ", ".join(f"{name} {metadata.version(name)}" for name in LIBRARIES)
        sentence = f"allsaid {metadata.version('allsaid')} (Python {platform.python_version()}, {libraries})"
        console.answer("version", version=sentence)
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            is_eager=True,
            callback=_show_version,
            help="Show the versions of Allsaid and its libraries and exit.",
        ),
    ] = False,
) -> None:
    """The options that stand before a command."""


app.command()(data.fetch)
app.command()(data.path)
app.command()(data.validate)
app.command()(data.history)
app.command()(train)
app.command()(tracking.sync)
app.command()(tracking.promote)
app.command(context_settings=BEAM_OPTIONS)(texts.generate)
app.command(context_settings=BEAM_OPTIONS)(nightly.nightly)
app.command()(evaluation.evaluate)
app.command()(evaluation.compare)
app.command()(evaluation.trace)
app.command()(texts.report)
app.command("try")(texts.try_model)
app.command()(demo.demo)
app.add_typer(ingest.app, name="ingest")
app.add_typer(rate.app, name="rate")
