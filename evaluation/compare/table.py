"""Tables of systems to train, evaluate and show next to a paper's figures, read from YAML.

A file may hold several tables, one YAML document each, for data sets of different tasks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any  # Any: values of YAML, checked here

import yaml

from allsaid.modeling import systems
from evaluation.tables import SHIPPED
from schemas.errors import UserError
from schemas.example import SPLITS
from training.baselines import BASELINES

EVERY, TRAINED = "every", "trained"  # keys of `Table.differs`: all lines, the lines of trained systems


@dataclass(frozen=True)
class Entry:
    """A row of the table: a system that a configuration trains, or a baseline."""

    key: str
    label: str
    config: str = ""  # a YAML file, or the name of a shipped one; "" for a baseline
    settings: tuple[str, ...] = ()  # key=value, for the configuration
    search: tuple[str, ...] = ()  # key=value, for the search; the model stays the same
    start: str = ""  # key of the system whose weights, of the same seed, the training starts from
    swap: bool = False  # NN-Swap: the model rewrites the nearest training text
    texts: str = ""  # instead of `config`: the name of a baseline
    paper: Mapping[str, float] = field(default_factory=dict)  # figure -> the paper's value
    differs: str = ""  # why this line's figures can't be compared with the paper's


@dataclass(frozen=True)
class Table:
    """A comparison of systems as its YAML describes it."""

    name: str
    title: str
    task: str  # the protocol by which the systems are scored, as the `protocol` of their task names it
    split: str
    seeds: tuple[int, ...]  # one training of each system per seed
    figures: tuple[str, ...]  # the columns; each is a figure of the protocol
    systems: tuple[Entry, ...]
    truth: Mapping[str, float]  # the paper's figures of the reference texts
    differs: Mapping[str, str] = field(default_factory=dict)  # reasons as in `Entry`, by figure, TRAINED or EVERY
    folds: tuple[int, ...] = ()  # folds of dialogues, each the test part of one training; (): use the data set's splits

    @property
    def figures_of_paper(self) -> set[str]:
        """The columns for which the paper has a figure."""
        papers = [self.truth, *(entry.paper for entry in self.systems)]
        return {figure for figure in self.figures if any(figure in paper for paper in papers)}

    @property
    def lead(self) -> str:
        """The beginning of a sentence that introduces the figures."""
        return "Our figures beside the paper's" if self.figures_of_paper else "Our figures"

    @property
    def trainings(self) -> list[tuple[str, ...]]:
        """The settings of each training of a system, in addition to the system's own."""
        folds: list[tuple[str, ...]] = [(f"fold={fold}",) for fold in self.folds] or [()]
        return [(f"seed={seed}", *fold) for seed in self.seeds for fold in folds]


def read(source: str, only: str = "", fits: Callable[[Table], bool] = lambda _: True) -> Table:
    """Read a shipped table by its name, or a YAML file.

    ``only`` names the systems to return, separated by commas. If a file has several tables, the first that ``fits`` is
    returned, or else the first one. Raises UserError for an unknown name or a fault in the file.
    """
    path = Path(source)
    if path.is_file():
        text = path.read_text(encoding="utf-8")
    elif source in SHIPPED:
        text = SHIPPED[source].read_text(encoding="utf-8")
    else:
        names = ", ".join(SHIPPED)
        raise UserError(f"There is no table '{source}', neither as a file nor among the shipped ones: {names}.")
    try:
        documents = [*yaml.safe_load_all(text)] or [None]
        tables = [_table(path.stem, values, "") for values in documents]
        index = next((index for index, table in enumerate(tables) if fits(table)), 0)
        return _table(path.stem, documents[index], only)
    except yaml.YAMLError as fault:
        raise UserError(f"{source} is not valid YAML: {fault}.") from fault
    except _Fault as fault:
        raise UserError(f"{source}: {fault}") from fault


class _Fault(Exception):
    """The fault of a table, as a sentence; :func:`read` adds the name of the file."""


# Values from YAML may be anything (Any) until they are checked here.


