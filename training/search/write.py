"""Prompts -> hypotheses, in one way for training, scoring and the batch job."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import torch

from training.config import SearchConfig
from training.metrics import coverage
from training.metrics.coverage import Coverage
from training.models.model_folder import Bundle
from training.search import consensus
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

    A prompt has none only where ``banned`` phrases leave no word to write. A banked search puts those first that give
    most items, then those with the fewest extra ones, then the likely ones, as ``measure`` finds; by default that
    measures names.
    """
    search = _settled(search)
    found = _search(bundle, prompts, search, banned)
    if not search.is_banked:
        return [_by_rank(one, search) for one in found] if search.consensus else found
    by_names: Measure = lambda words, prompt: coverage.measure(  # noqa: E731
        words, asked(prompt, bundle.says_goals), bundle.lexicon
    )
    measure = measure or by_names
    found = [_by_coverage(bundle, one, prompt, measure, search) for one, prompt in zip(found, prompts, strict=True)]
    short = [
        place
        for place, prompt in enumerate(prompts)
        if _is_short(bundle, found[place], prompt, measure, search, banned)
    ]
    if short:
        wider = replace(search, width=HARDER * search.width)
        again = _search(bundle, [prompts[place] for place in short], wider, banned)
        for place, more in zip(short, again, strict=True):
            both = {tuple(one.tokens): one for one in [*more, *found[place]]}
            found[place] = _by_coverage(bundle, list(both.values()), prompts[place], measure, search)
    return found


def _settled(search: SearchConfig) -> SearchConfig:
    """Settings that follow from others: enough hypotheses for the texts wanted, and no more than banks need.

    Banks let no text end below the bound, so the search needs not wait for one that reaches it, nor write again.
    """
    several = 2 * search.texts if search.texts > 1 else 1  # some become equal when they are written out
    width = max(search.width, search.texts)
    if search.is_banked:
        return replace(search, width=width, finished=max(width, several), rewrites=0)
    return replace(search, width=width, finished=max(search.finished, several))


def _search(
    bundle: Bundle, prompts: Sequence[Prompt], search: SearchConfig, banned: tuple[str, ...]
) -> list[list[Hypothesis]]:
    found: list[list[Hypothesis]] = [[] for _ in prompts]
    own = own_words(bundle, prompts, search, banned) if search.shortlist else None
    sizes = None if own is None else [len(words) for words in own]
    for places, encoded in by_shape([bundle.prompts([one]) for one in prompts], sizes):

        def find(chosen: Prompts, texts: Sequence[int], places: Sequence[int] = places) -> list[list[Hypothesis]]:
            rows = [prompts[places[text]] for text in texts]
            vocabulary, with_goal = bundle.vocabularies.text, bundle.says_goals
            limits = limits_of(rows, vocabulary, bundle.lexicon, search, banned, bundle.device, with_goal)
            lists = None if own is None else torch.stack([own[places[text]] for text in texts])
            return beam_search(bundle.model, chosen, search, limits, own=lists)

        for place, hypotheses in zip(places, rewrite(find, encoded, search.rewrites), strict=True):
            found[place] = hypotheses
    return found


def _by_coverage(
    bundle: Bundle, hypotheses: Sequence[Hypothesis], prompt: Prompt, measure: Measure, search: SearchConfig
) -> list[Hypothesis]:
    ranked = []
    for one in consensus.preferred(hypotheses, search):
        said = measure(bundle.words(one.tokens, prompt), prompt)
        ranked.append((one.penalised, not one.finished, -sum(said.given), len(said.extra), one))
    return [entry[-1] for entry in sorted(ranked, key=lambda entry: entry[:-1])]


def _by_rank(hypotheses: Sequence[Hypothesis], search: SearchConfig) -> list[Hypothesis]:
    return sorted(consensus.preferred(hypotheses, search), key=lambda one: one.rank(search)[:3])


def _is_short(
    bundle: Bundle,
    hypotheses: Sequence[Hypothesis],
    prompt: Prompt,
    measure: Measure,
    search: SearchConfig,
    banned: tuple[str, ...],
) -> bool:
    """Whether there are fewer texts than wanted, or the best one is below the bound and lacks what might be given."""
    if not hypotheses:
        return False
    if len(hypotheses) < search.texts:
        return True
    given = measure(bundle.words(hypotheses[0].tokens, prompt), prompt).given
    lost = unwritable(prompt, bundle.vocabularies.text, banned, bundle.says_goals)
    may_give = len(given) - sum(not given[item] for item in lost)
    return 100 * sum(given) < search.min_coverage * len(given) and sum(given) < may_give
