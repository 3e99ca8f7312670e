"""Every system on the same rows, and which of them to take, on docs/which-model.md."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from allsaid import markdown
from allsaid.proof.figures import FIGURES, OF_VALUES, Figure
from pages.results import ROOT, paper_table, paragraph, result, spread, when
from training.configs import load_config

TABLE = "everything"
DATA = {
    "products": "the sample table of products",
    "hotel": "acts of a hotel",
    "restaurant": "acts of a restaurant",
    "recipes": "recipes of raw Meal-Master exports",
}
# What may count most, and the figure that decides: the first of these that the data set has, if it has one.
WANTED = {
    "every value is said, once": ("slot_error_percent",),
    "as much of the row as can be": ("percent_given",),
    "nothing beyond the row": ("extra_items", "extra_items/training"),
    "no item introduced twice": ("doubled_items",),
    "texts like people's": ("bleu/paper", "bleu"),
    "many texts a second": ("texts_per_second",),
    "little training": ("training_minutes",),
}
# Who says little is quick and adds nothing: asked for again of those alone that say every value best.
SAID = ("slot_error_percent", "percent_given")
AGAIN = ("nothing beyond the row", "no item introduced twice", "many texts a second", "little training")
MINUTES = {"a minute": (0, 1), "ten": (1, 10), "more": (10, math.inf)}  # of a training
Systems = Mapping[str, Mapping[str, Any]]


def systems() -> str:
    """A table for each data set that was run."""
    return "\n\n".join(map(_table, _run()))


def advice() -> str:
    """What follows from the tables: the best of each figure, and the systems that another one leaves behind."""
    return "\n\n".join(map(_advice, _run()))


def short() -> str:
    """For each wish and each data set the system to take, and how many others are as good."""
    of = {name: _wishes(name) for name in _run()}
    splits = {name: _found(name)[0]["data"]["splits"]["train"] for name in of}
    wishes = dict.fromkeys(wish for wishes in of.values() for wish in wishes)
    rows = [[wish, *(_shortly(name, wishes.get(wish)) for name, wishes in of.items())] for wish in wishes]
    return markdown.table(["what counts most", *(f"{DATA[name]} ({splits[name]:,})" for name in of)], rows)


def _shortly(name: str, found: tuple[str, list[str]] | None) -> str:
    if found is None:
        return ""
    best, *others = found[1]
    label = _labels(_found(name)[1])[best]
    return f"{label} ({len(others)} as good)" if others else label


def hardware() -> str:
    """How long a processor trains each system, what it writes then, and what the paper's size would take."""
    columns = ["rows", *(f"trained in {told}" for told in MINUTES), "texts a second"]
    large = result("recipes_paper")
    hours = large["systems"]["checklist"]["training"]["hours"]
    passes = load_config("checklist-paper").fit.epochs
    text = paragraph(
        f"""
        At the size of Kiddon et al. 2016 one pass of the Checklist over {large["data"]["splits"]["train"]:,} recipes
        took {hours:.1f} hours there (`recipes-paper`), so their {passes} passes would take
        {hours * passes / 24:.0f} days: that is for a GPU ([gpu.md](gpu.md)), on which nothing was measured.
        """
    )
    return f"{markdown.table(columns, [*map(_hardware, _run())])}\n\n{text}"


def _hardware(name: str) -> list[str]:
    """Of a data set the systems by the minutes of a training, and the range of what they write."""
    found, given = _found(name)
    of = found["systems"]
    trained = {key: entry for key, entry in given["systems"].items() if key in of and "config" in entry}
    minutes: dict[tuple[str, ...], tuple[str, float]] = {}  # of each training, by the first system that has it
    for key, entry in trained.items():
        took = entry["label"], of[key]["training_minutes"]["ours"]
        minutes.setdefault((entry["config"], *entry.get("settings", [])), took)
    within = [
        ", ".join(label for label, took in minutes.values() if low < took <= high) for low, high in MINUTES.values()
    ]
    rates = sorted(of[key]["texts_per_second"]["ours"] for key in trained)
    return [f"{DATA[name]} ({found['data']['splits']['train']:,})", *within, f"{rates[0]:.0f} to {rates[-1]:.0f}"]


def missing() -> str:
    """The data sets that have not been run with all systems and seeds, and the command that does it."""
    left = [name for name in DATA if not _is_whole(name)]
    command = f"python -m benchmarks.quality.recipes --table {TABLE} --data DIR --work DIR --result {TABLE}"
    said = f"Measured with all systems and seeds of the table: {len(DATA) - len(left)} of {len(DATA)} data sets."
    return "\n".join([said, "", *(f"- {_title(name)}: `{command}_{name}`" for name in left)])


def _is_whole(name: str) -> bool:
    if name not in _run():
        return False
    found, given = _found(name)
    return found["systems"].keys() == given["systems"].keys() and _trainings(found, given) == len(given["seeds"])


def _trainings(found: Any, given: Any) -> int:
    """How many trainings a system has."""
    return max(
        len(of[key].get("each", [0])) for of in found["systems"].values() for key in given["figures"] if key in of
    )


