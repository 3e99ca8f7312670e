"""`allsaid ingest SOURCE`: a subcommand for each source, made from its class."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, make_dataclass
from datetime import date
from typing import TYPE_CHECKING, Any  # Any: click's objects, which Typer does not type

import typer
from typer.core import TyperGroup

from allsaid import console
from allsaid.options import OUTPUT, WAIT, Beam, add_command, option
from pipelines import sources
from pipelines.sources.about import about
from schemas.checks.json_value import JsonValue
from schemas.errors import UserError

if TYPE_CHECKING:
    from pipelines.ingest.run import Outcome, Request

LOSSES = 3  # exit code of an ingest that published a data set, but could not read all of its input
GUESS = "guess"  # an option that writes a mapping instead of a data set


@dataclass(frozen=True)
class IngestOptions(Beam):
    """Options of `allsaid ingest` that all sources have."""

    input: tuple[str, ...] = option("Files, a folder or a glob; plain or .gz, .bz2, .zst. Repeatable.")
    output: str = option(OUTPUT)
    set: tuple[str, ...] = option("A setting as key=value. Repeatable.", ())
    config: str | None = option("A YAML file with 'settings' and 'gates'; --set and --gate override it.", None)
    gate: tuple[str, ...] = option("A quality gate as key=value: rejected, lost, drift, unknown.", ())
    run_date: str = option("Day of the snapshot, as 2026-11-21.", "")
    keep_snapshots: int | None = option("Number of complete runs to keep on disk.", None, low=1)
    wait: float = option(WAIT, 0, low=0)


class Sources(TyperGroup):
    """A subcommand for each installed source, made when it is called or listed."""

    # Any, since the classes of contexts and commands are private to Typer.
    def list_commands(self, ctx: Any) -> list[str]:
        return list(sources.names())

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        return _command(cmd_name) if cmd_name in sources.names() else None


app = typer.Typer(
    cls=Sources,
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    help="Read a raw dump into Parquet.\n\nExits with 3 if a part of the input could not be read at all: the rest is "
    "published, the loss is reported.\n\nExample: allsaid ingest mealmaster --input 'samples/*.mmf*' --output data",
)


@app.callback()
def _no_options() -> None:
    """Make Typer build a group, as it does for an app with a callback."""


def _command(source: str) -> Any:
    """Return the subcommand of a source, with the common options and those of its class."""

    def command(options: IngestOptions) -> None:
        values = vars(options)
        if values.get(GUESS):
            write_guess(options.input, values[GUESS], values["encoding"], values["sheet"], options.beam_args)
        else:
            run(request_of(source, options))

    command.__annotations__["options"] = options_of(source)
    single = typer.Typer(add_completion=False, rich_markup_mode=None)
    add_command(single, source, command, help_of(about(source).help))
    return typer.main.get_command(single)


def options_of(source: str) -> type[IngestOptions]:
    """Return the options of a source's subcommand: the common options, and the options of its class, all strings."""
    added = [(name, str, option(help, "")) for name, help in about(source).options.items()]
    if GUESS in about(source).options:
        added.append(("output", str, option(OUTPUT, "")))
    return make_dataclass("SourceOptions", added, bases=(IngestOptions,), frozen=True)


def help_of(description: str) -> str:
    """Return the help of a source: its description, a note on Beam's options, and its example."""
    text, _, example = description.partition("\n\nExample: ")
    text += "\n\nOther options are passed to Apache Beam."
    return f"{text}\n\nExample: {example}" if example else text


def request_of(source: str, options: IngestOptions) -> Request:
    """Return the request for an ingest; raise UserError for a fault in the options."""
    from pipelines.ingest.config import read
    from pipelines.ingest.request import Request, Schedule

    if not options.output:
        raise UserError("--output is missing. Give the folder to write to.")
    if options.run_date and not _is_day(options.run_date):
        raise UserError(f"--run-date must be a day such as 2026-11-21; '{options.run_date}' is not.")
    source_options = {name: vars(options)[name] for name in about(source).options if name != GUESS}
    settings = [*options.set, *(f"{name}={value}" for name, value in source_options.items() if value)]
    parsed, gates = read(options.config, source, settings, options.gate)
    schedule = Schedule(options.run_date, options.keep_snapshots, options.wait, gates)
    return Request(source, options.input, options.output, parsed, options.beam_args, schedule)


def _is_day(written: str) -> bool:
    try:
        return f"{date.fromisoformat(written)}" == written
    except ValueError:
        return False


def run(request: Request) -> None:
    """Ingest, report the outcome, and exit with its code."""
    from pipelines.ingest.run import ingest

    outcome = ingest(request)
    figures, rows, sentences = figures_of(outcome)
    console.result("ingest", figures, f"Data set {outcome.manifest.run}", ("records", "count"), rows)
    for sentence in sentences:
        console.say(sentence, "warning")
    outcome.check()
    if outcome.manifest.losses:
        raise typer.Exit(LOSSES)


def figures_of(outcome: Outcome) -> tuple[dict[str, JsonValue], list[tuple[str, object]], Sequence[str]]:
    """Return the figures of an ingest, the rows of its table, and warnings."""
    from pipelines.ingest.assembly import many_rejected
    from pipelines.source import Reporting
    from schemas.example import SPLITS

    manifest = outcome.manifest
    rows: list[tuple[str, object]] = [("read", manifest.read), ("kept", manifest.kept)]
    rows += [(f"  {split}", manifest.splits[split]) for split in SPLITS if split in manifest.splits]
    rows += [("rejected", manifest.rejected_total)]
    for stage, reasons in manifest.rejected.items():
        rows += [(f"  {stage}: {reason}", count) for reason, count in sorted(reasons.items())]
    figures: dict[str, JsonValue] = {
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
    source = sources.find(manifest.source)
    sentences = [*many_rejected(manifest, outcome.folder)]
    if isinstance(source, Reporting):
        report = source.report(manifest, outcome.folder)
        figures |= report.figures
        rows, sentences = [*rows, *report.lines], [*sentences, *report.sentences]
    return figures, rows, sentences


def write_guess(inputs: Sequence[str], guess: str, encoding: str, sheet: str, beam_args: Sequence[str]) -> None:
    """Write a first mapping of a user's tables to a new file."""
    from allsaid.storage.paths import expand
    from pipelines.sources.records.findings.guess import save_guess

    if beam_args:  # they may configure an object store
        from pipelines.ingest.runner import pipeline_options

        pipeline_options(beam_args)
    save_guess(expand(inputs).paths, guess, encoding, sheet)
    console.say(f"{guess} is a first mapping. Read it, correct it, and give it with --mapping.")
