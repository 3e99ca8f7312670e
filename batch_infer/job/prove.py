"""The job of `allsaid prove`: prove texts by another author."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import chain

from allsaid.console import say
from allsaid.modeling.saved.knowledge import Knowledge, TableKnowledge
from allsaid.modeling.saved.model_folder import Bundle, load
from allsaid.modeling.tasks.contract import ReadsRows
from allsaid.proof.usage.learn import learn
from allsaid.proof.usage.names import with_names
from allsaid.redaction import public
from allsaid.storage import files
from batch_infer.job import folder, previous, record, staging, submitted
from batch_infer.job import run as job
from batch_infer.job.folder import Job
from batch_infer.job.gates import check_measured
from batch_infer.job.handler import ProofHandler
from batch_infer.job.plan import Plan, dry_run
from batch_infer.job.prepared import check_options, describe, hashes_of, table_of
from batch_infer.job.staging import StagedModel
from batch_infer.job.submitted import Chunk, TextFile
from batch_infer.options.prove import ProveOptions
from batch_infer.options.texts import TextOptions
from batch_infer.proof import requirements
from batch_infer.proof.agenda import Judge
from batch_infer.proof.judges import judge_of
from batch_infer.proof.summary import Summary
from batch_infer.rows import sources
from batch_infer.rows.kinds import tables
from batch_infer.rows.kinds.raw import reads_acts
from batch_infer.rows.known import Known as KnownValues
from batch_infer.rows.known import known_values
from batch_infer.rows.sources import Part, Source, SourceFile
from batch_infer.writer.checker import CheckerSettings
from batch_infer.writer.settings import WriterSettings, settings_of
from pipelines.linking import phrases
from pipelines.sources.mappings import text_of_mapping
from pipelines.sources.records.decimals import written_with
from pipelines.sources.records.ids import survey
from pipelines.sources.records.mapping import read_mapping
from schemas.checks.table import from_table
from schemas.errors import UserError
from schemas.phrase import Phrase
from training.tracking.registry import ResolvedModel, resolve

BATCH = 100  # rows proven at once


@dataclass(frozen=True)
class Known:
    """The knowledge that a proof uses, from a model or from the mapping of a table."""

    knowledge: Knowledge
    settings: CheckerSettings
    model: ResolvedModel | None = None


@dataclass(frozen=True)
class PreparedProof:
    known: Known
    source: Source
    found: list[SourceFile]  # of the rows
    texts: list[TextFile]
    texts_hash: str
    job: Job


def run(options: ProveOptions) -> Summary:
    """Prove the texts, write them to the output with their proof, and return the means (`job.run`)."""
    with record.lineage_run(record.PROVE, options):
        return carry_out(options, prepare(options, load_known(options)))


def prepare(options: ProveOptions, known: Known) -> PreparedProof:
    """Prepare a run without reading its rows and texts, except for their hashes; raise UserError for a fault."""
    knowledge = known.knowledge
    own = knowledge.text_task if isinstance(knowledge.text_task, ReadsRows) else None
    table = table_of(options.table, knowledge, options.input)
    find = partial(sources.find, named_by=f"--mapping {options.mapping}") if options.mapping else sources.find
    source, found = find(
        options.input, options.split, options.keep, knowledge.mapping, options.encoding, options.sheet, own, table
    )
    if options.mapping:
        knowledge = TableKnowledge(mapping=_with_decimals(found, knowledge.mapping, options.mapping))
        known, source = replace(known, knowledge=knowledge), replace(source, mapping=knowledge.mapping)
    source = replace(source, is_act=reads_acts(knowledge))
    mapping = read_mapping(knowledge.mapping, options.mapping) if knowledge.mapping else None
    notes = {note for file in found if file.layout for note in file.layout.notes}
    texts, texts_hash = submitted.find(options.texts, mapping, options.texts_sheet, notes)
    return PreparedProof(known, source, found, texts, texts_hash, _describe(options, known, source, texts_hash))


def carry_out(options: ProveOptions, ready: PreparedProof) -> Summary:
    """Like :func:`run`, for options that :func:`prepare` has prepared."""
    known = ready.known
    log = partial(record.log_to_mlflow, record.PROVE, known.model, known.knowledge, ready.job, options)
    return job.run(options, _work(options, ready), log)


def plan(options: ProveOptions, known: Known | None = None) -> Plan:
    """Return what :func:`run` would do, and write nothing to the output; ``known`` is the model, if it is loaded."""
    return dry_run(options, lambda aside: _work(aside, prepare(aside, known or load_known(aside))))


def _work(options: ProveOptions, ready: PreparedProof) -> job.Work:
    knowledge, source = ready.known.knowledge, ready.source
    submissions = {options.texts: ([file.path for file in ready.texts], ready.texts_hash)}
    return job.Work(
        source,
        ready.found,
        ready.job,
        judge_of(knowledge),
        hashes_of(options, source, ready.found, ready.job) | submissions,
        partial(_begin, options, ready),
        BATCH,
        phrases=phrases.passes(from_table(knowledge.phrases, Phrase)),
    )


def load_known(options: ProveOptions) -> Known:
    """Check the options that need no rows, and load the model or read the mapping; raise UserError for a fault."""
    if bool(options.model) == bool(options.mapping):
        raise UserError(
            "Give --mapping FILE, which says what each column of the table is (`allsaid ingest records --guess` writes "
            "a first one), or --model, whose own mapping, forms and known values are then used; not both."
        )
    check_options(options)
    wanted = requirements.read(options.require, options.max_characters)
    if options.model:
        model = resolve(options.model)
        bundle = load(model.folder)
        least = bundle.config.search.min_coverage if options.min_coverage is None else options.min_coverage
        settings = CheckerSettings(
            least, model.name, model.version, wanted, _replacement_settings(options, bundle, model)
        )
        check_measured(options.gate, judge_of(bundle).MEANS)
        return Known(bundle, settings, model)
    if options.previous is not None:
        raise UserError(
            f"--previous {options.previous}: without a model, a proof depends on all rows, whose values are the known "
            "ones. Give --model, or leave --previous out."
        )
    if options.mend:
        raise UserError("--mend writes texts by a model. Give --model in place of --mapping, or leave --mend out.")
    written = text_of_mapping(options.mapping)
    read_mapping(written, f"--mapping {options.mapping}")
    knowledge = TableKnowledge(mapping=written)
    check_measured(options.gate, judge_of(knowledge).MEANS)
    return Known(knowledge, CheckerSettings(options.min_coverage or 0, requirements=wanted))


def _replacement_settings(options: ProveOptions, bundle: Bundle, model: ResolvedModel) -> WriterSettings | None:
    """Return the settings to replace uncertified texts, if requested; raise UserError for a model that can't."""
    if not options.mend:
        return None
    if bundle.certifier is None and bundle.lexicon.foods is None:
        raise UserError(f"--mend: texts of the task '{bundle.task}' can't be certified. Leave the option out.")
    wanted = TextOptions(
        min_coverage=options.min_coverage, require=options.require, max_characters=options.max_characters
    )
    return settings_of(wanted, bundle, model.name, model.version)


