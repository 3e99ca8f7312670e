"""Preparation of a run before its first row is decoded: the model, the rows, and the job that describes the request."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

from allsaid.modeling.precision import check_precision
from allsaid.modeling.saved.knowledge import Knowledge
from allsaid.modeling.saved.model_folder import DEVICES, Bundle, find_device, fingerprint, load
from allsaid.modeling.tasks.contract import ReadsRows, RefersToTable
from allsaid.proof.forms import review
from allsaid.redaction import public
from allsaid.storage.paths import absolute, check_folder
from batch_infer.job import folder, formats, previous
from batch_infer.job.folder import Job
from batch_infer.job.gates import check_measured
from batch_infer.options.generate import GenerateOptions
from batch_infer.options.job import JobOptions
from batch_infer.proof.judges import judge_of
from batch_infer.rows import sources
from batch_infer.rows.kinds.raw import reads_acts
from batch_infer.rows.kinds.turns import TableFile, open_table
from batch_infer.rows.sources import Source, SourceFile, files_hash, is_data_set
from batch_infer.writer.settings import WriterSettings, settings_of
from schemas.checks.table import VERSION_KEY
from schemas.errors import UserError
from schemas.texts.generated import GENERATED
from training.tracking.delivery import check_experiment
from training.tracking.registry import ResolvedModel, resolve


@dataclass(frozen=True)
class LoadedModel:
    """A model with its settings for generation."""

    model: ResolvedModel
    bundle: Bundle
    settings: WriterSettings

    @property
    def knowledge(self) -> Knowledge:
        return self.bundle


@dataclass(frozen=True)
class Prepared:
    loaded: LoadedModel
    source: Source
    found: list[SourceFile]
    job: Job


def load_model(options: GenerateOptions) -> LoadedModel:
    """Check the options that need no rows and load the model; raise :class:`UserError` for a fault."""
    from pipelines.ingest.runner import pipeline_options, runs_on_this_machine  # imported here: it loads Beam

    if runs_on_this_machine(pipeline_options(options.beam_args)) or options.device not in DEVICES:
        find_device(options.device)
    if options.precision is not None:
        check_precision(options.precision, options.device)
    check_options(options)
    model = resolve(options.model)
    bundle = load(model.folder)
    judge = judge_of(bundle)
    judge.check_seen(options.refuse_unfamiliar)
    check_measured(options.gate, judge.MEANS)
    settings = settings_of(options, bundle, model.name, model.version, options.device, options.precision)
    return LoadedModel(model, bundle, settings)


def check_options(options: JobOptions) -> None:
    """Check what every job needs before its model is loaded; raise :class:`UserError` for a fault."""
    formats.check(options.format, options.publish)
    check_experiment(options.experiment)
    if options.stage:
        check_folder(options.stage, "--stage")


def prepare(options: GenerateOptions, loaded: LoadedModel) -> Prepared:
    """Prepare a run without reading its rows, except for their hash; raise :class:`UserError` for a fault."""
    bundle, task = loaded.bundle, loaded.bundle.text_task
    source, found = sources.find(
        options.input,
        options.split,
        options.keep,
        bundle.mapping,
        options.encoding,
        options.sheet,
        task if isinstance(task, ReadsRows) else None,
        table_of(options.table, bundle, options.input),
    )
    source = replace(source, is_act=reads_acts(bundle))
    return Prepared(loaded, source, found, _describe(options, loaded, source))


def hashes_of(
    options: JobOptions, source: Source, found: Sequence[SourceFile], job: Job
) -> dict[str, tuple[list[str], str]]:
    """Return the files behind each input, with their hash; a published data set never changes and has none."""
    read = {options.table: ([options.table], str(job["table_hash"]))} if options.table else {}
    if not is_data_set(options.input):
        read[options.input] = [file.path for file in found], source.fingerprint
    return read


def table_of(path: str, knowledge: Knowledge, given: str = "") -> TableFile | None:
    """Return the table at ``path`` that the model's rows refer to; raise UserError if it is missing or not needed.

    given: the input that rows are read from, if any: a data set has its own table.
    """
    has_own = bool(given) and is_data_set(given)
    task = knowledge.task
    if not isinstance(task, RefersToTable) or not isinstance(knowledge, Bundle) or has_own:
        if path:
            whose = f"the data set {given}" if has_own else f"'{task}'"
            raise UserError(f"--table {path}: {whose} needs no other table. Leave it out.")
        return None
    if not path:
        raise UserError(
            "A model of dialogues answers out of a table. Give its file with --table"
            + (", and dialogues as .jsonl or .parquet, or a data set, which has its own." if given else ".")
        )
    table = TableFile(absolute(path), task.naming(knowledge.vocabularies))
    open_table(table)
    return table


def describe(options: JobOptions, model: ResolvedModel | None, knowledge: Knowledge, source: Source) -> Job:
    """Return the facts that the output of every job depends on; a run is resumed only if its job is the same."""
    table = options.table
    return {
        "schema": (GENERATED.metadata or {})[VERSION_KEY].decode(),
        "model_name": model.name if model else "",
        "model_version": model.version if model else "",
        "model_run": model.run_id if model else "",  # the training run
        "model_hash": fingerprint(model.folder) if model else "",
        "code": previous.code_version(knowledge),
        "input": public(options.input),
        "input_fingerprint": source.fingerprint,
        "split": options.split if source.kind == sources.EXAMPLES else "",
        "keep": [column.name for column in source.kept],
        "encoding": options.encoding,
        "sheet": options.sheet,
        "data_fingerprint": knowledge.origin.get("data_fingerprint", "") if isinstance(knowledge, Bundle) else "",
        **({folder.MAPPING: knowledge.mapping} if knowledge.mapping else {}),
        **({"rows_per_file": options.rows_per_file} if options.rows_per_file else {}),
        **({"table": public(table), "table_hash": files_hash([table])} if table else {}),
    }


def _describe(options: GenerateOptions, loaded: LoadedModel, source: Source) -> Job:
    settings = loaded.settings
    return {
        **describe(options, loaded.model, loaded.bundle, source),
        "limit": options.limit,
        "device": options.device,
        "ban": list(settings.banned),
        **asdict(settings.search),
        "refuse_unfamiliar": options.refuse_unfamiliar,
        "sentence_case": options.sentence_case,
        **({"struck": sorted(map(review.readable, settings.struck))} if options.phrasebook else {}),
        **settings.requirements.to_json(),
        **({"attention": True} if options.attention else {}),
        **({"precision": options.precision} if options.precision else {}),
    }
