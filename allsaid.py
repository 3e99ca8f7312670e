"""The one command: `allsaid --help`. Each subcommand imports its rooms only when it runs."""

from __future__ import annotations

import logging
import sys
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

import console
from console import UserError

app = typer.Typer(
    name="allsaid",
    help="Turn structured data into text that says everything it was asked to say, and prove it.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,  # rich help costs 0.2 s at every start
    pretty_exceptions_enable=False,
)
ingest_app = typer.Typer(
    no_args_is_help=True,
    help="Read a raw dump into Parquet.\n\nExits with 3 where something could not be read at all: the rest is "
    "published, the loss is told.\n\nExample: allsaid ingest mealmaster --input 'samples/*.mmf*' --output data",
)
app.add_typer(ingest_app, name="ingest")

LOSSES = 3  # exit code of an ingest that published what it could read, but not all could be read
BEAM_OPTIONS = {"allow_extra_args": True, "ignore_unknown_options": True}

OutputFolder = Annotated[str, typer.Option("--output", help="Folder to write to; made if it does not exist.")]
MaxRejected = Annotated[
    float | None,
    typer.Option("--max-rejected", min=0, max=1, help="Fail when more than this share of the input is rejected."),
]


def beam_options(context: typer.Context) -> list[str]:
    """What stands behind the command's own options; words that are no option are a mistake."""
    extra = list(context.args)
    if extra and not extra[0].startswith("--"):
        raise UserError(f"'{extra[0]}' is no option of this command; see `{context.command_path} --help`.")
    return extra


Inputs = Annotated[
    list[str], typer.Option("--input", help="Files, a folder or a glob; plain or .gz, .bz2, .zst. Repeatable.")
]
Settings = Annotated[list[str] | None, typer.Option("--set", help="A setting as key=value. Repeatable.")]
GateOptions = Annotated[
    list[str] | None, typer.Option("--gate", help="A quality gate as key=value: rejected, lost, drift, unknown.")
]
ConfigFile = Annotated[
    Path | None, typer.Option("--config", help="A YAML file with 'settings' and 'gates'; --set and --gate go above it.")
]
RunDate = Annotated[
    datetime | None, typer.Option("--run-date", formats=["%Y-%m-%d"], help="The day that the snapshot is for.")
]
KeepSnapshots = Annotated[
    int | None, typer.Option("--keep-snapshots", min=1, help="How many complete runs stay on disk.")
]
Wait = Annotated[float, typer.Option("--wait", min=0, help="Minutes to wait for another run on the same output.")]


def run_ingest(
    source: str,
    context: typer.Context,
    input: list[str],
    output: str,
    settings: list[str],
    config: Path | None,
    gates: list[str],
    max_rejected: float | None,
    run_date: datetime | None,
    keep_snapshots: int | None,
    wait: float,
) -> None:
    from pipelines import config as room
    from pipelines import ingest

    if max_rejected is not None:
        gates = [*gates, f"rejected={max_rejected}"]
    filled, limits = room.read(config, source, settings, gates)
    schedule = ingest.Schedule(f"{run_date:%Y-%m-%d}" if run_date else "", keep_snapshots, wait, limits)
    show_manifest(ingest.run(source, input, output, filled, beam_options(context), schedule))


def ingest_command(source: str, example: str, says: str) -> None:
    """Add the subcommand of one source."""

    def command(
        context: typer.Context,
        input: Inputs,
        output: OutputFolder,
        set: Settings = None,
        config: ConfigFile = None,
        gate: GateOptions = None,
        max_rejected: MaxRejected = None,
        run_date: RunDate = None,
        keep_snapshots: KeepSnapshots = None,
        wait: Wait = 0,
    ) -> None:
        run_ingest(
            source, context, input, output, set or [], config, gate or [], max_rejected, run_date, keep_snapshots, wait
        )

    command.__doc__ = f"{says}\n\nOptions that are not named here go to Apache Beam as they are.\n\nExample: {example}"
    ingest_app.command(source, context_settings=BEAM_OPTIONS)(command)


ingest_command(
    "mealmaster",
    "allsaid ingest mealmaster --input 'dumps/*.mmf.gz' --output data --direct_num_workers 2 "
    "--direct_running_mode multi_processing",
    "Read Meal-Master recipes: parse, clean, merge phrases, split, link.",
)
ingest_command(
    "allrecipes",
    "allsaid ingest allrecipes --input 'allrecipes-*.jsonl.gz' --output data",
    "Read allrecipes' JSON: recipes whose text copies words of the ingredients.",
)
ingest_command(
    "dstc2",
    "allsaid ingest dstc2 --input dstc2_traindev.tar.gz --input restaurant-db.json --output data",
    "Read the calls of DSTC2: dialogues with table cells as tokens, and the machine's turns as acts.",
)
ingest_command(
    "wikibio",
    "allsaid ingest wikibio --input wikipedia-biography-dataset.zip --output data",
    "Read WikiBio: boxes with positions and the sentences' table occurrences.",
)
ingest_command(
    "dialogue-acts",
    "allsaid ingest dialogue-acts --input 'hotel/*.json' --output data",
    "Read the dialogue acts of RNNLG: slots become placeholders.",
)


