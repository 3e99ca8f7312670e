"""The one command: `allsaid --help`. Each subcommand imports its rooms only when it runs."""

from __future__ import annotations

import argparse
import logging
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from allsaid import console, redaction, stops
from allsaid.commands import ingest, rate
from allsaid.commands.ingest import BEAM_OPTIONS, Encoding, MaxRejected, OutputFolder, Sheet, beam_options
from allsaid.console import UserError
from training.runs.command import train as train_command

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
app.add_typer(ingest.app, name="ingest")
app.add_typer(rate.app, name="rate")


@app.command()
def fetch(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A corpus, by the name of its source.")],
    output: OutputFolder,
) -> None:
    """Download a public dump, with its licence and citation shown first; resumes, and checks what it got.

    Example: allsaid fetch dialogue-acts --output dumps
    """
    from pipelines.fetching import fetch as room

    for path in room.fetch(name, output):
        console.answer("fetch", str(path))


@app.command()
def path(data: Annotated[str, typer.Argument(metavar="DIR", help="A data set's folder.")]) -> None:
    """Print the folder of the data set that readers see.

    Example: ls $(allsaid path data)/examples
    """
    from pipelines.datasets import snapshot

    console.answer("path", snapshot.folder(data))


@app.command()
def validate(
    data: Annotated[str, typer.Argument(metavar="DIR", help="A data set's folder, or the output of `generate`.")],
) -> None:
    """Check a data set or generated texts: Arrow schemas, then Great Expectations; pages go to DIR/validation/.

    Exits with 1 when a rule is broken.

    Example: allsaid validate data
    """
    if not run_validation(data):
        raise typer.Exit(1)


def run_validation(data: str) -> bool:
    from pipelines.storage import files

    if files.exists(files.join(data, "job.json")):
        from batch_infer.job import validate as texts

        outcomes = texts.run(data)
    else:
        from pipelines.validation import validate as room

        outcomes = room.run(data)
    broken = [outcome for outcome in outcomes if not outcome.passed]
    rows = [(o.border, o.rule, o.failed, o.checked, ", ".join(o.places)) for o in broken]
    figures = {"rules": len(outcomes), "broken": [asdict(outcome) for outcome in broken]}
    header = ("border", "rule", "failed", "checked", "first places")
    console.result("validate", figures, "Broken rules", header, rows)
    console.say(
        f"{len(outcomes) - len(broken)} of {len(outcomes)} rules hold; the pages are in {data.rstrip('/')}/validation/."
    )
    return not broken


