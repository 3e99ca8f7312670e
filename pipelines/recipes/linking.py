"""String-match supervision (Kiddon et al. 2016, sections 4.6 and 5): the item that each token refers to.

A mention is the longest run of text tokens whose words are all in one item's name. Rules, in this order:

1. Words are compared by stem, so that "tomatoes" is "tomato"; words in -ed and -ing only as written, so that a floured
   board is no flour. A phrase token (``peanut_butter``) matches only if all of its words do.
2. Among the items that fit, a whole name is better than one that ends in the same word (its head), and that is better
   than any other word ("lemon" for lemon juice). Words that only describe ("large") never suffice. Alternatives
   ("butter or margarine") are names of their own.
3. Items with equal names are taken in the agenda's order; if all were mentioned, the latest again. If different names
   fit equally well ("cheese" for two cheeses), the mention means the one that was mentioned before; if that is none or
   several, its tokens are unsupervised.
4. The first reference of a sentence may neither be its first word nor follow a comma ("oil the pan", "in a bowl,
   mix ..."); such a mention is no reference. An item's first mention is new, each later one used.
5. "all ingredients", "the remaining ingredients", "everything" are unsupervised.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from allsaid.language.stems import key
from allsaid.language.text import listed
from schemas.example import LINE_BREAK, NEW, NO_ITEM, NONE, PHRASE_JOINER, UNSUPERVISED, USED

SENTENCE_ENDS = frozenset((".", "!", "?", LINE_BREAK))


FUNCTION_WORDS = listed("a an and & at by for from in into of on or the to with without your")
ALTERNATIVES = listed("or and &")
CATCH_ALL = listed("ingredient ingredients everything")
BEFORE_CATCH_ALL = listed("all the of remaining rest other dry wet liquid first last next following above these")
# Words of a name that describe and don't name, and words that mostly have another meaning in a text.
DESCRIPTORS = listed(
    """all-purpose black blue brown golden green pink purple red white yellow dark light pale
    big extra giant jumbo large little long medium mini miniature short small thick thin whole half quarter
    boneless boiling cold cool crisp dry fat-free fine firm fresh freshly hard hot instant lean low-fat lukewarm
    mild nonfat plain pure raw ripe rich room skim skinless soft sour spicy sweet tart tender unsalted warm
    bitter clear coarse cooking baking whipping ground frozen canned packaged prepared ready regular quick
    american chinese dutch english french german greek indian italian mexican swiss thai
    bag ball bottle box bunch can carton container cup dash drop envelope inch jar loaf ounce pack package pan
    part piece pinch pint pound quart recipe slice stick tablespoon teaspoon top
    cake cook cooky cover cream dish finish ice mix pie pot salad serve side style table taste time use water"""
)


@lru_cache(maxsize=1 << 16)
def _keys(token: str) -> tuple[str, ...]:
    """Return the stems of a token's words; none for a token without a letter."""
    words = token.split(PHRASE_JOINER)
    return tuple(key(word) for word in words) if any(letter.isalpha() for letter in token) else ()


_DESCRIPTOR_KEYS = frozenset(map(key, DESCRIPTORS)) | DESCRIPTORS


@dataclass(frozen=True)
class _Item:
    name: tuple[str, ...]  # keys of all its words, in order
    names: tuple[tuple[str, ...], ...]  # keys of each alternative and of the whole

    def fit(self, mention: tuple[str, ...]) -> int:
        """Return how well a mention, whose words are all in this item's name, fits: 3 whole, 2 head, 1 word, 0 not."""
        if mention in self.names:
            return 3
        if any(mention[-1] == name[-1] for name in self.names):
            return 2
        return int(any(word not in _DESCRIPTOR_KEYS and not word.endswith(("ing", "ed")) for word in mention))


def _item(tokens: Sequence[str]) -> _Item:
    names: list[list[str]] = [[]]
    for token in tokens:
        if token in ALTERNATIVES:
            names.append([])
        else:
            names[-1].extend(_keys(token))
    whole = tuple(word for token in tokens for word in _keys(token))
    return _Item(whole, tuple({tuple(name): None for name in [*names, whole] if name}))


