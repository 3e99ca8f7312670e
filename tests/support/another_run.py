"""Another run on an output, which holds its lock until it is told to end."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from allsaid.storage import lock

NAME = "20260101T000000Z-0123abcd"


@contextmanager
def another_run(out: str) -> Iterator[Callable[[float], None]]:
    """From the block's beginning on the output is held; the function given has that end after so many seconds."""
    begun, end = threading.Event(), threading.Event()

    def hold() -> None:
        with lock.held(out, NAME, 0):
            begun.set()
            end.wait()

    holder = threading.Thread(target=hold, daemon=True)
    holder.start()
    begun.wait()
    yield lambda seconds: threading.Timer(seconds, end.set).start()
    holder.join()