@app.command()
def history(data: Annotated[str, typer.Argument(metavar="DIR", help="A data set's folder.")]) -> None:
    """Show the counts of every run of a data set as a table and as DIR/history.png.

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


app.command()(train_command)


@app.command()
def sync(run_dir: Annotated[Path, typer.Argument(metavar="RUN_DIR", help="The folder of a training run.")]) -> None:
    """Deliver to MLflow what a run or a grid recorded while it was offline; a second time changes nothing.

    Example: allsaid sync training-runs/checklist-demo-1
    """
    from training.tracking import tracker as tracking

    for result in tracking.sync_all(run_dir):
        console.say(result.sentence)


@app.command()
def promote(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A registered model.")],
    version: Annotated[str, typer.Argument(metavar="VERSION", help="Its version.")],
) -> None:
    """Make a version the champion by hand, or go back to an earlier one.

    Example: allsaid promote recipes 3
    """
    from training.tracking import registry

    console.say(registry.promote(name, version))


@app.command(context_settings=BEAM_OPTIONS)
def generate(
    context: typer.Context,
    model: Annotated[str, typer.Option("--model", help="models:/NAME@ALIAS, models:/NAME/VERSION or a model folder.")],
    input: Annotated[
        str,
        typer.Option("--input", help="A data set, agendas as .parquet or .jsonl (a glob), or a table the model knows."),
    ],
    output: OutputFolder,
    split: Annotated[str, typer.Option("--split", help="Which examples of a data set: train, dev or test.")] = "test",
    keep: Annotated[
        list[str] | None, typer.Option("--keep", help="An input column to carry along. Repeatable.")
    ] = None,
    beam: Annotated[
        int | None, typer.Option("--beam", min=1, help="Width of the beam search; by default the model's own.")
    ] = None,
    max_tokens: Annotated[
        int | None, typer.Option("--max-tokens", min=1, help="Longest text; by default the model's own.")
    ] = None,
    min_coverage: Annotated[
        float | None,
        typer.Option(
            "--min-coverage", min=0, max=100, help="% of its items that each text must give; others are flagged."
        ),
    ] = None,
    ban: Annotated[
        str | None, typer.Option("--ban", help="A file of words and phrases, one a line, that no text may hold.")
    ] = None,
    texts_per_row: Annotated[
        int, typer.Option("--texts-per-row", min=1, help="So many different texts of each row.")
    ] = 1,
    supported_numbers_only: Annotated[
        bool, typer.Option("--supported-numbers-only", help="Write no number that the row's agenda lacks.")
    ] = False,
    refuse_unfamiliar: Annotated[
        bool, typer.Option("--refuse-unfamiliar", help="Write no text for a goal that the model's training never saw.")
    ] = False,
    limit: Annotated[int | None, typer.Option("--limit", min=1, help="Only the first rows.")] = None,
    encoding: Encoding = "",
    sheet: Sheet = "",
    show: Annotated[bool, typer.Option("--show", help="Print the texts with their items ticked.")] = False,
    device: Annotated[str, typer.Option("--device", help="'cpu' or 'cuda'.")] = "cpu",
    gate: Annotated[
        list[str] | None,
        typer.Option(
            "--gate", help="A quality gate as key=value: given, extra, errors, given_fall, extra_rise, errors_rise."
        ),
    ] = None,
    against: Annotated[
        str | None, typer.Option("--against", help="Output folder of an earlier run, for the last three gates.")
    ] = None,
    max_rejected: MaxRejected = None,
) -> None:
    """Write texts for each agenda, with the proof of what they say, by a Beam job, and check what was written.

    Exits with 2 when a quality gate is broken (by default: over half of the rows are error rows), with 1 when a rule
    of the output is.

    Options that are not named here go to Apache Beam as they are.

    Example: allsaid generate --model models:/recipes@champion --input samples/agendas.jsonl --output texts
    """
    from allsaid.settings import fill
    from batch_infer.job import generate as room
    from batch_infer.job.gates import Gates
    from batch_infer.proof import reasons
    from pipelines.datasets.gates import GateBroken
    from pipelines.sources.records.findings.findings import sentences

    gates = [*(gate or []), *([f"errors={max_rejected}"] if max_rejected is not None else [])]
    broken = None
    try:
        summary = room.run(
            model_uri=model,
            input=input,
            output=output,
            split=split,
            keep=keep or [],
            beam=beam,
            max_tokens=max_tokens,
            limit=limit,
            show=show,
            beam_args=beam_options(context),
            device=device,
            gates=fill(Gates, gates),
            against=against,
            min_coverage=min_coverage,
            texts_per_row=texts_per_row,
            ban_file=ban,
            supported_numbers_only=supported_numbers_only,
            refuse_unfamiliar=refuse_unfamiliar,
            encoding=encoding,
            sheet=sheet,
        )
    except GateBroken as fault:
        summary, broken = fault.reached, fault
    console.result("generate", asdict(summary), f"Texts in {output}", ("figure", "texts", "true texts"), summary.rows())
    reasons.show(summary.reasons)
    for sentence in sentences(summary.findings):
        console.say(sentence, "warning")
    is_sound = run_validation(output)
    if broken is not None:
        raise broken
    if not is_sound:
        raise typer.Exit(1)


@app.command()
def evaluate(
    system: Annotated[
        str,
        typer.Argument(
            metavar="SYSTEM", help="A model as for generate, 'handcrafted' (a dialogue corpus's own texts), or 'nn'."
        ),
    ],
    data: Annotated[str, typer.Option("--data", help="A data set's folder.")],
    split: Annotated[str, typer.Option("--split", help="train, dev or test.")] = "test",
    limit: Annotated[int | None, typer.Option("--limit", min=1, help="Of recipes: only so many.")] = None,
    set: Annotated[
        list[str] | None,
        typer.Option("--set", help="A setting of the search as key=value, e.g. rewrites=10. Repeatable."),
    ] = None,
    swap: Annotated[
        bool, typer.Option("--swap", help="NN-Swap: the model rewrites the nearest training recipe's text.")
    ] = False,
    device: Annotated[str, typer.Option("--device", help="'cpu' or 'cuda'.")] = "cpu",
) -> None:
    """Score a system's texts for a split by the protocols of its task; the figures become an MLflow run.

    Example: allsaid evaluate models:/hotel@champion --data hotel
    """
    from evaluation.tasks import evaluate as room

    room.run(system, data, split, limit, device, set or [], swap)


@app.command()
def compare(
    table: Annotated[
        str,
        typer.Argument(
            metavar="[TABLE]",
            help="recipes, recipes-cpu, recipes-paper, hotel, restaurant, or a YAML file of your own.",
        ),
    ] = "",
    data: Annotated[str, typer.Option("--data", help="A data set's folder.")] = "",
    output: Annotated[
        str, typer.Option("--output", help="For the pages and what is trained; by default compare-TABLE.")
    ] = "",
    systems: Annotated[str, typer.Option("--systems", help="Only these of the table, parted by commas.")] = "",
    device: Annotated[str, typer.Option("--device", help="'cpu' or 'cuda'.")] = "cpu",
    texts: Annotated[
        tuple[str, str] | None, typer.Option("--texts", metavar="RUN RUN", help="Instead: two runs' texts of dev.")
    ] = None,
) -> None:
    """Train and evaluate what is missing of a paper's table, and set our figures beside the paper's.

    Prints the table and writes OUTPUT/compare.md and compare.html. With --texts, shows where two evaluations' texts
    of the same dev examples differ.

    Example: allsaid compare hotel --data hotel
    """
    if texts is not None:
        from evaluation.compare import differ

        differ.run(*texts)
        return
    if not table or not data:
        raise UserError("Name a table and the data set: allsaid compare hotel --data DIR; or two runs: --texts A B.")
    from evaluation.compare import compare as room

    room.run(table, data, output, systems, device)


@app.command()
def trace(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A Parquet file of texts, or of a data set.")],
) -> None:
    """Print the chain from a Parquet file back to the dump files: job, model, training run, data set, their hashes.

    Example: allsaid trace texts/texts/part-00000.parquet
    """
    from evaluation.compare import trace as room

    room.run(file)


@app.command()
def report(
    texts: Annotated[str, typer.Argument(metavar="DIR", help="The output folder of `allsaid generate`.")],
) -> None:
    """Write DIR/report.html: the means, the spread of coverage, the best and the worst texts.

    Example: allsaid report texts
    """
    from batch_infer.report import report as room

    console.answer("report", room.write(texts))


@app.command()
def demo(
    dump: Annotated[
        str | None, typer.Option("--dump", help="A Meal-Master dump (a glob); without one, the samples.")
    ] = None,
    output: Annotated[str, typer.Option("--output", help="Where everything goes.")] = "demo",
) -> None:
    """The whole walk: ingest, validate, train, register, generate, report.

    Example: allsaid demo --dump 'dumps/*.mmf.gz'
    """
    from allsaid.commands import demo as room

    room.run(dump, output, run_validation)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line; a fault that its user can mend ends with a sentence, not a traceback."""
    anywhere = argparse.ArgumentParser("allsaid", add_help=False, allow_abbrev=False)
    anywhere.add_argument("--log-format", choices=("text", "json"), default="text")
    given, command = anywhere.parse_known_args(arguments)
    redaction.guard_logs()
    if given.log_format == "json":
        console.log_json()
    # Beam warns at every import that Google's client is not installed; nobody here asked for it.
    logging.getLogger().addFilter(lambda record: "apitools not found" not in record.getMessage())
    with stops.signals_caught():
        try:
            app(command, prog_name="allsaid")
        except BaseException as fault:
            sys.exit(stops.end(fault))
