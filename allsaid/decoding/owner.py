"""The one process of a machine that has a model on its GPU, and computes there for all workers.

A worker has the model's files on the CPU, too: it prepares, measures and proves by itself, and asks the owner for two
things, to search texts and to read texts again. The first worker that looks for an owner starts it. All talk to it by a
Unix socket in a folder that only this user can open. It ends when its last connection closes, so no worker, however it
died, leaves one behind; who looks and who ends holds a lock file meanwhile.
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
from typing import Any

import torch
from torch import Tensor

from allsaid.decoding.beam import beam_search
from allsaid.decoding.follow import Asked, Followed, follow
from allsaid.decoding.hypothesis import Hypothesis
from allsaid.decoding.step.contract import Step
from allsaid.modeling.config import SearchConfig
from allsaid.modeling.saved.model_folder import Bundle, load


class Computer:
    """What a process computes with a model where its weights are; arguments and results are in the CPU's memory."""

    def __init__(self, bundle: Bundle) -> None:
        self._model, self._device = bundle.model, bundle.device

    def search(
        self, prompts: Any, options: SearchConfig, steps: Sequence[Step] = (), own: Tensor | None = None
    ) -> list[list[Hypothesis]]:
        """As :func:`beam_search`."""
        own = None if own is None else own.to(self._device)
        return beam_search(self._model, prompts.to(self._device), options, steps, own=own)

    def follow(self, prompts: Any, words: Tensor, asked: Asked) -> Followed:
        """As :func:`follow`."""
        return follow(self._model, prompts.to(self._device), words.to(self._device), asked)


class Owner:
    """The same functions, computed by the owner of a machine's device; threads take turns."""

    def __init__(self, folder: Path, device: str, precision: str | None, name: str = "") -> None:
        """Raises UserError where the model can't be loaded there.

        name: of the model, where each worker has a copy of its files; "": that of its folder.
        """
        self._asked = json.dumps([str(folder.absolute()), device, precision])
        self._where = _place(name or str(folder.absolute()), device, precision)
        self._turn = threading.Lock()
        self._connection: Connection | None = None
        self.process = 0  # the owner's number
        with self._turn, _told():
            self._connect()

    def search(
        self, prompts: Any, options: SearchConfig, steps: Sequence[Step] = (), own: Tensor | None = None
    ) -> list[list[Hypothesis]]:
        found: list[list[Hypothesis]] = self._ask("search", prompts, options, steps, own)
        return found

    def follow(self, prompts: Any, words: Tensor, asked: Asked) -> Followed:
        found: Followed = self._ask("follow", prompts, words, asked)
        return found

    def close(self) -> None:
        with self._turn:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    def _ask(self, what: str, *given: Any) -> Any:
        """Raises what the owner raised, and ConnectionError where it ended; the next call then starts another."""
        with self._turn, _told():
            connection = self._connection or self._connect()
            self._connection = None  # what is cut off is not used again
            connection.send_bytes(pickle.dumps((what, given)))
            answer = connection.recv_bytes()
            self._connection = connection
        return _read(answer)

    def _connect(self) -> Connection:
        self._connection, greeting = _connect(self._asked, self._where)
        self.process = _read(greeting)
        return self._connection


@contextmanager
def _told() -> Iterator[None]:
    try:
        yield
    except (EOFError, ConnectionError) as fault:
        raise ConnectionError("The process that has the model on this machine's GPU has ended.") from fault


def _read(packed: bytes) -> Any:
    answer, fault = pickle.loads(packed)
    if fault is not None:
        raise fault
    return answer


def _connect(asked: str, where: Path) -> tuple[Connection, bytes]:
    """A connection to the owner, which is started if it isn't there, and its number or why it can't load the model."""
    with _locked(where):
        line = socket.socket(socket.AF_UNIX)
        try:
            line.connect(str(where))
        except OSError:  # there is none, or one that was killed
            where.unlink(missing_ok=True)
            with socket.socket(socket.AF_UNIX) as door:
                door.bind(str(where))
                door.listen(128)
                _start(asked, where, door)
            line.connect(str(where))
        connection = Connection(line.detach())
        return connection, connection.recv_bytes()


def _start(asked: str, where: Path, door: socket.socket) -> None:
    command = [sys.executable, "-m", "allsaid.decoding.owner", asked, str(where), str(door.fileno())]
    nothing = subprocess.DEVNULL
    # In a session of its own: Ctrl-C is for the job, whose end closes the connections.
    process = subprocess.Popen(
        command, stdin=nothing, stdout=nothing, stderr=nothing, pass_fds=[door.fileno()], start_new_session=True
    )
    threading.Thread(target=process.wait, daemon=True).start()  # it leaves no zombie behind


def _place(*named: str | None) -> Path:
    """The socket of an owner, in this user's own folder; Unix allows a hundred letters of path."""
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


class _Serving:
    """The owner's side: a thread for each connection, which take turns at the device."""

    def __init__(self, asked: str, where: Path) -> None:
        self._where = where
        self._count, self._counting, self._turn = 0, threading.Lock(), threading.Lock()
        self._computer: Computer | None = None
        self._fault: Exception | None = None
        try:
            folder, device, precision = json.loads(asked)
            self._computer = Computer(load(Path(folder), device, precision))
        except Exception as fault:  # told to each that asks
            self._fault = fault

    def run(self, door: socket.socket) -> None:
        while True:
            line, _ = door.accept()
            with self._counting:
                self._count += 1
            threading.Thread(target=self._serve, args=(Connection(line.detach()),), daemon=True).start()

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
            return _packed(getattr(self._computer, what)(*given), None)
        except torch.AcceleratorError:
            os._exit(1)  # after such a fault the device answers nothing more in this process
        except Exception as fault:
            return _packed(None, fault)

    def _leave(self) -> None:
        with _locked(self._where):  # nobody is looking for this process meanwhile
            with self._counting:
                self._count -= 1
            if self._count == 0:
                self._where.unlink(missing_ok=True)
                os._exit(0)


def _packed(answer: Any, fault: Exception | None) -> bytes:
    try:
        return pickle.dumps((answer, fault))
    except Exception:  # an exception may hold what can't be sent
        return pickle.dumps((answer, RuntimeError(f"{type(fault).__name__}: {fault}")))


if __name__ == "__main__":
    _Serving(sys.argv[1], Path(sys.argv[2])).run(socket.socket(fileno=int(sys.argv[3])))