@ingest_app.command("records", context_settings=BEAM_OPTIONS)
def ingest_records(
    context: typer.Context,
    input: Inputs,
    output: Annotated[str, typer.Option("--output", help="Folder to write to; not needed with --guess.")] = "",
    mapping: Annotated[str, typer.Option("--mapping", help="A YAML file that says what each column is.")] = "",
    guess: Annotated[
        Path | None, typer.Option("--guess", help="Write a first mapping of the table to this file, and stop.")
    ] = None,
    set: Settings = None,
    config: ConfigFile = None,
    gate: GateOptions = None,
    max_rejected: MaxRejected = None,
    run_date: RunDate = None,
    keep_snapshots: KeepSnapshots = None,
    wait: Wait = 0,
) -> None:
    """Read your own table (CSV, JSON lines, Parquet) by a mapping that says what each column is.

    Options that are not named here go to Apache Beam as they are.

    Example: allsaid ingest records --input samples/products.csv --mapping samples/products.yaml --output data
    """
    if guess is not None:
        from pipelines import files
        from pipelines.sources.records_guess import write_guess

        guess.write_text(write_guess(files.expand(input)[0]))
        console.say(f"{guess} is a first mapping. Read it, mend it, and give it with --mapping.")
        return
    if not output:
        raise UserError("--output is missing. Give the folder to write to.")
    settings = [*(set or []), *([f"mapping={mapping}"] if mapping else [])]
    run_ingest(
        "records", context, input, output, settings, config, gate or [], max_rejected, run_date, keep_snapshots, wait
    )


@app.command()
def fetch(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A corpus, by the name of its source.")],
    output: OutputFolder,
) -> None:
    """Download a public dump, with its licence and citation shown first; resumes, and checks what it got.

    Example: allsaid fetch dialogue-acts --output dumps
    """
    from pipelines import fetch as room

    for path in room.fetch(name, output):
        typer.echo(path)


def show_manifest(manifest) -> None:  # type: ignore[no-untyped-def]
    rows: list[tuple[str, object]] = [("read", manifest.read), ("kept", manifest.kept)]
    rows += [(f"  {split}", count) for split, count in manifest.splits.items()]
    rows += [("rejected", manifest.rejected_total)]
    for stage, reasons in manifest.rejected.items():
        rows += [(f"  {stage}: {reason}", count) for reason, count in sorted(reasons.items())]
    console.show_table(f"Data set {manifest.run}", ("records", "count"), rows)
    if manifest.losses:
        raise typer.Exit(LOSSES)


@app.command()
def path(data: Annotated[str, typer.Argument(metavar="DIR", help="A data set's folder.")]) -> None:
    """Print the folder of the data set that readers see.

    Example: ls $(allsaid path data)/examples
    """
    from pipelines import snapshot

    typer.echo(snapshot.folder(data))


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
    from pipelines import files

    if files.exists(files.join(data, "job.json")):
        from batch_infer import validate as texts

        outcomes = texts.run(data)
    else:
        from pipelines import validate as room

        outcomes = room.run(data)
    broken = [outcome for outcome in outcomes if not outcome.passed]
    if broken:
        rows = [(o.border, o.rule, o.failed, o.checked, ", ".join(o.places)) for o in broken]
        console.show_table("Broken rules", ("border", "rule", "failed", "checked", "first places"), rows)
    console.say(
        f"{len(outcomes) - len(broken)} of {len(outcomes)} rules hold; the pages are in {data.rstrip('/')}/validation/."
    )
    return not broken


@app.command()
def history(data: Annotated[str, typer.Argument(metavar="DIR", help="A data set's folder.")]) -> None:
    """Show the counts of every run of a data set as a table and as DIR/history.png.

    Example: allsaid history data
    """
    from pipelines import history as room

    past = room.read(data)
    rows = [
        (run.run_date or run.created, run.status, run.read, run.kept, run.rejected, f"{run.reused} of {run.shares}")
        for run in past
    ]
    console.show_table(f"Runs of {data}", ("run", "status", "read", "kept", "rejected", "shares reused"), rows)
    for run in past:
        for fault in run.faults:
            console.say(f"{run.run}: {fault}")
    typer.echo(room.draw(data, past))


