"""A worker process of Beam's local runner, without its logs: the run tells a fault once, in the main process."""

from __future__ import annotations

import logging
import sys

logging.disable(logging.CRITICAL)

from apache_beam.runners.worker.sdk_worker_main import main  # noqa: E402  it logs while it is imported

if __name__ == "__main__":
    main(sys.argv)
