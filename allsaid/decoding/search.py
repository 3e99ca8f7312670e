"""Search of prompts: a plain search first, then coverage banks for texts below the bound, then ranking."""

from __future__ import annotations

import hashlib
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field, replace

import torch
from torch import Tensor

from allsaid.decoding import consensus, plan, variety
from allsaid.decoding.group import Group, copied_ids
from allsaid.decoding.hypothesis import Hypothesis
from allsaid.decoding.measured import Measured
from allsaid.decoding.rewrite import rewrite
from allsaid.decoding.step.items import unwritable
from allsaid.decoding.step.own_words import own_words
from allsaid.decoding.step.request import Request
from allsaid.modeling.config import SearchConfig
from allsaid.modeling.data.agenda_arrays import Prompt
from allsaid.modeling.data.shapes import by_shape
from allsaid.modeling.saved.model_folder import Bundle
from allsaid.proof.coverage import Coverage
from allsaid.proof.habits import ENDS, FULL_STOP

WIDER = 2  # factor of the beam's width in the last search, for rows with too few texts or texts below the bound

Plain = dict[Hashable, tuple[Prompt, list[Hypothesis]]]


@dataclass(frozen=True)
class Searcher:
    """Search for the texts of some prompts by one model and its settings."""

    bundle: Bundle
    search: SearchConfig
    banned: tuple[str, ...]
    measure: Measured
    with_goal: bool  # whether a text has to state its goal
    plain: Plain = field(default_factory=dict)  # results of plain searches, which are not repeated

    def write_all(self, prompts: Sequence[Prompt]) -> list[list[Hypothesis]]:
        """Return the hypotheses of each prompt.

        Rows are split into several sentences if they have many values or if their texts are wrong.
        """
        habits = self.bundle.habits
        planned = [plan.parts_of(prompt, habits) for prompt in prompts]
        by_prompt = _written(prompts, planned, self)
        if not self.search.is_banked or habits is None:
            return by_prompt
        wrong = [
            index
            for index, prompt in enumerate(prompts)
            if len(planned[index]) == 1 and self.is_wrong(by_prompt[index], prompt)
        ]
        halves = [plan.parts_of(prompts[index], plan.halved(habits, prompts[index])) for index in wrong]
        for index, hypotheses in zip(wrong, _written([prompts[index] for index in wrong], halves, self), strict=True):
            if not self.is_wrong(hypotheses, prompts[index]):
                by_prompt[index] = hypotheses
        return by_prompt

    def write(self, prompts: Sequence[Prompt]) -> list[list[Hypothesis]]:
        """Return the hypotheses of each prompt, best first."""
        plain = self._ranked(prompts)
        return self._varied(prompts, plain) if prompts and self.search.variety else plain

    def _varied(self, prompts: Sequence[Prompt], plain: list[list[Hypothesis]]) -> list[list[Hypothesis]]:
        """Return texts that depend on the prompts' ids, followed by those of the plain search.

        The plain search gives rows with the same columns the same texts. So its best text is taken only if no other
        text is as good.
        """
        likely = [self._best(texts, prompt)[:1] for texts, prompt in zip(plain, prompts, strict=True)]
        candidates: list[list[Hypothesis]] = [[] for _ in prompts]
        chosen: list[list[Hypothesis]] = [[] for _ in prompts]
        for number in range(self.search.texts * variety.SEARCHES):
            searched = self._ranked(prompts, variety.word_costs(prompts, self.bundle.vocabularies.text, number, chosen))
            candidates = [[*old, *new] for old, new in zip(candidates, searched, strict=True)]
            if number % variety.SEARCHES == variety.SEARCHES - 1:
                for index, prompt in enumerate(prompts):
                    ordered = variety.in_order(candidates[index], likely[index], chosen[index], prompt)
                    chosen[index] += self._best(ordered, prompt)[:1]
        return [[*first, *rest] for first, rest in zip(chosen, plain, strict=True)]

    def _best(self, texts: Iterable[Hypothesis], prompt: Prompt) -> list[Hypothesis]:
        """Return the texts of the best quality in the given order; texts after a perfect one are not measured."""
        measured = []
        for hypothesis in texts:
            measured.append((self.quality(hypothesis, prompt), hypothesis))
            if not any(measured[-1][0]):
                break
        best = min((quality for quality, _ in measured), default=())
        return [hypothesis for quality, hypothesis in measured if quality == best]

    def _ranked(self, prompts: Sequence[Prompt], costs: Tensor | None = None) -> list[list[Hypothesis]]:
        """Return the hypotheses of each of R prompts, best first; costs: (R, V) extra cost of each word in nats."""
        search = self.search
        if not search.is_banked:
            by_prompt = self._beam_search(prompts, _settled(search), costs)
            if not search.consensus:
                return by_prompt
            likely = [
                consensus.preferred(hypotheses, search, self._references(prompt))
                for hypotheses, prompt in zip(by_prompt, prompts, strict=True)
            ]
            return [sorted(hypotheses, key=lambda hypothesis: hypothesis.rank(search)[:3]) for hypotheses in likely]
        # A text that reaches the bound without banks reads better.
        rounds = [] if search.banks else [_settled(replace(search, min_coverage=0))]
        banked = _settled(search)
        rounds += [banked, replace(banked, width=WIDER * banked.width)]
        ranked: list[list[Hypothesis]] = [[] for _ in prompts]
        short = list(range(len(prompts)))
        for settings in rounds:
            searched = self._beam_search(
                [prompts[index] for index in short], settings, None if costs is None else costs[short]
            )
            for index, more in zip(short, searched, strict=True):
                distinct = {tuple(hypothesis.tokens): hypothesis for hypothesis in [*more, *ranked[index]]}
                ranked[index] = self._by_coverage(list(distinct.values()), prompts[index])
            short = [index for index in short if self._is_short(ranked[index], prompts[index])]
        return ranked

    def _beam_search(
        self, prompts: Sequence[Prompt], search: SearchConfig, costs: Tensor | None
    ) -> list[list[Hypothesis]]:
        if search.is_banked:
            return self._beam_search_groups(prompts, search, costs)
        keys = [_key(prompt, search, self.with_goal, costs, index) for index, prompt in enumerate(prompts)]
        new = [index for index, key in enumerate(keys) if key not in self.plain]
        chosen = [prompts[index] for index in new]
        searched = self._beam_search_groups(chosen, search, None if costs is None else costs[new])
        for index, prompt, hypotheses in zip(new, chosen, searched, strict=True):
            self.plain[keys[index]] = prompt, hypotheses
        return [self.plain[key][1] for key in keys]

    def _beam_search_groups(
        self, prompts: Sequence[Prompt], search: SearchConfig, costs: Tensor | None
    ) -> list[list[Hypothesis]]:
        bundle = self.bundle
        by_prompt: list[list[Hypothesis]] = [[] for _ in prompts]
        lists = own_words(bundle, prompts, search, self.banned) if search.shortlist else None
        request = Request(bundle.vocabularies.text, bundle.lexicon, search, self.banned, self.with_goal)
        sizes = None if lists is None else [len(words) for words in lists]
        for indices, encoded in by_shape([bundle.prompts([prompt]) for prompt in prompts], sizes):
            group = Group(
                bundle,
                [prompts[index] for index in indices],
                encoded,
                request,
                None if costs is None else costs[indices],
                None if lists is None else torch.stack([lists[index] for index in indices]),
            )
            for index, hypotheses in zip(indices, rewrite(group, search.rewrites), strict=True):
                by_prompt[index] = hypotheses
        return by_prompt

    def _by_coverage(self, hypotheses: Sequence[Hypothesis], prompt: Prompt) -> list[Hypothesis]:
        likely = consensus.preferred(hypotheses, self.search, self._references(prompt))
        return sorted(likely, key=lambda hypothesis: self.quality(hypothesis, prompt))

    def _references(self, prompt: Prompt) -> list[list[int]]:
        """Return the reference texts of the same goal and agenda if the choice by consensus needs them, else none."""
        references = self.bundle.references if self.search.consensus else None
        return [] if references is None else references.of(prompt)

    def quality(self, hypothesis: Hypothesis, prompt: Prompt) -> tuple[int, ...]:
        """Return a sort key, best first, that ignores probability; all zeros for a text without any fault."""
        coverage = self._coverage(hypothesis, prompt)
        below = 100 * sum(coverage.given) < self.search.min_coverage * len(coverage.given)
        # Texts that are empty or unattested come last, whatever they cover.
        return (
            not hypothesis.tokens,
            bool(coverage.unattested),
            below,
            hypothesis.penalised,
            not hypothesis.finished,
            coverage.given.count(False),
            len(coverage.extra),
            len(coverage.recipe),
            coverage.faults,
        )

    def is_wrong(self, hypotheses: Sequence[Hypothesis], prompt: Prompt) -> bool:
        """Return whether the best text states something beyond its row, or has a fault."""
        coverage = self._coverage(hypotheses[0], prompt) if hypotheses else None
        return coverage is None or bool(coverage.extra or coverage.faults)

    def _is_short(self, hypotheses: Sequence[Hypothesis], prompt: Prompt) -> bool:
        """Return whether there are too few texts, or the best one has faults or is below the bound.

        False if the row allows no text, or if only items are missing that no text can cover.
        """
        if not hypotheses:
            return False
        if len(hypotheses) < self.search.texts:
            return True
        coverage = self._coverage(hypotheses[0], prompt)
        if coverage.faults:
            return True
        copy_ids = copied_ids(self.bundle, prompt)
        unwritable_items = unwritable(prompt, self.bundle.vocabularies.text, self.banned, self.with_goal, copy_ids)
        count, covered = len(coverage.given), sum(coverage.given)
        coverable = count - sum(not coverage.given[item] for item in unwritable_items)
        return 100 * covered < self.search.min_coverage * count and covered < coverable

    def _coverage(self, hypothesis: Hypothesis, prompt: Prompt) -> Coverage:
        """Measure the coverage of a text's items; the goal is the last item if it counts."""
        coverage = self.measure(self.bundle.words(hypothesis.tokens, prompt), prompt)
        return coverage if self.with_goal else replace(coverage, given=coverage.given[: len(prompt.agenda)])


