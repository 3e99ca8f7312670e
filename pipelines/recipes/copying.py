"""Pointer supervision by string match: which ingredient token each text token copies (Yang et al. 2016, section 2.2).

The paper supervises its switch with the tokens "that appear in the ingredients", without further rules. Here a copy is
a run of text tokens that one ingredient has in the same order, without regard to case. Rules, in order:

1. A run ends with a naming word. Amounts, units and function words are copied only before or within such a run
   ("2 tablespoons butter"), never alone, so that the "1" of "1 hour" is no copy of "1 cup".
2. At each token the longest run is taken, and reading continues after it.
3. Of ingredients with equally long runs, the one with the fewest naming words is taken ("butter" is "1 cup butter"
   rather than "1 cup butter flavored shortening"), then the first that was not copied yet, then the one copied last.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from pipelines.recipes.linking import FUNCTION_WORDS
from pipelines.recipes.units import UNITS_IN_NAMES, WORDS
from schemas.copy import NO_COPY

_NOT_NAMES = FUNCTION_WORDS | {"as", "if", "it", "more", "needed", "desired", "not", "such", "taste", "than"}
_NOT_NAMES |= {"degrees", "f", "c", "g", "l"}
_UNITS = WORDS - UNITS_IN_NAMES

_NOTHING, _FRONT, _NAME = range(3)  # no part of a run; may begin one; a naming word, which may also end one

_Run = tuple[int, int, int]  # length, item, position within the item


@lru_cache(maxsize=1 << 16)
def _kind(token: str) -> int:
    if token in _NOT_NAMES or not any(map(str.isalnum, token)):
        return _NOTHING
    return _NAME if token not in _UNITS and any(map(str.isalpha, token)) else _FRONT


def point(ingredients: Sequence[Sequence[str]], tokens: Sequence[str]) -> tuple[list[int], list[int]]:
    """Return for each of T tokens the ingredient that it copies, and the position within it; NO_COPY for none.

    ``ingredients``: the lower-case tokens of L ingredients; ``tokens``: the lower-case text.
    """
    places = _places(ingredients)
    names = [sum(_kind(token) == _NAME for token in item) for item in ingredients]
    items, positions = [NO_COPY] * len(tokens), [NO_COPY] * len(tokens)
    copied: dict[int, int] = {}  # item -> position in the text where it was copied last
    here = 0
    while here < len(tokens):
        run = None
        if found := places.get(tokens[here]):
            run = _best([(_length(ingredients[i], p, tokens, here), i, p) for i, p in found], names, copied)
        if run is None:
            here += 1
            continue
        length, item, start = run
        items[here : here + length] = [item] * length
        positions[here : here + length] = range(start, start + length)
        copied[item] = here
        here += length
    return items, positions


def _places(ingredients: Sequence[Sequence[str]]) -> dict[str, list[tuple[int, int]]]:
    """Return the places (item, position) of each token that may begin a run."""
    places: dict[str, list[tuple[int, int]]] = {}
    for item, tokens in enumerate(ingredients):
        for position, token in enumerate(tokens):
            if _kind(token) != _NOTHING:
                places.setdefault(token, []).append((item, position))
    return places


def _length(item: Sequence[str], start: int, tokens: Sequence[str], here: int) -> int:
    """Return the length of the longest run at ``item[start]`` and ``tokens[here]`` that ends with a naming word."""
    length = 0
    for reach in range(min(len(item) - start, len(tokens) - here)):
        token = item[start + reach]
        if token != tokens[here + reach]:
            break
        if _kind(token) == _NAME:
            length = reach + 1
    return length


def _best(runs: list[_Run], names: Sequence[int], copied: Mapping[int, int]) -> _Run | None:
    """Return the run by rules 2 and 3; None if all have length 0."""

    def order(run: _Run) -> tuple[int, int, bool, int]:
        item = run[1]
        return -run[0], names[item], item in copied, -copied.get(item, -item)

    best = runs[0] if len(runs) == 1 else min(runs, key=order)
    return best if best[0] else None
