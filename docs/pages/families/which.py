"""Every system on the same rows, and which of them to take, on docs/figures.md."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from allsaid import markdown
from allsaid.proof.figures import FIGURES, OF_VALUES, Figure
from pages.results import ROOT, facts, paper_table, result, spread
from schemas.example import SPLITS
from training.configs import load_config

TABLE = "everything"
DATA = {
    "products": "the sample table of products",
    "hotel": "acts of a hotel",
    "restaurant": "acts of a restaurant",
    "recipes": "recipes of raw Meal-Master exports",
}
# A wish, and the figures that may decide it: the first one that the data set has.
WANTED = {
    "every value is said, once": ("slot_error_percent",),
    "as much of the row as can be": ("percent_given",),
    "nothing beyond the row": ("extra_items", "extra_items/training"),
    "no item introduced twice": ("doubled_items",),
    "texts like people's": ("bleu/paper", "bleu"),
    "many texts a second": ("texts_per_second",),
    "little training": ("training_minutes",),
}
# A system that says little is fast and adds nothing. So these wishes are also decided among the systems that say most.
SAID = ("slot_error_percent", "percent_given")
AGAIN = ("nothing beyond the row", "no item introduced twice", "many texts a second", "little training")
MINUTES = {"a minute": (0, 1), "ten": (1, 10), "more": (10, math.inf)}  # of a training
Systems = Mapping[str, Mapping[str, Any]]


def systems() -> str:
    """Return a table of all systems for each measured data set."""
    return "\n\n".join(map(_table, _measured()))


def advice() -> str:
    """Return the best system for each wish, and the systems that another one surpasses in all figures."""
    return "\n\n".join(map(_advice, _measured()))


def short() -> str:
    """Return the best system for each wish and data set, and the number of others that are as good."""
    by_data = {name: _wishes(name) for name in _measured()}
    wishes = dict.fromkeys(wish for found in by_data.values() for wish in found)
    rows = [[wish, *(_shortly(name, found.get(wish)) for name, found in by_data.items())] for wish in wishes]
    return markdown.table(["what counts most", *map(_named, by_data)], rows)


def _named(name: str) -> str:
    return f"{DATA[name]} ({_found(name)[0]['data']['splits']['train']:,})"


def _shortly(name: str, found: tuple[str, list[str]] | None) -> str:
    if found is None:
        return ""
    best, *others = found[1]
    label = _labels(_found(name)[1])[best]
    return f"{label} ({len(others)} as good)" if others else label


def hardware() -> str:
    """Return the systems by the minutes of a training and their speed, and the time for the paper's passes."""
    large = result("recipes_cpu")
    hours = large["systems"]["checklist"]["training"]["hours"]
    passes = load_config("checklist-paper").fit.epochs
    paper_size = facts(
        {
            "recipes of the library": f"{large['data']['splits']['train']:,}",
            "hours of a pass over them of a Checklist of half the paper's size": f"{hours:.1f}",
            f"days of the paper's {passes} passes": f"{hours * passes / 24:.0f}",
        }
    )
    columns = ["rows", *(f"trained in {minutes}" for minutes in MINUTES), "texts a second"]
    return f"{markdown.table(columns, [*map(_hardware, _measured())])}\n\n{paper_size}"


def _hardware(name: str) -> list[str]:
    found, given = _found(name)
    figures = found["systems"]
    trained = {key: entry for key, entry in given["systems"].items() if key in figures and "config" in entry}
    minutes: dict[tuple[str, ...], tuple[str, float]] = {}  # of each training, by the first system that has it
    for key, entry in trained.items():
        took = entry["label"], figures[key]["training_minutes"]["ours"]
        minutes.setdefault((entry["config"], *entry.get("settings", [])), took)
    within = [
        ", ".join(label for label, took in minutes.values() if low < took <= high) for low, high in MINUTES.values()
    ]
    rates = sorted(figures[key]["texts_per_second"]["ours"] for key in trained)
    return [_named(name), *within, f"{rates[0]:.0f} to {rates[-1]:.0f}"]


def missing() -> str:
    """Return the commands for the data sets that were not measured with all systems and seeds."""
    left = [name for name in DATA if not _is_whole(name)]
    command = f"python -m benchmarks.quality.papers.tables --table {TABLE} --data DIR --work DIR --result {TABLE}"
    rows = [[DATA[name], f"`{command}_{name}`"] for name in left]
    return markdown.table(["not measured with all systems and seeds", "command"], rows)


def _is_whole(name: str) -> bool:
    if name not in _measured():
        return False
    found, given = _found(name)
    return found["systems"].keys() == given["systems"].keys() and _trainings(found, given) == len(given["seeds"])


def _trainings(found: Any, given: Any) -> int:
    """Return the number of trainings of a system."""
    return max(
        len(system[key].get("each", [0]))
        for system in found["systems"].values()
        for key in given["figures"]
        if key in system
    )


