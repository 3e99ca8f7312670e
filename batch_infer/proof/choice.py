"""Choice among the hypotheses of a row: the texts to publish, or the reason why there is none."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any  # Any: a row of the task, known only at run time

from allsaid.decoding.editing.provenance import Edited
from allsaid.decoding.group import copied_ids
from allsaid.decoding.hypothesis import Hypothesis
from allsaid.decoding.measured import Measured
from allsaid.decoding.step.ban import first_banned
from allsaid.decoding.step.items import unwritable
from allsaid.modeling.config import SearchConfig
from allsaid.modeling.saved.model_folder import Bundle
from allsaid.modeling.text.restore import restore
from batch_infer.proof.judge import Judge
from batch_infer.proof.reading import Chosen
from batch_infer.proof.requirements import Requirements
from batch_infer.rows.inputs import Row

BANNED = "No text could be made without a word or phrase of --ban."
FORBIDDEN = (
    "No text could be made without a claim that the mapping forbids. Train with more texts, or allow one of the claims."
)
UNKNOWN_ROW = (
    "No text could be made: no training text begins with this row's values, or is about its goal. Train with more "
    "texts, or with a model that searches, such as the configuration 'table'."
)
TOO_UNCERTAIN = (
    "No text could be made: min_confidence is {wanted:g}, and the best edit of a training recipe has a confidence of "
    "{found:g}. Train with more recipes, or lower the setting."
)
TOO_MUCH_COPIED = (
    "No text could be made: max_copied allows {wanted:g}% of a text's words to be copied, and every edit of a training "
    "recipe copies {found:g}% or more. Train with more recipes, or raise the setting."
)


class Chooser:
    """Chooser among the hypotheses of one model."""

    def __init__(
        self,
        bundle: Bundle,
        judge: Judge,
        measure: Measured,
        search: SearchConfig,
        banned: tuple[str, ...] = (),
        requirements: Requirements | None = None,
    ) -> None:
        """``measure``: the object that the search used, since it remembers the texts that it has measured."""
        self.bundle, self.judge, self.measure, self.search = bundle, judge, measure, search
        self.requirements = requirements or Requirements()
        self.banned, self.has_user_bans = (*banned, *bundle.forbidden), bool(banned)

    def choose(self, row: Row, result: Sequence[Hypothesis] | str) -> Chosen:
        """Return text -> hypothesis for the texts to publish, at most as many as requested, or why there is none.

        ``result``: the hypotheses of the search, or the reason why it has none. A text that is a key has placeholders
        and is in lower case.
        """
        if isinstance(result, str):
            return result
        within_limits = [
            hypothesis
            for hypothesis in result
            if hypothesis.edited is None or hypothesis.edited.is_within_limits(self.search)
        ]
        return self._best_by_text(row, within_limits) or self._why_none(result, within_limits)

    def ranked(self, prompt: Any, hypotheses: Sequence[Hypothesis]) -> Iterable[Hypothesis]:
        """Return the hypotheses of a row, best first; a search with banks has ranked them already."""
        if self.search.is_banked:
            return hypotheses
        words, measure = self.bundle.words, self.measure
        return self.judge.in_order(
            prompt, hypotheses, lambda hypothesis: measure(words(hypothesis.tokens, prompt), prompt)
        )

    def unwritable(self, row: Row) -> Mapping[int, str]:
        """Return the items that no text of the model can give, and why."""
        vocabulary, copied = self.bundle.vocabularies.text, copied_ids(self.bundle, row)
        return unwritable(row, vocabulary, self.banned, self.bundle.says_goals, copied)

    def _why_none(self, hypotheses: Sequence[Hypothesis], within_limits: Sequence[Hypothesis]) -> str:
        if hypotheses and not within_limits:
            return _limit_missed([hypothesis.edited for hypothesis in hypotheses if hypothesis.edited], self.search)
        return BANNED if self.has_user_bans else FORBIDDEN if hypotheses else UNKNOWN_ROW

    def _best_by_text(self, row: Row, hypotheses: Sequence[Hypothesis]) -> dict[str, Hypothesis]:
        """Return the best hypothesis of each distinct text without banned phrases, best text first."""
        best_by_text: dict[str, Hypothesis] = {}
        for hypothesis in self._by_requirements(row, self.ranked(row.prompt, hypotheses)):
            tokens = self.bundle.words(hypothesis.tokens, row.prompt)
            text = self.judge.publish(tokens, row.prompt) if self.banned else ""
            if self.banned and (not text or first_banned(text, self.banned) is not None):
                continue
            best_by_text.setdefault(restore(tokens, self.bundle.casing).casefold(), hypothesis)
            if len(best_by_text) == self.search.texts:
                break
        return best_by_text

    def _by_requirements(self, row: Row, hypotheses: Iterable[Hypothesis]) -> Iterable[Hypothesis]:
        """Return the hypotheses with fewer unmet requirements first."""
        if not self.requirements:
            return hypotheses

        def unmet(hypothesis: Hypothesis) -> int:
            tokens = self.bundle.words(hypothesis.tokens, row.prompt)
            return len(self.requirements.unmet(self.judge.publish(tokens, row.prompt), row.goal))

        return sorted(hypotheses, key=unmet)


def _limit_missed(edits: Sequence[Edited], search: SearchConfig) -> str:
    """Return the message on the missed limit: of copying if an edit is confident enough, else of confidence."""
    confident = [edit.copied_percent for edit in edits if edit.confidence >= search.min_confidence]
    if not confident:
        best = max(edit.confidence for edit in edits)
        return TOO_UNCERTAIN.format(wanted=search.min_confidence, found=best)
    return TOO_MUCH_COPIED.format(wanted=100 * search.max_copied, found=min(confident))