def _title(name: str) -> str:
    return DATA[name][0].upper() + DATA[name][1:]


def _run() -> list[str]:
    return [name for name in DATA if (ROOT / "benchmarks" / "results" / f"{TABLE}_{name}.json").is_file()]


def _table(name: str) -> str:
    found, given = _found(name)
    splits, hardware = found["data"]["splits"], found["hardware"]
    trainings = _trainings(found, given)
    kind = (
        f"Mean ± deviation over {trainings} trainings."
        if trainings > 1
        else "In brackets the 95% bootstrap interval over the texts of one training."
    )
    labels = _labels(given)
    left = [label for key, label in labels.items() if key not in found["systems"]]
    text = paragraph(
        f"""
        **{_title(name)}**: {splits["train"]:,} to learn from, {splits["dev"]:,} for dev and
        {splits["test"]:,} for test; {hardware}. {kind} {f"Not measured yet: {'; '.join(left)}." if left else ""}
        {when(f"{TABLE}_{name}")}
        """
    )
    rows = [[labels[key], *(spread(of, key) for key in given["figures"])] for key, of in found["systems"].items()]
    rows += [["Reference texts", *(spread(found["truth"], key) for key in given["figures"])]] if found["truth"] else []
    return f"{text}\n\n{markdown.table(['system', *(_called(given)[key].short for key in given['figures'])], rows)}"


def _found(name: str) -> tuple[Any, Any]:
    found = result(f"{TABLE}_{name}")
    return found, paper_table(TABLE, found["task"])


def _advice(name: str) -> str:
    found, given = _found(name)
    of, labels = found["systems"], _labels(given)
    rows = []
    for wish, (key, near) in _wishes(name).items():
        best, *others = near
        figure = f"{_called(given)[key].short}: {spread(of[best], key)}"
        rows.append([wish, labels[best], figure, "; ".join(labels[one] for one in others)])
    keys = _decide(given).values()
    behind = [f"{labels[one]} ({labels[other]} is ahead)" for one in of if (other := _ahead(one, of, [*keys]))]
    text = f"**{_title(name)}** ({found['data']['splits']['train']:,} to learn from):"
    told = paragraph(f"Left behind in each of these figures by another system: {'; '.join(behind) or 'none'}.")
    return f"{text}\n\n{markdown.table(['what counts most', 'take', 'figure', 'as good'], rows)}\n\n{told}"


def _labels(given: Any) -> dict[str, str]:
    return {key: entry["label"] for key, entry in given["systems"].items()}


def _called(given: Any) -> dict[str, Figure]:
    """The figures as texts of the table's task call them."""
    return FIGURES | OF_VALUES if given["task"] == "dialogue" else FIGURES


def _decide(given: Any) -> dict[str, str]:
    """The figure that decides of each wish."""
    had = {wish: [key for key in known if key in given["figures"]] for wish, known in WANTED.items()}
    return {wish: keys[0] for wish, keys in had.items() if keys}


def _wishes(name: str) -> dict[str, tuple[str, list[str]]]:
    """What may count most on this data set: the figure that decides, and by it the best system and those as good."""
    found, given = _found(name)
    of, decide = found["systems"], _decide(given)
    said = next(key for key in SAID if key in given["figures"])
    best = {one: of[one] for one in _best(said, of)}
    wishes = {wish: (key, _best(key, of)) for wish, key in _had(decide, of).items()}
    again = {wish: (key, _best(key, best)) for wish, key in _had(decide, best).items() if wish in AGAIN}
    return wishes | {f"{wish}, of those that say every value best": found for wish, found in again.items()}


def _had(keys: Mapping[str, str], of: Systems) -> dict[str, str]:
    """The wishes whose figure any of these systems has: what is not trained has no minutes of training."""
    return {wish: key for wish, key in keys.items() if any(key in one for one in of.values())}


def _best(key: str, of: Systems) -> list[str]:
    """The system with the best figure, and behind it those whose range reaches into its own."""
    ends = {name: _ends(one[key]) for name, one in of.items() if key in one}
    ordered = sorted(ends, key=lambda name: _worth(of[name][key]["ours"], key))
    low, high = ends[ordered[0]]
    return [name for name in ordered if ends[name][0] <= high and low <= ends[name][1]]


def _ahead(name: str, of: Systems, keys: Sequence[str]) -> str:
    """A system that is better in all these figures of the two; "" where there is none."""
    mine = {key: of[name][key]["ours"] for key in keys if key in of[name]}
    for other, theirs in of.items():
        if other != name and all(
            key in theirs and _worth(theirs[key]["ours"], key) < _worth(value, key) for key, value in mine.items()
        ):
            return other
    return ""


def _worth(value: float, key: str) -> float:
    """The smaller the better."""
    return value if FIGURES[key].better == "down" else -value


def _ends(one: Mapping[str, Any]) -> tuple[float, float]:
    """The least and the most of several trainings; of one the interval over its texts."""
    each = one.get("each") or [one.get("low", one["ours"]), one.get("high", one["ours"])]
    return min(each), max(each)
