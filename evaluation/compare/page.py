"""A comparison as Markdown, and as one self-contained HTML page with plots and side-by-side texts."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jinja2 import Environment, StrictUndefined

from allsaid.markdown import table
from allsaid.modeling.layers.losses import NLL
from allsaid.proof.figures import Figure
from evaluation.compare import marks
from evaluation.compare.comparison import NONE, Comparison, Line
from evaluation.compare.marks import Piece
from evaluation.measures import attention
from evaluation.rating import read as rate_read
from evaluation.tasks.rows import VOCABULARY, Row

SIDE_BY_SIDE = 3  # examples whose texts are shown
COLOURS = ("#1f5f8b", "#b3541e", "#2f6b4a", "#7a3b8f", "#8a6d0b", "#a3213f", "#3d4f9f", "#0f7173", "#5b5b5b", "#9c4f8b")
WIDTH, HEIGHT, EDGE = 640, 300, 44  # of a plot, and of the margin for its figures
LOSS = f"dev_{NLL}"  # of a training run, at each epoch's end
TRUE = "true texts"


@dataclass(frozen=True)
class Bar:
    label: str
    ours: str
    paper: str
    ours_width: float  # 0 to 100
    paper_width: float


@dataclass(frozen=True)
class Curve:
    label: str
    colour: str
    points: str  # of an SVG polyline


@dataclass(frozen=True)
class Plot:
    curves: list[Curve]
    left: str  # what stands at the axes' ends
    right: str
    bottom: str
    top: str


@dataclass(frozen=True)
class Told:
    """A text beside others for the same agenda."""

    label: str
    pieces: list[Piece]
    row: Row | None  # None for the true text


@dataclass(frozen=True)
class SideBySide:
    goal: str
    agenda: list[str]
    texts: list[Told]


def markdown(found: Comparison) -> str:
    """The table, what its columns mean, and the runs behind it."""
    data = found.data.manifest
    runs = [
        (line.entry.label, run.model, run.train_id or NONE, run.run_id) for line in found.lines for run in line.runs
    ]
    parts = [
        f"# {found.table.title}",
        f"{found.table.lead}. Data set {data.source}, fingerprint {data.fingerprint}, split {found.table.split}.",
        table(found.header(), found.cells()),
        "\n".join(f"- {note}" for note in found.notes()),
        *_ratings(found),
        table(["system", "model", "run of kind train", "run of kind evaluate"], runs),
    ]
    return "\n\n".join(parts) + "\n"


def _ratings(found: Comparison) -> list[str]:
    told = []
    for study in found.ratings:
        said = f"{rate_read.title(study)}. {rate_read.study(study)} {rate_read.tally(study)}"
        told += [said, rate_read.markdown_table(study, rate_read.table(study))]
    return ["## What people say", *told] if told else []


def html(found: Comparison) -> str:
    template = Path(__file__).with_name("page.html.j2").read_text(encoding="utf-8")
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    return environment.from_string(template).render(
        found=found,
        rated=rate_read,
        manifest=found.data.manifest,
        bars={figure.name: _bars(found.lines, figure) for figure in found.figures},
        vocabulary=_vocabulary(found),
        attention=_attention(found),
        learning=_learning(found),
        examples=side_by_side(found.texts()),
        size=(WIDTH, HEIGHT, EDGE),
    )


def side_by_side(texts: Mapping[str, Sequence[Row]]) -> list[SideBySide]:
    """The examples on which the systems differ most in what they give, each with all systems' texts."""
    by_id = {label: {row.id: row for row in rows} for label, rows in texts.items()}
    common = set.intersection(*(set(rows) for rows in by_id.values()))
    spread = {}
    for one in common:
        given = [rows[one].percent_given or 0 for rows in by_id.values()]
        spread[one] = max(given) - min(given)
    shown = sorted(common, key=lambda one: (-spread[one], one))[:SIDE_BY_SIDE]
    return [_beside(one, by_id) for one in shown]


def _beside(one: str, by_id: Mapping[str, Mapping[str, Row]]) -> SideBySide:
    rows = {label: rows[one] for label, rows in by_id.items()}
    first = next(iter(rows.values()))
    told = [Told(label, marks.pieces(row), row) for label, row in rows.items()]
    return SideBySide(first.goal, first.agenda, [Told("Truth", [Piece(first.reference)], None), *told])


def _bars(lines: Sequence[Line], figure: Figure) -> list[Bar]:
    key = figure.key
    values = [value for line in lines for value in (line.ours(key), line.entry.paper.get(key)) if value]
    highest = max(values, default=1.0)
    return [
        Bar(
            line.entry.label,
            line.cell(figure),
            line.paper(key),
            100 * (line.ours(key) or 0) / highest,
            100 * line.entry.paper.get(key, 0) / highest,
        )
        for line in lines
    ]


def _vocabulary(found: Comparison) -> Plot | None:
    """Counts of the most used words, sorted by count, in the true texts and each system's (Figure 3)."""
    series: dict[str, list[tuple[float, float]]] = {}
    for line in found.lines:
        if VOCABULARY in found.server.files(line.runs[0].run_id):
            counts = found.server.document(line.runs[0].run_id, VOCABULARY)
            series[TRUE] = _ranked(counts["true"])
            series[line.entry.label] = _ranked(counts["texts"])
    series = {label: points for label, points in series.items() if points}
    return _plot(series, lambda value: f"{10**value:,.0f}") if series else None


def _ranked(counts: Sequence[int]) -> list[tuple[float, float]]:
    return [(math.log10(rank), math.log10(count)) for rank, count in enumerate(counts, start=1)]


def _attention(found: Comparison) -> Plot | None:
    """The share of words at which the attention's entropy is at most so many nats, of each system's first seed."""
    series: dict[str, list[tuple[float, float]]] = {}
    for line in found.lines:
        if attention.DOCUMENT in found.server.files(line.runs[0].run_id):
            curve = found.server.document(line.runs[0].run_id, attention.DOCUMENT)
            series[line.entry.label] = [*zip(curve["nats"], curve["shares"], strict=True)]
    return _plot(series, lambda value: f"{value:.2f}") if series else None


def _learning(found: Comparison) -> Plot | None:
    """The dev loss of a word over the training steps, of each system's first seed."""
    series = {
        line.entry.label: found.server.history(line.runs[0].train_id, LOSS)
        for line in found.lines
        if line.runs[0].train_id
    }
    series = {label: points for label, points in series.items() if points}
    return _plot(series, lambda value: f"{value:,.3g}") if series else None


def _plot(series: Mapping[str, Sequence[tuple[float, float]]], tell: Any) -> Plot:
    points = [point for curve in series.values() for point in curve]
    left, right = min(x for x, _ in points), max(x for x, _ in points)
    bottom, top = min(y for _, y in points), max(y for _, y in points)

    def place(x: float, y: float) -> str:
        across = (x - left) / ((right - left) or 1)
        up = (y - bottom) / ((top - bottom) or 1)
        return f"{EDGE + across * (WIDTH - 2 * EDGE):.1f},{HEIGHT - EDGE - up * (HEIGHT - 2 * EDGE):.1f}"

    curves = [
        Curve(label, COLOURS[number % len(COLOURS)], " ".join(place(*point) for point in curve))
        for number, (label, curve) in enumerate(series.items())
    ]
    return Plot(curves, tell(left), tell(right), tell(bottom), tell(top))
