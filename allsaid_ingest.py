"""`allsaid ingest SOURCE`: the subcommand of each source."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Annotated

import typer

import console
from console import UserError

if TYPE_CHECKING:
    from schemas.manifest import Manifest

app = typer.Typer(
    no_args_is_help=True,
    help="Read a raw dump into Parquet.\n\nExits with 3 where something could not be read at all: the rest is "
    "published, the loss is told.\n\nExample: allsaid ingest mealmaster --input 'samples/*.mmf*' --output data",
)

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
    str | None, typer.Option("--config", help="A YAML file with 'settings' and 'gates'; --set and --gate go above it.")
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
    config: str | None,
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
    try:
        manifest = ingest.run(source, input, output, filled, beam_options(context), schedule)
    except ingest.GateBroken as fault:
        show_manifest(fault.reached)
        raise
    show_manifest(manifest)
    if manifest.losses:
        raise typer.Exit(LOSSES)


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
    app.command(source, context_settings=BEAM_OPTIONS)(command)


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


@app.command("records", context_settings=BEAM_OPTIONS)
def ingest_records(
    context: typer.Context,
    input: Inputs,
    output: Annotated[str, typer.Option("--output", help="Folder to write to; not needed with --guess.")] = "",
    mapping: Annotated[str, typer.Option("--mapping", help="A YAML file that says what each column is.")] = "",
    guess: Annotated[
        str, typer.Option("--guess", help="Write a first mapping of the table to this new file, and stop.")
    ] = "",
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
    if guess:
        from pipelines import files
        from pipelines.sources.records_guess import save_guess

        save_guess(files.expand(input)[0], guess)
        console.say(f"{guess} is a first mapping. Read it, mend it, and give it with --mapping.")
        return
    if not output:
        raise UserError("--output is missing. Give the folder to write to.")
    settings = [*(set or []), *([f"mapping={mapping}"] if mapping else [])]
    run_ingest(
        "records", context, input, output, settings, config, gate or [], max_rejected, run_date, keep_snapshots, wait
    )


def show_manifest(manifest: Manifest) -> None:
    from schemas.example import SPLITS

    rows: list[tuple[str, object]] = [("read", manifest.read), ("kept", manifest.kept)]
    rows += [(f"  {split}", manifest.splits[split]) for split in SPLITS if split in manifest.splits]
    rows += [("rejected", manifest.rejected_total)]
    for stage, reasons in manifest.rejected.items():
        rows += [(f"  {stage}: {reason}", count) for reason, count in sorted(reasons.items())]
    names = ("run", "created", "source", "read", "kept", "rejected", "splits", "losses", "fingerprint")
    figures = {name: getattr(manifest, name) for name in names}
    console.result("ingest", figures, f"Data set {manifest.run}", ("records", "count"), rows)
