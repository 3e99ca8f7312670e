"""The committed results of `benchmarks/`, and the forms in which pages show them."""

from __future__ import annotations

import json
import sys
import textwrap
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from allsaid.markdown import table
from allsaid.proof.figures import FIGURES
from evaluation.compare.table import EVERY, TRAINED

ROOT = Path(__file__).resolve().parents[2]
WIDTH = 119  # characters of a line
BOLD, ITALIC = "**", "*"  # marks of a cell with our figure: ours alone, differs from the paper's
OLDER = "measured with an earlier version of the code"
USED = defaultdict[str, dict[str, None]](dict)  # page -> the results that its figures come from


def result(name: str) -> Any:
    """Return the content of `benchmarks/results/NAME.json`, and note it for the page's :func:`measured`."""
    USED[_page()][name] = None
    return _content(name)


@cache
def _content(name: str) -> Any:
    return json.loads((ROOT / "benchmarks" / "results" / f"{name}.json").read_text(encoding="utf-8"))


@cache
def labels(name: str) -> dict[str, str]:
    """Return the words for the keys of a result, from `labels.yaml`."""
    return yaml.safe_load(Path(__file__).with_name("labels.yaml").read_text(encoding="utf-8"))[name]


def _page() -> str:
    """Return the path of the page that cog writes; "" if it writes none."""
    return getattr(sys.modules.get("cog"), "inFile", "")


@cache
def paper_table(name: str, task: str = "") -> Any:
    """Return the table of `evaluation/tables/NAME.yaml`; ``task`` chooses among several in one file."""
    text = (ROOT / "evaluation" / "tables" / f"{name}.yaml").read_text(encoding="utf-8")
    return next(each for each in yaml.safe_load_all(text) if task in ("", each["task"]))


def measured(*others: str) -> str:
    """Return a table of the results of the page above and of others: date, commit, whether they are old; and notes."""
    rows, notes = [], []
    for name in USED[_page()] | dict.fromkeys(others):
        run = _content(name)["measured"]
        commit = run["commit"].replace("+", ", with uncommitted changes")
        since = f"read until {run['same']}: no figure changes" if "same" in run else ""
        rows.append([f"`benchmarks/results/{name}.json`", run["date"], commit, "changed" if is_older(name) else since])
        notes += [paragraph(f"- `{name}`: {run['note']}").replace("\n", "\n  ")] if "note" in run else []
    head = table(["result", "measured on", "commit", "its code since then"], rows)
    return "\n".join([head, *([""] if notes else []), *notes])


def is_older(name: str) -> bool:
    """Return whether `python -m benchmarks.older` has marked a result as older than the code it measures."""
    return "older" in _content(name)["measured"]


def facts(values: Mapping[str, object]) -> str:
    """Return single figures as a table."""
    return table(["figure", "value"], [[name, str(value)] for name, value in values.items()])


def paragraph(text: str) -> str:
    """Break a text into lines; links and words with hyphens stay whole."""
    return textwrap.fill(" ".join(text.split()), WIDTH, break_long_words=False, break_on_hyphens=False)


def spread(system: Mapping[str, Any], key: str) -> str:
    """Return a figure with the deviation over several trainings or the interval of one; "" if it was not measured."""
    if key not in system:
        return ""
    figure, show = system[key], FIGURES[key].show
    if figure.get("deviation") is not None:
        return f"{show(figure['ours'])} ± {show(figure['deviation'])}"
    return show(figure["ours"]) + (f" [{show(figure['low'])}, {show(figure['high'])}]" if "low" in figure else "")


def as_measured(given: Mapping[str, Any], found: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a table with the reasons that lines of its result add, such as an earlier search."""
    entries = dict(given["systems"])
    for key, line in found["systems"].items():
        if why := "; ".join(one["differs"] for one in (entries[key], line) if "differs" in one):
            entries[key] = entries[key] | {"differs": why}
    return {**given, "systems": entries}


def not_measured(given: Mapping[str, Any], found: Mapping[str, Any]) -> dict[str, str]:
    """Return the lines of a table that its result lacks, as a fact; none if it has all."""
    missing = [entry["label"] for key, entry in given["systems"].items() if key not in found["systems"]]
    return {"not trained yet": "; ".join(missing)} if missing else {}


def marked(text: str, given: Mapping[str, Any], system: str, figure: str) -> str:
    """Return a cell of a paper's table, in bold if it is ours alone, in italics if it differs from the paper's."""
    mark = _mark(given, given["systems"][system], figure) if text else ""
    return f"{mark}{text}{mark}"


def marks(given: Mapping[str, Any], systems: Iterable[str], figures: Sequence[str]) -> str:
    """Return the reasons why a table's figures differ from the paper's, as a list; "" if none does."""
    entries = [given["systems"][system] for system in systems]
    lines: dict[str, list[str]] = {}  # reason -> labels of the systems
    for entry in entries:
        differing = [figure for figure in figures if _mark(given, entry, figure) == ITALIC]
        for reason in dict.fromkeys(why for figure in differing for why in _reasons(given, entry, figure)):
            lines.setdefault(reason, []).append(entry["label"])
    compared = sum("paper" in entry for entry in entries)
    notes = [f"- {why}" + ("" if len(of) > compared / 2 else f" ({'; '.join(of)})") for why, of in lines.items()]
    return "\n".join(notes)


def _mark(given: Mapping[str, Any], entry: Mapping[str, Any], figure: str) -> str:
    if not any("paper" in system for system in given["systems"].values()):
        return ""
    if figure not in entry.get("paper", {}):
        return BOLD
    return ITALIC if _reasons(given, entry, figure) else ""


def _reasons(given: Mapping[str, Any], entry: Mapping[str, Any], figure: str) -> list[str]:
    """Return why a figure of a paper's line differs from the paper's."""
    differs = given.get("differs", {})
    keys = [EVERY, *([TRAINED] if "config" in entry else []), figure]
    return [*(differs[key] for key in keys if key in differs), *([entry["differs"]] if "differs" in entry else [])]


def beside(key: str, ours: float, paper: float | None) -> str:
    """Return our figure, with the paper's in brackets if it has one."""
    return FIGURES[key].show(ours) + ("" if paper is None else f" ({paper:g})")
