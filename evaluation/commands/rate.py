"""The subcommands of ``allsaid rate``."""

from __future__ import annotations

import typer

from allsaid.options import add_command
from evaluation.options import AnswersOptions, StudyOptions

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    help="Have people rate texts.\n\nA blinded sheet is made for each rater, and the answers are read back.\n\n"
    "Example: allsaid rate make encdec checklist --data data --output study",
)


def rate_make(options: StudyOptions) -> None:
    """Write a blinded sheet of texts for each rater.

    Texts of recipes, acts and a table are rated by how well they keep to the input, texts of pairs by fluency and
    adequacy. The sheets are OUTPUT/sheets/sheet-N.html. OUTPUT/key.json names the system of each text.

    Example: allsaid rate make encdec checklist --data data --output study
    """
    from evaluation.rating import sheet

    sheet.show(sheet.make(options))


def rate_read(options: AnswersOptions) -> None:
    """Read the raters' answers.

    Prints the mean ratings of each system next to the paper's, the raters' agreement, and every answer that can't be
    used.

    Example: allsaid rate read answers-1.json answers-2.json --key study/key.json
    """
    from evaluation.rating.read import read

    read(options.answers, options.key, options.output)


add_command(app, "make", rate_make)
add_command(app, "read", rate_read)
