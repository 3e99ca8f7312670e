"""The subcommands of ``allsaid rate``."""

from __future__ import annotations

from typing import Annotated

import typer

from allsaid.options import OutputFolder

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    help="Have people rate texts.\n\nA blinded sheet is made for each rater, and the answers are read back.\n\n"
    "Example: allsaid rate make encdec checklist --data data --output study",
)


@app.command("make")
def rate_make(
    systems: Annotated[
        list[str],
        typer.Argument(metavar="DIR...", help="Outputs of `allsaid generate`; a system is called as its folder."),
    ],
    output: OutputFolder,
    data: Annotated[
        str | None, typer.Option("--data", help="The data set that they tell, if they do; its texts are rated, too.")
    ] = None,
    rows: Annotated[int, typer.Option("--rows", min=1, help="So many random rows.")] = 100,
    raters: Annotated[int, typer.Option("--raters", min=1, help="So many sheets, each of all texts.")] = 5,
    seed: Annotated[int, typer.Option("--seed", help="Of the rows and of the orders.")] = 1,
    head_to_head: Annotated[
        bool, typer.Option("--head-to-head", help="Two systems' texts at a time: which of them is better?")
    ] = False,
) -> None:
    """Write a blinded sheet of texts for each rater.

    Texts of recipes, acts and a table are rated by how they keep to what is to be said, those of pairs by fluency and
    adequacy. The sheets are OUTPUT/sheets/sheet-N.html; OUTPUT/key.json tells whose text is whose.

    Example: allsaid rate make encdec checklist --data data --output study
    """
    from evaluation.rating import sheet as room

    room.show(room.make(systems, data, output, rows, raters, seed, head_to_head))


@app.command("read")
def rate_read(
    answers: Annotated[list[str], typer.Argument(metavar="FILE...", help="What the sheets' button downloads.")],
    key: Annotated[str, typer.Option("--key", help="The key.json of `allsaid rate make`.")],
    output: Annotated[
        str | None, typer.Option("--output", help="Folder of ratings.json and ratings.md; by default that of the key.")
    ] = None,
) -> None:
    """Read the raters' answers.

    Shown are the mean ratings of each system beside the paper's, the raters' agreement, and every answer that can't be
    used.

    Example: allsaid rate read answers-1.json answers-2.json --key study/key.json
    """
    from evaluation.rating import read as room

    room.read(answers, key, output)
