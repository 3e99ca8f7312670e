"""The words that a text may hold beside the frequent ones, where a search chooses from a shortlist.

They are the row's own: the words of its goal and items (of a row of another kind, those that its task names) and, of
the words that give an item, the most frequent; then the companions of these in training texts
(`allsaid.modeling.data.companions`), until the list is full. A list belongs to its row, whatever is searched beside it.
Words that are no row's are taken by their count alone, as in sockeye's and CTranslate2's shortlists; there the
companions come of word alignments, which an agenda has none of.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any

import torch
from torch import Tensor

from allsaid.decoding.step.items import asked, giving
from allsaid.modeling.config import SearchConfig
from allsaid.modeling.data.agenda_arrays import Prompt
from allsaid.modeling.data.companions import Companions
from allsaid.modeling.data.vocabulary import PAD, SPECIALS
from allsaid.modeling.saved.model_folder import Bundle
from allsaid.modeling.tasks.contract import ListsWords

SIZE = 128  # words of a list with companions
LEAST = 16  # and of one without; a list with more of the row's own is as long as the next power of two
EACH = 4  # of the words that give an item: more are hardly ever written


def own_words(
    bundle: Bundle, rows: Sequence[Prompt], search: SearchConfig, banned: tuple[str, ...] = ()
) -> list[Tensor]:
    """The list (S,) of each row, by falling count, filled up with PAD."""
    named = bundle.task.row_words if isinstance(bundle.task, ListsWords) else _named
    found = []
    for row in rows:
        words = named(row, bundle.vocabularies)
        by_item = giving(row, bundle.vocabularies.text, search, banned, bundle.says_goals)
        given = chain.from_iterable(some[:EACH] for some in by_item)
        found.append(_filled(words, given, bundle.companions, len(SPECIALS) + search.shortlist).to(bundle.device))
    return found


def _named(row: Prompt, vocabularies: Any) -> list[int]:
    return vocabularies.text.encode(chain.from_iterable(asked(row, with_goal=True)))


def _filled(named: Sequence[int], given: Iterable[int], companions: Companions | None, frequent: int) -> Tensor:
    """named: the words of the row itself, whose companions fill the list; given: more of its own."""
    words = list(dict.fromkeys(word for word in chain(named, given) if word >= frequent))
    size = max(LEAST if companions is None else SIZE, 1 << (len(words) - 1).bit_length())
    if companions is not None:
        more = (word for word in companions.of(named) if word >= frequent)
        words = list(dict.fromkeys(chain(words, more)))[:size]
    return torch.tensor([*sorted(words), *[PAD] * (size - len(words))])
