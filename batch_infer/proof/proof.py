"""Conversion of a row's hypotheses to its texts, each with the proof of its content."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from allsaid.decoding.editing.provenance import Edited
from allsaid.decoding.group import copied_ids
from allsaid.decoding.hypothesis import Hypothesis
from allsaid.decoding.measured import Measured
from allsaid.decoding.step.ban import first_banned
from allsaid.decoding.step.items import unwritable
from allsaid.modeling.config import SearchConfig
from allsaid.modeling.text.restore import restore
from allsaid.proof.coverage import Coverage
from batch_infer.proof.judge import Judge
from batch_infer.proof.reading import Chosen
from batch_infer.proof.reasons import Reason, general
from batch_infer.proof.tally import Tally, shares_of
from batch_infer.rows.inputs import Row
from schemas.texts.generated import NO_PLACE, Generated, goal_line

BANNED = "No text could be made without a word or phrase of --ban."
FORBIDDEN = (
    "No text could be made without a claim that the mapping forbids. Train with more texts, or allow one of the claims."
)
UNKNOWN_ROW = (
    "No text could be made: the row has the values of no training text's beginning. Train with more texts, or with a "
    "model that searches, such as the configuration 'table'."
)
NO_PROTOTYPE = (
    "No text could be made: no prototype, which is a training recipe to edit, is near enough to the row by "
    "min_confidence, max_copied and --ban. Train with more recipes, or change these settings."
)


def ranked(
    judge: Judge, search: SearchConfig, row: Any, found: Sequence[Hypothesis], measure: Measured
) -> Iterable[Hypothesis]:
    """Return the hypotheses of a row, best first; a search with banks has ranked them by the judge's measure."""
    return found if search.is_banked else judge.in_order(row, found, measure)


class Prover:
    """Builder of the output rows of one model's texts, which also counts them in a tally."""

    def __init__(
        self, judge: Judge, measure: Measured, search: SearchConfig, banned: tuple[str, ...], name: str, version: str
    ) -> None:
        """measure: that of the judge, which the search has used, so that no text is measured again."""
        self.judge, self.measure, self.bundle = judge, measure, judge.bundle
        self.search, self.banned = search, (*banned, *judge.bundle.forbidden)
        self.is_banned = bool(banned)
        self.name, self.version = name, version

    def choose(self, row: Row, found: Sequence[Hypothesis] | str) -> Chosen:
        """Return the texts to publish, up to the number requested, or the reason why there is none.

        The key of each is the text with placeholders, in lower case.
        """
        if isinstance(found, str):
            return found
        return self._different(row, found) or self._why_none(found)

    def _why_none(self, found: Sequence[Hypothesis]) -> str:
        if self.bundle.prototypes is not None:
            return NO_PROTOTYPE
        return BANNED if self.is_banned else FORBIDDEN if found else UNKNOWN_ROW

    def texts(self, row_id: str, row: Row, chosen: Chosen, tally: Tally) -> list[Generated]:
        """Return at least one row of output: the chosen texts, or the reason why there is none."""
        tally.unfamiliar_rows += bool(row.unfamiliar)
        tally.unfamiliar_goals += goal_line(row.goal) in row.unfamiliar
        if isinstance(chosen, str):
            tally.add_error(Reason(general(chosen, self.judge.columns), 1, chosen, [row_id]))
            return [self._error(row_id, row, chosen)]
        if row.true_tokens:
            said = self.judge.measure_reference(row.true_tokens, row.prompt)
            tally.add_true_text(self.judge.figures(row.true_tokens, row.prompt, said) | shares_of(said.grade))
        tally.fewer += len(chosen) < self.search.texts
        return [
            self._text(row_id, row, one, plain, (number, len(chosen)), tally)
            for number, (plain, one) in enumerate(chosen.items())
        ]

    def _different(self, row: Row, found: Sequence[Hypothesis]) -> dict[str, Hypothesis]:
        """Return the best hypotheses by their text, without banned phrases."""
        different: dict[str, Hypothesis] = {}
        for one in ranked(self.judge, self.search, row.prompt, found, self.measure):
            tokens = self.bundle.words(one.tokens, row.prompt)
            if self.banned and not self._is_allowed(self.judge.publish(tokens, row.prompt)):
                continue
            different.setdefault(restore(tokens, self.bundle.casing).casefold(), one)
            if len(different) == self.search.texts:
                break
        return different

    def _is_allowed(self, text: str) -> bool:
        """Return whether a published text is not empty and has no banned phrase."""
        return bool(text) and first_banned(text, self.banned) is None

    def _text(
        self, row_id: str, row: Row, one: Hypothesis, plain: str, place: tuple[int, int], tally: Tally
    ) -> Generated:
        prompt, judge = row.prompt, self.judge
        title, lines = self.bundle.task.show(prompt)
        tokens = self.bundle.words(one.tokens, prompt)
        said = self.measure(tokens, prompt)
        figures = judge.figures(tokens, prompt, said)
        below = bool(said.given) and 100 * sum(said.given) < self.search.min_coverage * len(said.given)
        unfitted = self._unfitted(row, said, below)
        asked = judge.asked(prompt)
        tally.add_text(figures, said.faults > 0, plain)
        tally.records += judge.is_record(prompt)
        tally.below += below
        tally.add_certificate(said, row_id)
        tally.add_findings(said)
        tally.assembled += one.is_assembled
        tally.unfitted += len(unfitted)
        return Generated(
            id=row_id,
            goal=title,
            agenda=lines,
            text=judge.publish(tokens, prompt),
            tokens=tokens,
            ref_items=one.items,
            used=[item for item, given in zip(asked, said.given, strict=True) if given],
            missing=[item for item, given in zip(asked, said.given, strict=True) if not given],
            extra=said.extra,
            percent_given=figures.get("percent_given"),
            percent_given_full_name=figures.get("percent_given_full_name"),
            percent_given_any_word=figures.get("percent_given_any_word"),
            extra_count=len(said.extra) if "extra_items" in figures else None,
            log_probability=round(one.log_probability, 4),
            model_name=self.name,
            model_version=self.version,
            error=None,
            text_number=place[0],
            texts_found=place[1],
            below_min_coverage=below,
            unfitted=[asked[item] for item in unfitted],
            unfitted_why=list(unfitted.values()),
            certified=said.certified,
            unattested=list(said.unattested),
            is_assembled=one.is_assembled,
            claims=judge.claims(tokens, prompt),
            unfamiliar=row.unfamiliar,
            findings=list(said.recipe),
            **(_provenance(one.edited) if one.edited else {}),
        )

    def _unfitted(self, row: Row, said: Coverage, below: bool) -> dict[int, str]:
        """Return the items that can't be written; for a text below the bound, also those that found no place."""
        missing = [item for item, given in enumerate(said.given) if not given]
        if not missing or row.own is not None:  # the search fits no items into texts of a task with its own rows
            return {}
        own = copied_ids(self.bundle, row)
        why = unwritable(row, self.bundle.vocabularies.text, self.banned, self.bundle.says_goals, own)
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
            model_name=self.name,
            model_version=self.version,
            error=error,
            text_number=0,
            texts_found=0,
            below_min_coverage=False,
            unfitted=[],
            unfitted_why=[],
            certified=None,
            unattested=[],
            is_assembled=False,
            claims=[],
            unfamiliar=row.unfamiliar,
        )


def _provenance(edited: Edited) -> dict[str, Any]:
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