def _with_decimals(tables: Sequence[SourceFile], mapping: str, path: str) -> str:
    """Return a mapping with the marks before decimals that the table shows; ``path`` names it in errors."""
    layouts = {table.path: table.layout for table in tables if table.layout is not None}
    _, decimals = survey(list(layouts.items()), read_mapping(mapping, path))
    return written_with(mapping, decimals, path)


def _begin(options: ProveOptions, ready: PreparedProof, parts: Sequence[Part]) -> job.Steps:
    """Sort the texts by row, and collect the knowledge for the workers."""
    known, source, done = ready.known, ready.source, files.join(options.output, folder.DONE)
    chunks, rejects = submitted.stage(ready.texts, parts, source, done, options.output)
    if known.model:
        where = options.stage or files.join(done, staging.FOLDER)
        knowledge: StagedModel | Knowledge = staging.stage(known.model.folder, ready.job["model_hash"], where)
    else:
        knowledge = _learned(known.knowledge, known_values(parts, source.mapping), chunks)
    index = previous.find(options.previous, options.output, ready.job, done) if options.previous else None
    handler = ProofHandler(known.settings, knowledge, index)
    return job.Steps(handler, index, partial(submitted.join, chunks=chunks), rejects.reasons.values())


def _learned(knowledge: Knowledge, known: KnownValues, chunks: Sequence[Chunk]) -> Knowledge:
    """Return the knowledge with the values of the table, and what a sample of the texts shows: other words, names."""
    knowledge = replace(knowledge, values=known.values)
    judge = Judge(knowledge)
    sample = ((known.sample[place], text) for place, text in submitted.texts_of(chunks, known.sample))
    observed = [judge.observe(text, record.goal, record.agenda) for record, text in sample]
    columns = tables.mapping_of(knowledge.mapping).columns
    usage = learn(observed, {column.name: column.refused for column in columns})
    for line, words in usage.items():
        shown = ", ".join(sorted(f"{'not ' * is_denied}{word}…" for word, is_denied in words))
        say(f"Learned from the texts: {line} is also stated by {shown}")
    mentions = chain.from_iterable(text.mentions for text in observed)
    return replace(knowledge, usage=usage, values=with_names(known.values, known.common, mentions))


def _describe(options: ProveOptions, known: Known, source: Source, texts_hash: str) -> Job:
    settings = known.settings
    return {
        **describe(options, known.model, known.knowledge, source),
        "submitted": public(options.texts),
        "submitted_fingerprint": texts_hash,
        **({"texts_sheet": options.texts_sheet} if options.texts_sheet else {}),
        "min_coverage": settings.min_coverage,
        "texts": 1,
        **settings.requirements.to_json(),
        **({"mend": asdict(settings.mend.search)} if settings.mend else {}),
    }
