"""Worker processes of Beam's local runner: they end with the process that started them, and the job fails with them."""

from __future__ import annotations

import os
import shlex
import sys
import threading
import time
from functools import cache
from typing import BinaryIO

import grpc
from apache_beam.portability import python_urns
from apache_beam.portability.api import beam_fn_api_pb2
from apache_beam.runners.portability.fn_api_runner.worker_handlers import (
    BeamFnControlServicer,
    SubprocessSdkWorkerHandler,
    WorkerHandler,
)
from apache_beam.runners.portability.local_job_service import SubprocessSdkWorker
from apache_beam.transforms.environments import SubprocessSDKEnvironment

from allsaid import scratch, stops
from schemas.errors import UserError


def environment() -> SubprocessSDKEnvironment:
    """Return the environment in which the local runner starts its workers as processes without logs."""
    # Signals are for this process, which ends the workers.
    command = f"trap '' INT TERM; exec {shlex.quote(sys.executable)} -m pipelines.ingest.worker {shlex.quote(_pipe())}"
    return SubprocessSDKEnvironment.from_command_string(command)


@WorkerHandler.register_environment(python_urns.SUBPROCESS_SDK, bytes)
class _Process(SubprocessSdkWorkerHandler):
    """A worker process. Beam's own class waits forever for the answers of a dead one."""

    def start_worker(self) -> None:
        self.worker = SubprocessSdkWorker(
            self._worker_command_line, self.control_address, self.provision_info, self.worker_id
        )
        self.worker_thread = threading.Thread(target=self._run)
        self.worker_thread.start()

    def _run(self) -> None:
        try:
            self.worker.run()
        except RuntimeError as fault:  # its message names the exit code
            code = int(str(fault).split()[-1])
            self._fail(f"signal {-code}" if code < 0 else f"exit code {code}")

    def _fail(self, how: str) -> None:
        """End the other workers and answer all requests with an error until Beam notices."""
        _end_workers()
        error = f"{UserError.__module__}.{UserError.__name__}: {_death_message(f' ({how})')}"
        while self.control_conn._state != BeamFnControlServicer.DONE_STATE:
            for connection in [*self.control_handler._connections_by_worker_id.values()]:
                for future in [*connection._futures_by_id.values()]:
                    future.set(beam_fn_api_pb2.InstructionResponse(instruction_id=future.instruction_id, error=error))
            time.sleep(0.1)


def explain(fault: Exception) -> str:
    """Explain a Beam error caused by the death of a worker; "" for any other error."""
    is_dead = isinstance(fault, grpc.RpcError) or "Channel closed prematurely" in str(fault)
    return _death_message() if is_dead else ""


def _death_message(how: str = "") -> str:
    return (
        f"A worker process died{how}, perhaps because memory ran out. Give this machine more, or start fewer workers "
        "(--direct_num_workers); then give the same command again."
    )


@cache
def _pipe() -> str:
    """Return a named pipe that stays open while this process runs; closing it ends the workers."""
    path = scratch.folder("workers") / "alive"
    os.mkfifo(path)
    _ends.append(os.fdopen(os.open(path, os.O_RDWR), "rb", buffering=0))
    stops.at_stop.append(_end_workers)
    return str(path)


_ends: list[BinaryIO] = []  # of the pipe, which this process holds open


def _end_workers() -> None:
    """End all workers on the pipe; later workers get another pipe."""
    _pipe.cache_clear()
    while _ends:
        _ends.pop().close()
