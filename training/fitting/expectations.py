"""Warnings before a training on few texts."""

from __future__ import annotations

from allsaid.console import counted, say
from allsaid.modeling.data.dataset import DataSet
from allsaid.modeling.tasks.agenda import DIALOGUE
from training.tracking.floors import MIN_DEV_TEXTS

# Number of a table's training texts -> % of rows for which the model `assemble` generates a certified text: measured on
# texts by many authors, and on texts by one author (docs/figures.md).
CERTIFIED = {50: (0, 87), 200: (57, 100), 500: (92, 100), 1000: (100, 100)}
PAGE = "docs/figures.md"


def warn(data: DataSet, protocol: str, dev_texts: int, measured: int) -> None:
    """Warn about training and dev parts with few texts.

    A model is measured on at most ``measured`` of the ``dev_texts`` before it can become champion. Training texts are
    counted from the manifest, since a model's examples may contain a text of a table twice.
    """
    has_certificates = protocol == DIALOGUE  # of acts and of tables; texts of recipes are never certified
    few = training_warnings(data.manifest.splits.get("train", 0)) if has_certificates else []
    for sentence in [*few, *dev_warnings(dev_texts, measured)]:
        say(sentence, "warning")


def training_warnings(texts: int) -> list[str]:
    """Return a warning if the training part of a table or of acts has few texts, else nothing."""
    sizes = sorted(CERTIFIED)
    if texts >= sizes[-1]:
        return []
    nearest = max((size for size in sizes if size <= texts), default=sizes[0])
    low, high = CERTIFIED[nearest]
    share = f"{low} to {high}%" if low < high else f"{low}%"
    about = f"With {nearest}, about {share} of the rows get a certified text"
    if texts >= nearest:
        return [f"The training part has {counted(texts, 'text')}. {about} ({PAGE})."]
    return [
        f"The training part has {counted(texts, 'text')}. {about}; with fewer texts, fewer rows do ({PAGE}). In "
        "a table's mapping, a sentence for each column under `say:` gives more rows a whole text (docs/mapping.md)."
    ]


def dev_warnings(texts: int, measured: int) -> list[str]:
    """Return a warning if the dev part has few texts, or few are ``measured`` (setting `score_texts`)."""
    if min(texts, measured) >= MIN_DEV_TEXTS:
        return []
    few = f"The dev part has {counted(texts, 'text')}."
    if texts >= MIN_DEV_TEXTS:
        few = f"The model is measured on {counted(measured, 'dev text')} (score_texts={measured})."
    return [f"{few} With fewer than {MIN_DEV_TEXTS}, it becomes champion only by hand (docs/researcher.md)."]
