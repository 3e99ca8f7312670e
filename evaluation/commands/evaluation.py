"""The commands about how good a system is, and where its figures come from."""

from __future__ import annotations

from typing import Annotated

import typer

from allsaid.options import Device, Experiment
from schemas.errors import UserError


def evaluate(
    system: Annotated[
        str,
        typer.Argument(
            metavar="SYSTEM", help="A model as for generate, 'handcrafted' (a dialogue corpus's own texts), or 'nn'."
        ),
    ],
    data: Annotated[str, typer.Option("--data", help="A data set's folder.")],
    split: Annotated[str, typer.Option("--split", help="train, dev or test.")] = "test",
    limit: Annotated[int | None, typer.Option("--limit", min=1, help="Of recipes: only so many.")] = None,
    set: Annotated[
        list[str] | None,
        typer.Option("--set", help="A setting of the search as key=value, e.g. rewrites=10. Repeatable."),
    ] = None,
    swap: Annotated[
        bool, typer.Option("--swap", help="NN-Swap: the model rewrites the nearest training recipe's text.")
    ] = False,
    experiment: Experiment = "",
    device: Device = "cpu",
) -> None:
    """Score a system's texts for a split of a data set.

    The protocols are those of its task; the figures become an MLflow run.

    Example: allsaid evaluate models:/hotel@champion --data hotel
    """
    from evaluation.tasks import evaluate as room

    room.run(room.Request(system, data, split, limit, device, set or [], swap, experiment))


def compare(
    table: Annotated[
        str,
        typer.Argument(
            metavar="[TABLE]",
            help="recipes, recipes-cpu, recipes-paper, allrecipes, hotel, restaurant, or a YAML file of your own.",
        ),
    ] = "",
    data: Annotated[str, typer.Option("--data", help="A data set's folder.")] = "",
    output: Annotated[
        str, typer.Option("--output", help="For the pages and what is trained; by default compare-TABLE.")
    ] = "",
    systems: Annotated[str, typer.Option("--systems", help="Only these of the table, parted by commas.")] = "",
    device: Device = "cpu",
    texts: Annotated[
        tuple[str, str] | None,
        typer.Option(
            "--texts", metavar="A B", help="Instead: two runs of evaluate, or two output folders of generate."
        ),
    ] = None,
) -> None:
    """Set our figures beside those of a paper's table.

    What is missing of ours is trained and evaluated. Prints the table and writes OUTPUT/compare.md and compare.html.
    With --texts, shows where two systems' texts of the same rows differ.

    Example: allsaid compare hotel --data hotel
    """
    if texts is not None:
        from evaluation.compare import differ

        differ.run(*texts)
        return
    if not table or not data:
        raise UserError("Name a table and the data set: allsaid compare hotel --data DIR; or two runs: --texts A B.")
    from evaluation.compare import compare as room

    room.run(room.Request(table, data, output, systems, device))


def trace(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A Parquet file of texts, or of a data set.")],
) -> None:
    """Print the chain from a Parquet file back to the dump files.

    Its links are the job, the model, the training run, the data set, and their hashes.

    Example: allsaid trace texts/texts/part-00000.parquet
    """
    from evaluation.compare import trace as room

    room.run(file)
