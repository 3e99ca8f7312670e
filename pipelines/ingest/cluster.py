"""Errors of clusters that are unreachable, have no free slots or go away, each reported in a sentence within a minute.

Beam itself waits five minutes for a job service. Flink's client waits one minute for a JobManager, and a job several
minutes for slots.
"""

from __future__ import annotations

import http.client
import json
import re
import socket
import time
import urllib.request
from pathlib import Path

import grpc
from apache_beam.options.pipeline_options import FlinkRunnerOptions, PipelineOptions, PortableOptions, SetupOptions

from schemas.errors import UserError

ANSWER_SECONDS = 20  # to wait for the answer of a job service or a JobManager
SLOT_SECONDS = 30  # to wait for slots of another job to become free
# Flink's errors in the job server's report on a failed job.
_NO_SLOTS = re.compile(r"NoResourceAvailableException|Could not acquire the minimum required resources")
_NO_FLINK = re.compile(
    r"java\.net\.(?:ConnectException|UnknownHostException|NoRouteToHostException)"
    # Another service answers at that address.
    r"|runtime\.rest\.(?:ConnectionClosedException|util\.RestClientException: Response was n)"
)
_MORE_SLOTS = "Start more TaskManagers, wait for other jobs to end, or give a smaller --parallelism."


def check(beam_options: PipelineOptions) -> None:
    """Raise UserError if the named job service or Flink does not answer, or Flink has too few slots.

    Raises it also for a package for the workers that does not exist.
    """
    for package in beam_options.view_as(SetupOptions).extra_packages or ():
        if "://" not in package and not Path(package).is_file():
            raise UserError(
                f"--extra_package {package}: there is no such file. Build a wheel, `uv build --wheel`, and give its "
                "path."
            )
    endpoint = beam_options.view_as(PortableOptions).job_endpoint or ""
    if ":" in endpoint:  # other values are Beam's own
        _check_job_service(endpoint)
    flink = beam_options.view_as(FlinkRunnerOptions)
    if not flink.flink_master.startswith("["):  # such values are Beam's own, too
        _await_slots(flink.flink_master, max(flink.parallelism, 1))


def explain(fault: Exception, beam_options: PipelineOptions) -> str:
    """Explain a job's error that the cluster caused; "" for any other error."""
    if isinstance(fault, grpc.RpcError):
        endpoint = beam_options.view_as(PortableOptions).job_endpoint
        if not endpoint:
            return (
                "The job service that Beam had started ended while the job ran. Cancel the job if its cluster "
                "still runs it, then give the same command again."
            )
        return (
            f"The job service {endpoint} ended while the job ran. Read its log and start it again, cancel the "
            "job if its cluster still runs it, then give the same command again."
        )
    if _NO_SLOTS.search(str(fault)):
        return "The cluster has too few free slots for the job. " + _MORE_SLOTS
    if _NO_FLINK.search(str(fault)):
        return (
            "The job service can't reach its Flink cluster, or lost it. Check that the JobManager runs, and that "
            "the job service was started with its address, then give the same command again."
        )
    return ""


def _check_job_service(endpoint: str) -> None:
    host, _, port = endpoint.rpartition(":")
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=ANSWER_SECONDS).close()
        with grpc.insecure_channel(endpoint) as channel:
            grpc.channel_ready_future(channel).result(timeout=ANSWER_SECONDS)
    except (OSError, ValueError, grpc.FutureTimeoutError) as fault:
        why = "the server there does not answer as one" if isinstance(fault, grpc.FutureTimeoutError) else fault
        raise UserError(
            f"--job_endpoint {endpoint}: no job service answers there ({why}). Start one, or give its HOST:PORT."
        ) from fault


def _await_slots(master: str, wanted: int) -> None:
    end = time.monotonic() + SLOT_SECONDS
    while (free := _free_slots(master)) < wanted:
        if time.monotonic() > end:
            raise UserError(
                f"--flink_master {master}: the job needs {wanted} of the cluster's slots, but {free} are free. "
                + _MORE_SLOTS
            )
        time.sleep(1)


def _free_slots(master: str) -> int:
    address = master if "://" in master else f"http://{master}"
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))  # as Flink's own client does
    try:
        with direct.open(f"{address}/overview", timeout=ANSWER_SECONDS) as answer:
            return int(json.load(answer)["slots-available"])
    except (OSError, ValueError, LookupError, TypeError, http.client.HTTPException) as fault:
        raise UserError(
            f"--flink_master {master}: no Flink cluster answers there ({fault}). Start one, or give the HOST:PORT of "
            "its JobManager's web page."
        ) from fault
