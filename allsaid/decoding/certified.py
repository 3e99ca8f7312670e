"""Texts of a model with a phrasebook: from the search if it finds certified ones, else assembled.

A row's text comes from the first of these sources that gives a certified one: the plain search, the assembly of known
sentences, the search with coverage banks. If none does, the text is the best one by :meth:`Searcher.quality`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from allsaid.decoding.group import copied_ids
from allsaid.decoding.hypothesis import Hypothesis
from allsaid.decoding.search import Searcher
from allsaid.modeling.data.agenda_arrays import Prompt
from allsaid.modeling.data.vocabulary import UNKNOWN
from allsaid.modeling.models.base.contract import AssemblesTexts
from allsaid.proof.forms.assembly.assemble import Assembled
from schemas.example import NO_ITEM

DRAFTS = 2  # texts assembled for each text wanted, since some may be banned


def write(searcher: Searcher, prompts: Sequence[Prompt]) -> list[list[Hypothesis]]:
    """Return the hypotheses of each prompt, best first."""
    search = searcher.search
    if isinstance(searcher.bundle.model, AssemblesTexts):
        return [_ranked(searcher, _assembled(searcher, prompt), prompt) for prompt in prompts]
    plain = replace(searcher, search=replace(search, min_coverage=0.0, banks=False))
    found = [_ranked(searcher, one, prompt) for one, prompt in zip(plain.write(prompts), prompts, strict=True)]
    short = [place for place, prompt in enumerate(prompts) if not _is_enough(searcher, found[place], prompt)]
    if search.assemble:
        for place in short:
            found[place] = _ranked(searcher, [*found[place], *_assembled(searcher, prompts[place])], prompts[place])
        short = [place for place in short if not _is_enough(searcher, found[place], prompts[place])]
    again = searcher.write_all([prompts[place] for place in short])
    for place, more in zip(short, again, strict=True):
        found[place] = _ranked(searcher, [*found[place], *more], prompts[place])
    return found


def _ranked(searcher: Searcher, hypotheses: Sequence[Hypothesis], prompt: Prompt) -> list[Hypothesis]:
    """Return the distinct texts, best first; equals keep their order."""
    different: dict[tuple[int, ...], Hypothesis] = {}
    for one in hypotheses:
        different.setdefault(tuple(one.tokens), one)
    return sorted(different.values(), key=lambda one: searcher.quality(one, prompt))


def _is_enough(searcher: Searcher, hypotheses: Sequence[Hypothesis], prompt: Prompt) -> bool:
    """Return whether as many texts as wanted are certified and contain no banned phrase."""
    wanted = searcher.search.texts
    return len(hypotheses) >= wanted and not any(any(searcher.quality(one, prompt)) for one in hypotheses[:wanted])


def _assembled(searcher: Searcher, prompt: Prompt) -> list[Hypothesis]:
    search = searcher.search
    assembler = searcher.bundle.assembler
    count = DRAFTS * search.texts
    seed = prompt.id if search.variety else ""
    ids = copied_ids(searcher.bundle, prompt)
    texts = assembler.write(prompt, count, seed, ids.keys())
    return [_hypothesis(one, prompt, searcher.bundle.vocabularies.text.ids, ids) for one in texts]


def _hypothesis(text: Assembled, prompt: Prompt, known: Mapping[str, int], own: Mapping[str, int]) -> Hypothesis:
    """Turn an assembled text into a hypothesis, with the text's score as the log-probability."""
    items = {tokens[0]: item for item, tokens in enumerate(prompt.agenda_tokens) if len(tokens) == 1}
    places = [items.get(token, NO_ITEM) for token in text.tokens]
    return Hypothesis(
        [known[token] if token in known else own.get(token, UNKNOWN) for token in text.tokens],
        places,
        min(text.score, 0.0),
        sorted({*places} - {NO_ITEM}),
        finished=True,
        penalised=False,
        is_assembled=True,
    )