@app.command()
def train(
    config: Annotated[str, typer.Argument(metavar="CONFIG", help="A YAML file, or the name of a shipped one.")],
    data: Annotated[str, typer.Option("--data", help="A data set's folder.")],
    set: Annotated[list[str] | None, typer.Option("--set", help="A setting as key=value. Repeatable.")] = None,
    run_dir: Annotated[Path | None, typer.Option("--run-dir", help="Where checkpoints, model and spool go.")] = None,
    name: Annotated[str, typer.Option("--name", help="The name to register the model under.")] = "recipes",
    tracking: Annotated[
        str, typer.Option("--tracking", help="'online' or 'offline' (deliver later: allsaid sync).")
    ] = "online",
    device: Annotated[str, typer.Option("--device", help="'cpu' or 'cuda'.")] = "cpu",
    resume: Annotated[bool, typer.Option("--resume", help="Go on from the last checkpoint in --run-dir.")] = False,
) -> None:
    """Train a model, log it to MLflow, register it, and promote it if it beats the champion.

    Shipped configurations: checklist-paper, checklist-demo, checklist-sample.

    Example: allsaid train checklist-demo --data data --set epochs=5
    """
    from training.__main__ import train as room

    room(config, data, set or [], run_dir, name, tracking, device, resume)


@app.command()
def sync(run_dir: Annotated[Path, typer.Argument(metavar="RUN_DIR", help="The folder of a training run.")]) -> None:
    """Deliver to MLflow what a run recorded while it was offline; a second time changes nothing.

    Example: allsaid sync training-runs/checklist-demo-1
    """
    from training import tracking

    console.say(tracking.sync(run_dir).sentence)


@app.command()
def promote(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A registered model.")],
    version: Annotated[str, typer.Argument(metavar="VERSION", help="Its version.")],
) -> None:
    """Make a version the champion by hand, or go back to an earlier one.

    Example: allsaid promote recipes 3
    """
    from training import registry

    console.say(registry.promote(name, version))


@app.command(context_settings=BEAM_OPTIONS)
def generate(
    context: typer.Context,
    model: Annotated[str, typer.Option("--model", help="models:/NAME@ALIAS, models:/NAME/VERSION or a model folder.")],
    input: Annotated[str, typer.Option("--input", help="A data set, or agendas as .parquet or .jsonl (a glob).")],
    output: OutputFolder,
    split: Annotated[str, typer.Option("--split", help="Which examples of a data set: train, dev or test.")] = "test",
    keep: Annotated[
        list[str] | None, typer.Option("--keep", help="An input column to carry along. Repeatable.")
    ] = None,
    beam: Annotated[int, typer.Option("--beam", min=1, help="Width of the beam search.")] = 10,
    max_tokens: Annotated[int, typer.Option("--max-tokens", min=1, help="Longest text.")] = 200,
    limit: Annotated[int | None, typer.Option("--limit", min=1, help="Only the first rows.")] = None,
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
    """Write one text for each agenda, with the proof of what it says, by a Beam job, and check what was written.

    Exits with 2 when a quality gate is broken, with 1 when a rule of the output is.

    Options that are not named here go to Apache Beam as they are.

    Example: allsaid generate --model models:/recipes@champion --input samples/agendas.jsonl --output texts
    """
    from batch_infer import generate as room
    from batch_infer.gates import Gates
    from settings import fill

    gates = [*(gate or []), *([f"errors={max_rejected}"] if max_rejected is not None else [])]
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
    )
    console.show_table(f"Texts in {output}", ("figure", "texts", "true texts"), summary.rows())
    if not run_validation(output):
        raise typer.Exit(1)


@app.command()
def report(
    texts: Annotated[str, typer.Argument(metavar="DIR", help="The output folder of `allsaid generate`.")],
) -> None:
    """Write DIR/report.html: the means, the spread of coverage, the best and the worst texts.

    Example: allsaid report texts
    """
    from batch_infer import report as room

    typer.echo(room.write(texts))


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
    import allsaid_demo as room

    room.run(dump, output, run_validation)


def main() -> None:
    """Run the command line; a fault that its user can mend ends with a sentence, not a traceback."""
    # Beam warns at every import that Google's client is not installed; nobody here asked for it.
    logging.getLogger().addFilter(lambda record: "apitools not found" not in record.getMessage())
    try:
        app()
    except UserError as error:
        sys.exit(console.fail(error))
    except KeyboardInterrupt:
        console.say("Stopped.")
        sys.exit(130)


if __name__ == "__main__":
    main()
