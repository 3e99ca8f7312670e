"""The committed results of `benchmarks/`, and the forms in which pages show them."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from allsaid.proof.figures import FIGURES

ROOT = Path(__file__).resolve().parents[2]
WIDTH = 119  # letters of a line


@cache
def result(name: str) -> Any:
    """What `benchmarks/results/NAME.json` holds."""
    return json.loads((ROOT / "benchmarks" / "results" / f"{name}.json").read_text(encoding="utf-8"))


@cache
def paper_table(name: str, task: str = "") -> Any:
    """What `evaluation/tables/NAME.yaml` holds: systems by their names, with the paper's figures.

    ``task`` chooses where it holds a table for each of several.
    """
    text = (ROOT / "evaluation" / "tables" / f"{name}.yaml").read_text(encoding="utf-8")
    return next(one for one in yaml.safe_load_all(text) if task in ("", one["task"]))


def when(name: str, above: str = "") -> str:
    """When and with which code a result was measured, and what has changed since.

    ``above``: a result that stands above it on the page, whose note is not said again.
    """
    measured = result(name)["measured"]
    commit = measured["commit"].replace("+", " and changes not committed then")
    said = f"Measured on {measured['date']} with the code of commit {commit}"
    if "note" not in measured:
        return f"{said}."
    if above and measured["note"] == result(above)["measured"]["note"]:
        return f"{said}, before the same change."
    return f"{said}. {measured['note']}"


def paragraph(text: str) -> str:
    """Text broken into lines as the pages' others are; links and what stands between two hyphens stay whole."""
    return textwrap.fill(" ".join(text.split()), WIDTH, break_long_words=False, break_on_hyphens=False)


def point(text: str) -> str:
    """A paragraph as an entry of a list."""
    return paragraph(f"- {text}").replace("\n", "\n  ")


def spread(of: Mapping[str, Any], key: str) -> str:
    """A system's figure with the deviation over its trainings, or with the interval of one; "" where it has none."""
    if key not in of:
        return ""
    one, show = of[key], FIGURES[key].show
    if one.get("deviation") is not None:
        return f"{show(one['ours'])} ± {show(one['deviation'])}"
    return show(one["ours"]) + (f" [{show(one['low'])}, {show(one['high'])}]" if "low" in one else "")


def beside(key: str, ours: float, paper: float | None) -> str:
    """A figure of ours with the paper's in brackets, where it has one."""
    return FIGURES[key].show(ours) + ("" if paper is None else f" ({paper:g})")
