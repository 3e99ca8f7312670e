"""A whole night in one command: ingest, validate, generate what changed, gates, report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Annotated, Any

import typer

from allsaid import console
from allsaid.options import beam_options
from allsaid.settings import number, parse_value
from batch_infer.commands import sections, texts, validate
from pipelines.commands import ingest
from schemas.errors import UserError

if TYPE_CHECKING:
    from batch_infer.job.request import Request
    from batch_infer.nights.folders import Record
    from batch_infer.nights.night import Tonight
    from batch_infer.proof.summary import Summary
    from pipelines.ingest import run as room

SECTIONS = ("ingest", "generate")
OWN = ("against", "previous", "show")  # options of `generate` that a night knows by itself
NEVER = ("guess", "run_date")  # options of `ingest` that are not for every night


@dataclass(frozen=True)
class Schedule:
    """What `generate` of a night has beyond its own options."""

    keep_snapshots: int = number(7, 1)  # nights that stay on disk
    wait: float = number(0, 0)  # minutes for which another night on the same output is waited for


@dataclass(frozen=True)
class Night:
    """What CONFIG asks for."""

    generate: Request  # its output is the folder of all nights
    schedule: Schedule
    ingest: room.Request | None  # None where the file has no such section


@dataclass(frozen=True)
class Outcome:
    """What a night came to."""

    status: str  # those of an ingest
    data: room.Outcome | None
    record: Record | None = None  # of the texts; None where the data set has broken a gate
    summary: Summary | None = None
    folder: str = ""  # of the texts


def nightly(
    context: typer.Context,
    config: Annotated[str, typer.Argument(metavar="CONFIG", help="A YAML file; see docs/schedule.md.")],
) -> None:
    """Do a night: ingest, validate, generate what changed, report.

    What breaks a gate is kept aside.

    CONFIG is a YAML file with the sections 'ingest' (which may be missing) and 'generate'; their keys are the options
    of these commands, with _ for -. Texts go to a folder of their own below the output of 'generate', and readers see
    them once they have kept their gates. A second start in a night does nothing, and an interrupted night is gone on
    with. Exits with 2 when a quality gate is broken, with 3 when something could not be read.

    Options that are not named here go to Apache Beam as they are.

    Example: allsaid nightly shop.yaml
    """
    tell(run(read(context, config)))


def read(context: typer.Context, config: str) -> Night:
    """The night that a file asks for; raises UserError."""
    given = sections.read(config, SECTIONS)
    if "generate" not in given:
        raise UserError(f"{config} has no section 'generate', which names the model, the input and the output.")
    root, beam_args = context.find_root(), beam_options(context)
    generate, sources = (root.command.get_command(root, name) for name in SECTIONS[::-1])  # type: ignore[attr-defined]
    where, own = f"{config}: generate", given["generate"]
    of_nights = [column.name for column in fields(Schedule)]
    values = sections.options(own, generate, context, where, without=OWN, also=of_nights)
    schedule = {name: parse_value(Schedule, name, own[name], f"{where}: '{name}'") for name in of_nights if name in own}
    request = None
    if "ingest" in given:
        request = _ingest(given["ingest"], sources, context, f"{config}: ingest", beam_args)
    return Night(texts.request_of(values, beam_args), Schedule(**schedule), request)


def _ingest(
    given: dict[str, Any], group: Any, context: typer.Context, where: str, beam_args: list[str]
) -> room.Request:
    source = str(given.get("source"))
    command = group.get_command(context, source)
    if command is None:
        raise UserError(
            f"{where}: 'source' must be one of {', '.join(group.list_commands(context))}; '{source}' is not."
        )
    values = sections.options(given, command, context, where, without=NEVER, also=("source",))
    return ingest.request_of(source, values, beam_args)


def run(night: Night) -> Outcome:
    """Do what is new; a data set or texts that break a gate are kept aside, and what comes after them is left out."""
    from batch_infer.job.prepared import prepare
    from batch_infer.nights import night as nights
    from batch_infer.report import report
    from pipelines.ingest import run as room

    with nights.begin(night.generate, night.schedule.wait) as tonight:
        data_set = room.reach(night.ingest) if night.ingest else None
        if data_set is not None and data_set.faults:
            return Outcome(data_set.status, data_set)
        data_run = data_set.manifest.run if data_set else ""
        ready = prepare(night.generate, tonight.model, tonight.bundle)
        if nights.is_done(tonight, ready, data_run):
            return _nothing(tonight, data_set)
        if night.ingest:
            _check(night.ingest.output)
        found = nights.write(tonight, ready)
        _check(found.folder)
        report.write(found.folder)
        record = nights.end(tonight, found, data_run, night.schedule.keep_snapshots)
    status = room.KEPT_ASIDE if record.faults else room.PUBLISHED
    return Outcome(status, data_set, record, found.summary, found.folder)


def _nothing(tonight: Tonight, data_set: room.Outcome | None) -> Outcome:
    """The texts that readers see are those of this very night."""
    from allsaid.storage.run_store import run_folder
    from batch_infer.proof import summary
    from pipelines.ingest.run import NOTHING_TO_DO

    assert tonight.last is not None
    folder = run_folder(tonight.request.output, tonight.last.run)
    console.say(f"Nothing to do: {folder} was made from the same table, model, settings and code.")
    return Outcome(NOTHING_TO_DO, data_set, tonight.last, summary.read(folder), folder)


def _check(folder: str) -> None:
    """Raise UserError where a data set or texts break a rule."""
    broken = [outcome for outcome in validate.outcomes_of(folder) if not outcome.passed]
    if broken:
        raise UserError(
            f"{folder} breaks {console.counted(len(broken), 'rule')}, first of all that {broken[0].rule} "
            f"({broken[0].border}). See {folder}/validation/. No new texts were published."
        )


def tell(outcome: Outcome) -> None:
    """Show the figures of a night, and end with the exit code that says what it came to."""
    from allsaid.gates import GateBroken

    figures: dict[str, Any] = {"status": outcome.status, "ingest": None, "generate": None, "drift": []}
    rows: list[tuple[object, ...]] = [("night", outcome.status, "")]
    sentences: Sequence[str] = ()
    if outcome.data is not None:
        figures["ingest"], lines, sentences = ingest.figures_of(outcome.data)
        rows += [(f"data set: {name}", value, "") for name, value in lines]
    if outcome.record is not None and outcome.summary is not None:
        figures |= {"run": outcome.record.run, "folder": outcome.folder, "generate": asdict(outcome.summary)}
        figures |= {"drift": [asdict(change) for change in outcome.record.drift]}
        rows += outcome.summary.rows()
    console.result("nightly", figures, "", ("figure", "texts", "reference texts"), rows)
    for sentence in sentences:
        console.say(sentence, "warning")
    if outcome.summary is not None:
        texts.tell(outcome.summary)
    if outcome.data is not None:
        outcome.data.check()
    if outcome.record is not None and outcome.record.faults:
        so = f"The night is kept aside in {outcome.folder}; readers see what they saw before."
        raise GateBroken(f"{' '.join(outcome.record.faults)} {so}", outcome.summary)
    if outcome.data is not None and outcome.data.manifest.losses:
        raise typer.Exit(ingest.LOSSES)
