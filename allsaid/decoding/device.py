"""The device worker: a process, one per machine, that holds a model on the GPU and computes for the job's workers.

Each worker also has the model's files on the CPU. It prepares, measures and proves texts itself, and asks the device
worker only to search texts and to read texts again. The first worker that needs it starts it. All workers talk to it
through a Unix socket in a folder that only this user can open.

The device worker ends when its last connection closes, so it outlives no worker, not even a killed one. A lock file is
held while a worker looks for it and while it ends.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import pickle
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any  # Any: pickled calls and answers

import torch
from torch import Tensor

from allsaid.decoding.beam import beam_search
from allsaid.decoding.forced_pass import PassOptions, PassOutputs, forced_pass
from allsaid.decoding.hypothesis import Hypothesis
from allsaid.decoding.step.contract import Step
from allsaid.modeling.config import SearchConfig
from allsaid.modeling.data.tensors import Tensors
from allsaid.modeling.saved.model_folder import Bundle, load


class DeviceWorker:
    """Computations of a process that holds the model's weights; arguments and results are in CPU memory."""

    def __init__(self, bundle: Bundle) -> None:
        self._model, self._device = bundle.model, bundle.device

    def beam_search(
        self, prompts: Tensors, search: SearchConfig, steps: Sequence[Step] = (), shortlists: Tensor | None = None
    ) -> list[list[Hypothesis]]:
        """Run :func:`beam_search` on the model's device."""
        shortlists = None if shortlists is None else shortlists.to(self._device)
        return beam_search(self._model, prompts.to(self._device), search, steps, shortlists=shortlists)

    def forced_pass(self, prompts: Tensors, words: Tensor, options: PassOptions) -> PassOutputs:
        """Run :func:`forced_pass` on the model's device."""
        return forced_pass(self._model, prompts.to(self._device), words.to(self._device), options)


class DeviceClient:
    """Client with the interface of :class:`DeviceWorker` that computes in the device worker; threads take turns."""

    def __init__(self, folder: Path, device: str, precision: str | None, name: str = "") -> None:
        """Connect to the device worker, or start it; raise UserError if it can't load the model.

        name: of the model, if each worker has its own copy of the files; "": the path of the folder.
        """
        self._spec = json.dumps([str(folder.absolute()), device, precision])
        self._where = _place(name or str(folder.absolute()), device, precision)
        self._turn = threading.Lock()
        self._connection: Connection | None = None
        self.process = 0  # its process id
        with self._turn, _lost_as_connection_error():
            self._connect()

    def beam_search(
        self, prompts: Tensors, search: SearchConfig, steps: Sequence[Step] = (), shortlists: Tensor | None = None
    ) -> list[list[Hypothesis]]:
        found: list[list[Hypothesis]] = self._ask("beam_search", prompts, search, steps, shortlists)
        return found

    def forced_pass(self, prompts: Tensors, words: Tensor, options: PassOptions) -> PassOutputs:
        found: PassOutputs = self._ask("forced_pass", prompts, words, options)
        return found

    def close(self) -> None:
        with self._turn:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    def _ask(self, what: str, *given: Any) -> Any:
        """Call a method of the worker; raise its error, or ConnectionError if it is gone. The next call starts it."""
        with self._turn, _lost_as_connection_error():
            connection = self._connection or self._connect()
            self._connection = None  # a connection that was cut off is not used again
            connection.send_bytes(pickle.dumps((what, given)))
            answer = connection.recv_bytes()
            self._connection = connection
        return _read(answer)

    def _connect(self) -> Connection:
        self._connection, greeting = _connect(self._spec, self._where)
        self.process = _read(greeting)
        return self._connection


@contextmanager
def _lost_as_connection_error() -> Iterator[None]:
    try:
        yield
    except (EOFError, ConnectionError) as fault:
        raise ConnectionError("The process that has the model on this machine's GPU has ended.") from fault


def _read(packed: bytes) -> Any:
    answer, fault = pickle.loads(packed)
    if fault is not None:
        raise fault
    return answer


