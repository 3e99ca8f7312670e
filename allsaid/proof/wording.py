"""Wording of texts: vocabulary use, catch-all phrases, items introduced twice (Kiddon et al. 2016, section 6).

This is the only definition:

- *Vocabulary use* (Figure 3: "counts of the most used vocabulary tokens, sorted by count"): the count of each token of
  the training vocabulary in all texts together, the most frequent first. Its length is the number of *distinct
  tokens*. Phrase tokens (``olive_oil``) count as one; marks (``<br>``) don't count.
- A text has a *catch-all* if "ingredients" directly follows "all" or "the" in it. "Remaining ingredients" and "dry
  ingredients" don't count. The paper counts phrases "like 'all ingredients' or 'the ingredients'": 7.8% of its
  reference texts.
- A text *adds* an item if an adding word ("add", "stir in", "combine" and others) precedes its name in the sentence,
  without "to", "into", "until", "while" or the like between them. A name before "mixture" belongs to a mixture.
- An item is *introduced twice* if the text adds it more often than the agenda has items of that name (the same head, as
  `allsaid.proof.coverage` finds it). An addition of a part doesn't count: one of the three words before it is a number,
  "remaining", "rest", "half", "more" and others. The paper's Figure 4 marks such doubles by hand.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise

from allsaid.language.text import listed
from allsaid.proof.coverage import Lexicon, measure
from schemas.example import LINE_BREAK, PHRASE_JOINER

_MARK = re.compile(r"<[^<>]+>")
_BEFORE_IN = listed("stir mix fold beat blend whisk work rub toss stirring mixing folding beating blending")
_ADDING = listed("add adding combine combining")
_NOT_ADDED = listed("to into onto over until till while when before except")
_SENTENCE_ENDS = listed(f". ; ! ? {LINE_BREAK}")
_PART = listed(
    """remaining remainder rest reserved other another more additional extra half third quarter part some little bit
    balance again alternately dash"""
)
_PART_REACH = 3  # words before a name
_NO_NAMES = Lexicon({})


def vocabulary_use(texts: Iterable[Sequence[str]], vocabulary: Collection[str]) -> list[int]:
    """Count each vocabulary token that occurs in N texts, most frequent first."""
    counts = Counter(token for text in texts for token in text if token in vocabulary and not _MARK.fullmatch(token))
    return sorted(counts.values(), reverse=True)


def has_catch_all(tokens: Sequence[str]) -> bool:
    """Return whether a text of T tokens contains "all ingredients" or "the ingredients"."""
    return any(pair in {("all", "ingredients"), ("the", "ingredients")} for pair in pairwise(tokens))


def doubled(tokens: Sequence[str], agenda: Sequence[Sequence[str]]) -> list[list[int]]:
    """Find the additions of items that a text of T tokens adds more often than allowed.

    Returns, for each of L items, the positions of the names in the surplus additions. If several items share their
    mentions, the list of the first item holds the positions.
    """
    mentions = measure(tokens, agenda, _NO_NAMES).mentions
    adding = _adding(tokens)
    found: list[list[int]] = [[] for _ in agenda]
    seen: set[int] = set()
    for item, places in enumerate(mentions):
        if seen.isdisjoint(places):
            additions = [run for run in _runs(places) if adding[run[0]] and not _is_part(tokens, run)]
            allowed = sum(not set(places).isdisjoint(other) for other in mentions)
            found[item] = [place for run in additions[allowed:] for place in run]
        seen.update(places)
    return found


def _adding(tokens: Sequence[str]) -> list[bool]:
    """Return for each of T positions whether its token is added."""
    flags, adding = [], False
    for before, token in pairwise(["", *tokens]):
        if token in _ADDING or (before in _BEFORE_IN and token == "in"):
            adding = True
        elif token in _NOT_ADDED or token in _SENTENCE_ENDS:
            adding = False
        flags.append(adding)
    return flags


def _runs(places: Sequence[int]) -> list[list[int]]:
    """Group sorted positions into runs of neighbours; each run is one mention."""
    runs: list[list[int]] = []
    for place in places:
        if runs and place == runs[-1][-1] + 1:
            runs[-1].append(place)
        else:
            runs.append([place])
    return runs


def _is_part(tokens: Sequence[str], run: Sequence[int]) -> bool:
    """Return whether a mention means a part of the item, or a mixture named after it."""
    before = tokens[max(0, run[0] - _PART_REACH) : run[0]]
    after = tokens[run[-1] + 1 : run[-1] + 2]
    words = [word for token in before for word in token.split(PHRASE_JOINER)]
    return "mixture" in after or any(word in _PART or any(map(str.isdigit, word)) for word in words)