def _table(name: str, values: Any, only: str) -> Table:
    section = _checked(values, Table, "the table", {"name"}, required={"title", "task", "split", "systems", "figures"})
    if section["split"] not in SPLITS:
        raise _Fault(f"'split' is '{section['split']}'; the valid ones are {', '.join(SPLITS)}.")
    figures = _list(section["figures"], str, "figures")
    if not figures:
        raise _Fault("'figures' is empty; give at least one, such as [bleu].")
    if not isinstance(section["systems"], dict) or not section["systems"]:
        raise _Fault("'systems' must hold systems by their names.")
    entries = {str(key): _entry(str(key), entry) for key, entry in section["systems"].items()}
    chosen = [key.strip() for key in only.split(",")] if only else list(entries)
    if unknown := [key for key in chosen if key not in entries]:
        raise _Fault(f"There is no system '{unknown[0]}'; the table has {', '.join(entries)}.")
    seeds = _list(section.get("seeds", [1]), int, "seeds")
    if not seeds:
        raise _Fault("'seeds' is empty; give at least one whole number.")
    systems = tuple(entries[key] for key in entries if key in chosen)
    for entry in systems:
        starts = [other.key for other in systems if other.config and not other.start]
        if entry.start and entry.start not in starts:
            raise _Fault(
                f"System '{entry.key}' starts from '{entry.start}', which must be a system of this comparison that is "
                f"trained from random weights: {', '.join(starts) or 'there is none'}."
            )
    return Table(
        name,
        str(section["title"]),
        section["task"],
        section["split"],
        seeds,
        figures,
        systems,
        _paper(section.get("truth", {}), "truth"),
        _reasons(section.get("differs", {}), figures),
        _list(section.get("folds", []), int, "folds"),
    )


def _entry(key: str, values: Any) -> Entry:
    entry = _checked(values, Entry, f"system '{key}'", {"key"}, required={"label"})
    config, texts = str(entry.get("config", "")), str(entry.get("texts", ""))
    if bool(config) == bool(texts):
        known = ", ".join(systems.kinds(BASELINES))
        raise _Fault(f"System '{key}' needs either 'config' (a configuration) or 'texts' (one of {known}).")
    paper = _paper(entry.get("paper", {}), f"paper of system '{key}'")
    start = str(entry.get("start", ""))
    settings, search = (_list(entry.get(part, []), str, f"{part} of system '{key}'") for part in ("settings", "search"))
    swap, differs = entry.get("swap") is True, str(entry.get("differs", ""))
    return Entry(key, str(entry["label"]), config, settings, search, start, swap, texts, paper, differs)


def _paper(values: Any, key: str) -> Mapping[str, float]:
    if not isinstance(values, dict) or not all(isinstance(value, int | float) for value in values.values()):
        raise _Fault(f"'{key}' must hold numbers by the names of figures.")
    return dict(values)


def _reasons(values: Any, figures: Sequence[str]) -> Mapping[str, str]:
    known = (EVERY, TRAINED, *figures)
    if not isinstance(values, dict) or not all(key in known and isinstance(values[key], str) for key in values):
        raise _Fault(f"'differs' must hold reasons as texts, by {', '.join(known)}.")
    return dict(values)


def _checked(values: Any, kind: type, section: str, unset: set[str], required: set[str]) -> dict[str, Any]:
    """Return a section's values; raise _Fault for unknown or missing keys."""
    if not isinstance(values, dict):
        raise _Fault(f"{section} must hold settings, one `key: value` per line.")
    valid = [item.name for item in fields(kind) if item.name not in unset]
    for key in values:
        if key not in valid:
            raise _Fault(f"{section} has an unknown key '{key}'; the valid ones are {', '.join(valid)}.")
    for key in sorted(required - values.keys()):
        raise _Fault(f"{section} has no '{key}'.")
    return values


def _list(values: Any, kind: type, key: str) -> tuple[Any, ...]:
    if not isinstance(values, list) or not all(isinstance(value, kind) for value in values):
        raise _Fault(f"'{key}' must be a list, e.g. [{'1, 2' if kind is int else 'a, b'}].")
    return tuple(values)
