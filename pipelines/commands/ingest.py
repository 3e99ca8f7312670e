"""`allsaid ingest SOURCE`: the subcommand of each source."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any

import typer

from allsaid import console
from allsaid.options import BEAM_OPTIONS, Encoding, MaxRejected, OutputFolder, Sheet, Wait, beam_options, gates_of
from schemas.errors import UserError

if TYPE_CHECKING:
    from pipelines.ingest.run import Outcome, Request

OF_SETTINGS = ("table", "mapping", "encoding", "sheet", "shard_bytes")  # options that are settings
LOSSES = 3  # exit code of an ingest that published what it could read, but not all could be read

Inputs = Annotated[
    list[str], typer.Option("--input", help="Files, a folder or a glob; plain or .gz, .bz2, .zst. Repeatable.")
]
Set = Annotated[list[str] | None, typer.Option("--set", help="A setting as key=value. Repeatable.")]
ConfigFile = Annotated[
    str | None, typer.Option("--config", help="A YAML file with 'settings' and 'gates'; --set and --gate go above it.")
]
Gate = Annotated[
    list[str] | None, typer.Option("--gate", help="A quality gate as key=value: rejected, lost, drift, unknown.")
]
RunDate = Annotated[
    datetime | None, typer.Option("--run-date", formats=["%Y-%m-%d"], help="The day that the snapshot is for.")
]
KeepSnapshots = Annotated[
    int | None, typer.Option("--keep-snapshots", min=1, help="How many complete runs stay on disk.")
]
ShardBytes = Annotated[
    int | None,
    typer.Option("--shard-bytes", min=1, help="Of mealmaster, allrecipes, records: bytes of a file read at a time."),
]

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    help="Read a raw dump into Parquet.\n\nExits with 3 where something could not be read at all: the rest is "
    "published, the loss is told.\n\nExample: allsaid ingest mealmaster --input 'samples/*.mmf*' --output data",
)


def ingest_command(source: str, says: str, example: str) -> None:
    """Add the subcommand of one source."""

    @app.command(source, help=help_of(says, example), context_settings=BEAM_OPTIONS)
    def command(
        context: typer.Context,
        input: Inputs,
        output: OutputFolder,
        set: Set = None,
        config: ConfigFile = None,
        gate: Gate = None,
        max_rejected: MaxRejected = None,
        run_date: RunDate = None,
        keep_snapshots: KeepSnapshots = None,
        wait: Wait = 0,
        shard_bytes: ShardBytes = None,
    ) -> None:
        run(request_of(source, context.params, beam_options(context)))


def help_of(says: str, example: str) -> str:
    return f"{says}\n\nOptions that are not named here go to Apache Beam as they are.\n\nExample: {example}"


def day_of(run_date: datetime | None) -> str:
    return f"{run_date:%Y-%m-%d}" if run_date else ""


def request_of(source: str, options: Mapping[str, Any], beam_args: Sequence[str]) -> Request:
    """What the options of a source's subcommand, by their names, ask for."""
    from pipelines.ingest.config import read
    from pipelines.ingest.run import Request, Schedule

    given = [*(options["set"] or []), *(f"{name}={options[name]}" for name in OF_SETTINGS if options.get(name))]
    gates = gates_of(options["gate"], "rejected", options["max_rejected"])
    settings, limits = read(options["config"], source, given, gates)
    schedule = Schedule(day_of(options.get("run_date")), options["keep_snapshots"], options["wait"], limits)
    return Request(source, options["input"], options["output"], settings, beam_args, schedule)


def run(request: Request) -> None:
    """Ingest, tell what it came to, and end with the exit code that says so."""
    from pipelines.ingest import run as ingest

    outcome = ingest.reach(request)
    figures, rows, sentences = figures_of(outcome)
    console.result("ingest", figures, f"Data set {outcome.manifest.run}", ("records", "count"), rows)
    for sentence in sentences:
        console.say(sentence, "warning")
    outcome.check()
    if outcome.manifest.losses:
        raise typer.Exit(LOSSES)


def figures_of(outcome: Outcome) -> tuple[dict[str, Any], list[tuple[str, object]], Sequence[str]]:
    """The figures of an ingest, the rows of its table, and sentences about what looks wrong."""
    from pipelines.source import Reporting
    from pipelines.sources import find
    from schemas.example import SPLITS

    manifest = outcome.manifest
    rows: list[tuple[str, object]] = [("read", manifest.read), ("kept", manifest.kept)]
    rows += [(f"  {split}", manifest.splits[split]) for split in SPLITS if split in manifest.splits]
    rows += [("rejected", manifest.rejected_total)]
    for stage, reasons in manifest.rejected.items():
        rows += [(f"  {stage}: {reason}", count) for reason, count in sorted(reasons.items())]
    figures: dict[str, Any] = {
        "run": manifest.run,
        "created": manifest.created,
        "source": manifest.source,
        "read": manifest.read,
        "kept": manifest.kept,
        "rejected": manifest.rejected,
        "splits": manifest.splits,
        "losses": manifest.losses,
        "fingerprint": manifest.fingerprint,
        "status": outcome.status,
        "shards": len(manifest.shards),
        "reused": outcome.reused,
    }
    source = find(manifest.source)
    sentences: Sequence[str] = ()
    if isinstance(source, Reporting):
        report = source.report(manifest, outcome.folder)
        figures |= report.figures
        rows, sentences = [*rows, *report.lines], report.sentences
    return figures, rows, sentences


