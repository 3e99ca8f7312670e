"""The words that a text may hold beside the frequent ones, where a search chooses from a shortlist.

They are the row's own: the words of its goal and items (of a row of another kind, those that its task names) and, of
the words that give an item, the most frequent; then the companions of these in training texts
(`training.tasks.companions`), until the list is full. A list belongs to its row, whatever is searched beside it. Words
that are no row's are taken by their count alone, as in sockeye's and CTranslate2's shortlists; there the companions
come of word alignments, which an agenda has none of.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import torch
from torch import Tensor

from training.config import SearchConfig
from training.models.model_folder import Bundle
from training.search.limits import asked, giving
from training.tasks.agenda import Prompt
from training.tasks.contract import ListsWords
from training.tasks.vocabulary import PAD, SPECIALS

SIZE = 128  # words of a list; one with more of the row's own is as long as the next power of two
EACH = 4  # of the words that give an item: more are hardly ever written


def own_words(
    bundle: Bundle, rows: Sequence[Prompt], search: SearchConfig, banned: tuple[str, ...] = ()
) -> list[Tensor]:
    """The list (S,) of each row, by falling count, filled up with PAD."""
    return [_filled(_own(bundle, row, search, banned), bundle, row, len(SPECIALS) + search.shortlist) for row in rows]


def _own(bundle: Bundle, row: Prompt, search: SearchConfig, banned: tuple[str, ...]) -> list[int]:
    by_item = giving(row, bundle.vocabularies.text, search, banned, bundle.says_goals)
    return [*_named(bundle, row), *chain.from_iterable(words[:EACH] for words in by_item)]


def _named(bundle: Bundle, row: Prompt) -> Sequence[int]:
    """The words of the row itself."""
    if isinstance(bundle.task, ListsWords):
        return bundle.task.row_words(row, bundle.vocabularies)
    names = asked(row, with_goal=True)
    return bundle.vocabularies.text.encode(chain.from_iterable(names))


def _filled(own: Sequence[int], bundle: Bundle, row: Prompt, frequent: int) -> Tensor:
    words = list(dict.fromkeys(word for word in own if word >= frequent))
    size = max(SIZE, 1 << (len(words) - 1).bit_length())
    if bundle.companions is not None:
        more = (word for word in bundle.companions.of(_named(bundle, row)) if word >= frequent)
        words = list(dict.fromkeys(chain(words, more)))[:size]
    return torch.tensor([*sorted(words), *[PAD] * (size - len(words))], device=bundle.device)
