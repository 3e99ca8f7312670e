"""Choice among the hypotheses of a row: the texts to publish, or the reason why there is none."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

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
    "No text could be made: no training text begins with this row's values. Train with more texts, or with a "
    "model that searches, such as the configuration 'table'."
)
TOO_UNCERTAIN = (
    "No text could be made with a confidence of min_confidence, {wanted:g}, or more: the best edit of a training "
    "recipe has {found:g}. Train with more recipes, or lower the setting."
)
TOO_MUCH_COPIED = (
    "No text could be made with {wanted:g}% of its words copied, which is max_copied, or less: the edit that copies "
    "least copies {found:g}%. Train with more recipes, or raise the setting."
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
        """``measure``: the judge's measure, as used by the search before, so that no text is measured again."""
        self.bundle, self.judge, self.measure, self.search = bundle, judge, measure, search
        self.requirements = requirements or Requirements()
        self.banned, self.is_banned = (*banned, *bundle.forbidden), bool(banned)

    def choose(self, row: Row, found: Sequence[Hypothesis] | str) -> Chosen:
        """Return the texts to publish, up to the number requested, or the reason why there is no text.

        The key of each is the text with placeholders, in lower case.
        """
        if isinstance(found, str):
            return found
        within_limits = [
            hypothesis for hypothesis in found if hypothesis.edited is None or hypothesis.edited.is_wanted(self.search)
        ]
        return self._different(row, within_limits) or self._why_none(found, within_limits)

    def ranked(self, prompt: Any, found: Sequence[Hypothesis]) -> Iterable[Hypothesis]:
        """Return the hypotheses of a row of the task (Any: known only at run time), best first.

        A search with banks has ranked them by the judge's measure.
        """
        if self.search.is_banked:
            return found
        words, measure = self.bundle.words, self.measure
        return self.judge.in_order(prompt, found, lambda hypothesis: measure(words(hypothesis.tokens, prompt), prompt))

    def unwritable(self, row: Row) -> Mapping[int, str]:
        """Return the items that no text of the model can give, and why."""
        vocabulary, copied = self.bundle.vocabularies.text, copied_ids(self.bundle, row)
        return unwritable(row, vocabulary, self.banned, self.bundle.says_goals, copied)

    def _why_none(self, found: Sequence[Hypothesis], within_limits: Sequence[Hypothesis]) -> str:
        if found and not within_limits:
            return _limit_missed([hypothesis.edited for hypothesis in found if hypothesis.edited], self.search)
        return BANNED if self.is_banned else FORBIDDEN if found else UNKNOWN_ROW

    def _different(self, row: Row, found: Sequence[Hypothesis]) -> dict[str, Hypothesis]:
        """Return the best hypotheses by their text, without banned phrases."""
        different: dict[str, Hypothesis] = {}
        for hypothesis in self._by_requirements(row, self.ranked(row.prompt, found)):
            tokens = self.bundle.words(hypothesis.tokens, row.prompt)
            text = self.judge.publish(tokens, row.prompt) if self.banned else ""
            if self.banned and (not text or first_banned(text, self.banned) is not None):
                continue
            different.setdefault(restore(tokens, self.bundle.casing).casefold(), hypothesis)
            if len(different) == self.search.texts:
                break
        return different

    def _by_requirements(self, row: Row, found: Iterable[Hypothesis]) -> Iterable[Hypothesis]:
        """Return the hypotheses with fewer unmet requirements first."""
        if not self.requirements:
            return found

        def unmet(hypothesis: Hypothesis) -> int:
            tokens = self.bundle.words(hypothesis.tokens, row.prompt)
            return len(self.requirements.unmet(self.judge.publish(tokens, row.prompt), row.goal))

        return sorted(found, key=unmet)


def _limit_missed(edits: Sequence[Edited], search: SearchConfig) -> str:
    """Return the message for the limit that every edit exceeds: of confidence or, if some are confident, of copying."""
    confident = [edit.copied_percent for edit in edits if edit.confidence >= search.min_confidence]
    if not confident:
        best = max(edit.confidence for edit in edits)
        return TOO_UNCERTAIN.format(wanted=search.min_confidence, found=best)
    return TOO_MUCH_COPIED.format(wanted=100 * search.max_copied, found=min(confident))
