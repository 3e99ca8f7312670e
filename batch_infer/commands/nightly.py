"""The command of a nightly run: ingest, validate, write or prove texts, gates, report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING

import typer

from allsaid import console, lineage
from allsaid.options import Beam, argument, from_section, option
from batch_infer.commands import sections, texts, validate
from batch_infer.options.drift import DriftGates
from batch_infer.options.generate import GenerateOptions
from batch_infer.options.job import RUN
from batch_infer.options.prove import ProveOptions
from pipelines import sources
from pipelines.commands import ingest
from schemas.errors import UserError

if TYPE_CHECKING:
    from batch_infer.nights.folders import Record
    from batch_infer.nights.night import Tonight
    from batch_infer.proof.summary import Summary
    from pipelines.ingest import run as ingest_job

SECTIONS = ("ingest", "generate", "prove", "drift")
SET_BY_RUN = ("against", "plan", "previous", "show")  # options of the texts that a nightly run sets itself
ONCE_ONLY = ("guess", "run_date")  # options of `ingest` that are not for every run


@dataclass(frozen=True)
class NightlyOptions(Beam):
    """Options of `allsaid nightly`."""

    config: str = argument("CONFIG", "A YAML file; see docs/nightly.md.")
    plan: bool = option("Report the rows and the cost of the texts, by a probe of 50 rows, and write nothing.", False)


@dataclass(frozen=True, kw_only=True)
class Kept:
    """The option of a section of texts, whose output is the folder of all nightly runs."""

    keep_snapshots: int = option("Number of nightly runs to keep on disk.", 7, section=RUN, low=1)


@dataclass(frozen=True, kw_only=True)
class NightlyGenerateOptions(Kept, GenerateOptions):
    """Options of the section 'generate'."""


@dataclass(frozen=True, kw_only=True)
class NightlyProveOptions(Kept, ProveOptions):
    """Options of the section 'prove'."""


@dataclass(frozen=True)
class Request:
    """The content of CONFIG."""

    texts: NightlyGenerateOptions | NightlyProveOptions
    ingest: ingest_job.Request | None  # None where the file has no such section
    drift: DriftGates


@dataclass(frozen=True)
class Outcome:
    """The results of a nightly run."""

    status: str  # one of the statuses of an ingest
    data: ingest_job.Outcome | None
    record: Record | None = None  # of the texts; None where the data set has broken a gate
    summary: Summary | None = None
    folder: str = ""  # of the texts


def nightly(options: NightlyOptions) -> None:
    """Run the nightly pipeline: ingest, validate, generate, report.

    Generated texts of unchanged rows are reused. A run that breaks a gate is not published.

    CONFIG is a YAML file with the section 'ingest', which is optional, and either 'generate' or 'prove', for texts by
    others; their keys are the options of these commands, with _ for -. The section 'drift' limits the changes of the
    table. Each run writes its texts to a new folder below the output of its section, and publishes them if they pass
    their gates. A run without changes does nothing, and an interrupted run is resumed. Exits with 2 when a quality gate
    is broken, with 3 when a part of the input could not be read.

    Options that are not named here go to Apache Beam as they are.

    Example: allsaid nightly shop.yaml
    """
    from batch_infer.nights import night

    if options.plan:
        return texts.report_plan("nightly", night.plan(read(options.config, options.beam_args).texts))
    with lineage.recorded("nightly", options.config):
        report_outcome(run(read(options.config, options.beam_args)))


def read(config: str, beam_args: tuple[str, ...] = ()) -> Request:
    """Return the content of a file; raise UserError for a fault in it."""
    given = sections.read(config, SECTIONS)
    if ("generate" in given) == ("prove" in given):
        raise UserError(
            f"{config} must have one of the sections 'generate', which names the model, the input and the output, and "
            "'prove', which also names the texts."
        )
    texts: NightlyGenerateOptions | NightlyProveOptions
    if "prove" in given:
        proven = from_section(NightlyProveOptions, given["prove"], f"{config}: prove", without=SET_BY_RUN)
        texts = replace(proven, beam_args=beam_args)
    else:
        generated = from_section(NightlyGenerateOptions, given["generate"], f"{config}: generate", without=SET_BY_RUN)
        texts = replace(generated, beam_args=beam_args)
    section = given.get("ingest")
    data = None if section is None else _ingest(dict(section), f"{config}: ingest", beam_args)
    drift = from_section(DriftGates, given.get("drift", {}), f"{config}: drift")
    return Request(texts, data, drift)


def _ingest(section: dict[str, object], where: str, beam_args: tuple[str, ...]) -> ingest_job.Request:
    source = str(section.pop("source", None))
    if source not in sources.names():
        raise UserError(f"{where}: 'source' must be one of {', '.join(sources.names())}; '{source}' is not.")
    options = from_section(ingest.options_of(source), section, where, without=ONCE_ONLY)
    return ingest.request_of(source, replace(options, beam_args=beam_args))


def run(request: Request) -> Outcome:
    """Run the steps; a data set or texts that break a gate are not published, and the later steps are skipped."""
    from batch_infer.nights import night as nights
    from batch_infer.report import report
    from pipelines.ingest import run as ingest_job

    with nights.begin(request.texts, request.drift) as tonight:
        data_set = ingest_job.ingest(request.ingest) if request.ingest else None
        if data_set is not None and data_set.faults:
            return Outcome(data_set.status, data_set)
        data_run = data_set.manifest.run if data_set else ""
        ready = nights.prepare(tonight)
        if nights.is_done(tonight, ready, data_run):
            return _nothing(tonight, data_set)
        if request.ingest:
            _check(request.ingest.output)
        found = nights.write(tonight, ready)
        _check(found.folder)
        report.write(found.folder)
        record = nights.end(tonight, found, data_run, request.texts.keep_snapshots)
    status = ingest_job.KEPT_ASIDE if record.faults else ingest_job.PUBLISHED
    return Outcome(status, data_set, record, found.summary, found.folder)


def _nothing(tonight: Tonight, data_set: ingest_job.Outcome | None) -> Outcome:
    """Report that the published texts are those of the same input, model, settings and code."""
    from allsaid.storage.run_store import run_folder
    from batch_infer.proof import summary
    from pipelines.ingest.run import NOTHING_TO_DO

    assert tonight.last is not None
    folder = run_folder(tonight.options.output, tonight.last.run)
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


def report_outcome(outcome: Outcome) -> None:
    """Report the figures of a nightly run; raise the exit code of its outcome."""
    from allsaid.gates import GateBroken

    figures: dict[str, object] = {"status": outcome.status, "ingest": None, "texts": None, "drift": []}
    rows: list[tuple[object, ...]] = [("nightly run", outcome.status, "")]
    sentences: Sequence[str] = ()
    if outcome.data is not None:
        figures["ingest"], lines, sentences = ingest.figures_of(outcome.data)
        rows += [(f"data set: {name}", value, "") for name, value in lines]
    if outcome.record is not None and outcome.summary is not None:
        figures |= {"run": outcome.record.run, "folder": outcome.folder, "texts": asdict(outcome.summary)}
        figures |= {"drift": [asdict(change) for change in outcome.record.drift]}
        rows += outcome.summary.rows()
    console.result("nightly", figures, "", ("figure", "texts", "reference texts"), rows)
    for sentence in sentences:
        console.say(sentence, "warning")
    if outcome.summary is not None:
        texts.report_faults(outcome.summary)
    if outcome.data is not None:
        outcome.data.check()
    if outcome.record is not None and outcome.record.faults:
        so = f"The texts stay in {outcome.folder}, unpublished; readers see the texts they saw before."
        raise GateBroken(f"{' '.join(outcome.record.faults)} {so}", outcome.summary)
    if outcome.data is not None and outcome.data.manifest.losses:
        raise typer.Exit(ingest.LOSSES)
