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

HARDER = 2  # factor of the beam's width in the last search of a row whose texts are too few or below the bound

Plain = dict[Hashable, tuple[Prompt, list[Hypothesis]]]


@dataclass(frozen=True)
class Searcher:
    """Search for the texts of some prompts by one model and its settings."""

    bundle: Bundle
    search: SearchConfig
    banned: tuple[str, ...]
    measure: Measured
    with_goal: bool  # whether a text has to state its goal
    plain: Plain = field(default_factory=dict)  # results of plain searches, to repeat none

    def write_all(self, prompts: Sequence[Prompt]) -> list[list[Hypothesis]]:
        """Return the hypotheses of each prompt; rows with many values or wrong texts are split into sentences."""
        habits = self.bundle.habits
        planned = [plan.parts_of(prompt, habits) for prompt in prompts]
        found = _written(prompts, planned, self)
        if not self.search.is_banked or habits is None:
            return found
        wrong = [
            place
            for place, prompt in enumerate(prompts)
            if len(planned[place]) == 1 and self.is_wrong(found[place], prompt)
        ]
        halves = [plan.parts_of(prompts[place], plan.halved(habits, prompts[place])) for place in wrong]
        for place, other in zip(wrong, _written([prompts[place] for place in wrong], halves, self), strict=True):
            if not self.is_wrong(other, prompts[place]):
                found[place] = other
        return found

    def write(self, prompts: Sequence[Prompt]) -> list[list[Hypothesis]]:
        """Return the hypotheses of each prompt, best first."""
        plain = self._ranked(prompts)
        return self._varied(prompts, plain) if prompts and self.search.variety else plain

    def _varied(self, prompts: Sequence[Prompt], plain: list[list[Hypothesis]]) -> list[list[Hypothesis]]:
        """Return texts that depend on the prompts' ids, followed by those of the plain search.

        Rows of the same columns share the plain search's texts. Its best text is taken only if no other is as good.
        """
        likely = [self._best(found, prompt)[:1] for found, prompt in zip(plain, prompts, strict=True)]
        others: list[list[Hypothesis]] = [[] for _ in prompts]
        chosen: list[list[Hypothesis]] = [[] for _ in prompts]
        for number in range(self.search.texts * variety.SEARCHES):
            found = self._ranked(prompts, variety.word_costs(prompts, self.bundle.vocabularies.text, number, chosen))
            others = [[*one, *other] for one, other in zip(others, found, strict=True)]
            if number % variety.SEARCHES == variety.SEARCHES - 1:
                for place, prompt in enumerate(prompts):
                    ordered = variety.in_order(others[place], likely[place], chosen[place], prompt)
                    chosen[place] += self._best(ordered, prompt)[:1]
        return [[*one, *other] for one, other in zip(chosen, plain, strict=True)]

    def _best(self, texts: Iterable[Hypothesis], prompt: Prompt) -> list[Hypothesis]:
        """Return the texts of the best quality in the given order; texts after a perfect one are not measured."""
        measured = []
        for one in texts:
            measured.append((self.quality(one, prompt), one))
            if not any(measured[-1][0]):
                break
        best = min((quality for quality, _ in measured), default=())
        return [one for quality, one in measured if quality == best]

    def _ranked(self, prompts: Sequence[Prompt], costs: Tensor | None = None) -> list[list[Hypothesis]]:
        """Return the hypotheses of each of R prompts, best first; costs: (R, V) extra cost of each word in nats."""
        search = self.search
        if not search.is_banked:
            found = self._beam_search(prompts, _settled(search), costs)
            if not search.consensus:
                return found
            likely = [
                consensus.preferred(hypotheses, search, self._references(prompt))
                for hypotheses, prompt in zip(found, prompts, strict=True)
            ]
            return [sorted(hypotheses, key=lambda one: one.rank(search)[:3]) for hypotheses in likely]
        # A text that reaches the bound without banks reads better.
        steps = [] if search.banks else [_settled(replace(search, min_coverage=0))]
        banked = _settled(search)
        steps += [banked, replace(banked, width=HARDER * banked.width)]
        ranked: list[list[Hypothesis]] = [[] for _ in prompts]
        short = list(range(len(prompts)))
        for step in steps:
            again = self._beam_search(
                [prompts[place] for place in short], step, None if costs is None else costs[short]
            )
            for place, more in zip(short, again, strict=True):
                both = {tuple(one.tokens): one for one in [*more, *ranked[place]]}
                ranked[place] = self._by_coverage(list(both.values()), prompts[place])
            short = [place for place in short if self._is_short(ranked[place], prompts[place])]
        return ranked

    def _beam_search(
        self, prompts: Sequence[Prompt], search: SearchConfig, costs: Tensor | None
    ) -> list[list[Hypothesis]]:
        if search.is_banked:
            return self._beam_search_groups(prompts, search, costs)
        keys = [_key(prompt, search, self.with_goal, costs, place) for place, prompt in enumerate(prompts)]
        new = [place for place, key in enumerate(keys) if key not in self.plain]
        chosen = [prompts[place] for place in new]
        found = self._beam_search_groups(chosen, search, None if costs is None else costs[new])
        for place, prompt, hypotheses in zip(new, chosen, found, strict=True):
            self.plain[keys[place]] = prompt, hypotheses
        return [self.plain[key][1] for key in keys]

    def _beam_search_groups(
        self, prompts: Sequence[Prompt], search: SearchConfig, costs: Tensor | None
    ) -> list[list[Hypothesis]]:
        bundle = self.bundle
        found: list[list[Hypothesis]] = [[] for _ in prompts]
        lists = own_words(bundle, prompts, search, self.banned) if search.shortlist else None
        request = Request(bundle.vocabularies.text, bundle.lexicon, search, self.banned, self.with_goal)
        sizes = None if lists is None else [len(words) for words in lists]
        for places, encoded in by_shape([bundle.prompts([one]) for one in prompts], sizes):
            group = Group(
                bundle,
                [prompts[place] for place in places],
                encoded,
                request,
                None if costs is None else costs[places],
                None if lists is None else torch.stack([lists[place] for place in places]),
            )
            for place, hypotheses in zip(places, rewrite(group, search.rewrites), strict=True):
                found[place] = hypotheses
        return found

    def _by_coverage(self, hypotheses: Sequence[Hypothesis], prompt: Prompt) -> list[Hypothesis]:
        likely = consensus.preferred(hypotheses, self.search, self._references(prompt))
        return sorted(likely, key=lambda one: self.quality(one, prompt))

    def _references(self, prompt: Prompt) -> list[list[int]]:
        """Return the reference texts of the same goal and agenda if the choice by consensus needs them, else none."""
        references = self.bundle.references if self.search.consensus else None
        return [] if references is None else references.of(prompt)

    def quality(self, one: Hypothesis, prompt: Prompt) -> tuple[int, ...]:
        """Return a sort key, best first, from measurements alone; all zeros where nothing is wrong."""
        said = self._said(one, prompt)
        below = 100 * sum(said.given) < self.search.min_coverage * len(said.given)
        wrong = one.penalised, not one.finished
        # Validity is never traded for coverage.
        return (
            not one.tokens,
            bool(said.unattested),
            below,
            *wrong,
            said.given.count(False),
            len(said.extra),
            len(said.recipe),
            said.faults,
        )

    def is_wrong(self, hypotheses: Sequence[Hypothesis], prompt: Prompt) -> bool:
        """Return whether the best text states something beyond its row, or has a fault."""
        said = self._said(hypotheses[0], prompt) if hypotheses else None
        return said is None or bool(said.extra or said.faults)

    def _is_short(self, hypotheses: Sequence[Hypothesis], prompt: Prompt) -> bool:
        """Return whether there are too few texts, or the best one has faults or is below the bound."""
        if not hypotheses:
            return False
        if len(hypotheses) < self.search.texts:
            return True
        said = self._said(hypotheses[0], prompt)
        if said.faults:
            return True
        given = said.given
        own = copied_ids(self.bundle, prompt)
        lost = unwritable(prompt, self.bundle.vocabularies.text, self.banned, self.with_goal, own)
        may_give = len(given) - sum(not given[item] for item in lost)
        return 100 * sum(given) < self.search.min_coverage * len(given) and sum(given) < may_give

    def _said(self, one: Hypothesis, prompt: Prompt) -> Coverage:
        """Measure the coverage of a text's items; the goal is the last item if it counts."""
        said = self.measure(self.bundle.words(one.tokens, prompt), prompt)
        return said if self.with_goal else replace(said, given=said.given[: len(prompt.agenda)])


