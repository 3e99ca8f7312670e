"""What a comparison holds: the runs of each system beside the paper's figures, as cells, notes and texts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median, stdev
from typing import Any

from allsaid.modeling.data.dataset import DataSet
from allsaid.proof.figures import WORDS, Figure
from evaluation.compare import differences
from evaluation.compare.differences import Differences
from evaluation.compare.table import Entry, Table
from evaluation.measures import meteor
from evaluation.tasks import evaluate
from evaluation.tasks.rows import TRUE, Row, from_table
from training.tracking.results import Server

NONE = "–"
PAPER = "paper"  # the title of a column of the paper's figures


@dataclass(frozen=True)
class Run:
    """A system's finished evaluation with one seed and, of a table with folds, on one fold."""

    run_id: str
    train_id: str  # of the run that trained its model, "" where nothing is trained
    model: str  # models:/NAME/VERSION, or the name of a system that is not trained
    figures: Mapping[str, float]


@dataclass(frozen=True)
class Line:
    entry: Entry
    runs: list[Run]  # one for each seed and fold

    def ours(self, figure: str) -> float | None:
        """The mean over the runs."""
        values = self.values(figure)
        return fmean(values) if values else None

    def values(self, figure: str) -> list[float]:
        return [run.figures[figure] for run in self.runs if figure in run.figures]

    def cell(self, figure: Figure, of_folds: bool = False) -> str:
        """Mean and deviation over the runs, of folds their median, too; of one run its bootstrap interval."""
        values, show = self.values(figure.key), figure.show
        if not values:
            return NONE
        if len(values) > 1:
            spread = f"{show(fmean(values))} ± {show(stdev(values))}"
            return f"{spread} ({show(median(values))})" if of_folds else spread
        return f"{show(values[0])} {evaluate.interval(self.runs[0].figures, figure)}".strip()

    def paper(self, figure: str) -> str:
        given = self.entry.paper.get(figure)
        return NONE if given is None else f"{given:g}"


@dataclass(frozen=True)
class Comparison:
    table: Table
    figures: list[Figure]  # the table's columns
    data: DataSet
    lines: list[Line]
    server: Server
    ratings: Sequence[dict[str, Any]] = ()  # studies of people's, as `allsaid rate read` tells them

    def header(self) -> list[str]:
        """A column for each figure; the paper's stand beside those that it has."""
        titles = [(figure.short, PAPER) for figure in self.figures]
        return ["system", *self._beside(titles)]

    def cells(self) -> list[list[str]]:
        """A row for each system, and one for the true texts where they were measured."""
        folds = bool(self.table.folds)
        rows = []
        for line in [*self.lines, *self.truth()]:
            pairs = [(line.cell(figure, folds), line.paper(figure.key)) for figure in self.figures]
            rows.append([line.entry.label, *self._beside(pairs)])
        return rows

    def _beside(self, pairs: list[tuple[str, str]]) -> Iterator[str]:
        """Of each figure's cells, ours and the paper's, the latter where the paper has any."""
        for figure, (ours, paper) in zip(self.figures, pairs, strict=True):
            yield ours
            if figure.key in self.table.of_paper:
                yield paper

    def truth(self) -> list[Line]:
        """The true texts' own figures, where its evaluations have them."""
        run = self.lines[0].runs[0]
        own = {name.removeprefix(TRUE): value for name, value in run.figures.items() if name.startswith(TRUE)}
        entry = Entry("truth", "True texts", paper=self.table.truth)
        return [] if own.keys().isdisjoint(self.table.figures) else [Line(entry, [Run(run.run_id, "", "", own)])]

    def notes(self) -> list[str]:
        """What a reader must know of the figures."""
        seeds, folds = len(self.table.seeds), len(self.table.folds)
        found = [_note(figure) for figure in self.figures]
        found += ["In brackets: the 95% bootstrap interval over the texts or documents of one run."]
        found += [f"Mean ± deviation over {seeds} seeds where a system is trained."] if seeds > 1 and not folds else []
        if folds:
            of = f"{folds} folds" if seeds == 1 else f"{seeds} seeds on each of {folds} folds"
            found.append(f"Mean ± deviation over {of}, in brackets the median. A fold without such words is left out.")
        wants_meteor = [figure for figure in self.table.figures if figure.startswith(meteor.PREFIX)]
        missing = any(line.ours(figure) is None for line in self.lines for figure in wants_meteor)
        labels = {line.entry.key: line.entry.label for line in self.lines}
        found += [
            differences.sentence(self.figures, labels[key], self.lines[0].entry.label, one)
            for key, one in self.differences().items()
        ]
        return found + (
            [f"{NONE} stands for a METEOR that could not be had. {meteor.unavailable()}"] if missing else []
        )

    def differences(self) -> dict[str, Differences]:
        """By the systems' names, of the first seed: how far their perplexities are from the first system's."""
        runs = {line.entry.key: line.runs[0].run_id for line in self.lines}
        return differences.measured(self.server, self.figures, runs)

    def texts(self) -> dict[str, list[Row]]:
        """The dev texts of each system's first seed, by its label."""
        return {line.entry.label: from_table(self.server.table(line.runs[0].run_id)) for line in self.lines}


def _note(figure: Figure) -> str:
    """What a column holds, and which way is better where there is one."""
    parts = [figure.name] if figure.name != figure.short else []
    parts += [WORDS[figure.better]] if figure.better else []
    return f"{figure.short}: {'; '.join(parts) or figure.name}."
