"""The job of `allsaid generate`: generate texts for each row with a model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from allsaid.storage import files
from batch_infer.job import folder, previous, record, staging
from batch_infer.job import run as job
from batch_infer.job.handler import TextHandler
from batch_infer.job.plan import Plan, dry_run
from batch_infer.job.prepared import LoadedModel, Prepared, hashes_of, load_model, prepare
from batch_infer.options.generate import GenerateOptions
from batch_infer.proof.judges import judge_of
from batch_infer.proof.summary import Summary
from batch_infer.rows.sources import Part
from pipelines.linking import phrases
from schemas.checks.table import from_table
from schemas.phrase import Phrase


def run(options: GenerateOptions) -> Summary:
    """Generate texts for each row of the input, write them to the output, and return the means (`job.run`)."""
    with record.lineage_run(record.GENERATE, options):
        return carry_out(options, prepare(options, load_model(options)))


def carry_out(options: GenerateOptions, ready: Prepared) -> Summary:
    """Like :func:`run`, for options that :func:`prepare` has prepared."""
    loaded = ready.loaded
    log = partial(record.log_to_mlflow, record.GENERATE, loaded.model, loaded.bundle, ready.job, options)
    return job.run(options, _work(options, ready), log)


def plan(options: GenerateOptions, loaded: LoadedModel | None = None) -> Plan:
    """Return what :func:`run` would do, and write nothing to the output; ``loaded`` is the model, if it is loaded."""
    return dry_run(options, lambda aside: _work(aside, prepare(aside, loaded or load_model(aside))))


def _work(options: GenerateOptions, ready: Prepared) -> job.Work:
    loaded = ready.loaded
    return job.Work(
        ready.source,
        ready.found,
        ready.job,
        judge_of(loaded.bundle),
        hashes_of(options, ready.source, ready.found, ready.job),
        partial(_begin, options, ready),
        loaded.settings.search.search_batch,
        options.limit,
        phrases.passes(from_table(loaded.bundle.phrases, Phrase)),
    )


def _begin(options: GenerateOptions, ready: Prepared, parts: Sequence[Part]) -> job.Steps:
    """Find the texts to reuse, and copy the model to a folder that workers reach."""
    done, loaded, settings = files.join(options.output, folder.DONE), ready.loaded, ready.loaded.settings
    if options.previous is not None:
        index = previous.find(options.previous, options.output, ready.job, done)
        settings = replace(settings, earlier=index)
    where = options.stage or files.join(done, staging.FOLDER)
    staged = staging.stage(loaded.model.folder, ready.job["model_hash"], where)
    return job.Steps(TextHandler(settings, staged), settings.earlier)
