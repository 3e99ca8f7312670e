"""The command `allsaid train`, also `python -m training`; torch is imported only when it runs."""

from __future__ import annotations

from training.options import TrainOptions


def train(options: TrainOptions) -> None:
    """Train a model, log it to MLflow and register it.

    It is promoted if it beats the champion. A setting with several values makes a grid: each combination becomes a
    child of one run, which names the best. Started again with the same --run-dir, a grid skips finished children.

    Example: allsaid train checklist-demo --data data --set epochs=5
    """
    from training.runs import start

    start.train(options)
