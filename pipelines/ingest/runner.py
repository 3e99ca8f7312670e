"""Beam's options and its runner."""

from __future__ import annotations

import io
import logging
import re
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stderr
from functools import cache
from typing import Any

import apache_beam as beam
from apache_beam.io.filesystems import FileSystems
from apache_beam.options.pipeline_options import (
    DirectOptions,
    PipelineOptions,
    PipelineOptionsT,
    StandardOptions,
)
from apache_beam.runners import create_runner
from apache_beam.runners.portability.fn_api_runner import FnApiRunner

from allsaid import redaction
from allsaid.storage.s3 import StoreDown
from pipelines.ingest import cluster, local_workers
from schemas.errors import UserError

LOCAL = "FnApiRunner"
# Threads of Beam, named by it, that end with tracebacks where a worker or a job service dies.
_OF_BEAM = ("beam_control_read", "read_grpc_client_inputs", "wait_until_finish_read")
SECRETS = ("s3_secret_access_key", "s3_session_token", "azure_connection_string")  # options of Beam
# What a worker raised for the user, in what a runner tells of it: the end of a traceback.
_SENTENCE = re.compile(
    "(?:"
    + "|".join(rf"{kind.__module__}\.{kind.__name__}" for kind in (UserError, StoreDown))
    + r"): (.+?)(?: \[while running '.*)?$",
    re.MULTILINE,
)
_UNKNOWN = re.compile(r"ModuleNotFoundError: No module named '([^']+)'")
_MISSING = re.compile(r"FileNotFoundError: \[Errno \d+\] [^:]+: '([^']+)'")


class _Options(PipelineOptions):
    """Options that make each view of themselves once.

    Beam looks at them several times a step of a pipeline, and to make a view builds a parser and reads all words anew:
    much of what a small run takes. All views of an object shard its values.
    """

    def view_as(self, cls: type[PipelineOptionsT]) -> PipelineOptionsT:
        views = self.__dict__.setdefault("_views", {})
        if cls not in views:
            views[cls] = super().view_as(cls)
        return views[cls]

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in super().__getstate__().items() if name != "_views"}


def pipeline_options(beam_args: Sequence[str]) -> PipelineOptions:
    """Beam's options as given; the local runner by default, since the usual default first asks for a download.

    Raises UserError for an option or a runner that Beam does not know, for a value that it does not take, and where
    the cluster that is named does not answer or has no room.
    """
    logging.getLogger("apache_beam").setLevel(logging.CRITICAL)  # a fault is told once, by us
    options, known = _parsed(beam_args)
    for name in SECRETS:
        redaction.hide(known.get(name))
    unknown = sorted(set(options.get_all_options(retain_unknown_options=True)) - set(known))
    if unknown:
        raise UserError(
            f"Neither Allsaid nor Beam has the option --{unknown[0]}. See the command's --help, and Beam's options."
        )
    standard = options.view_as(StandardOptions)
    standard.runner = standard.runner or LOCAL
    try:
        create_runner(standard.runner)
    except (ValueError, ImportError, AttributeError) as fault:  # also one whose packages are not installed
        raise UserError(f"--runner {standard.runner} can't be used: {fault}") from fault
    if not works_here(options):
        cluster.check(options)
    FileSystems.set_options(options)
    return options


def works_here(options: PipelineOptions) -> bool:
    """Whether all work is done in processes of this one's folder, where relative paths mean the same."""
    return options.view_as(StandardOptions).runner == LOCAL


def _parsed(beam_args: Sequence[str]) -> tuple[PipelineOptions, dict[str, Any]]:
    told = io.StringIO()
    try:
        with redirect_stderr(told):
            options = _Options(list(beam_args))
            return options, options.get_all_options()
    except SystemExit as fault:  # after 150 lines of Beam's usage, of which the last says what is wrong
        raise UserError(
            f"Beam does not take its options: {told.getvalue().rpartition('error: ')[2].strip()}"
        ) from fault


def make_pipeline(options: PipelineOptions) -> beam.Pipeline:
    """A pipeline on the runner that the options name; local worker processes keep their logs to themselves."""
    _hush()
    direct = options.view_as(DirectOptions)
    if not works_here(options) or direct.direct_running_mode != "multi_processing":
        return beam.Pipeline(options=options)
    # What the runner does for "multi_processing", but for the workers.
    direct.direct_running_mode = None
    return beam.Pipeline(runner=FnApiRunner(default_environment=local_workers.environment()), options=options)


@contextmanager
def worker_faults(options: PipelineOptions) -> Iterator[None]:
    """Raise a UserError of a worker as it was there: runners hand it on as a part of a longer text.

    A file or a module that is not there where the workers are is one, too.
    """
    try:
        yield
    except Exception as fault:
        told = f"{UserError.__module__}.{UserError.__name__}: {fault}" if isinstance(fault, UserError) else str(fault)
        if found := _SENTENCE.search(told):
            raise UserError(found[1]) from fault
        if not works_here(options) and (missing := _MISSING.search(told)):
            raise UserError(
                f"A worker finds no {missing[1]}. Workers read and write by the same paths as this command: put input "
                "and output where all machines have them under one path, or into an object store."
            ) from fault
        if not works_here(options) and (unknown := _UNKNOWN.search(told)):
            raise UserError(
                f"A worker has no module '{unknown[1]}'. Install Allsaid there: its wheel by --extra_package, or an "
                "image built by deploy/Dockerfile."
            ) from fault
        sentence = local_workers.sentence(fault) if works_here(options) else cluster.sentence(fault, options)
        if sentence:
            raise UserError(sentence) from fault
        raise


@cache
def _hush() -> None:
    """Keep the tracebacks of Beam's own threads from the terminal: what they mean is told once, by the job."""
    whole = threading.excepthook

    def told(fault: Any) -> None:
        if fault.thread is None or fault.thread.name not in _OF_BEAM:
            whole(fault)

    threading.excepthook = told