def _key(prompt: Prompt, search: SearchConfig, with_goal: bool, costs: Tensor | None, index: int) -> Hashable:
    """Return the key of a plain search; the result keeps the prompt, so that no other prompt can get its id."""
    digest = b"" if costs is None else hashlib.blake2b(costs[index].numpy().tobytes()).digest()
    return id(prompt), search, with_goal, digest


def _written(
    rows: Sequence[Prompt], planned: Sequence[Sequence[plan.Part]], searcher: Searcher
) -> list[list[Hypothesis]]:
    """Generate the texts of rows from their parts; only the first part may state the goal."""
    first = searcher.write([parts[0].row for parts in planned])
    rest = iter(replace(searcher, with_goal=False).write([part.row for parts in planned for part in parts[1:]]))
    ends, mark = _marks(searcher.bundle)
    joined = []
    for row, parts, texts in zip(rows, planned, first, strict=True):
        texts_by_part = zip(parts, [texts, *(next(rest) for _ in parts[1:])], strict=True)
        hypotheses = [
            [_with_row_ids(text, part.row, row, searcher.bundle) for text in part_texts]
            for part, part_texts in texts_by_part
        ]
        joined.append(plan.join(parts, hypotheses, ends, mark))
    return joined


def _with_row_ids(hypothesis: Hypothesis, part: Prompt, row: Prompt, bundle: Bundle) -> Hypothesis:
    """Convert the ids of a part's text to those of the whole row, which may number its copy candidates differently."""
    copy_ids = {} if part is row else bundle.text_task.own_ids(row, bundle.vocabularies)
    if not copy_ids:
        return hypothesis
    words = bundle.words(hypothesis.tokens, part)
    tokens = [copy_ids.get(word, token) for token, word in zip(hypothesis.tokens, words, strict=True)]
    return replace(hypothesis, tokens=tokens)


def _marks(bundle: Bundle) -> tuple[list[int], int]:
    """Return the ids of the tokens that end a sentence, and the id of the most frequent one."""
    vocabulary = bundle.vocabularies.text
    usual = bundle.habits.mark if bundle.habits else FULL_STOP
    return vocabulary.encode(sorted(ENDS)), vocabulary.encode([usual])[0]


def _settled(search: SearchConfig) -> SearchConfig:
    """Complete the settings: enough hypotheses for the texts wanted, and no more than banks need.

    With banks no text ends below the bound. So the search need not wait for a text that reaches it, nor rewrite texts.
    """
    several = 2 * search.texts if search.texts > 1 else 1  # hypotheses may become equal as plain text
    width = max(search.width, search.texts)
    if search.is_banked:
        return replace(search, width=width, finished=max(width, several), rewrites=0)
    finished = search.finished and max(search.finished, several)  # 0: all hypotheses in the beam
    return replace(search, width=width, finished=finished)
