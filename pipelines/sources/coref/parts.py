"""The cuts of a long document, and the entity that each token of a part mentions.

By Yang et al. 2017, section 4, single mentions are ignored, and a mention of several tokens becomes the one "that is
most frequent in all the mentions for this entity". The paper does not specify the other rules.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate

from pipelines.sources.coref.columns import Annotated, Mention
from schemas.document import NO_ENTITY

MARKS = frozenset(".!?")  # end a sentence where a document has no empty lines between its sentences


def parts(document: Annotated, most: int) -> list[tuple[int, int]]:
    """Return first and end position of each part, in order.

    A document of at most ``most`` tokens is one part. A longer one is cut into parts of nearly equal length, none with
    less than a quarter of ``most``: after a sentence, else where no mention is cut, else anywhere.
    """
    good = _goodness(document)
    starts, total = [0], len(document.words)
    while (left := total - starts[-1]) > most:
        shard = -(-left // -(-left // most))
        even = starts[-1] + shard
        places = range(even - shard // 2, min(starts[-1] + most, total - most // 4) + 1)
        starts.append(max(places, key=lambda place: (good[place], -abs(place - even))))
    return list(zip(starts, [*starts[1:], total], strict=True))


def _goodness(document: Annotated) -> list[int]:
    """Return how good a cut before each word is: 0 within a mention, 1 within a sentence, else 2."""
    depth = [0] * (len(document.words) + 1)
    for mention in document.mentions:
        depth[mention.first] += 1
        depth[mention.last] -= 1
    ends = {*document.breaks} - {0, len(document.words)}
    ends = ends or {place + 1 for place, word in enumerate(document.words) if word in MARKS}
    return [0 if inside else 1 + (place in ends) for place, inside in enumerate([0, *accumulate(depth)][:-1])]


@dataclass(frozen=True)
class Reduced:
    """The entities of a part of T tokens; each of its mentions is counted once."""

    entities: list[int]  # T positions in chains, NO_ENTITY
    chains: list[str]
    single: int  # mentions of entities that no second token of the part mentions
    covered: int  # mentions whose tokens all mention other entities


def reduce(tokens: Sequence[str], mentions: Iterable[Mention]) -> Reduced:
    """Reduce each mention to one token, for entities with at least two mentions.

    A mention's token is the one most frequent over the entity's mentions; among equals the last, in English the head of
    a name or noun. A token mentions one entity: shorter mentions choose first, since they have fewer tokens.
    """
    found = list(mentions)
    number = Counter(mention.chain for mention in found)
    several = [mention for mention in found if number[mention.chain] > 1]
    uses: dict[str, Counter[str]] = {mention.chain: Counter() for mention in several}
    for mention in several:
        uses[mention.chain].update(tokens[mention.first : mention.last + 1])
    chosen: dict[int, str] = {}  # position -> chain
    for mention in sorted(several, key=lambda mention: (mention.last - mention.first, mention.first)):
        free = [place for place in range(mention.first, mention.last + 1) if place not in chosen]
        if free:
            chosen[max(free, key=lambda place: (uses[mention.chain][tokens[place]], place))] = mention.chain
    left = Counter(chosen.values())
    kept = {place: chosen[place] for place in sorted(chosen) if left[chosen[place]] > 1}
    chains = list(dict.fromkeys(kept.values()))
    numbers = {chain: number for number, chain in enumerate(chains)}
    entities = [numbers[kept[place]] if place in kept else NO_ENTITY for place in range(len(tokens))]
    single = len(found) - len(several) + len(chosen) - len(kept)
    return Reduced(entities, chains, single, len(several) - len(chosen))
