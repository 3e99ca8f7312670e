"""Conversion of a row's texts to rows of output, each with the proof of its content."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from allsaid.decoding.editing.provenance import Edited
from allsaid.modeling.config import SearchConfig
from allsaid.proof.coverage import Coverage
from allsaid.proof.findings import retry_line
from batch_infer.proof.judge import Judge
from batch_infer.proof.reasons import Reason, general
from batch_infer.proof.requirements import Requirements
from batch_infer.proof.tally import Tally, shares_of
from batch_infer.rows.inputs import Row
from schemas.texts.generated import BY_MODEL, NO_PLACE, Generated, goal_line


@dataclass(frozen=True)
class Candidate:
    """A text of T tokens to be proven."""

    tokens: list[str]  # T, with placeholders where the row's items have some
    items: list[int]  # T positions in the agenda, NO_ITEM where a token refers to none
    text: str  # as published
    plain: str  # with placeholders and in lower case: equal for texts that differ only in values
    origin: str  # BY_MODEL or SUBMITTED
    log_probability: float | None = None  # of a generated text
    is_assembled: bool = False  # from sentences of training texts
    edited: Edited | None = None  # from a training recipe


Candidates = Sequence[Candidate] | str  # the texts of a row, or the reason why there is no text
Unwritable = Callable[[Row], Mapping[int, str]]  # row -> items that no text of it can mention, and why


class Prover:
    """Builder of the output rows of texts, which also counts them in a tally."""

    def __init__(
        self,
        judge: Judge,
        measure: Callable[[Candidate, Any], Coverage],  # Any: a row of the task, known only at run time
        search: SearchConfig,
        name: str,
        version: str,
        unwritable: Unwritable | None = None,
        requirements: Requirements | None = None,
    ) -> None:
        """Set the judge and the model's name and version.

        measure: the judge's measure, which may cache results of the search. unwritable: None if texts were submitted.
        """
        self.judge, self.measure, self.search = judge, measure, search
        self.requirements = requirements or Requirements()
        self.name, self.version, self.unwritable = name, version, unwritable

    def texts(self, row_id: str, row: Row, chosen: Candidates, tally: Tally) -> list[Generated]:
        """Return at least one row of output: the chosen texts, or the reason why there is no text."""
        tally.unfamiliar_rows += bool(row.unfamiliar)
        tally.unfamiliar_goals += goal_line(row.goal) in row.unfamiliar
        if isinstance(chosen, str):
            tally.unproven += len(row.submitted)
            tally.add_error(Reason(general(chosen, self.judge.columns), 1, chosen, [row_id]))
            return [self._error(row_id, row, chosen)]
        if row.reference_tokens:
            coverage = self.judge.measure_reference(row.reference_tokens, row.prompt)
            tally.add_reference(
                self.judge.figures(row.reference_tokens, row.prompt, coverage) | shares_of(coverage.grade)
            )
        is_replaced = self.unwritable is None and chosen[0].origin == BY_MODEL  # submitted texts, by one of the model
        tally.mended_rows += is_replaced
        tally.replaced_texts += len(row.submitted) if is_replaced else 0
        tally.rows_with_several_texts += len(row.submitted) > 1
        tally.rows_with_fewer_texts += len(chosen) < self.search.texts
        return [
            self._text(row_id, row, candidate, tally, number, len(chosen)) for number, candidate in enumerate(chosen)
        ]

    def _text(self, row_id: str, row: Row, candidate: Candidate, tally: Tally, number: int, found: int) -> Generated:
        prompt, judge = row.prompt, self.judge
        title, lines = judge.knowledge.text_task.show(prompt)
        coverage = self.measure(candidate, prompt)
        figures = judge.figures(candidate.tokens, prompt, coverage)
        below = bool(coverage.given) and 100 * sum(coverage.given) < self.search.min_coverage * len(coverage.given)
        required = judge.required_lines(prompt)
        missing = [item for item, given in zip(required, coverage.given, strict=True) if not given]
        # Of the missing items, those that can't be written, and the requirements that the text does not meet.
        unfitted = {required[item]: why for item, why in self._unfitted(row, coverage, below).items()}
        unfitted |= self.requirements.unmet(candidate.text, title)
        tally.add_text(figures, coverage.faults > 0, candidate.plain)
        tally.records += judge.is_record(prompt)  # a row of values rather than of names
        tally.below_min_coverage += below
        tally.add_certificate(coverage, row_id)
        tally.add_findings(coverage)
        tally.assembled_texts += candidate.is_assembled
        tally.unfitted_items += len(unfitted)
        findings = (*coverage.recipe, *coverage.findings)
        return Generated(
            id=row_id,
            goal=title,
            agenda=lines,
            text=candidate.text,
            tokens=candidate.tokens,
            ref_items=candidate.items,
            used=[item for item, given in zip(required, coverage.given, strict=True) if given],
            missing=missing,
            extra=coverage.extra,
            percent_given=figures.get("percent_given"),
            percent_given_full_name=figures.get("percent_given_full_name"),
            percent_given_any_word=figures.get("percent_given_any_word"),
            extra_count=len(coverage.extra) if "extra_items" in figures else None,
            log_probability=None if candidate.log_probability is None else round(candidate.log_probability, 4),
            origin=candidate.origin,
            replaced=list(row.submitted) if candidate.origin == BY_MODEL else [],
            model_name=self.name,
            model_version=self.version,
            error=None,
            text_number=number,
            texts_found=found,
            below_min_coverage=below,
            unfitted=list(unfitted),
            unfitted_why=list(unfitted.values()),
            certified=coverage.certified,
            unattested=list(coverage.unattested),
            is_assembled=candidate.is_assembled,
            claims=judge.claims(candidate.text),
            unfamiliar=row.unfamiliar,
            findings=[*findings],
            retry=retry_line(row_id, missing, findings),
            **(_provenance(candidate.edited) if candidate.edited else {}),
        )

    def _unfitted(self, row: Row, coverage: Coverage, below: bool) -> dict[int, str]:
        """Return the missing items that can't be written, and why; below ``min_coverage`` all others too (NO_PLACE)."""
        missing = [item for item, given in enumerate(coverage.given) if not given]
        # If a task reads rows itself, the search fits no items into its texts.
        if not missing or row.task_row is not None or self.unwritable is None:
            return {}
        why = self.unwritable(row)
        return {item: why.get(item, NO_PLACE) for item in missing if item in why or below}

    def _error(self, row_id: str, row: Row, error: str) -> Generated:
        return Generated(
            id=row_id,
            goal=row.goal,
            agenda=row.agenda,
            text="",
            tokens=[],
            ref_items=[],
            used=[],
            missing=[],
            extra=[],
            percent_given=None,
            percent_given_full_name=None,
            percent_given_any_word=None,
            extra_count=None,
            log_probability=None,
            origin=None,
            model_name=self.name,
            model_version=self.version,
            error=error,
            unfamiliar=row.unfamiliar,
        )


def _provenance(edited: Edited) -> dict[str, Any]:  # Any: spread over typed fields
    """Return the columns about the training recipe that a text was edited from."""
    return {
        "prototype": edited.prototype,
        "prototype_source": edited.source,
        "prototype_licence": edited.licence,
        "prototype_text": edited.text,
        "copied_percent": edited.copied_percent,
        "swapped": edited.swapped,
        "deleted": edited.deleted,
        "inserted": edited.inserted,
        "confidence": edited.confidence,
    }
