"""Flink's settings for a cluster on one machine: all on loopback, on free ports, with small heaps."""

from __future__ import annotations

import socket
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

HOST = "127.0.0.1"
KEPT_SECONDS = 5  # a Python worker, or what is left of it, waits this long for the next step of the job


@dataclass(frozen=True)
class Ports:
    rest: int  # of the JobManager, for people and for Beam's job server
    rpc: int  # of the JobManager, for TaskManagers
    jobs: int  # of Beam's job server
    artifacts: int  # of Beam's job server


def free_ports() -> Ports:
    """Return four ports on which nobody listens at this moment."""
    with ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(4)]
        for free_socket in sockets:
            free_socket.bind((HOST, 0))
        return Ports(*(free_socket.getsockname()[1] for free_socket in sockets))


def write(folder: Path, ports: Ports, task_managers: int) -> None:
    """Write ``config.yaml``, which all processes of Flink read."""
    settings = {
        "jobmanager.rpc.address": HOST,
        "jobmanager.bind-host": HOST,
        "jobmanager.rpc.port": ports.rpc,
        "rest.address": HOST,
        "rest.bind-address": HOST,
        "rest.port": ports.rest,
        "taskmanager.host": HOST,
        "taskmanager.bind-host": HOST,
        # One Python worker serves a TaskManager, so a second slot would wait for it.
        "taskmanager.numberOfTaskSlots": 1,
        "parallelism.default": task_managers,
        # All parts of a TaskManager's memory are set here, since Flink's scripts, which compute them, are not used.
        "taskmanager.cpu.cores": 1,
        "taskmanager.memory.framework.heap.size": "128m",
        "taskmanager.memory.task.heap.size": "512m",
        "taskmanager.memory.framework.off-heap.size": "128m",
        "taskmanager.memory.task.off-heap.size": "0m",
        "taskmanager.memory.network.min": "128m",
        "taskmanager.memory.network.max": "128m",
        "taskmanager.memory.managed.size": "128m",
        "taskmanager.memory.jvm-metaspace.size": "256m",
        "taskmanager.memory.jvm-overhead.min": "192m",
        "taskmanager.memory.jvm-overhead.max": "192m",
        # Jobs use the jars of the cluster, which are loaded once instead of once per job.
        "classloader.resolve-order": "parent-first",
        # A worker or a TaskManager may die several times in a job; a fault of the job itself ends it soon.
        "restart-strategy.type": "fixed-delay",
        "restart-strategy.fixed-delay.attempts": 6,
        "restart-strategy.fixed-delay.delay": f"{2 * KEPT_SECONDS}s",  # by then a dead worker is forgotten
        "heartbeat.interval": 3000,
        "heartbeat.timeout": 30000,
        "pekko.ask.timeout": "60s",
        # A job server that does not reach its JobManager ends the job; by Flink's defaults after one to six minutes.
        "rest.retry.max-attempts": 6,  # 3 seconds apart
        "rest.connection-timeout": 3000,
        "io.tmp.dirs": folder / "tmp",
    }
    (folder / "conf").mkdir()
    (folder / "tmp").mkdir()
    (folder / "conf" / "config.yaml").write_text("".join(f"{key}: {value}\n" for key, value in settings.items()))
