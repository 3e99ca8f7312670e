"""`allsaid ingest SOURCE`: the subcommand of each source."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from inspect import signature
from typing import TYPE_CHECKING, Annotated, Any

import typer

from allsaid import console
from allsaid.console import UserError

if TYPE_CHECKING:
    from pipelines.ingest.run import Outcome
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
Encoding = Annotated[
    str, typer.Option("--encoding", help="Of a table that is text, such as cp1252; by default its bytes tell it.")
]
Sheet = Annotated[str, typer.Option("--sheet", help="The sheet of an Excel file; by default the first.")]


def beam_options(context: typer.Context) -> list[str]:
    """What stands behind the command's own options; words that are no option are a mistake."""
    extra = list(context.args)
    if extra and not extra[0].startswith("--"):
        raise UserError(f"'{extra[0]}' is no option of this command; see `{context.command_path} --help`.")
    return extra


@dataclass(frozen=True)
class Asked:
    """What is asked of an ingest; each field is an option of the command."""

    context: typer.Context
    input: Annotated[
        list[str], typer.Option("--input", help="Files, a folder or a glob; plain or .gz, .bz2, .zst. Repeatable.")
    ]
    output: OutputFolder
    set: Annotated[list[str] | None, typer.Option("--set", help="A setting as key=value. Repeatable.")] = None
    config: Annotated[
        str | None,
        typer.Option("--config", help="A YAML file with 'settings' and 'gates'; --set and --gate go above it."),
    ] = None
    gate: Annotated[
        list[str] | None,
        typer.Option("--gate", help="A quality gate as key=value: rejected, lost, drift, unknown."),
    ] = None
    max_rejected: MaxRejected = None
    run_date: Annotated[
        datetime | None,
        typer.Option("--run-date", formats=["%Y-%m-%d"], help="The day that the snapshot is for."),
    ] = None
    keep_snapshots: Annotated[
        int | None, typer.Option("--keep-snapshots", min=1, help="How many complete runs stay on disk.")
    ] = None
    wait: Annotated[
        float, typer.Option("--wait", min=0, help="Minutes to wait for another run on the same output.")
    ] = 0

    def run(self, source: str) -> None:
        from pipelines.ingest import config
        from pipelines.ingest import run as ingest

        gates = [*(self.gate or []), *([f"rejected={self.max_rejected}"] if self.max_rejected is not None else [])]
        settings, limits = config.read(self.config, source, self.settings(), gates)
        day = f"{self.run_date:%Y-%m-%d}" if self.run_date else ""
        schedule = ingest.Schedule(day, self.keep_snapshots, self.wait, limits)
        outcome = ingest.reach(source, self.input, self.output, settings, beam_options(self.context), schedule)
        show(outcome)
        outcome.check()
        if outcome.manifest.losses:
            raise typer.Exit(LOSSES)

    def settings(self) -> list[str]:
        return self.set or []


@dataclass(frozen=True)
class AskedOfTable(Asked):
    """What is asked of an ingest of a user's own table."""

    output: Annotated[str, typer.Option("--output", help="Folder to write to; not needed with --guess.")] = ""
    mapping: Annotated[str, typer.Option("--mapping", help="A YAML file that says what each column is.")] = ""
    guess: Annotated[
        str, typer.Option("--guess", help="Write a first mapping of the tables to this new file, and stop.")
    ] = ""
    encoding: Encoding = ""
    sheet: Sheet = ""

    def run(self, source: str) -> None:
        if self.guess:
            self.write_guess()
        elif not self.output:
            raise UserError("--output is missing. Give the folder to write to.")
        else:
            super().run(source)

    def settings(self) -> list[str]:
        own = {"mapping": self.mapping, "encoding": self.encoding, "sheet": self.sheet}
        return [*super().settings(), *(f"{name}={value}" for name, value in own.items() if value)]

    def write_guess(self) -> None:
        from pipelines.ingest.runner import pipeline_options
        from pipelines.sources.records.findings.guess import save_guess
        from pipelines.storage.paths import expand

        pipeline_options(beam_options(self.context))  # they name the store
        save_guess(expand(self.input).paths, self.guess, self.encoding, self.sheet)
        console.say(f"{self.guess} is a first mapping. Read it, mend it, and give it with --mapping.")


def ingest_command(source: str, example: str, says: str, asked: type[Asked] = Asked) -> None:
    """Add the subcommand of one source."""

    def command(**given: Any) -> None:
        asked(**given).run(source)

    # Typer reads a command's options off its signature, here the one of the fields.
    command.__signature__ = signature(asked, eval_str=True)  # type: ignore[attr-defined]
    help = f"{says}\n\nOptions that are not named here go to Apache Beam as they are.\n\nExample: {example}"
    app.command(source, help=help, context_settings=BEAM_OPTIONS)(command)


def show(outcome: Outcome) -> None:
    from schemas.example import SPLITS

    manifest = outcome.manifest
    rows: list[tuple[str, object]] = [("read", manifest.read), ("kept", manifest.kept)]
    rows += [(f"  {split}", manifest.splits[split]) for split in SPLITS if split in manifest.splits]
    rows += [("rejected", manifest.rejected_total)]
    for stage, reasons in manifest.rejected.items():
        rows += [(f"  {stage}: {reason}", count) for reason, count in sorted(reasons.items())]
    names = ("run", "created", "source", "read", "kept", "rejected", "splits", "losses", "fingerprint")
    figures = {name: getattr(manifest, name) for name in names}
    figures |= {"status": outcome.status, "shares": len(manifest.shares), "reused": outcome.reused}
    told: list[str] = []
    if manifest.source == "records":
        figures |= {"columns": _show_columns(outcome, rows)}
        told = tell_table(manifest, figures)
    console.result("ingest", figures, f"Data set {manifest.run}", ("records", "count"), rows)
    for sentence in told:
        console.say(sentence, "warning")


def tell_table(manifest: Manifest, figures: dict[str, Any]) -> list[str]:
    """What was found in the bytes and cells of a user's table: added to the figures, and as sentences."""
    from pipelines.sources.records.findings.findings import encoding_sentences, findings, sentences

    figures["encodings"] = {share["file"]: share["encoding"] for share in manifest.shares if share.get("encoding")}
    figures["findings"] = findings(manifest.statistics)
    return [*encoding_sentences(figures["encodings"]), *sentences(figures["findings"])]


def _show_columns(outcome: Outcome, rows: list[tuple[str, object]]) -> dict[str, dict[str, object]]:
    """Tell of a table's columns what texts say of them, in further ``rows`` and in sentences; the figures by column."""
    from pipelines.sources.records.findings import report as records_report

    told = records_report.columns_of(outcome.manifest)
    for one in told:
        share = "" if one.share is None else f" ({one.share:.0%})"
        rows.append((f"column {one.column}", f"{one.filled:,} filled, {one.found:,} found in texts{share}"))
    for sentence in records_report.warnings(outcome.manifest, outcome.folder):
        console.say(sentence, "warning")
    return {one.column: {"filled": one.filled, "found": one.found, "share": one.share} for one in told}


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
ingest_command(
    "records",
    "allsaid ingest records --input samples/products.csv --mapping samples/products.yaml --output data",
    "Read your own table (CSV, Excel, JSON lines, Parquet) by a mapping that says what each column is.",
    AskedOfTable,
)
