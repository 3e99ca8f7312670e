"""A worker process of Beam's local runner, without logs, since the main process reports an error once.

It ends when the main process dies or closes the pipe that the command names.
"""

from __future__ import annotations

import logging
import os
import sys
import threading
from contextlib import suppress

logging.disable(logging.CRITICAL)


def _end_with(pipe: str) -> None:
    """End this process when the main process closes the pipe, or has closed or removed it before this one opens it."""
    with suppress(FileNotFoundError):
        descriptor = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)  # blocking, it would wait for another writer
        os.set_blocking(descriptor, True)
        os.read(descriptor, 1)
    os._exit(0)


if __name__ == "__main__":
    threading.Thread(target=_end_with, args=(sys.argv.pop(),), daemon=True).start()

    import pipelines.beam  # noqa: F401  before Beam itself

    # isort: split
    from apache_beam.runners.worker.sdk_worker_main import main  # logs while it is imported

    main(sys.argv)
