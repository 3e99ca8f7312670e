"""How a command ends that did not end by itself: by Ctrl-C, by SIGTERM, by a fault.

Only Python's own small modules are imported here, so that a stop is caught before anything that takes time.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_stopped_by = 0  # the signal that asked for the end
_stop_means = ""  # what a stop would mean just now
at_stop: list[Callable[[], None]] = []  # called when a stop is asked for, before anything is cleaned up


@contextmanager
def signals_caught() -> Iterator[None]:
    """While the block runs Ctrl-C and SIGTERM raise KeyboardInterrupt, and :func:`end` knows that they came.

    Libraries turn a KeyboardInterrupt into faults of their own: what it ends as does not say that it was one.
    """
    before = {number: signal.signal(number, _stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _stop(number: int, _: object) -> None:
    global _stopped_by
    _stopped_by = number
    threading.excepthook = lambda _: None  # what other threads now say is no more than that
    while at_stop:
        at_stop.pop()()
    raise KeyboardInterrupt


@contextmanager
def when_stopped(sentence: str) -> Iterator[None]:
    """Say what a stop means that comes while the block runs."""
    global _stop_means
    before, _stop_means = _stop_means, sentence
    yield  # a block that was stopped leaves its sentence to be told
    _stop_means = before


def end(fault: BaseException) -> int:
    """Tell how a command ended that did not end by itself; gives back its exit code."""
    from allsaid.console import crash, fail, say
    from schemas.errors import UserError

    if _stopped_by or isinstance(fault, KeyboardInterrupt):
        say(f"Stopped. {_stop_means}".strip(), "warning")
        return 128 + (_stopped_by or signal.SIGINT)
    if isinstance(fault, SystemExit):
        return fault.code if isinstance(fault.code, int) else int(fault.code is not None)
    return fail(fault) if isinstance(fault, UserError) else crash(fault)
