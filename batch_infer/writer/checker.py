"""Prove texts of another author, as a `Writer` proves its own."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from allsaid.modeling.config import SearchConfig
from allsaid.modeling.saved.knowledge import Knowledge
from allsaid.modeling.saved.model_folder import Bundle
from allsaid.modeling.text.restore import restore
from batch_infer.proof.judges import judge_of
from batch_infer.proof.proof import Candidate, Candidates, Prover
from batch_infer.rows.inputs import Row
from batch_infer.writer.made import Made, prove, with_faults_apart
from schemas.texts.generated import SUBMITTED


@dataclass(frozen=True)
class CheckerSettings:
    min_coverage: float = 0.0  # % of its items that each text must give; others are flagged
    name: str = ""  # of the registered model
    version: str = ""


class Checker:
    """The proof of texts by what a model knows, or what is known of a table without one."""

    def __init__(self, knowledge: Knowledge, settings: CheckerSettings) -> None:
        self.judge, self.settings = judge_of(knowledge), settings
        self.copies = knowledge.copies if isinstance(knowledge, Bundle) else None

    def make(self, rows: Sequence[Row]) -> Made:
        """Prove the ``submitted`` texts of prepared rows; a row at fault does not affect others."""
        return with_faults_apart(self._make, rows)

    def _make(self, rows: Sequence[Row]) -> Made:
        started, judge, settings = time.monotonic(), self.judge, self.settings
        rows = [judge.look(row) for row in rows]
        prover = Prover(
            judge,
            lambda one, prompt: judge.measure_published(one.text, one.tokens, prompt),
            SearchConfig(min_coverage=settings.min_coverage),
            settings.name,
            settings.version,
        )
        proven = prove(prover, rows, [row.error or self._candidates(row) for row in rows], self.copies)
        return Made(proven, 0, time.monotonic() - started, [], None)

    def _candidates(self, row: Row) -> Candidates:
        found = []
        for text in row.submitted:
            tokens, items = self.judge.read(text, row.prompt)
            plain = restore(tokens, self.judge.knowledge.casing).casefold()
            found.append(Candidate(tokens, items, text, plain, SUBMITTED))
        return found
