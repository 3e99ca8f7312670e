"""The page of a trial: the form with the typed values, and the answer next to it."""

from __future__ import annotations

from collections.abc import Mapping

from allsaid.console import counted
from batch_infer.report import pages
from batch_infer.rows.kinds.form import ROW
from batch_infer.trial.options import SEARCH
from batch_infer.trial.trial import Answer, Trial

LONGEST = 20_000  # characters in a field


def page(trial: Trial, typed: Mapping[str, str], answer: Answer | None, nonce: str, is_opened: bool) -> str:
    """Render the page as HTML; without an answer it waits for one.

    nonce: identifies the page's own script. is_opened: whether the answer is that of the example.
    """
    names = [*(ROW + field.name for field in trial.fields), *(SEARCH + option.key for option in trial.options)]
    heading = ""
    if answer is not None:
        heading = "No text" if answer.fault else counted(len(answer.cards), "text")
    return pages.render(
        "trial.html.j2",
        __package__,
        trial=trial,
        name=" ".join(filter(None, (trial.writer.settings.name, trial.writer.settings.version))),
        typed=typed,
        answer=answer,
        heading=heading,
        nonce=nonce,
        is_opened=is_opened,
        ids={name: f"field-{number}" for number, name in enumerate(names)},  # a column name may contain spaces
        ROW=ROW,
        SEARCH=SEARCH,
        LONGEST=LONGEST,
    )
