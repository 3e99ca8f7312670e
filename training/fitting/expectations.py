"""Warnings before a training on few texts."""

from __future__ import annotations

from allsaid.console import counted, say
from allsaid.modeling.data.dataset import DataSet
from allsaid.modeling.tasks.agenda import DIALOGUE
from training.tracking.floors import MIN_DEV_TEXTS

# Number of a table's training texts -> lowest and highest % of rows with a certified text by `assemble`, as measured
# (docs/figures.md): the lowest for texts by many authors, the highest for texts by one author.
CERTIFIED = {50: (0, 87), 200: (57, 100), 500: (92, 100), 1000: (100, 100)}
PAGE = "docs/figures.md"


def warn(data: DataSet, protocol: str, dev_texts: int, measured: int) -> None:
    """Warn about parts with few texts; at most ``measured`` of the ``dev_texts`` decide on promotion.

    The manifest has the number of training texts; models learn some texts of a table twice.
    """
    few = of_training(data.manifest.splits.get("train", 0)) if protocol == DIALOGUE else []
    for sentence in [*few, *of_dev(dev_texts, measured)]:
        say(sentence, "warning")


def of_training(texts: int) -> list[str]:
    """Return a sentence if the training part of a table or of acts has few texts."""
    sizes = sorted(CERTIFIED)
    if texts >= sizes[-1]:
        return []
    nearest = max((size for size in sizes if size <= texts), default=sizes[0])
    low, high = CERTIFIED[nearest]
    share = f"{low} to {high}%" if low < high else f"{low}%"
    about = f"With {nearest}, about {share} of the rows get a certified text"
    fewer = ", with fewer texts less" if texts < nearest else ""
    return [f"The training part has {counted(texts, 'text')}. {about}{fewer} ({PAGE})."]


def of_dev(texts: int, measured: int) -> list[str]:
    """Return a sentence if the dev part has few texts, or few are ``measured`` (setting `score_texts`)."""
    if min(texts, measured) >= MIN_DEV_TEXTS:
        return []
    few = f"The dev part has {counted(texts, 'text')}."
    if texts >= MIN_DEV_TEXTS:
        few = f"The model is measured on {counted(measured, 'dev text')} (score_texts={measured})."
    return [f"{few} With fewer than {MIN_DEV_TEXTS}, it becomes champion only by hand (docs/researcher.md)."]