def _connect(spec: str, where: Path) -> tuple[Connection, bytes]:
    """Return a connection to the worker, started if necessary, and its greeting: its process id or a loading error."""
    with _locked(where):
        client = socket.socket(socket.AF_UNIX)
        try:
            client.connect(str(where))
        except OSError:  # there is no device worker, or it was killed
            where.unlink(missing_ok=True)
            with socket.socket(socket.AF_UNIX) as listener:
                listener.bind(str(where))
                listener.listen(128)
                _start(spec, where, listener)
            client.connect(str(where))
        connection = Connection(client.detach())
        return connection, connection.recv_bytes()


def _start(spec: str, where: Path, listener: socket.socket) -> None:
    command = [sys.executable, "-m", "allsaid.decoding.device", spec, str(where), str(listener.fileno())]
    nothing = subprocess.DEVNULL
    # In its own session: Ctrl-C is for the job, and the end of the job closes the connections.
    process = subprocess.Popen(
        command, stdin=nothing, stdout=nothing, stderr=nothing, pass_fds=[listener.fileno()], start_new_session=True
    )
    threading.Thread(target=process.wait, daemon=True).start()  # leaves no zombie process


def _place(*named: str | None) -> Path:
    """Return the path of a worker's socket in this user's folder; Unix limits such paths to about 100 characters."""
    folder = Path(tempfile.gettempdir(), f"allsaid-{os.getuid()}")
    folder.mkdir(mode=0o700, exist_ok=True)
    if folder.stat().st_uid != os.getuid() or folder.stat().st_mode & 0o077:
        raise PermissionError(f"{folder} belongs to somebody else, or is open to others.")
    return folder / hashlib.sha256(json.dumps(named).encode()).hexdigest()[:16]


@contextmanager
def _locked(where: Path) -> Iterator[None]:
    with where.with_suffix(".lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


class _Server:
    """The device worker's side: one thread per connection; the threads take turns at the device."""

    def __init__(self, spec: str, where: Path) -> None:
        self._where = where
        self._count, self._counting, self._turn = 0, threading.Lock(), threading.Lock()
        self._worker: DeviceWorker | None = None
        self._fault: Exception | None = None
        try:
            folder, device, precision = json.loads(spec)
            self._worker = DeviceWorker(load(Path(folder), device, precision))
        except Exception as fault:  # reported to each worker that connects
            self._fault = fault

    def run(self, listener: socket.socket) -> None:
        while True:
            client, _ = listener.accept()
            with self._counting:
                self._count += 1
            threading.Thread(target=self._serve, args=(Connection(client.detach()),), daemon=True).start()

    def _serve(self, connection: Connection) -> None:
        try:
            connection.send_bytes(_packed(os.getpid(), self._fault))
            while self._fault is None:
                what, given = pickle.loads(connection.recv_bytes())
                with self._turn:
                    answer = self._answer(what, given)
                connection.send_bytes(answer)
        except (EOFError, OSError):
            pass
        finally:
            connection.close()
            self._leave()

    def _answer(self, what: str, given: Sequence[Any]) -> bytes:
        try:
            return _packed(getattr(self._worker, what)(*given), None)
        except torch.AcceleratorError:
            os._exit(1)  # after such an error the device is unusable in this process
        except Exception as fault:
            return _packed(None, fault)

    def _leave(self) -> None:
        with _locked(self._where):  # no worker is looking for this process meanwhile
            with self._counting:
                self._count -= 1
            if self._count == 0:
                self._where.unlink(missing_ok=True)
                os._exit(0)


def _packed(answer: Any, fault: Exception | None) -> bytes:
    try:
        return pickle.dumps((answer, fault))
    except Exception:  # an exception may hold values that can't be pickled
        return pickle.dumps((answer, RuntimeError(f"{type(fault).__name__}: {fault}")))


if __name__ == "__main__":
    _Server(sys.argv[1], Path(sys.argv[2])).run(socket.socket(fileno=int(sys.argv[3])))
