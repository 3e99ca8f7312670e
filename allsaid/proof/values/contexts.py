"""Context words of each column's values, learned from the training texts.

They show a value stated as another column's ("a battery life of 2389 EUR"), and a yes stated as a no or the
reverse. No word list is used. The contexts are the two words before a placeholder and the two after it. For a yes or
no, they are the word that mentions it and the two words before that.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from schemas.act import PREFIX, Slot, agenda_line, parse_agenda_line
from schemas.example import NO_ITEM, Example

NEAR = 2  # words on each side
HERE = "_"  # replaces the placeholder itself
MIN_SEEN = 5  # fewest occurrences of context words in training
USUAL = 0.9  # words belong to a column with at least this share of their occurrences
STRANGE = 0.01  # words are strange to a column with at most this share of their occurrences
MIN_AGAIN = 0.05  # a column may repeat in a text if it does in at least this share of the texts that mention it


@dataclass(frozen=True)
class Contexts:
    seen: Mapping[str, Mapping[str, int]]  # words -> (column, or agenda line of a yes or no) -> count
    again: Sequence[str]  # columns that a text may mention several times

    def wrong(self, tokens: Sequence[str], agenda: Sequence[str], items: Sequence[Sequence[str]]) -> list[str]:
        """Return the wrong statements of T tokens about the L lines of an agenda, as distinct agenda lines.

        ``items`` are the tokens of each agenda line. A price stated as another column's value
        gives "battery_hours=2389 EUR".
        """
        slots = {item[0]: parse_agenda_line(line) for item, line in zip(items, agenda, strict=True) if len(item) == 1}
        flags = {slot.slot: _flag(slot.slot, token) for token, slot in slots.items()}
        found = [self._wrong(tokens, place, slots.get(token), flags) for place, token in enumerate(tokens)]
        return list(dict.fromkeys(line for line in found if line))

    def _wrong(self, tokens: Sequence[str], place: int, slot: Slot | None, flags: Mapping[str, str]) -> str:
        if slot is None:
            line = self._owners.get(_up_to(tokens, place), "")
            return line if line and flags.get(parse_agenda_line(line).slot, line) != line else ""
        for words in _around(tokens, place):
            column = self._owners.get(words)
            if column and self._share(words, slot.slot) <= STRANGE:
                return agenda_line(Slot(column, slot.value))
        return ""

    @cached_property
    def _owners(self) -> Mapping[str, str]:
        """Words -> the column or agenda line that they belong to; ambiguous words are left out."""
        return {
            words: owner
            for words, counts in self.seen.items()
            for owner in counts
            if self._share(words, owner) >= USUAL
        }

    def _share(self, words: str, owner: str) -> float:
        counts = self.seen[words]
        return counts.get(owner, 0) / sum(counts.values())


def build_contexts(examples: Iterable[Example]) -> Contexts:
    """Count the context words of the values in a training part's texts."""
    seen: defaultdict[str, Counter[str]] = defaultdict(Counter)
    texts, several = Counter[str](), Counter[str]()
    for example in examples:
        mentions = [*_mentions(example)]
        for place, item in mentions:
            column = parse_agenda_line(example.agenda[item]).slot
            if example.tokens[place].startswith(PREFIX):
                for words in _around(example.tokens, place):
                    seen[words][column] += 1
            elif flag := _flag(column, example.agenda_tokens[item][0]):
                seen[_up_to(example.tokens, place)][flag] += 1
        columns = Counter(parse_agenda_line(example.agenda[item]).slot for _, item in mentions)
        texts.update(columns.keys())
        several.update(column for column, times in columns.items() if times > 1)
    ordered = {words: dict(sorted(counts.items())) for words, counts in sorted(seen.items())}
    return Contexts(
        {words: counts for words, counts in ordered.items() if sum(counts.values()) >= MIN_SEEN},
        sorted(column for column in texts if several[column] >= MIN_AGAIN * texts[column]),
    )


def _mentions(example: Example) -> Iterator[tuple[int, int]]:
    """Yield the first position of each mention of an item, and the item."""
    for index, places in groupby(range(len(example.tokens)), key=lambda place: example.ref_items[place]):
        if index != NO_ITEM:
            yield next(places), index


def _flag(column: str, token: str) -> str:
    """Return the agenda line of a yes or no, by its token; "" for any other value."""
    answer = next((value for value in ("yes", "no") if token.endswith(f"_{value.upper()}")), "")
    return answer and agenda_line(Slot(column, answer))


def _around(tokens: Sequence[str], place: int) -> list[str]:
    """Return the two words before a placeholder and the two after it, with ``HERE`` in its place.

    Marks alone, such as the full stop at the end of a text, show nothing about a column.
    """
    before, after = tokens[max(place - NEAR, 0) : place], tokens[place + 1 : place + 1 + NEAR]
    return [" ".join(words) for words in ((*before, HERE), (HERE, *after)) if any(map(str.isalnum, "".join(words)))]


def _up_to(tokens: Sequence[str], place: int) -> str:
    """Return a word and the two before it."""
    return " ".join(tokens[max(place - NEAR, 0) : place + 1])
