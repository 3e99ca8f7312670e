"""Texts of a model with a phrasebook: from the search if it finds certified ones, else assembled.

A row's text comes from the first of these sources that gives a certified text: the plain search, the assembly of known
sentences, the search with coverage banks. If none does, the best text by :meth:`Searcher.quality` is taken.
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
    by_prompt = [_ranked(searcher, texts, prompt) for texts, prompt in zip(plain.write(prompts), prompts, strict=True)]
    short = [index for index, prompt in enumerate(prompts) if not _are_perfect(searcher, by_prompt[index], prompt)]
    if search.assemble:
        for index in short:
            by_prompt[index] = _ranked(
                searcher, [*by_prompt[index], *_assembled(searcher, prompts[index])], prompts[index]
            )
        short = [index for index in short if not _are_perfect(searcher, by_prompt[index], prompts[index])]
    searched = searcher.write_all([prompts[index] for index in short])
    for index, more in zip(short, searched, strict=True):
        by_prompt[index] = _ranked(searcher, [*by_prompt[index], *more], prompts[index])
    return by_prompt


def _ranked(searcher: Searcher, hypotheses: Sequence[Hypothesis], prompt: Prompt) -> list[Hypothesis]:
    """Return the distinct texts, best first; texts of equal quality keep their order."""
    distinct: dict[tuple[int, ...], Hypothesis] = {}
    for hypothesis in hypotheses:
        distinct.setdefault(tuple(hypothesis.tokens), hypothesis)
    return sorted(distinct.values(), key=lambda hypothesis: searcher.quality(hypothesis, prompt))


def _are_perfect(searcher: Searcher, hypotheses: Sequence[Hypothesis], prompt: Prompt) -> bool:
    """Return whether the wanted number of texts have perfect quality (see :meth:`Searcher.quality`)."""
    wanted = searcher.search.texts
    return len(hypotheses) >= wanted and not any(
        any(searcher.quality(hypothesis, prompt)) for hypothesis in hypotheses[:wanted]
    )


def _assembled(searcher: Searcher, prompt: Prompt) -> list[Hypothesis]:
    search = searcher.search
    assembler = searcher.bundle.assembler
    count = DRAFTS * search.texts
    seed = prompt.id if search.variety else ""
    ids = copied_ids(searcher.bundle, prompt)
    texts = assembler.write(prompt, count, seed, ids.keys())
    return [_hypothesis(text, prompt, searcher.bundle.vocabularies.text.ids, ids) for text in texts]


def _hypothesis(text: Assembled, prompt: Prompt, known: Mapping[str, int], copy_ids: Mapping[str, int]) -> Hypothesis:
    """Turn an assembled text into a hypothesis, with the text's score as the log-probability."""
    items = {tokens[0]: item for item, tokens in enumerate(prompt.agenda_tokens) if len(tokens) == 1}
    items_of_tokens = [items.get(token, NO_ITEM) for token in text.tokens]
    return Hypothesis(
        [known[token] if token in known else copy_ids.get(token, UNKNOWN) for token in text.tokens],
        items_of_tokens,
        min(text.score, 0.0),
        sorted({*items_of_tokens} - {NO_ITEM}),
        finished=True,
        penalised=False,
        is_assembled=True,
    )
