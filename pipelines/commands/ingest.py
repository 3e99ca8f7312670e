"""`allsaid ingest SOURCE`: a subcommand for each source, made from its class."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from allsaid import console
from allsaid.options import BEAM_OPTIONS, OutputFolder, Wait, beam_options
from pipelines import sources
from pipelines.sources.about import about
from schemas.checks.json_value import JsonValue
from schemas.errors import UserError

if TYPE_CHECKING:
    from pipelines.ingest.run import Outcome, Request

LOSSES = 3  # exit code of an ingest that published a data set, but could not read all of its input
GUESS = "guess"  # an option that writes a mapping instead of a data set

Inputs = Annotated[
    list[str], typer.Option("--input", help="Files, a folder or a glob; plain or .gz, .bz2, .zst. Repeatable.")
]
Set = Annotated[list[str] | None, typer.Option("--set", help="A setting as key=value. Repeatable.")]
ConfigFile = Annotated[
    str | None, typer.Option("--config", help="A YAML file with 'settings' and 'gates'; --set and --gate override it.")
]
Gate = Annotated[
    list[str] | None, typer.Option("--gate", help="A quality gate as key=value: rejected, lost, drift, unknown.")
]
RunDate = Annotated[datetime | None, typer.Option("--run-date", formats=["%Y-%m-%d"], help="Day of the snapshot.")]
KeepSnapshots = Annotated[
    int | None, typer.Option("--keep-snapshots", min=1, help="Number of complete runs to keep on disk.")
]


class Sources(TyperGroup):
    """A subcommand for each installed source, made when it is called or listed."""

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
    """Have Typer make a group, which it does for an app with a callback."""


def _command(source: str) -> Any:
    """Return the subcommand of a source, with the common options and those of its class."""
    described = about(source)

    def command(context: typer.Context, **options: Any) -> None:
        beam_args = beam_options(context)
        if options.get(GUESS):
            write_guess(options["input"], options[GUESS], options["encoding"], options["sheet"], beam_args)
        elif not options["output"]:
            raise UserError("--output is missing. Give the folder to write to.")
        else:
            run(request_of(source, options, beam_args))

    common, *others = inspect.signature(_common, eval_str=True).parameters.values()
    own = [_option(name, help) for name, help in described.options.items()]
    if GUESS in described.options:
        others = [option.replace(default="") if option.name == "output" else option for option in others]
    setattr(command, "__signature__", inspect.Signature([common, *others, *own]))  # noqa: B010, Typer reads options off it
    single = typer.Typer(add_completion=False, rich_markup_mode=None)
    single.command(source, help=help_of(described.help), context_settings=BEAM_OPTIONS)(command)
    return typer.main.get_command(single)


def _common(
    context: typer.Context,
    input: Inputs,
    output: OutputFolder,
    set: Set = None,
    config: ConfigFile = None,
    gate: Gate = None,
    run_date: RunDate = None,
    keep_snapshots: KeepSnapshots = None,
    wait: Wait = 0,
) -> None:
    """Declare the common options of all sources."""


def _option(name: str, help: str) -> inspect.Parameter:
    """Return an option with a text value, which `--set` parses."""
    kind = Annotated[str, typer.Option(f"--{name.replace('_', '-')}", help=help)]
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default="", annotation=kind)


def help_of(description: str) -> str:
    """Return the help of a source: its description, a note on Beam's options, and its example."""
    text, _, example = description.partition("\n\nExample: ")
    text += "\n\nOther options are passed to Apache Beam."
    return f"{text}\n\nExample: {example}" if example else text


def day_of(run_date: datetime | None) -> str:
    return f"{run_date:%Y-%m-%d}" if run_date else ""


def request_of(source: str, options: Mapping[str, Any], beam_args: Sequence[str]) -> Request:
    """Return the request of a source's subcommand; ``options``: its values by name."""
    from pipelines.ingest.config import read
    from pipelines.ingest.run import Request, Schedule

    own = [name for name in about(source).options if name != GUESS and options.get(name)]
    given = [*(options["set"] or []), *(f"{name}={options[name]}" for name in own)]
    gates = options["gate"] or ()
    settings, limits = read(options["config"], source, given, gates)
    schedule = Schedule(day_of(options.get("run_date")), options["keep_snapshots"], options["wait"], limits)
    return Request(source, options["input"], options["output"], settings, beam_args, schedule)


def run(request: Request) -> None:
    """Ingest, report the outcome, and exit with its code."""
    from pipelines.ingest import run as ingest

    outcome = ingest.reach(request)
    figures, rows, sentences = figures_of(outcome)
    console.result("ingest", figures, f"Data set {outcome.manifest.run}", ("records", "count"), rows)
    for sentence in sentences:
        console.say(sentence, "warning")
    outcome.check()
    if outcome.manifest.losses:
        raise typer.Exit(LOSSES)


def figures_of(outcome: Outcome) -> tuple[dict[str, JsonValue], list[tuple[str, object]], Sequence[str]]:
    """Return the figures of an ingest, the rows of its table, and warnings."""
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
    sentences: Sequence[str] = ()
    if isinstance(source, Reporting):
        report = source.report(manifest, outcome.folder)
        figures |= report.figures
        rows, sentences = [*rows, *report.lines], report.sentences
    return figures, rows, sentences


def write_guess(inputs: list[str], guess: str, encoding: str, sheet: str, beam_args: list[str]) -> None:
    """Write a first mapping of a user's tables to a new file."""
    from allsaid.storage.paths import expand
    from pipelines.sources.records.findings.guess import save_guess

    if beam_args:  # they may configure an object store
        from pipelines.ingest.runner import pipeline_options

        pipeline_options(beam_args)
    save_guess(expand(inputs).paths, guess, encoding, sheet)
    console.say(f"{guess} is a first mapping. Read it, correct it, and give it with --mapping.")
