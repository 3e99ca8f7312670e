"""Beam's portable job service with a pool of workers, each in processes of their own, as on a cluster."""

from __future__ import annotations

import os
import shlex
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

WORKER = Path(__file__).resolve().parents[3] / "deploy" / "flink" / "worker.py"
SECONDS = 120  # that either may take to start on a busy machine


@contextmanager
def job_service(folder: Path, python: str = sys.executable) -> Iterator[list[str]]:
    """While the block runs both work in ``folder``, which is empty; gives Beam's options that lead there."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        pool = f"localhost:{free.getsockname()[1]}"
    service = ["apache_beam.runners.portability.local_job_service_main", "--port_file", str(folder / "port")]
    workers = ["apache_beam.runners.worker.worker_pool_main", "--service_port", pool.rpartition(":")[2]]
    worker = folder / "worker"
    words = f"TMPDIR={shlex.quote(str(folder))} {shlex.quote(python)} {shlex.quote(str(WORKER))}"
    worker.write_text(f'#!/bin/sh\nexec env {words} "$@"\n')
    worker.chmod(0o755)
    pool_of = [*workers, "--container_executable", str(worker)]
    running = [_start([python, "-m", *command], folder) for command in (service, pool_of)]
    try:
        end = time.monotonic() + SECONDS
        while not (_port(folder) and _answers(pool)):
            assert all(one.poll() is None for one in running) and time.monotonic() < end, _logs(folder)
            time.sleep(0.1)
        options = ["--runner=PortableRunner", f"--job_endpoint=localhost:{_port(folder)}"]
        options += ["--job_server_timeout=600"]  # after so long this service forgets a job, by default after a minute
        yield [*options, "--environment_type=EXTERNAL", f"--environment_config={pool}"]
    finally:
        for one in running:
            os.killpg(one.pid, signal.SIGKILL)
            one.wait()


def _start(command: Sequence[str], folder: Path) -> subprocess.Popen[bytes]:
    with (folder / f"{command[2].rpartition('.')[2]}.log").open("wb") as log:
        return subprocess.Popen(
            command,
            cwd=folder,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )


def _port(folder: Path) -> str:
    """Of the job service; "" until it answers."""
    return (folder / "port").read_text() if (folder / "port").exists() else ""


def _answers(address: str) -> bool:
    host, _, port = address.rpartition(":")
    try:
        socket.create_connection((host, int(port)), timeout=1).close()
    except OSError:
        return False
    return True


def _logs(folder: Path) -> str:
    return "\n".join(path.read_text()[-2000:] for path in folder.glob("*.log"))
