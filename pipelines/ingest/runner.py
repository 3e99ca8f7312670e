"""Beam's options and its runner."""

from __future__ import annotations

import pipelines.beam  # noqa: F401  before Beam itself

# isort: split
import io
import logging
import re
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stderr
from copy import deepcopy
from functools import cache
from typing import Any  # Any: values of Beam's options

import apache_beam as beam
from apache_beam.io.filesystems import FileSystems
from apache_beam.options.pipeline_options import DirectOptions, PipelineOptions, PipelineOptionsT, StandardOptions
from apache_beam.runners import create_runner
from apache_beam.runners.portability.fn_api_runner import FnApiRunner

from allsaid import redaction
from allsaid.options import WrongOption
from pipelines.ingest import cluster, local_workers
from schemas.errors import UserError

LOCAL = "FnApiRunner"
# Names of Beam's threads that end with tracebacks if a worker or a job service dies.
_OF_BEAM = ("beam_control_read", "read_grpc_client_inputs", "wait_until_finish_read")
SECRETS = ("s3_secret_access_key", "s3_session_token", "azure_connection_string")  # options of Beam
_UNKNOWN = re.compile(r"ModuleNotFoundError: No module named '([^']+)'")
_MISSING = re.compile(r"FileNotFoundError: \[Errno \d+\] [^:]+: '([^']+)'")


class _Options(PipelineOptions):
    """Options that build each of their views once.

    Beam asks for views several times for each step of a pipeline, and builds a parser for each view, which takes much
    of the time of a small run. All views of an object share its values.
    """

    def view_as(self, cls: type[PipelineOptionsT]) -> PipelineOptionsT:
        views = self.__dict__.setdefault("_views", {})
        if cls not in views:
            views[cls] = super().view_as(cls)
        return views[cls]

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in super().__getstate__().items() if name != "_views"}


def pipeline_options(beam_args: Sequence[str]) -> PipelineOptions:
    """Return Beam's options; the default is the local runner, since Beam's own default first asks for a download.

    Raises UserError for an unknown option or runner, for an invalid value, and if the named cluster does not answer
    or has no free slots.
    """
    logging.getLogger("apache_beam").setLevel(logging.CRITICAL)  # errors are reported once, by Allsaid
    beam_options, known = _parsed(beam_args)
    for name in SECRETS:
        redaction.hide(known.get(name))
    unknown = sorted(set(beam_options.get_all_options(retain_unknown_options=True)) - set(known))
    if unknown:
        raise WrongOption(
            f"Neither Allsaid nor Beam has the option --{unknown[0]}. See the command's --help, and Beam's options."
        )
    standard = beam_options.view_as(StandardOptions)
    standard.runner = standard.runner or LOCAL
    try:
        create_runner(standard.runner)
    except (ValueError, ImportError, AttributeError) as fault:  # or its packages are not installed
        raise WrongOption(f"--runner {standard.runner} can't be used: {fault}") from fault
    if not runs_on_this_machine(beam_options):
        from allsaid.stores import beam  # noqa: F401  Beam's own options may name an object store

        cluster.check(beam_options)
    FileSystems.set_options(beam_options)
    return beam_options


def runs_on_this_machine(beam_options: PipelineOptions) -> bool:
    """Return whether all workers are processes in the same working directory, where relative paths are valid."""
    return beam_options.view_as(StandardOptions).runner == LOCAL


def _parsed(beam_args: Sequence[str]) -> tuple[PipelineOptions, dict[str, Any]]:
    usage = io.StringIO()
    try:
        with redirect_stderr(usage):
            beam_options = _Options(list(beam_args))
            return beam_options, beam_options.get_all_options()
    except SystemExit as fault:  # after 150 lines of usage and one line with the error
        raise WrongOption(
            f"Beam does not take its options: {usage.getvalue().rpartition('error: ')[2].strip()}"
        ) from fault


def make_pipeline(beam_options: PipelineOptions) -> beam.Pipeline:
    """Return a pipeline on the runner of the options; local worker processes write no logs."""
    _hush()
    if (
        not runs_on_this_machine(beam_options)
        or beam_options.view_as(DirectOptions).direct_running_mode != "multi_processing"
    ):
        return beam.Pipeline(options=beam_options)
    # As the runner does for "multi_processing", but with other workers.
    beam_options = deepcopy(beam_options)
    beam_options.view_as(DirectOptions).direct_running_mode = None
    return beam.Pipeline(runner=FnApiRunner(default_environment=local_workers.environment()), options=beam_options)


@contextmanager
def worker_faults(beam_options: PipelineOptions) -> Iterator[None]:
    """Raise a worker's UserError itself, which runners only report as a part of a longer text.

    Files and modules that are missing on the workers, and dead workers and clusters, raise UserError too.
    """
    try:
        yield
    except Exception as fault:
        report = str(fault)
        if isinstance(fault, UserError):
            report = f"{UserError.__module__}.{UserError.__name__}: {fault}"
        if message := _sentence().search(report):
            raise UserError(message[1]) from fault
        if not runs_on_this_machine(beam_options) and (missing := _MISSING.search(report)):
            raise UserError(
                f"A worker finds no {missing[1]}. Workers read and write by the same paths as this command: put input "
                "and output where all machines have them under one path, or into an object store."
            ) from fault
        if not runs_on_this_machine(beam_options) and (unknown := _UNKNOWN.search(report)):
            raise UserError(
                f"A worker has no module '{unknown[1]}'. Install Allsaid there: its wheel by --extra_package, or an "
                "image built by deploy/Dockerfile."
            ) from fault
        sentence = (
            local_workers.explain(fault) if runs_on_this_machine(beam_options) else cluster.explain(fault, beam_options)
        )
        if sentence:
            raise UserError(sentence) from fault
        raise


@cache
def _sentence() -> re.Pattern[str]:
    """Return the pattern of the message of a worker's UserError in a runner's report: the end of a traceback."""
    from allsaid.stores.s3 import StoreDown  # load Amazon's library, which a run on local paths does without

    kinds = "|".join(rf"{kind.__module__}\.{kind.__name__}" for kind in (UserError, StoreDown))
    return re.compile(rf"(?:{kinds}): (.+?)(?: \[while running '.*)?$", re.MULTILINE)


@cache
def _hush() -> None:
    """Keep the tracebacks of Beam's own threads from the terminal, since the job reports their cause once."""
    before = threading.excepthook

    def report(fault: threading.ExceptHookArgs) -> None:
        if fault.thread is None or fault.thread.name not in _OF_BEAM:
            before(fault)

    threading.excepthook = report
