"""A Flink cluster on this machine: start its processes, watch them, and end them when a block ends."""

from __future__ import annotations

import fcntl
import json
import os
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from deploy.flink import packages, settings
from deploy.flink.packages import ClusterError
from deploy.flink.settings import HOST, Ports

SECONDS = 180  # that the cluster may take to start on a busy machine
JOB_MANAGER = "org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint"
TASK_MANAGER = "org.apache.flink.runtime.taskexecutor.TaskManagerRunner"
JOB_SERVER = "org.apache.beam.runners.flink.FlinkJobServerDriver"
# Packages of Java that are closed by default, but that Flink accesses.
OPENED = (
    "java.lang", "java.lang.reflect", "java.io", "java.net", "java.nio", "java.text", "java.time", "java.util",
    "java.util.concurrent", "java.util.concurrent.atomic", "java.util.concurrent.locks", "sun.nio.ch",
)  # fmt: skip


@dataclass
class Cluster:
    """The processes of a running cluster. A dead TaskManager is started again; any other death ends the cluster."""

    state: Path  # folder of settings, logs and temporary files
    options: tuple[str, ...]  # of Beam, to be given to `allsaid`
    java: Callable[[str], subprocess.Popen[bytes]]  # starts the process of a role by its name
    running: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)
    fault: str = ""  # why the cluster ended unexpectedly

    def start(self, name: str) -> None:
        self.running[name] = self.java(name)

    def watch(self, ended: threading.Event) -> None:
        """Look after the processes until ``ended`` is set, or until one dies that can't be replaced."""
        while not ended.wait(0.5):
            for name in [name for name, process in self.running.items() if process.poll() is not None]:
                if not name.startswith("taskmanager"):
                    self.fault = f"The {name} ended by itself.{_last_lines(self.state / 'logs' / name)}"
                    return
                print(f"The {name} died; it is started again.", file=sys.stderr, flush=True)
                _kill(self.running[name])  # its Python workers
                self.start(name)

    def check(self) -> None:
        """Raise ClusterError if the cluster ended unexpectedly."""
        if self.fault:
            raise ClusterError(self.fault)

    def stop(self) -> None:
        for process in self.running.values():
            _kill(process)


@contextmanager
def cluster(folder: Path, task_managers: int) -> Iterator[Cluster]:
    """Run a cluster while the block runs, with its packages and its state below ``folder``.

    Raises ClusterError if it does not start.
    """
    jars = packages.jars(folder)
    with _locked(folder / "lock"):
        state = folder / "state"
        shutil.rmtree(state, ignore_errors=True)
        (state / "logs").mkdir(parents=True)
        ports = settings.free_ports()
        settings.write(state, ports, task_managers)
        commands = _commands(jars, state, ports, task_managers)
        options = _options(_worker(state), ports, task_managers)
        flink = Cluster(state, options, lambda name: _start(commands[name], state, name))
        ended = threading.Event()
        watcher = threading.Thread(target=flink.watch, args=(ended,))
        try:
            for name in commands:
                flink.start(name)
            _await_ready(flink, ports, task_managers)
            watcher.start()
            yield flink
        finally:
            ended.set()
            if watcher.ident is not None:
                watcher.join()
            flink.stop()


@contextmanager
def _locked(lock: Path) -> Iterator[None]:
    """Allow one cluster at a time in a folder; the lock ends with the process that has it."""
    with lock.open("w") as stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as fault:
            raise ClusterError(f"A cluster of {lock.parent} runs already. Stop it first.") from fault
        yield


def _commands(jars: Path, state: Path, ports: Ports, task_managers: int) -> dict[str, list[str]]:
    """Return role -> command line of the process."""
    opened = [f"--add-opens=java.base/{package}=ALL-UNNAMED" for package in OPENED]
    java = ["java", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx640m", *opened, "-cp", f"{jars}/*"]
    if shutil.which("setpriv"):  # Linux: none outlives the process that started it, even if that is killed
        java = ["setpriv", "--pdeathsig", "TERM", *java]
    conf = str(state / "conf")
    task_manager = [*java, "-XX:MaxDirectMemorySize=256m", TASK_MANAGER, "--configDir", conf]
    job_server = [f"--flink-master={HOST}:{ports.rest}", f"--flink-conf-dir={conf}", f"--job-host={HOST}"]
    job_server += [f"--job-port={ports.jobs}", f"--artifact-port={ports.artifacts}", "--expansion-port=0"]
    return {
        "jobmanager": [*java, JOB_MANAGER, "--configDir", conf, "--executionMode", "cluster"],
        **{f"taskmanager-{number + 1}": task_manager for number in range(task_managers)},
        "jobserver": [*java, JOB_SERVER, *job_server, f"--artifacts-dir={state / 'artifacts'}"],
    }


def _start(command: Sequence[str], state: Path, name: str) -> subprocess.Popen[bytes]:
    """Start a process as the leader of a group, so that all end together and Ctrl-C does not reach them."""
    with (state / "logs" / name).open("ab") as log:
        return subprocess.Popen(command, cwd=state, stdout=log, stderr=log, start_new_session=True)


def _worker(state: Path) -> Path:
    """Write the command by which TaskManagers start Python workers: in this environment, with one thread each."""
    script = state / "worker"
    python, code, log, temporary = (
        shlex.quote(str(path))
        for path in (sys.executable, Path(__file__).with_name("worker.py"), state / "logs" / "workers", state / "tmp")
    )
    exported = f"OMP_NUM_THREADS=1 TMPDIR={temporary}"
    script.write_text(f'#!/bin/sh\nexport {exported}\nexec {python} {code} "$@" >>{log} 2>&1\n')
    script.chmod(0o755)
    return script


def _options(worker: Path, ports: Ports, task_managers: int) -> tuple[str, ...]:
    return (
        "--runner=PortableRunner",
        f"--job_endpoint={HOST}:{ports.jobs}",
        # From this address the launcher learns whether the job gets its slots; Flink itself would wait for minutes.
        f"--flink_master={HOST}:{ports.rest}",
        f"--parallelism={task_managers}",
        "--environment_type=PROCESS",
        f"--environment_options=process_command={worker}",
        # By default each step of a job starts new workers, which takes longer than most steps do.
        f"--environment_cache_millis={1000 * settings.KEPT_SECONDS}",
    )


def _await_ready(flink: Cluster, ports: Ports, task_managers: int) -> None:
    """Raise ClusterError if the cluster does not get its slots and its job server in time."""
    end = time.monotonic() + SECONDS
    while _slots(ports.rest) < task_managers or not _answers(ports.jobs):
        for name, process in flink.running.items():
            if process.poll() is not None:
                raise ClusterError(f"The {name} did not start.{_last_lines(flink.state / 'logs' / name)}")
        if time.monotonic() > end:
            raise ClusterError(f"The cluster did not start within {SECONDS} seconds. See {flink.state / 'logs'}.")
        time.sleep(0.2)


def _slots(port: int) -> int:
    """Return how many tasks the cluster can run at once; 0 while it does not answer."""
    try:
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(
            f"http://{HOST}:{port}/overview", timeout=5
        ) as answer:
            return json.load(answer)["slots-total"]
    except (OSError, ValueError):
        return 0


def _answers(port: int) -> bool:
    with suppress(OSError), socket.create_connection((HOST, port), timeout=5):
        return True
    return False


def _kill(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _last_lines(log: Path) -> str:
    return "\n" + "\n".join(log.read_text(errors="replace").splitlines()[-10:])
