"""Plant faults in reference texts, and count how many of them are certified.

Each of `KINDS` makes a text that is false of its row or is no sentence, so its certificate would be false. No word list
is needed: most faults count only if no reference text has their wording (`allsaid.proof.planted.known`). A text that
can't be damaged with certainty is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from allsaid.proof.habits import sentences
from allsaid.proof.planted import values, wording
from allsaid.proof.planted.edit import Edit
from allsaid.proof.planted.known import Known, body, is_slot
from schemas.example import Example

Certifies = Callable[[Sequence[str], Example], bool]  # of a delexicalised text and its row
EditFinder = Callable[[Example, Known, Random], Iterator[Edit]]

KINDS: Mapping[str, EditFinder] = {
    "swapped": values.swapped,  # two values exchanged
    "attached": values.attached,  # another column's value in place of one
    "cut": wording.cut,  # a clause that ends after a word such as "the"
    "joined": wording.joined,  # the start of a sentence with the end of another
    "doubled": wording.doubled,  # a word or a phrase twice
    "goal_word": values.goal_word,  # the goal's words at a wrong place, or another goal's
    "crossed": wording.crossed,  # a clause continued by the end of another one, after a word that both have
    "polarity": values.polarity,  # yes for no, or no for yes
    "foreign": values.foreign,  # a sentence with a goal, value or answer that the row lacks
    "reordered": wording.reordered,  # words shuffled, or the word before a value left out or replaced
}
UNCERTAIN: Mapping[str, EditFinder] = {"crossed_bare": wording.crossed_bare}  # not among `KINDS`, since some are right
FALSE_IN_ANY_WORDING = frozenset(("polarity", "foreign"))  # even if reference texts have their sentences


@dataclass(frozen=True)
class Planted:
    kind: str
    way: str  # how the fault was made
    tokens: list[str]  # the damaged text, delexicalised
    start: int
    end: int  # after the inserted tokens; equal to ``start`` if tokens were left out
    row: Example  # without its text


@dataclass(frozen=True)
class Count:
    planted: int
    certified: int  # should be 0


def row_of(example: Example) -> Example:
    """Return the example without its text: all that a judge may know of the row."""
    return replace(example, text="", tokens=[], surface=[], ref_types=[], ref_items=[])


def corrupt(kind: str, example: Example, known: Known, chance: Random) -> Planted | None:
    """Damage an example's text by an edit of one kind; return None if no edit surely makes it wrong."""
    found: dict[str, list[Edit]] = {}
    for edit in {**KINDS, **UNCERTAIN}[kind](example, known, chance):
        found.setdefault(edit.way, []).append(edit)
    for way in chance.sample(sorted(found), len(found)):
        for edit in chance.sample(found[way], len(found[way])):
            tokens = edit.apply(example.tokens)
            if is_really_wrong(kind, tokens, example, known):
                return Planted(kind, way, tokens, edit.start, edit.start + len(edit.words), row_of(example))
    return None


def is_really_wrong(kind: str, tokens: Sequence[str], example: Example, known: Known) -> bool:
    """Return whether a damaged text has a sentence that no reference text has.

    For the kinds of `FALSE_IN_ANY_WORDING`, return whether it differs from the original.
    """
    if kind in FALSE_IN_ANY_WORDING:
        return list(tokens) != example.tokens
    parts = (body(tokens[places.start : places.stop]) for places in sentences(tokens))
    return any(any(map(_is_word_or_slot, part)) and part not in known.whole_spans for part in parts)


def _is_word_or_slot(token_kind: str) -> bool:
    """Return whether a kind is that of a word or a placeholder, not of a mark of one character."""
    return bool(token_kind) and (is_slot(token_kind) or token_kind.isalnum() or len(token_kind) > 1)


def plant(
    examples: Sequence[Example], known: Known, per_kind: int, seed: int = 1, kinds: Iterable[str] = tuple(KINDS)
) -> list[Planted]:
    """Damage ``per_kind`` texts in each kind, or as many as can be damaged; no two results are the same."""
    chance, found = Random(seed), dict[tuple[str, ...], Planted]()
    for kind in kinds:
        left, misses = per_kind, 0
        order = chance.sample(examples, len(examples))
        while left and order and misses < len(order):
            # The search for the n-th text begins at the n-th example and goes on to the next one after each miss.
            example = order[(per_kind - left + misses) % len(order)]
            planted = corrupt(kind, example, known, chance)
            if planted and tuple(planted.tokens) not in found:
                found[tuple(planted.tokens)] = planted
                left, misses = left - 1, 0
            else:
                misses += 1
    return list(found.values())


def count_certified(planted: Iterable[Planted], certifies: Certifies) -> dict[str, Count]:
    """Count the damaged texts of each kind, and how many of them are certified."""
    counts: dict[str, Count] = {}
    for text in planted:
        before = counts.get(text.kind, Count(0, 0))
        passed = bool(certifies(text.tokens, text.row))
        counts[text.kind] = Count(before.planted + 1, before.certified + passed)
    return counts
