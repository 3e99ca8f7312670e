"""A table of systems to be trained, evaluated and set beside a paper's figures; YAML fills it.

A file may hold several tables, a YAML document each: what its systems are on data sets of different tasks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

import yaml

from allsaid.modeling import systems
from schemas.errors import UserError
from schemas.example import SPLITS
from training.baselines import BASELINES

TABLES = Path(__file__).resolve().parents[1] / "tables"


@dataclass(frozen=True)
class Entry:
    """A row of the table: a system that is trained by a configuration, or a baseline."""

    key: str
    label: str
    config: str = ""  # a YAML file, or the name of a shipped one; "" where nothing is trained
    settings: tuple[str, ...] = ()  # of the configuration, key=value
    search: tuple[str, ...] = ()  # settings of the search alone: they make no other model
    start: str = ""  # the key of the system whose weights, of the same seed, its training starts from
    swap: bool = False  # NN-Swap: its model rewrites the nearest training text
    texts: str = ""  # instead of `config`: a baseline, which needs no training
    paper: Mapping[str, float] = field(default_factory=dict)  # figure -> the paper's


@dataclass(frozen=True)
class Table:
    name: str
    title: str
    task: str  # what its systems are scored as: the name that their task's `protocol` gives
    split: str
    seeds: tuple[int, ...]  # of the systems that are trained
    figures: tuple[str, ...]  # columns, of those that are measured of the task
    systems: tuple[Entry, ...]
    truth: Mapping[str, float]  # the paper's figures of the true texts
    folds: tuple[int, ...] = ()  # of dialogues, each the test part of a training; none: the data set's own splits

    @property
    def of_paper(self) -> set[str]:
        """The columns that the paper has, of a system or of the true texts."""
        papers = [self.truth, *(entry.paper for entry in self.systems)]
        return {figure for figure in self.figures if any(figure in paper for paper in papers)}

    @property
    def lead(self) -> str:
        """What the figures are."""
        return "Our figures beside the paper's" if self.of_paper else "Our figures"

    @property
    def trainings(self) -> list[tuple[str, ...]]:
        """The settings of each training of a system, beside its own."""
        folds: list[tuple[str, ...]] = [(f"fold={fold}",) for fold in self.folds] or [()]
        return [(f"seed={seed}", *fold) for seed in self.seeds for fold in folds]


def read(source: str, only: str = "", fits: Callable[[Table], bool] = lambda _: True) -> Table:
    """The shipped table of this name, or a YAML file; with ``only``, some of its systems, parted by commas.

    Of a file's tables it is the first that ``fits``, or the first of all.
    """
    path = Path(source)
    shipped = {item.stem: item for item in TABLES.iterdir()}
    if path.is_file():
        text = path.read_text(encoding="utf-8")
    elif source in shipped and not source.startswith("_"):
        text = shipped[source].read_text(encoding="utf-8")
    else:
        names = ", ".join(sorted(name for name in shipped if not name.startswith("_")))
        raise UserError(f"There is no table '{source}', neither as a file nor among the shipped ones: {names}.")
    try:
        documents = [*yaml.safe_load_all(text)] or [None]
        tables = [_table(path.stem, values, "") for values in documents]
        place = next((place for place, one in enumerate(tables) if fits(one)), 0)
        return _table(path.stem, documents[place], only)
    except yaml.YAMLError as fault:
        raise UserError(f"{source} is no YAML: {fault}.") from fault
    except _Fault as fault:
        raise UserError(f"{source}: {fault}") from fault


class _Fault(Exception):
    """What is wrong with a table, as a sentence."""


def _table(name: str, values: Any, only: str) -> Table:
    given = _checked(values, Table, "the table", {"name"}, required={"title", "task", "split", "systems", "figures"})
    if given["split"] not in SPLITS:
        raise _Fault(f"'split' is '{given['split']}'; the valid ones are {', '.join(SPLITS)}.")
    figures = _list(given["figures"], str, "figures")
    if not figures:
        raise _Fault("'figures' is empty; give at least one, such as [bleu].")
    if not isinstance(given["systems"], dict) or not given["systems"]:
        raise _Fault("'systems' must hold systems by their names.")
    entries = {str(key): _entry(str(key), entry) for key, entry in given["systems"].items()}
    chosen = [key.strip() for key in only.split(",")] if only else list(entries)
    if strange := [key for key in chosen if key not in entries]:
        raise _Fault(f"There is no system '{strange[0]}'; the table has {', '.join(entries)}.")
    seeds = _list(given.get("seeds", [1]), int, "seeds")
    if not seeds:
        raise _Fault("'seeds' is empty; give at least one whole number.")
    systems = tuple(entries[key] for key in entries if key in chosen)
    for entry in systems:
        if entry.start and not any(one.key == entry.start and one.config and not one.start for one in systems):
            raise _Fault(
                f"System '{entry.key}' starts from '{entry.start}', which is none that is compared here and trained "
                "from chance."
            )
    return Table(
        name,
        str(given["title"]),
        given["task"],
        given["split"],
        seeds,
        figures,
        systems,
        _paper(given.get("truth", {}), "truth"),
        _list(given.get("folds", []), int, "folds"),
    )


def _entry(key: str, values: Any) -> Entry:
    given = _checked(values, Entry, f"system '{key}'", {"key"}, required={"label"})
    config, texts = str(given.get("config", "")), str(given.get("texts", ""))
    if bool(config) == bool(texts):
        known = ", ".join(systems.kinds(BASELINES))
        raise _Fault(f"System '{key}' needs either 'config' (a configuration) or 'texts' (one of {known}).")
    paper = _paper(given.get("paper", {}), f"paper of system '{key}'")
    start = str(given.get("start", ""))
    settings, search = (_list(given.get(name, []), str, f"{name} of system '{key}'") for name in ("settings", "search"))
    return Entry(key, str(given["label"]), config, settings, search, start, given.get("swap") is True, texts, paper)


def _paper(values: Any, what: str) -> Mapping[str, float]:
    if not isinstance(values, dict) or not all(isinstance(value, int | float) for value in values.values()):
        raise _Fault(f"'{what}' must hold numbers by the names of figures.")
    return dict(values)


def _checked(values: Any, kind: type, what: str, unset: set[str], required: set[str]) -> dict[str, Any]:
    """A section's values, after a look at its keys."""
    if not isinstance(values, dict):
        raise _Fault(f"{what} must hold settings, one `key: value` a line.")
    valid = [item.name for item in fields(kind) if item.name not in unset]
    for key in values:
        if key not in valid:
            raise _Fault(f"{what} has an unknown key '{key}'; the valid ones are {', '.join(valid)}.")
    for key in sorted(required - values.keys()):
        raise _Fault(f"{what} has no '{key}'.")
    return values


def _list(values: Any, kind: type, what: str) -> tuple[Any, ...]:
    if not isinstance(values, list) or not all(isinstance(value, kind) for value in values):
        raise _Fault(f"'{what}' must be a list, e.g. [{'1, 2' if kind is int else 'a, b'}].")
    return tuple(values)