ingest_command(
    "mealmaster",
    "Read recipes from Meal-Master dumps.\n\nThey are parsed, cleaned, split and linked; phrases are merged.",
    "allsaid ingest mealmaster --input 'dumps/*.mmf.gz' --output data --direct_num_workers 2 "
    "--direct_running_mode multi_processing",
)
ingest_command(
    "allrecipes",
    "Read recipes from allrecipes' JSON.\n\nTheir texts copy words of the ingredients.",
    "allsaid ingest allrecipes --input 'allrecipes-*.jsonl.gz' --output data",
)
ingest_command(
    "dstc2",
    "Read the calls of DSTC2.\n\nThey become dialogues with table cells as tokens, and the machine's turns acts.",
    "allsaid ingest dstc2 --input dstc2_traindev.tar.gz --input restaurant-db.json --output data",
)
ingest_command(
    "wikibio",
    "Read the biographies of WikiBio.\n\nThey become boxes with positions and the sentences' table occurrences.",
    "allsaid ingest wikibio --input wikipedia-biography-dataset.zip --output data",
)
ingest_command(
    "dialogue-acts",
    "Read the dialogue acts of RNNLG: slots become placeholders.",
    "allsaid ingest dialogue-acts --input 'hotel/*.json' --output data",
)
ingest_command(
    "coref",
    "Read documents with coreference chains in CoNLL columns.\n\nThey become parts whose tokens mention entities.",
    "allsaid ingest coref --input 'litbank/*.conll' --output data",
)

ingest_command(
    "wikisql",
    "Read the questions of WikiSQL.\n\nThe file of text2sql-data; logical forms become pairs with their questions.",
    "allsaid ingest wikisql --input wikisql.json.bz2 --output data",
)
ingest_command(
    "webqsp",
    "Read the questions of WebQSP.\n\nChains of relations become pairs with their questions.",
    "allsaid ingest webqsp --input 'pruning_*.txt' --output data",
)
ingest_command(
    "parallel",
    "Read your own pairs of lines.\n\nLine n of train.de became line n of train.en: translations, summaries and such.",
    "allsaid ingest parallel --input 'corpus/*' --set source=de --set text=en --output data",
)


@app.command(
    "dialogues",
    help=help_of(
        "Read your own conversations with their table of offers.\n\nBoth are CSV, Excel, JSON lines "
        "or Parquet; a row of conversations is a turn, with the columns dialogue, speaker and text.",
        "allsaid ingest dialogues --input conversations.csv --table offers.csv --output data",
    ),
    context_settings=BEAM_OPTIONS,
)
# Typer reads a command's options off its signature, so those that every source has stand here again.
def dialogues(
    context: typer.Context,
    input: Inputs,
    table: Annotated[str, typer.Option("--table", help="The table of offers, with any columns.")],
    output: OutputFolder,
    set: Set = None,
    config: ConfigFile = None,
    gate: Gate = None,
    max_rejected: MaxRejected = None,
    run_date: RunDate = None,
    keep_snapshots: KeepSnapshots = None,
    wait: Wait = 0,
    mapping: Annotated[
        str, typer.Option("--mapping", help="A YAML file with columns of other names, and who is the machine.")
    ] = "",
    encoding: Encoding = "",
) -> None:
    run(request_of("dialogues", context.params, beam_options(context)))


@app.command(
    "records",
    help=help_of(
        "Read your own table (CSV, Excel, JSON lines or Parquet).\n\nA mapping says what each column is.",
        "allsaid ingest records --input samples/products.csv --mapping samples/products.yaml --output data",
    ),
    context_settings=BEAM_OPTIONS,
)
def records(
    context: typer.Context,
    input: Inputs,
    output: Annotated[str, typer.Option("--output", help="Folder to write to; not needed with --guess.")] = "",
    set: Set = None,
    config: ConfigFile = None,
    gate: Gate = None,
    max_rejected: MaxRejected = None,
    run_date: RunDate = None,
    keep_snapshots: KeepSnapshots = None,
    wait: Wait = 0,
    mapping: Annotated[str, typer.Option("--mapping", help="A YAML file that says what each column is.")] = "",
    guess: Annotated[
        str, typer.Option("--guess", help="Write a first mapping of the tables to this new file, and stop.")
    ] = "",
    encoding: Encoding = "",
    sheet: Sheet = "",
    shard_bytes: ShardBytes = None,
) -> None:
    if guess:
        write_guess(input, guess, encoding, sheet, beam_options(context))
        return
    if not output:
        raise UserError("--output is missing. Give the folder to write to.")
    run(request_of("records", context.params, beam_options(context)))


def write_guess(inputs: list[str], guess: str, encoding: str, sheet: str, beam_args: list[str]) -> None:
    """Write a first mapping of a user's tables to a new file."""
    from allsaid.storage.paths import expand
    from pipelines.ingest.runner import pipeline_options
    from pipelines.sources.records.findings.guess import save_guess

    pipeline_options(beam_args)  # they name the store
    save_guess(expand(inputs).paths, guess, encoding, sheet)
    console.say(f"{guess} is a first mapping. Read it, mend it, and give it with --mapping.")