def _title(name: str) -> str:
    return f"**{DATA[name][0].upper()}{DATA[name][1:]}**"


def _measured() -> list[str]:
    return [name for name in DATA if (ROOT / "benchmarks" / "results" / f"{TABLE}_{name}.json").is_file()]


def _table(name: str) -> str:
    found, given = _found(name)
    figures, labels = given["figures"], _labels(given)
    rows = [[labels[key], *(spread(system, key) for key in figures)] for key, system in found["systems"].items()]
    rows += [["Reference texts", *(spread(found["truth"], key) for key in figures)]] if found["truth"] else []
    head = ["system", *(_called(given)[key].short for key in figures)]
    setup = {
        "rows, train, dev and test": ", ".join(f"{found['data']['splits'][split]:,}" for split in SPLITS),
        "machine": found["hardware"],
        "trainings of a system": _trainings(found, given),
    }
    if left := [label for key, label in labels.items() if key not in found["systems"]]:
        setup["not measured yet"] = "; ".join(left)
    return "\n\n".join([f"{_title(name)}:", markdown.table(head, rows), facts(setup)])


def _found(name: str) -> tuple[Any, Any]:
    found = result(f"{TABLE}_{name}")
    return found, paper_table(TABLE, found["task"])


def _advice(name: str) -> str:
    found, given = _found(name)
    systems, labels = found["systems"], _labels(given)
    rows = []
    for wish, (key, near) in _wishes(name).items():
        best, *others = near
        figure = f"{_called(given)[key].short}: {spread(systems[best], key)}"
        rows.append([wish, labels[best], figure, "; ".join(labels[other] for other in others)])
    keys = [*_decide(given).values()]
    behind = [[labels[key], labels[other]] for key in systems if (other := _ahead(key, systems, keys))]
    parts = [f"{_title(name)}:", markdown.table(["what counts most", "take", "figure", "as good"], rows)]
    return "\n\n".join([*parts, *([markdown.table(["system", "surpassed by"], behind)] if behind else [])])


def _labels(given: Any) -> dict[str, str]:
    return {key: entry["label"] for key, entry in given["systems"].items()}


def _called(given: Any) -> dict[str, Figure]:
    """Return the figures with the names that suit the texts of the table's task."""
    return FIGURES | OF_VALUES if given["task"] == "dialogue" else FIGURES


def _decide(given: Any) -> dict[str, str]:
    """Return the figure that decides each wish."""
    known = {wish: [key for key in keys if key in given["figures"]] for wish, keys in WANTED.items()}
    return {wish: keys[0] for wish, keys in known.items() if keys}


def _wishes(name: str) -> dict[str, tuple[str, list[str]]]:
    """Return for each wish the figure that decides it, and the best system by it followed by those as good."""
    found, given = _found(name)
    systems, decide = found["systems"], _decide(given)
    said = next(key for key in SAID if key in given["figures"])
    most = {key: systems[key] for key in _best(said, systems)}
    wishes = {wish: (key, _best(key, systems)) for wish, key in _had(decide, systems).items()}
    again = {wish: (key, _best(key, most)) for wish, key in _had(decide, most).items() if wish in AGAIN}
    return wishes | {f"{wish}, of those that say every value best": choice for wish, choice in again.items()}


def _had(keys: Mapping[str, str], systems: Systems) -> dict[str, str]:
    """Return the wishes whose figure any of the systems has; an untrained system has no minutes of training."""
    return {wish: key for wish, key in keys.items() if any(key in figures for figures in systems.values())}


def _best(key: str, systems: Systems) -> list[str]:
    """Return the system with the best figure, followed by those whose range overlaps with its own."""
    ends = {name: _ends(figures[key]) for name, figures in systems.items() if key in figures}
    ordered = sorted(ends, key=lambda name: _rank(systems[name][key]["ours"], key))
    low, high = ends[ordered[0]]
    return [name for name in ordered if ends[name][0] <= high and low <= ends[name][1]]


def _ahead(name: str, systems: Systems, keys: Sequence[str]) -> str:
    """Return a system that is better in each of the figures that ``name`` has; "" if there is none."""
    own = {key: systems[name][key]["ours"] for key in keys if key in systems[name]}
    for other, figures in systems.items():
        if other != name and all(
            key in figures and _rank(figures[key]["ours"], key) < _rank(value, key) for key, value in own.items()
        ):
            return other
    return ""


def _rank(value: float, key: str) -> float:
    """Return a sort key: the smaller, the better."""
    return value if FIGURES[key].better == "down" else -value


def _ends(figure: Mapping[str, Any]) -> tuple[float, float]:
    """Return the range of several trainings, or the interval of one over its texts."""
    each = figure.get("each") or [figure.get("low", figure["ours"]), figure.get("high", figure["ours"])]
    return min(each), max(each)
