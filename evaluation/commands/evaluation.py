"""The commands that evaluate and compare systems, and trace their figures."""

from __future__ import annotations

from typing import Annotated

import typer

from evaluation.options import CompareOptions, EvaluateOptions
from schemas.errors import UserError


def evaluate(options: EvaluateOptions) -> None:
    """Score a system's texts for a split of a data set.

    The protocols are those of its task; the figures become an MLflow run.

    Example: allsaid evaluate models:/hotel@champion --data hotel
    """
    from evaluation.tasks.evaluate import run

    run(options)


def compare(options: CompareOptions) -> None:
    """Compare trainings in one table, or our figures with a paper's.

    Missing systems are trained and evaluated. Prints the table and writes OUTPUT/compare.md and compare.html. With
    --texts, shows where two systems' texts of the same rows differ. A YAML file names any systems, such as one
    configuration with two settings.

    Example: allsaid compare hotel --data hotel
    """
    if options.texts is not None:
        from evaluation.compare import differ

        differ.run(*options.texts)
        return
    if not options.table or not options.data:
        raise UserError("Name a table and the data set: allsaid compare hotel --data DIR; or two runs: --texts A B.")
    from evaluation.compare.compare import run

    run(options)


def trace(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A Parquet file of texts, or of a data set.")],
) -> None:
    """Print the chain from a Parquet file back to the dump files.

    Its links are the job, the model, the training run, the data set, and their hashes.

    Example: allsaid trace texts/texts/part-00000.parquet
    """
    from evaluation.compare.trace import run

    run(file)
