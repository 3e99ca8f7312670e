"""A comparison as Markdown and as one self-contained HTML page with plots and side-by-side texts."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from allsaid.markdown import table
from allsaid.modeling.layers.losses import NLL
from allsaid.proof.figures import Figure
from batch_infer.report import pages
from evaluation.compare import marks
from evaluation.compare.comparison import NONE, Comparison, Line
from evaluation.compare.marks import Piece
from evaluation.measures import attention
from evaluation.rating import read as rate_read
from evaluation.tasks.rows import VOCABULARY, Row

SIDE_BY_SIDE = 3  # examples whose texts are shown
COLOURS = ("#1f5f8b", "#b3541e", "#2f6b4a", "#7a3b8f", "#8a6d0b", "#a3213f", "#3d4f9f", "#0f7173", "#5b5b5b", "#9c4f8b")
WIDTH, HEIGHT, EDGE = 640, 300, 44  # pixels: size of a plot, and margin for its axis labels
LOSS = f"dev_{NLL}"  # metric of a training run at each epoch's end
REFERENCES = "reference texts"


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
    left: str  # labels of the axes' ends
    right: str
    bottom: str
    top: str


@dataclass(frozen=True)
class LabelledText:
    """One of the texts for the same agenda, with marks."""

    label: str
    pieces: list[Piece]
    row: Row | None  # None for the reference text


@dataclass(frozen=True)
class SideBySide:
    """The texts of all systems for one agenda."""

    goal: str
    agenda: list[str]
    texts: list[LabelledText]


def markdown(comparison: Comparison) -> str:
    """Return the table, the meaning of its columns, and its runs."""
    data, chosen = comparison.data.manifest, comparison.table
    runs = [
        (line.entry.label, run.model, run.train_id or NONE, run.run_id)
        for line in comparison.lines
        for run in line.runs
    ]
    parts = [
        f"# {chosen.title}",
        f"{chosen.lead}. Data set {data.source}, fingerprint {data.fingerprint}, split {chosen.split}.",
        table(comparison.header(), comparison.cells()),
        "\n".join(f"- {note}" for note in comparison.notes()),
        *_ratings(comparison),
        table(["system", "model", "run of kind train", "run of kind evaluate"], runs),
    ]
    return "\n\n".join(parts) + "\n"


def _ratings(comparison: Comparison) -> list[str]:
    parts = []
    for study in comparison.ratings:
        parts.append(f"{rate_read.title(study)}. {rate_read.study(study)} {rate_read.tally(study)}")
        parts.append(rate_read.markdown_table(study))
    return ["## Human ratings", *parts] if parts else []


def html(comparison: Comparison) -> str:
    """Return the HTML page; it loads nothing from elsewhere."""
    return pages.render(
        "page.html.j2",
        __package__,
        comparison=comparison,
        rated=rate_read,
        manifest=comparison.data.manifest,
        bars={figure.name: _bars(comparison.lines, figure) for figure in comparison.figures},
        vocabulary=_vocabulary(comparison),
        attention=_attention(comparison),
        learning=_learning(comparison),
        examples=side_by_side(comparison.texts()),
        size=(WIDTH, HEIGHT, EDGE),
    )


def side_by_side(texts: Mapping[str, Sequence[Row]]) -> list[SideBySide]:
    """Return the examples whose coverage differs most between the systems, with all systems' texts."""
    by_id = {label: {row.id: row for row in rows} for label, rows in texts.items()}
    common = set.intersection(*(set(rows) for rows in by_id.values()))
    spread = {}
    for row_id in common:
        percents = [rows[row_id].percent_given or 0 for rows in by_id.values()]
        spread[row_id] = max(percents) - min(percents)
    widest = sorted(common, key=lambda row_id: (-spread[row_id], row_id))[:SIDE_BY_SIDE]
    return [_example({label: rows[row_id] for label, rows in by_id.items()}) for row_id in widest]


def _example(rows: Mapping[str, Row]) -> SideBySide:
    first = next(iter(rows.values()))
    reference = LabelledText("Reference", [Piece(first.reference)], None)
    texts = [LabelledText(label, marks.pieces(row), row) for label, row in rows.items()]
    return SideBySide(first.goal, first.agenda, [reference, *texts])


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


def _vocabulary(comparison: Comparison) -> Plot | None:
    """Plot the counts of the most frequent words in the reference texts and each system's texts (Figure 3)."""
    series: dict[str, list[tuple[float, float]]] = {}
    for label, counts in _documents(comparison, VOCABULARY):
        series[REFERENCES] = _ranked(counts["true"])
        series[label] = _ranked(counts["texts"])
    return _plot(series, lambda value: f"{10**value:,.0f}")


def _documents(comparison: Comparison, name: str) -> Iterator[tuple[str, Mapping[str, Sequence[float]]]]:
    """Yield the label of each system whose first run has a JSON file of this name, and the file's content."""
    for line in comparison.lines:
        run_id = line.runs[0].run_id
        if name in comparison.server.files(run_id):
            yield line.entry.label, comparison.server.document(run_id, name)


def _ranked(counts: Sequence[float]) -> list[tuple[float, float]]:
    return [(math.log10(rank), math.log10(count)) for rank, count in enumerate(counts, start=1)]


def _attention(comparison: Comparison) -> Plot | None:
    """Plot the share of tokens whose attention has at most a given entropy, for each system's first seed."""
    series = {
        label: [*zip(curve["nats"], curve["shares"], strict=True)]
        for label, curve in _documents(comparison, attention.DOCUMENT)
    }
    return _plot(series, lambda value: f"{value:.2f}")


def _learning(comparison: Comparison) -> Plot | None:
    """Plot the dev loss per token over the training steps, for each system's first seed."""
    series = {
        line.entry.label: comparison.server.history(line.runs[0].train_id, LOSS)
        for line in comparison.lines
        if line.runs[0].train_id
    }
    return _plot(series, lambda value: f"{value:,.3g}")


def _plot(series: Mapping[str, Sequence[tuple[float, float]]], label: Callable[[float], str]) -> Plot | None:
    """Return the plot of the curves that have points; None if there are none. label: writes a value at an axis."""
    series = {name: curve for name, curve in series.items() if curve}
    if not series:
        return None
    points = [point for curve in series.values() for point in curve]
    left, right = min(x for x, _ in points), max(x for x, _ in points)
    bottom, top = min(y for _, y in points), max(y for _, y in points)

    def point(x: float, y: float) -> str:
        across = (x - left) / ((right - left) or 1)
        up = (y - bottom) / ((top - bottom) or 1)
        return f"{EDGE + across * (WIDTH - 2 * EDGE):.1f},{HEIGHT - EDGE - up * (HEIGHT - 2 * EDGE):.1f}"

    curves = [
        Curve(name, COLOURS[number % len(COLOURS)], " ".join(point(*xy) for xy in curve))
        for number, (name, curve) in enumerate(series.items())
    ]
    return Plot(curves, label(left), label(right), label(bottom), label(top))
