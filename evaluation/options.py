"""The options of `allsaid evaluate`, `allsaid compare` and `allsaid rate`."""

from __future__ import annotations

from dataclasses import dataclass

from allsaid.options import DEVICE, EXPERIMENT, OUTPUT, argument, option
from evaluation.tables import SHIPPED

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
        "[TABLE]",
        f"A shipped table: {', '.join(SHIPPED)}. Or a YAML file of your own, such as samples/compare.yaml.",
        "",
    )
    data: str = option(DATA, "")
    output: str = option("Folder of the pages and the training runs. [default: compare-TABLE]", "")
    systems: str = option("Keys of the table's systems, separated by commas. [default: all]", "")
    device: str = option(DEVICE, "cpu")
    texts: tuple[str, str] | None = option(
        "Instead: two runs of evaluate, or two output folders of generate.", None, metavar="A B"
    )


@dataclass(frozen=True)
class StudyOptions:
    """Options of `allsaid rate make`."""

    systems: tuple[str, ...] = argument(
        "DIR...", "Outputs of `allsaid generate`; each system is named after its folder."
    )
    output: str = option(OUTPUT)
    data: str | None = option(
        "The data set that the texts were generated from; its reference texts are rated, too.", None
    )
    rows: int = option("Number of random rows.", 100, low=1)
    raters: int = option("Number of sheets; each has all texts.", 5, low=1)
    seed: int = option("Seed for the choice of rows and for their orders.", 1)
    head_to_head: bool = option("Show two systems' texts at a time and ask which is better.", False)


@dataclass(frozen=True)
class AnswersOptions:
    """Options of `allsaid rate read`."""

    answers: tuple[str, ...] = argument("FILE...", "A file that a sheet's button downloaded.")
    key: str = option("The key.json of `allsaid rate make`.")
    output: str | None = option("Folder of ratings.json and ratings.md. [default: the key's folder]", None)
