"""Beam's options and its runner."""

from __future__ import annotations

import logging
import sys
from collections.abc import Sequence

import apache_beam as beam
from apache_beam.io.filesystems import FileSystems
from apache_beam.options.pipeline_options import DirectOptions, PipelineOptions, StandardOptions
from apache_beam.runners.portability.fn_api_runner import FnApiRunner
from apache_beam.transforms.environments import SubprocessSDKEnvironment

from console import UserError

LOCAL = "FnApiRunner"


def pipeline_options(beam_args: Sequence[str]) -> PipelineOptions:
    """Beam's options as given; the local runner by default, since the usual default first asks for a download."""
    logging.getLogger("apache_beam").setLevel(logging.CRITICAL)  # a fault is told once, by us
    options = PipelineOptions(list(beam_args))
    known = options.get_all_options()
    unknown = sorted(set(options.get_all_options(retain_unknown_options=True)) - set(known))
    if unknown:
        raise UserError(
            f"Neither Allsaid nor Beam has the option --{unknown[0]}. See the command's --help, and Beam's options."
        )
    if not options.view_as(StandardOptions).runner:
        options.view_as(StandardOptions).runner = LOCAL
    FileSystems.set_options(options)
    return options


def make_pipeline(options: PipelineOptions) -> beam.Pipeline:
    """A pipeline on the runner that the options name; local worker processes keep their logs to themselves."""
    direct = options.view_as(DirectOptions)
    if options.view_as(StandardOptions).runner != LOCAL or direct.direct_running_mode != "multi_processing":
        return beam.Pipeline(options=options)
    # What the runner does for "multi_processing", but for the command: its own prints forty lines a process.
    direct.direct_running_mode = None
    workers = SubprocessSDKEnvironment.from_command_string(f"{sys.executable} -m pipelines.worker")
    return beam.Pipeline(runner=FnApiRunner(default_environment=workers), options=options)
