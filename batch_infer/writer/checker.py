"""Prove texts by another author, as a `Writer` proves its own."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from allsaid.modeling.config import SearchConfig
from allsaid.modeling.saved.knowledge import Knowledge
from allsaid.modeling.saved.model_folder import Bundle
from allsaid.modeling.text.restore import restore
from allsaid.proof.coverage import Coverage
from batch_infer.proof.judge import Judge
from batch_infer.proof.judges import judge_of
from batch_infer.proof.proof import Candidate, Candidates, Prover
from batch_infer.proof.requirements import Requirements
from batch_infer.rows.inputs import NO_TEXT, Row
from batch_infer.writer import Writer
from batch_infer.writer.results import Results, isolate_faults, prove
from batch_infer.writer.settings import WriterSettings
from schemas.texts.generated import SUBMITTED


@dataclass(frozen=True)
class CheckerSettings:
    min_coverage: float = 0.0  # % of its items that each text must give; texts below it are flagged
    name: str = ""  # of the registered model
    version: str = ""
    requirements: Requirements = field(default_factory=Requirements)
    mend: WriterSettings | None = None  # to generate replacements for uncertified texts; None: no replacements


class Checker:
    """Proves texts with the knowledge of a model, or of a table if there is no model."""

    def __init__(self, knowledge: Knowledge, settings: CheckerSettings) -> None:
        self.judge, self.settings = judge_of(knowledge), settings
        bundle = knowledge if isinstance(knowledge, Bundle) else None
        self.copies = bundle.copies if bundle else None
        self.writer = Writer(bundle, settings.mend) if bundle and settings.mend else None

    def make(self, rows: Sequence[Row]) -> Results:
        """Prove the ``submitted`` texts of prepared rows; an invalid row does not affect others."""
        return isolate_faults(self._make, rows)

    def _make(self, rows: Sequence[Row]) -> Results:
        started, settings = time.monotonic(), self.settings
        rows = [self.judge.mark_unfamiliar(row) for row in rows]
        texts: list[Candidates] = [row.error or self._candidates(row) for row in rows]
        measure = _Measured(self.judge)
        if self.writer is not None:
            rows, texts = _replace_failed(self.writer, rows, texts, measure)
        search = SearchConfig(min_coverage=settings.min_coverage)
        prover = Prover(
            self.judge, measure, search, settings.name, settings.version, requirements=settings.requirements
        )
        return Results(prove(prover, rows, texts, self.copies), 0, time.monotonic() - started, [], None)

    def _candidates(self, row: Row) -> Candidates:
        candidates = []
        for text in row.submitted:
            tokens, items = self.judge.read(text, row.prompt)
            plain = restore(tokens, self.judge.knowledge.casing).casefold()
            candidates.append(Candidate(tokens, items, text, plain, SUBMITTED))
        return candidates


class _Measured:
    """The judge's measure, once for each text."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        # By id(candidate). A value holds the candidate, so that Python does not reuse its id.
        self._measured: dict[int, tuple[Candidate, Coverage]] = {}

    def __call__(self, candidate: Candidate, prompt: Any) -> Coverage:  # Any: a row of the task, known only at run time
        key = id(candidate)
        if key not in self._measured:
            self._measured[key] = candidate, self._judge.measure_published(candidate.text, candidate.tokens, prompt)
        return self._measured[key][1]


def _replace_failed(
    writer: Writer, rows: Sequence[Row], texts: Sequence[Candidates], measure: _Measured
) -> tuple[list[Row], list[Candidates]]:
    """Replace the texts of each row where none is both certified and within the requirements."""
    rows, texts = list(rows), list(texts)

    def certified(place: int, candidates: Candidates) -> list[Candidate]:
        row, unmet = rows[place], writer.settings.requirements.unmet
        if isinstance(candidates, str):
            return []
        valid = [candidate for candidate in candidates if not unmet(candidate.text, row.goal)]
        return [candidate for candidate in valid if measure(candidate, row.prompt).certified]

    failed = [
        place
        for place, (row, candidates) in enumerate(zip(rows, texts, strict=True))
        if row.error in (None, NO_TEXT) and not certified(place, candidates)
    ]
    readable = [replace(rows[place], error=None) for place in failed]
    for place, row, generated in zip(failed, readable, writer.compose(readable) if readable else (), strict=True):
        best = certified(place, generated)[:1]
        if best:
            rows[place], texts[place] = row, best
    return rows, texts