def _key(prompt: Prompt, search: SearchConfig, with_goal: bool, costs: Tensor | None, place: int) -> Hashable:
    """Return the key of a plain search; the result keeps the prompt, so that no other prompt can get its id."""
    digest = b"" if costs is None else hashlib.blake2b(costs[place].numpy().tobytes()).digest()
    return id(prompt), search, with_goal, digest


def _written(
    rows: Sequence[Prompt], planned: Sequence[Sequence[plan.Part]], searcher: Searcher
) -> list[list[Hypothesis]]:
    """Generate the texts of rows from their parts; only the first part may state the goal."""
    first = searcher.write([parts[0].row for parts in planned])
    rest = iter(replace(searcher, with_goal=False).write([part.row for parts in planned for part in parts[1:]]))
    ends, mark = _marks(searcher.bundle)
    found = []
    for row, parts, texts in zip(rows, planned, first, strict=True):
        of_parts = zip(parts, [texts, *(next(rest) for _ in parts[1:])], strict=True)
        each = [[_of_row(one, part.row, row, searcher.bundle) for one in some] for part, some in of_parts]
        found.append(plan.join(parts, each, ends, mark))
    return found


def _of_row(one: Hypothesis, part: Prompt, row: Prompt, bundle: Bundle) -> Hypothesis:
    """Return a text of a part in the ids of the whole row, which may number its copy candidates differently."""
    own = {} if part is row else bundle.text_task.own_ids(row, bundle.vocabularies)
    if not own:
        return one
    words = bundle.words(one.tokens, part)
    tokens = [own.get(word, token) for token, word in zip(one.tokens, words, strict=True)]
    return replace(one, tokens=tokens)


def _marks(bundle: Bundle) -> tuple[list[int], int]:
    """Return the ids of the tokens that end a sentence, and of the most frequent one."""
    vocabulary = bundle.vocabularies.text
    usual = bundle.habits.mark if bundle.habits else FULL_STOP
    return vocabulary.encode(sorted(ENDS)), vocabulary.encode([usual])[0]


def _settled(search: SearchConfig) -> SearchConfig:
    """Complete the settings: enough hypotheses for the texts wanted, and no more than banks need.

    With banks no text ends below the bound, so the search need not wait for one that reaches it, nor rewrite.
    """
    several = 2 * search.texts if search.texts > 1 else 1  # some become equal when they are turned into text
    width = max(search.width, search.texts)
    if search.is_banked:
        return replace(search, width=width, finished=max(width, several), rewrites=0)
    finished = search.finished and max(search.finished, several)  # 0: all that stay in the beam
    return replace(search, width=width, finished=finished)
