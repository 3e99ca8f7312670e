"""What a training on few texts can be expected to give, told before it starts."""

from __future__ import annotations

from allsaid.console import counted, say
from allsaid.modeling.data.dataset import DataSet
from allsaid.modeling.tasks.agenda import DIALOGUE
from training.tracking.floors import MIN_DEV_TEXTS

# Training texts of a table -> lowest and highest % of rows that `assemble` writes a certified text for, as measured
# (docs/small-tables.md): the lowest of texts by a crowd, the highest of a table of that size, or a smaller one, by one
# hand.
CERTIFIED = {50: (0, 87), 200: (57, 100), 500: (92, 100), 1000: (100, 100)}
PAGE = "docs/small-tables.md"


def tell(data: DataSet, protocol: str, dev_texts: int, measured: int) -> None:
    """Warn of parts with few texts; of the ``dev_texts`` at most ``measured`` decide on promotion.

    Models learn some texts of a table's training part in two ways, so its texts are counted by the manifest.
    """
    few = of_training(data.manifest.splits.get("train", 0)) if protocol == DIALOGUE else []
    for sentence in [*few, *of_dev(dev_texts, measured)]:
        say(sentence, "warning")


def of_training(texts: int) -> list[str]:
    """A sentence where the training part of a table or of acts has few texts."""
    sizes = sorted(CERTIFIED)
    if texts >= sizes[-1]:
        return []
    known = max((size for size in sizes if size <= texts), default=sizes[0])
    low, high = CERTIFIED[known]
    share = f"{low} to {high}%" if low < high else f"{low}%"
    about = f"With {known}, about {share} of the rows get a certified text"
    fewer = ", with fewer texts less" if texts < known else ""
    return [f"The training part has {counted(texts, 'text')}. {about}{fewer} ({PAGE})."]


def of_dev(texts: int, measured: int) -> list[str]:
    """A sentence where the dev part has few texts, or few of them are ``measured`` by the setting `score_texts`."""
    if min(texts, measured) >= MIN_DEV_TEXTS:
        return []
    few = f"The dev part has {counted(texts, 'text')}."
    if texts >= MIN_DEV_TEXTS:
        few = f"The model is measured on {counted(measured, 'dev text')} (score_texts={measured})."
    return [f"{few} With fewer than {MIN_DEV_TEXTS}, it becomes champion only by hand (docs/tracking.md)."]
