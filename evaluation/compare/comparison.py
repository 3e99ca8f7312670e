"""The contents of a comparison: each system's runs next to the paper's figures, as cells, notes and texts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median, stdev

from allsaid.modeling.data.dataset import DataSet
from allsaid.proof.figures import WORDS, Figure
from evaluation.compare import differences
from evaluation.compare.differences import Differences
from evaluation.compare.table import Entry, Table
from evaluation.measures import meteor
from evaluation.rating.read import Result
from evaluation.tasks import evaluate
from evaluation.tasks.rows import TRUE, Row, from_table
from training.tracking.results import Server

NONE = "–"
PAPER = "paper"  # title of a column with the paper's figures


@dataclass(frozen=True)
class Run:
    """The evaluation of a system for one seed and, in a table with folds, on one fold."""

    run_id: str
    train_id: str  # id of the training run; "" for a system without training
    model: str  # models:/NAME/VERSION, or the name of a system without training
    figures: Mapping[str, float]


@dataclass(frozen=True)
class Line:
    """A row of the comparison's table."""

    entry: Entry
    runs: list[Run]  # one for each seed and fold

    def ours(self, figure: str) -> float | None:
        """Return the mean over the runs; None if no run has the figure."""
        values = self.values(figure)
        return fmean(values) if values else None

    def values(self, figure: str) -> list[float]:
        return [run.figures[figure] for run in self.runs if figure in run.figures]

    def cell(self, figure: Figure, of_folds: bool = False) -> str:
        """Return mean and deviation over several runs (for folds also the median), or one run's bootstrap interval."""
        values, show = self.values(figure.key), figure.show
        if not values:
            return NONE
        if len(values) > 1:
            spread = f"{show(fmean(values))} ± {show(stdev(values))}"
            return f"{spread} ({show(median(values))})" if of_folds else spread
        return f"{show(values[0])} {evaluate.interval(self.runs[0].figures, figure)}".strip()

    def paper(self, figure: str) -> str:
        value = self.entry.paper.get(figure)
        return NONE if value is None else f"{value:g}"


@dataclass(frozen=True)
class Comparison:
    """All systems of a table with their runs."""

    table: Table
    figures: list[Figure]  # the table's columns
    data: DataSet
    lines: list[Line]
    server: Server
    ratings: Sequence[Result] = ()  # studies with human raters

    def header(self) -> list[str]:
        """Return the titles: one for each figure, followed by the paper's if the paper has that figure."""
        titles = [(figure.short, PAPER) for figure in self.figures]
        return ["system", *self._with_paper(titles)]

    def cells(self) -> list[list[str]]:
        """Return a row for each system, and one for the reference texts if they were measured."""
        folds = bool(self.table.folds)
        rows = []
        for line in [*self.lines, *self.truth()]:
            pairs = [(line.cell(figure, folds), line.paper(figure.key)) for figure in self.figures]
            rows.append([line.entry.label, *self._with_paper(pairs)])
        return rows

    def _with_paper(self, pairs: list[tuple[str, str]]) -> Iterator[str]:
        """Yield our cell of each figure, and then the paper's if the paper has that figure."""
        for figure, (ours, paper) in zip(self.figures, pairs, strict=True):
            yield ours
            if figure.key in self.table.figures_of_paper:
                yield paper

    def truth(self) -> list[Line]:
        """Return the line of the reference texts, if the evaluations have their figures."""
        run = self.lines[0].runs[0]
        true = {name.removeprefix(TRUE): value for name, value in run.figures.items() if name.startswith(TRUE)}
        entry = Entry("truth", "Reference texts", paper=self.table.truth)
        return [] if true.keys().isdisjoint(self.table.figures) else [Line(entry, [Run(run.run_id, "", "", true)])]

    def notes(self) -> list[str]:
        """Return the sentences that explain the figures."""
        seeds, folds = len(self.table.seeds), len(self.table.folds)
        notes = [_note(figure) for figure in self.figures]
        notes.append("In brackets: the 95% bootstrap interval over the texts or documents of one run.")
        if folds:
            of = f"{folds} folds" if seeds == 1 else f"{seeds} seeds on each of {folds} folds"
            notes.append(f"Mean ± deviation over {of}, in brackets the median. A fold without such words is left out.")
        elif seeds > 1:
            notes.append(f"Mean ± deviation over {seeds} seeds for systems that are trained.")
        notes += [f"Unlike in the paper, {what}: {why}." for what, why in self.table.differs.items()]
        differing = [line.entry for line in self.lines if line.entry.differs]
        notes += [f"Unlike in the paper, {entry.label}: {entry.differs}." for entry in differing]
        labels = {line.entry.key: line.entry.label for line in self.lines}
        for key, difference in self.differences().items():
            notes.append(differences.sentence(self.figures, labels[key], self.lines[0].entry.label, difference))
        wants_meteor = [figure for figure in self.table.figures if figure.startswith(meteor.PREFIX)]
        if any(line.ours(figure) is None for line in self.lines for figure in wants_meteor):
            notes.append(f"{NONE}: METEOR could not be computed. {meteor.unavailable()}")
        return notes

    def differences(self) -> dict[str, Differences]:
        """Return the differences of each system's perplexities to those of the first system, for the first seed."""
        runs = {line.entry.key: line.runs[0].run_id for line in self.lines}
        return differences.differences_to_first(self.server, self.figures, runs)

    def texts(self) -> dict[str, list[Row]]:
        """Return the texts of each system's first seed by the system's label."""
        return {line.entry.label: from_table(self.server.table(line.runs[0].run_id)) for line in self.lines}


def _note(figure: Figure) -> str:
    """Return what a column holds, which direction is better if there is one, and its key in MLflow."""
    parts = [figure.name] if figure.name != figure.short else []
    parts += [WORDS[figure.better]] if figure.better else []
    return f"{figure.short}: {'; '.join([*parts, f'{figure.key} in MLflow'])}."
