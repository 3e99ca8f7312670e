"""Generate texts for rows, each with its proof.

`Writer` is the common core of the job, the pyfunc, the trial page and evaluation.

```python
from batch_infer.writer import TextOptions, Writer

writer = Writer.load("models:/products@champion", TextOptions(min_coverage=100))
for texts in writer.write([{"kind": "mug", "name": "Kestrel 7", "price": "12.50"}]):
    print(texts[0].text, texts[0].missing, texts[0].certified)
```
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from allsaid.decoding.hypothesis import Hypothesis
from allsaid.decoding.measured import Measured
from allsaid.decoding.write import write
from allsaid.modeling.saved.model_folder import Bundle, load
from batch_infer.options.texts import TextOptions
from batch_infer.proof.choice import Chooser
from batch_infer.proof.judges import judge_of
from batch_infer.proof.proof import Candidate, Candidates, Prover
from batch_infer.proof.reading import Chosen, Read, read_chosen
from batch_infer.rows.given import rows_of
from batch_infer.rows.inputs import Row
from batch_infer.rows.kinds.turns import TableFile
from batch_infer.writer.results import Results, isolate_faults, prove
from batch_infer.writer.settings import WriterSettings, settings_of
from pipelines.linking import phrases
from schemas.checks.table import from_table
from schemas.phrase import Phrase
from schemas.texts.generated import BY_MODEL, Generated
from training.tracking.registry import resolve

OWN = TextOptions()  # the model's own settings


class Writer:
    """A loaded model that generates texts by some settings."""

    def __init__(self, bundle: Bundle, settings: WriterSettings) -> None:
        """Set the settings and the model's judge; raise UserError for a model that generates no texts."""
        self.settings = settings
        if settings.sentence_case:
            bundle = replace(bundle, casing=replace(bundle.casing, capitals=True, marks=True))
        if settings.struck and bundle.phrasebook is not None:
            bundle = replace(bundle, phrasebook=bundle.phrasebook.without(settings.struck))
        self.bundle, self.judge = bundle, judge_of(bundle)

    @classmethod
    def load(cls, model: str, options: TextOptions = OWN, device: str = "cpu") -> Writer:
        """Load models:/NAME@ALIAS, models:/NAME/VERSION or a model folder; raise UserError if it can't be loaded."""
        resolved = resolve(model)
        bundle = load(resolved.folder, device)
        return cls(bundle, settings_of(options, bundle, resolved.name, resolved.version, device))

    def read(self, rows: Sequence[Mapping[str, object]], table: TableFile | None = None) -> list[Row]:
        """Prepare rows given as dictionaries for the model.

        The keys are goal and agenda, the columns of the user's table, or the task's own fields. The ids are the rows'
        numbers, from 0. table: the offers that rows of a dialogue refer to. The ``error`` of an invalid row holds the
        message. Raises UserError if a column of the user's table is missing.
        """
        columns = list(dict.fromkeys(name for row in rows for name in row))
        prepared = rows_of(self.bundle, self._phrases, rows, columns, table)
        return [replace(row, id=str(number)) for number, row in enumerate(prepared)]

    def write(self, rows: Sequence[Mapping[str, object]], table: TableFile | None = None) -> list[list[Generated]]:
        """Return the texts of each row, best first, each with its proof.

        An invalid row has one `Generated`, whose ``error`` holds the message.
        """
        return [texts for texts, _ in self.make(self.read(rows, table)).proven] if rows else []

    def make(self, rows: Sequence[Row]) -> Results:
        """Generate texts for prepared rows; if that fails, try each half, so that one bad row does not affect others.

        Raises UserError for an infrastructure error.
        """
        return isolate_faults(self._make, rows)

    def _make(self, rows: Sequence[Row]) -> Results:
        judge, settings = self.judge, self.settings
        rows = [judge.mark_unfamiliar(row, settings.refuse_unfamiliar) for row in rows]
        started = time.monotonic()
        measure = Measured(judge.measure)
        chooser = self._chooser(measure)
        composed = self._compose(rows, chooser)
        seconds = time.monotonic() - started
        texts = [self._candidates(row, chosen) for row, chosen in zip(rows, composed.chosen, strict=True)]
        prover = Prover(
            judge,
            lambda candidate, prompt: measure(candidate.tokens, prompt),
            settings.search,
            settings.name,
            settings.version,
            chooser.unwritable,
            settings.requirements,
        )
        proven = prove(prover, rows, texts, self.bundle.copies)
        return Results(proven, sum(row.error is None for row in rows), seconds, composed.attention, composed.cells)

    def compose(self, rows: Sequence[Row]) -> list[Candidates]:
        """Return the texts of prepared rows, best first, without their proof."""
        composed = self._compose(rows, self._chooser(Measured(self.judge.measure)))
        return [self._candidates(row, chosen) for row, chosen in zip(rows, composed.chosen, strict=True)]

    def _chooser(self, measure: Measured) -> Chooser:
        settings = self.settings
        return Chooser(self.bundle, self.judge, measure, settings.search, settings.banned, settings.requirements)

    def _compose(self, rows: Sequence[Row], chooser: Chooser) -> Read:
        prompts = [row.prompt for row in rows if row.error is None]
        hypotheses = iter(self.hypotheses(prompts, chooser.measure))
        chosen = [chooser.choose(row, next(hypotheses) if row.error is None else row.error) for row in rows]
        return read_chosen(rows, chosen, self.bundle, self.settings.search, self.settings.attention)

    def hypotheses(self, prompts: Sequence[Any], measure: Measured | None = None) -> list[list[Hypothesis]]:
        """Return the hypotheses of each prompt, best first; :meth:`make` chooses among these and proves them.

        prompts: rows of the model's task (Any: known only at run time). measure: the judge's measure; pass
        it to reuse its results in a later proof.
        """
        settings, measure = self.settings, measure or Measured(self.judge.measure)
        return write(self.bundle, prompts, settings.search, settings.banned, measure) if prompts else []

    def _candidates(self, row: Row, chosen: Chosen) -> Candidates:
        """Return the chosen texts of a row as candidates for the proof, or the reason why there are none."""
        if isinstance(chosen, str):
            return chosen
        words = [self.bundle.words(hypothesis.tokens, row.prompt) for hypothesis in chosen.values()]
        return [
            Candidate(
                tokens,
                hypothesis.items,
                self.judge.publish(tokens, row.prompt),
                plain,
                BY_MODEL,
                hypothesis.log_probability,
                hypothesis.is_assembled,
                hypothesis.edited,
            )
            for tokens, (plain, hypothesis) in zip(words, chosen.items(), strict=True)
        ]

    @cached_property
    def _phrases(self) -> Sequence[phrases.Pass]:
        return phrases.passes(from_table(self.bundle.phrases, Phrase))
