"""A worker process of Beam's local runner, without logs, since the main process reports an error once.

It ends when the main process dies or closes the pipe that the command names.
"""

from __future__ import annotations

import logging
import os
import sys
import threading
from pathlib import Path

logging.disable(logging.CRITICAL)


def _end_with(pipe: str) -> None:
    with Path(pipe).open("rb") as main_process:
        main_process.read()
    os._exit(0)


if __name__ == "__main__":
    threading.Thread(target=_end_with, args=(sys.argv.pop(),), daemon=True).start()

    import pipelines.beam  # noqa: F401  before Beam itself

    # isort: split
    from apache_beam.runners.worker.sdk_worker_main import main  # logs while it is imported

    main(sys.argv)
