"""Prompts -> hypotheses, in one way for training, scoring and the batch job."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch

from training.config import SearchConfig
from training.metrics import coverage
from training.metrics.coverage import Coverage
from training.models.model_folder import Bundle
from training.search import consensus, plan, variety
from training.search.beam import beam_search
from training.search.hypothesis import Hypothesis
from training.search.limits import asked, limits_of, unwritable
from training.search.own_words import own_words
from training.search.rewrite import rewrite
from training.search.shapes import by_shape
from training.tasks.agenda import Prompt, Prompts

PIECE = 500  # rows that are searched together where someone watches how far it is
HARDER = 2  # a row whose texts are below the bound, or too few, is searched again, so many times as wide

# The words of a text and its prompt -> what it says of that. The prompts are of the caller's own type.
Measure = Callable[[Sequence[str], Any], Coverage]


def write(
    bundle: Bundle,
    prompts: Sequence[Prompt],
    search: SearchConfig,
    banned: tuple[str, ...] = (),
    measure: Measure | None = None,
) -> list[list[Hypothesis]]:
    """Texts for some prompts, searched at once; for each its hypotheses, best first.

    A prompt has none only where ``banned`` phrases leave no word to write. Where a bound is asked for, those come first
    that give most items, then those with the fewest extra ones, then those with the fewest faults, then the likely
    ones, as ``measure`` finds; by default that measures names. A row of a table with more values than its texts
    usually have is written in several sentences.
    """
    measure = measure or (
        lambda words, prompt: coverage.measure(words, asked(prompt, bundle.says_goals), bundle.lexicon)
    )
    planned = [plan.parts_of(prompt, bundle.habits) for prompt in prompts]
    first = _Search(bundle, search, banned, measure, bundle.says_goals).write([parts[0].row for parts in planned])
    later = _Search(bundle, search, banned, measure, with_goal=False).write(
        [part.row for parts in planned for part in parts[1:]]
    )
    rest = iter(later)
    return [
        plan.join(parts, [texts, *(next(rest) for _ in parts[1:])]) for parts, texts in zip(planned, first, strict=True)
    ]


@dataclass(frozen=True)
class _Search:
    """How texts of some prompts are searched."""

    bundle: Bundle
    options: SearchConfig
    banned: tuple[str, ...]
    measure: Measure
    with_goal: bool  # whether a text is to say its goal
    taste: int | None = None  # the number of a search by the rows' own tastes; None: by the model alone

    def write(self, prompts: Sequence[Prompt]) -> list[list[Hypothesis]]:
        """The hypotheses of each prompt, best first."""
        found = self._ranked(prompts)
        if not self.options.variety:
            return found
        for number in range(self.options.texts):
            more = replace(self, taste=number)._ranked(prompts)
            found = [[*one, *other] for one, other in zip(found, more, strict=True)]
        return [self._varied(one, prompt) for one, prompt in zip(found, prompts, strict=True)]

    def _varied(self, found: Sequence[Hypothesis], prompt: Prompt) -> list[Hypothesis]:
        """The texts of a prompt, those that say most first; of these the prompt's id decides."""
        different = {tuple(one.tokens): one for one in found}.values()
        ranked = sorted(different, key=lambda one: self._quality(one, prompt))
        good = [one for one in ranked if self._quality(one, prompt) == self._quality(ranked[0], prompt)]
        return [*variety.choose(good, prompt, self.options.texts), *ranked[len(good) :]] if good else []

    def _ranked(self, prompts: Sequence[Prompt]) -> list[list[Hypothesis]]:
        options = self.options
        if not options.is_banked:
            found = self._search(prompts, _settled(options))
            return [_by_rank(one, options) for one in found] if options.consensus else found
        # A text that reaches the bound by itself reads better than one that was made to.
        steps = [] if options.banks else [_settled(replace(options, min_coverage=0))]
        banked = _settled(options)
        steps += [banked, replace(banked, width=HARDER * banked.width)]
        ranked: list[list[Hypothesis]] = [[] for _ in prompts]
        short = list(range(len(prompts)))
        for step in steps:
            again = self._search([prompts[place] for place in short], step)
            for place, more in zip(short, again, strict=True):
                both = {tuple(one.tokens): one for one in [*more, *ranked[place]]}
                ranked[place] = self._by_coverage(list(both.values()), prompts[place])
            short = [place for place in short if self._is_short(ranked[place], prompts[place])]
        return ranked

    def _search(self, prompts: Sequence[Prompt], options: SearchConfig) -> list[list[Hypothesis]]:
        bundle = self.bundle
        found: list[list[Hypothesis]] = [[] for _ in prompts]
        own = own_words(bundle, prompts, options, self.banned) if options.shortlist else None
        sizes = None if own is None else [len(words) for words in own]
        for places, encoded in by_shape([bundle.prompts([one]) for one in prompts], sizes):

            def find(chosen: Prompts, texts: Sequence[int], places: Sequence[int] = places) -> list[list[Hypothesis]]:
                rows = [prompts[places[text]] for text in texts]
                vocabulary, lexicon = bundle.vocabularies.text, bundle.lexicon
                limits = limits_of(
                    rows, vocabulary, lexicon, options, self.banned, bundle.device, self.with_goal, self.taste
                )
                lists = None if own is None else torch.stack([own[places[text]] for text in texts])
                return beam_search(bundle.model, chosen, options, limits, own=lists)

            for place, hypotheses in zip(places, rewrite(find, encoded, options.rewrites), strict=True):
                found[place] = hypotheses
        return found

    def _by_coverage(self, hypotheses: Sequence[Hypothesis], prompt: Prompt) -> list[Hypothesis]:
        likely = consensus.preferred(hypotheses, self.options)
        return sorted(likely, key=lambda one: self._quality(one, prompt))

    def _quality(self, one: Hypothesis, prompt: Prompt) -> tuple[int, ...]:
        """Sorts the better text first, by what can be measured on it."""
        said = self._said(one, prompt)
        below = 100 * sum(said.given) < self.options.min_coverage * len(said.given)
        return below, one.penalised, not one.finished, -sum(said.given), len(said.extra), said.faults

    def _is_short(self, hypotheses: Sequence[Hypothesis], prompt: Prompt) -> bool:
        """Whether there are fewer texts than wanted, or the best has faults or lacks what the bound asks."""
        if not hypotheses:
            return False
        if len(hypotheses) < self.options.texts:
            return True
        said = self._said(hypotheses[0], prompt)
        if said.faults:
            return True
        given = said.given
        lost = unwritable(prompt, self.bundle.vocabularies.text, self.banned, self.with_goal)
        may_give = len(given) - sum(not given[item] for item in lost)
        return 100 * sum(given) < self.options.min_coverage * len(given) and sum(given) < may_give

    def _said(self, one: Hypothesis, prompt: Prompt) -> Coverage:
        """What a text says of its items, the goal last where it is one."""
        said = self.measure(self.bundle.words(one.tokens, prompt), prompt)
        return said if self.with_goal else replace(said, given=said.given[: len(prompt.agenda)])


def _settled(search: SearchConfig) -> SearchConfig:
    """Settings that follow from others: enough hypotheses for the texts wanted, and no more than banks need.

    Banks let no text end below the bound, so the search needs not wait for one that reaches it, nor write again.
    """
    several = 2 * search.texts if search.texts > 1 else 1  # some become equal when they are written out
    width = max(search.width, search.texts)
    if search.is_banked:
        return replace(search, width=width, finished=max(width, several), rewrites=0)
    return replace(search, width=width, finished=max(search.finished, several))


def _by_rank(hypotheses: Sequence[Hypothesis], search: SearchConfig) -> list[Hypothesis]:
    return sorted(consensus.preferred(hypotheses, search), key=lambda one: one.rank(search)[:3])
