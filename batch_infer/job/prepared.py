"""Preparation of a run before its first row is decoded: the model, the rows, and the job that describes the request."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any

from allsaid.decoding.step import ban
from allsaid.decoding.write import check_rows
from allsaid.modeling.models.contract import ShowsAttention
from allsaid.modeling.precision import check_precision
from allsaid.modeling.saved.model_folder import DEVICES, Bundle, find_device, fingerprint, load
from allsaid.modeling.tasks.contract import ReadsRows, RefersToTable
from allsaid.proof.forms import review
from allsaid.redaction import public
from allsaid.storage import files
from allsaid.storage.paths import absolute, check_folder
from batch_infer.job import folder, formats, previous
from batch_infer.job.gates import check_measured
from batch_infer.job.request import Request
from batch_infer.proof.judges import judge_of
from batch_infer.rows import sources
from batch_infer.rows.kinds.raw import reads_acts
from batch_infer.rows.kinds.turns import TableFile, open_table
from batch_infer.rows.sources import Source, SourceFile, content_hash, is_data_set
from batch_infer.writer.order import Order
from schemas.checks.table import VERSION_KEY
from schemas.errors import UserError
from schemas.texts.generated import GENERATED
from training.tracking.delivery import check_experiment
from training.tracking.registry import ResolvedModel, resolve


@dataclass(frozen=True)
class Prepared:
    model: ResolvedModel
    bundle: Bundle
    order: Order
    source: Source
    found: list[SourceFile]
    job: dict[str, Any]  # all that the output depends on, as in `job.json`


def open_model(request: Request) -> tuple[ResolvedModel, Bundle]:
    """Check the options that need no model, then load the requested model; raise :class:`UserError` for a fault."""
    from pipelines.ingest.runner import pipeline_options, works_here  # load Beam, which the trial page does without

    options = pipeline_options(request.beam_args)
    if works_here(options) or request.device not in DEVICES:
        find_device(request.device)
    if request.precision is not None:
        check_precision(request.precision, request.device)
    formats.check(request.formats)
    check_experiment(request.experiment)
    if request.stage:
        check_folder(request.stage, "--stage")
    model = resolve(request.model)
    bundle = load(model.folder)
    if request.phrasebook:
        bundle = replace(bundle, phrasebook=review.strike(bundle.phrasebook, request.phrasebook))
    judge = judge_of(bundle)
    judge.check_seen(request.refuse_unfamiliar)
    if request.attention and not isinstance(bundle.model, ShowsAttention):
        raise UserError(
            f"A model of kind '{bundle.config.model.kind}' does not show what it looks at. Leave --attention out."
        )
    check_measured(request.gates, judge.MEANS)
    return model, bundle


def prepare(request: Request, model: ResolvedModel, bundle: Bundle) -> Prepared:
    """Prepare a run without reading its rows, except for their hash; raise :class:`UserError` for a fault."""
    order = Order(
        request.search(bundle.config.search),
        model.name,
        model.version,
        request.device,
        request.precision,
        sentence_case=request.sentence_case,
        banned=ban.read(request.ban) if request.ban is not None else (),
        struck=bundle.phrasebook.struck if request.phrasebook and bundle.phrasebook else frozenset(),
        refuse_unfamiliar=request.refuse_unfamiliar,
        attention=request.attention,
    )
    task = bundle.text_task
    check_rows(task, order.search, order.banned)
    source, found = sources.find(
        request.input,
        request.split,
        request.keep,
        bundle.mapping,
        request.encoding,
        request.sheet,
        task if isinstance(task, ReadsRows) else None,
        table_of(request.table, bundle, request.input),
    )
    source = replace(source, is_act=reads_acts(bundle))
    return Prepared(model, bundle, order, source, found, _describe(request, order, source, model, bundle))


def check_input(request: Request, ready: Prepared) -> None:
    """Raise UserError if a file has changed since :func:`prepare` read it; a published data set never changes."""
    read = {request.table: ([request.table], ready.job["table_hash"])} if request.table else {}
    if not is_data_set(request.input):
        read[request.input] = [file.path for file in ready.found], ready.source.fingerprint
    for given, (paths, seen) in read.items():
        if not all(map(files.exists, paths)) or content_hash(paths) != seen:
            raise UserError(
                f"{given} changed while it was read, so its texts are not finished. When nobody writes there any more, "
                "give the command again with a new --output."
            )


def table_of(path: str, bundle: Bundle, given: str = "") -> TableFile | None:
    """Return the table at ``path`` that the model's rows refer to; raise UserError if one is lacking or superfluous.

    given: the input that rows are read from, if any: a data set has its own table.
    """
    has_own = bool(given) and is_data_set(given)
    task = bundle.task
    if not isinstance(task, RefersToTable) or has_own:
        if path:
            whose = f"the data set {given}" if has_own else f"'{task}'"
            raise UserError(f"--table {path}: {whose} asks for no table beside it. Leave it out.")
        return None
    if not path:
        raise UserError(
            "A model of dialogues answers out of a table. Give its file with --table"
            + (", and dialogues as .jsonl or .parquet, or a data set, which has its own." if given else ".")
        )
    table = TableFile(absolute(path), task.naming(bundle.vocabularies))
    open_table(table)
    return table


def _describe(request: Request, order: Order, source: Source, model: ResolvedModel, bundle: Bundle) -> dict[str, Any]:
    """Return all that the output depends on; a run is resumed only if this is the same."""
    return {
        "schema": (GENERATED.metadata or {})[VERSION_KEY].decode(),
        "model_name": order.name,
        "model_version": order.version,
        "model_run": model.run_id,  # the training run
        "model_hash": fingerprint(model.folder),
        "code": previous.code_version(bundle),
        "input": public(request.input),
        "input_fingerprint": source.fingerprint,
        "split": request.split if source.kind == sources.EXAMPLES else "",
        "keep": [column.name for column in source.kept],
        "limit": request.limit,
        "device": request.device,
        "ban": list(order.banned),
        **asdict(order.search),
        "encoding": request.encoding,
        "sheet": request.sheet,
        "data_fingerprint": bundle.origin.get("data_fingerprint", ""),
        "refuse_unfamiliar": request.refuse_unfamiliar,
        "sentence_case": request.sentence_case,
        **({folder.MAPPING: bundle.mapping} if bundle.mapping else {}),
        **({"struck": sorted(map(review.readable, order.struck))} if request.phrasebook else {}),
        **({"attention": True} if request.attention else {}),
        **({"precision": request.precision} if request.precision else {}),
        **({"rows_per_file": request.rows_per_file} if request.rows_per_file else {}),
        **({"table": public(request.table), "table_hash": content_hash([request.table])} if request.table else {}),
    }
