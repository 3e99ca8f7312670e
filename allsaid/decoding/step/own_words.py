"""Words that a text may contain in addition to the frequent ones, where a search uses a shortlist.

The list starts with the words of the row's goal and items (for other kinds of rows, those that the task names) and the
most frequent words that cover an item. Companions of the row's words in training texts
(`allsaid.modeling.data.companions`) fill it up. A list depends only on its row.

Other words are chosen by frequency alone, as in the shortlists of sockeye and CTranslate2. Companions there come from
word alignments, which an agenda does not have.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain

import torch
from torch import Tensor

from allsaid.decoding.step.items import allowed_words, asked
from allsaid.modeling.config import SearchConfig
from allsaid.modeling.data.agenda_arrays import Prompt
from allsaid.modeling.data.companions import Companions
from allsaid.modeling.data.vocabulary import PAD, SPECIALS, VocabularySet
from allsaid.modeling.saved.model_folder import Bundle
from allsaid.modeling.tasks.contract import ReadsRows

SIZE = 128  # length of a list with companions
LEAST = 16  # length of a list without companions; a longer list has the next power of two as its length
EACH = 4  # words taken for each item that they cover; further ones are hardly ever generated


def own_words(
    bundle: Bundle, rows: Sequence[Prompt], search: SearchConfig, banned: tuple[str, ...] = ()
) -> list[Tensor]:
    """Return the list (S,) of each row, most frequent first, padded with PAD."""
    task = bundle.task
    named = task.row_words if isinstance(task, ReadsRows) else _named
    lists = []
    for row in rows:
        words = named(row, bundle.vocabularies)
        by_item = allowed_words(row, bundle.vocabularies.text, search, banned, bundle.says_goals)
        covering = chain.from_iterable(item_words[:EACH] for item_words in by_item)
        lists.append(_filled(words, covering, bundle.companions, len(SPECIALS) + search.shortlist).to(bundle.device))
    return lists


def _named(row: Prompt, vocabularies: VocabularySet) -> list[int]:
    return vocabularies.text.encode(chain.from_iterable(asked(row, with_goal=True)))


def _filled(named: Sequence[int], covering: Iterable[int], companions: Companions | None, frequent: int) -> Tensor:
    """Return a list; named: words of the row, whose companions fill the list; covering: words that cover its items."""
    words = list(dict.fromkeys(word for word in chain(named, covering) if word >= frequent))
    size = max(LEAST if companions is None else SIZE, 1 << (len(words) - 1).bit_length())
    if companions is not None:
        more = (word for word in companions.of(named) if word >= frequent)
        words = list(dict.fromkeys(chain(words, more)))[:size]
    return torch.tensor([*sorted(words), *[PAD] * (size - len(words))])
