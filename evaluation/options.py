"""The options of `allsaid evaluate` and `allsaid compare`."""

from __future__ import annotations

from dataclasses import dataclass

from allsaid.options import DEVICE, EXPERIMENT, argument, option

DATA = "A data set's folder."


@dataclass(frozen=True)
class EvaluateOptions:
    """Options of `allsaid evaluate`."""

    system: str = argument("SYSTEM", "A model as for generate, 'handcrafted' (a dialogue corpus's own texts), or 'nn'.")
    data: str = option(DATA)
    split: str = option("train, dev or test.", "test")
    limit: int | None = option("Number of recipes, those with the smallest ids. [default: all]", None, low=1)
    set: tuple[str, ...] = option("A setting of the search as key=value, e.g. rewrites=10. Repeatable.", ())
    swap: bool = option("NN-Swap: the model rewrites the nearest training recipe's text.", False)
    experiment: str = option(EXPERIMENT, "")
    device: str = option(DEVICE, "cpu")


@dataclass(frozen=True)
class CompareOptions:
    """Options of `allsaid compare`."""

    table: str = argument(
        "[TABLE]", "recipes, recipes-cpu, recipes-paper, allrecipes, hotel, restaurant, or a YAML file of your own.", ""
    )
    data: str = option(DATA, "")
    output: str = option("Folder of the pages and the training runs. [default: compare-TABLE]", "")
    systems: str = option("Keys of the table's systems, separated by commas. [default: all]", "")
    device: str = option(DEVICE, "cpu")
    texts: tuple[str, str] | None = option(
        "Instead: two runs of evaluate, or two output folders of generate.", None, metavar="A B"
    )