def _mask(token: str, having: dict[str, int]) -> int:
    """Return the bits of the items that have all words of a token."""
    keys = _keys(token)
    mask = -1 if keys else 0
    for word in keys:
        mask &= having.get(word, 0)
    return mask


class _Linker:
    """The state of one recipe while its text is read from left to right."""

    def __init__(self, agenda: Sequence[Sequence[str]], tokens: Sequence[str]) -> None:
        self.items = [_item(name) for name in agenda]
        self.tokens = tokens
        self.types = [NONE] * len(tokens)
        self.refs = [NO_ITEM] * len(tokens)
        self.mentioned: list[int] = []  # items in order of their latest mention
        having: dict[str, int] = {}  # key -> bit mask of the items that have it
        for position, item in enumerate(self.items):
            for word in item.name:
                having[word] = having.get(word, 0) | 1 << position
        self.masks = [_mask(token, having) for token in tokens]  # items whose name has every word of the token

    def run(self) -> None:
        position, opening, referred = 0, True, False
        while position < len(self.tokens):
            token, end = self.tokens[position], position + 1
            if token in SENTENCE_ENDS:
                opening, referred = True, False
            elif self.masks[position] and token not in FUNCTION_WORDS:
                end, mask = self._mention(position)
                if referred or not (opening or self.tokens[position - 1] == ","):
                    referred |= self._refer(position, end, mask)
                opening = False
            elif token in CATCH_ALL:
                self._catch_all(position)
            elif opening:
                opening = not any(letter.isalnum() for letter in token)
            position = end

    def _mention(self, start: int) -> tuple[int, int]:
        """Return the end of the longest mention that begins at ``start``, and the mask of the items that it fits."""
        end, found = start + 1, self.masks[start]
        mask = found
        for reach in range(start + 1, len(self.tokens)):
            mask &= self.masks[reach]
            if not mask:
                break
            if self.tokens[reach] not in FUNCTION_WORDS:
                end, found = reach + 1, mask
        return end, found

    def _refer(self, start: int, end: int, mask: int) -> bool:
        """Set the references of a mention; return whether it refers to anything."""
        mention = tuple(word for token in self.tokens[start:end] for word in _keys(token))
        fits = {item: self.items[item].fit(mention) for item in range(len(self.items)) if mask >> item & 1}
        best = max(fits.values())
        if not best:
            return False
        item = self._choose([item for item, fit in fits.items() if fit == best])
        kind = UNSUPERVISED if item == NO_ITEM else USED if item in self.mentioned else NEW
        for position in range(start, end):
            self.types[position], self.refs[position] = kind, item
        if item != NO_ITEM:
            self.mentioned = [other for other in self.mentioned if other != item] + [item]
        return True

    def _choose(self, tied: list[int]) -> int:
        """Return the item that a mention means if it fits all of ``tied`` equally well (rule 3)."""
        before = [item for item in self.mentioned if item in tied]
        if len({self.items[item].name for item in tied}) == 1:
            fresh = [item for item in tied if item not in before]
            return fresh[0] if fresh else before[-1]
        return before[0] if len(before) == 1 else NO_ITEM

    def _catch_all(self, position: int) -> None:
        self.types[position] = UNSUPERVISED
        while position and self.tokens[position - 1] in BEFORE_CATCH_ALL and self.types[position - 1] == NONE:
            position -= 1
            self.types[position] = UNSUPERVISED


def link(agenda: Sequence[Sequence[str]], tokens: Sequence[str]) -> tuple[list[int], list[int]]:
    """Return reference type and item of each of T tokens.

    ``agenda``: the name tokens of L items; ``tokens``: the lower-case text; phrases are merged in both. Items are
    positions in the agenda, NO_ITEM if the type is NONE or UNSUPERVISED.
    """
    linker = _Linker(agenda, tokens)
    linker.run()
    return linker.types, linker.refs
