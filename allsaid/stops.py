"""Exit handling for signals (Ctrl-C, SIGTERM) and unexpected errors.

This module imports only small standard modules, so that signals are caught before any slow import.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_stopped_by = 0  # the signal received
_stop_means = ""  # consequence of a stop at this moment, as a sentence
at_stop: list[Callable[[], None]] = []  # called on a signal, before any cleanup


@contextmanager
def signals_caught() -> Iterator[None]:
    """Raise KeyboardInterrupt on Ctrl-C and SIGTERM while the block runs, and record the signal for :func:`end`.

    The record is needed since libraries turn a KeyboardInterrupt into errors of their own.
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
    threading.excepthook = lambda _: None  # errors of other threads now only follow from the stop
    while at_stop:
        at_stop.pop()()
    raise KeyboardInterrupt


@contextmanager
def when_stopped(sentence: str) -> Iterator[None]:
    """Set the sentence that :func:`end` reports if a stop comes while the block runs."""
    global _stop_means
    before, _stop_means = _stop_means, sentence
    yield  # a stopped block leaves its sentence for end()
    _stop_means = before


def is_stopped() -> bool:
    """Return whether a signal has stopped the command."""
    return bool(_stopped_by)


def end(fault: BaseException) -> int:
    """Report why a command was stopped or failed and return its exit code."""
    from allsaid.console import crash, fail, say
    from allsaid.disk import full_disk
    from schemas.errors import UserError

    if _stopped_by or isinstance(fault, KeyboardInterrupt):
        say(f"Stopped. {_stop_means}".strip(), "warning")
        return 128 + (_stopped_by or signal.SIGINT)
    if isinstance(fault, SystemExit):
        return fault.code if isinstance(fault.code, int) else int(fault.code is not None)
    if sentence := full_disk(fault):
        fault = UserError(sentence)
    return fail(fault) if isinstance(fault, UserError) else crash(fault)
