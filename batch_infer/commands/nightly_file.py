"""The file of a nightly run, and the report of what became of it; the command loads this only when it runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace

import typer

from allsaid import console
from allsaid.options import from_section
from batch_infer.commands import sections, texts
from batch_infer.commands.chain import Outcome, Request
from batch_infer.nights.training import FAILED, name_of
from batch_infer.options.drift import DriftGates
from batch_infer.options.job import JobOptions
from batch_infer.options.nightly import NightlyGenerateOptions, NightlyProveOptions, NightlyTrainOptions
from pipelines import sources
from pipelines.commands import ingest
from pipelines.ingest.request import Request as IngestRequest
from pipelines.ingest.run import NOTHING_TO_DO
from schemas.errors import UserError

SECTIONS = ("ingest", "train", "generate", "prove", "drift")
SET_BY_RUN = ("against", "plan", "previous", "show")  # options of the texts that a nightly run sets itself
ONCE_ONLY = ("guess", "run_date")  # options of `ingest` that are not for every run
OF_ONE_TRAINING = ("keep_champion", "like", "resume", "run_dir", "tracking")  # options of `train`, likewise


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
    train = _train(given["train"], f"{config}: train", texts, data) if "train" in given else None
    return Request(texts, data, drift, train)


def _train(
    section: Mapping[str, object], where: str, texts: JobOptions, data: IngestRequest | None
) -> NightlyTrainOptions:
    """Return the options of the training, whose data and name follow from the other sections."""
    if data is None or not isinstance(texts, NightlyGenerateOptions):
        raise UserError(f"{where} needs the sections 'ingest', for its data, and 'generate', for its model's name.")
    implied = {"data": data.output, "name": name_of(texts.model)}
    for key in section.keys() & implied.keys():
        raise UserError(f"{where} has the key '{key}', which follows from the other sections. Leave it out.")
    options = from_section(NightlyTrainOptions, {**section, **implied}, where, without=OF_ONE_TRAINING)
    options.check(where)
    return options


def _ingest(section: dict[str, object], where: str, beam_args: tuple[str, ...]) -> IngestRequest:
    source = str(section.pop("source", None))
    if source not in sources.names():
        raise UserError(f"{where}: 'source' must be one of {', '.join(sources.names())}; '{source}' is not.")
    options = from_section(ingest.options_of(source), section, where, without=ONCE_ONLY)
    return ingest.request_of(source, replace(options, beam_args=beam_args))


def report_outcome(outcome: Outcome) -> None:
    """Report the figures of a nightly run; raise the exit code of its outcome."""
    from allsaid.gates import GateBroken

    figures: dict[str, object] = {"status": outcome.status, "ingest": None, "texts": None, "drift": []}
    training = outcome.training
    figures["training"] = training and asdict(training)
    rows: list[tuple[object, ...]] = [("nightly run", outcome.status, "")]
    sentences: Sequence[str] = ()
    if outcome.data is not None:
        figures["ingest"], lines, sentences = ingest.figures_of(outcome.data)
        rows += [(f"data set: {name}", value, "") for name, value in lines]
    if training is not None:
        rows.append(("training", f"{training.result}, version {training.version}".removesuffix(", version "), ""))
    if outcome.record is not None and outcome.summary is not None:
        figures |= {"run": outcome.record.run, "folder": outcome.folder, "texts": asdict(outcome.summary)}
        rows.insert(1, ("folder of the texts", outcome.folder, ""))
        figures |= {"drift": [asdict(change) for change in outcome.record.drift]}
        rows += outcome.summary.rows()
    console.result("nightly", figures, "", ("figure", "texts", "reference texts"), rows)
    for sentence in [*sentences, *(training.sentences() if training else ())]:
        console.say(sentence, "warning")
    if outcome.summary is not None:
        texts.report_faults(outcome.summary)
    if outcome.data is not None:
        outcome.data.check()
    if outcome.record is not None and outcome.record.faults:
        so = (
            f"The texts stay in {outcome.folder}, unpublished; readers see the texts they saw before. See report.html "
            "there. With gates that they pass, the same command publishes them as they are."
        )
        if outcome.status == NOTHING_TO_DO:
            so = f"Readers see these texts, {outcome.folder}: they were published under other gates."
        raise GateBroken(f"{' '.join(outcome.record.faults)} {so}", outcome.summary)
    has_losses = outcome.data is not None and bool(outcome.data.manifest.losses)
    if has_losses or (training is not None and training.result == FAILED):
        raise typer.Exit(ingest.LOSSES)
