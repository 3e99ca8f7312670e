"""The punctuation style of a training part: blanks next to marks, kinds of quotation marks, marks that end texts."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, TypeVar  # Any: JSON

from schemas.example import Example

Value = TypeVar("Value", str, int)
Default = TypeVar("Default")
MIN_SEEN = 5  # minimum number of times that texts have a mark between words
QUOTES = '"„“”'  # normalised texts have the first one in place of all
APOSTROPHES = "'’"  # likewise
_STOPS = (".", "。", "।")  # full stops, among the marks that end a sentence


@dataclass(frozen=True)
class Marks:
    """Marks learned from a training part; a mark that is missing here is set as in English."""

    before: Mapping[str, bool] = field(default_factory=dict)  # mark -> whether a blank precedes it
    after: Mapping[str, bool] = field(default_factory=dict)
    quotes: str = '""'  # the opening and the closing mark
    stop: str = "."
    apostrophe: str = "'"  # of elided words in French

    def to_json(self) -> dict[str, Any]:
        """Return plain data for ``json.dump``."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Marks:
        return cls(**data)


def learn_marks(examples: Iterable[Example], has_elisions: bool = False) -> Marks:
    """Count the blanks next to marks between words, the pairs of quotation marks, and the final marks.

    ``has_elisions``: also count the apostrophes.
    """
    before: defaultdict[str, Counter[bool]] = defaultdict(Counter)
    after: defaultdict[str, Counter[bool]] = defaultdict(Counter)
    pairs, stops, apostrophes = Counter[str](), Counter[str](), Counter[str]()
    for example in examples:
        quotes = [character for character in example.text if character in QUOTES]
        if len(quotes) % 2 == 0:
            pairs.update(map("".join, zip(quotes[::2], quotes[1::2], strict=True)))
        stops.update(example.text[-1:] if example.text.endswith(_STOPS) else ())
        apostrophes.update(mark for mark in example.text if has_elisions and mark in APOSTROPHES)
        for mark, start, end in _between_words(example):
            before[mark][example.text[start - 1].isspace()] += 1
            after[mark][example.text[end].isspace()] += 1
    return Marks(
        before=_has_blank(before),
        after=_has_blank(after),
        quotes=most_frequent(pairs, '""'),
        stop=most_frequent(stops, "."),
        apostrophe=most_frequent(apostrophes, "'"),
    )


def _between_words(example: Example) -> Iterator[tuple[str, int, int]]:
    """Yield each mark between two words, except quotes, with its place in the text."""
    text, spans = example.text, [*_spans(example)]
    for (_, before), (start, end), (after, _) in zip(spans, spans[1:], spans[2:], strict=False):
        mark = text[start:end]
        is_mark = mark and not any(map(str.isalnum, mark)) and mark not in ("'", '"')
        around = text[before:start] + text[end:after]
        if is_mark and not around.strip() and text[before - 1 : before].isalnum() and text[after : after + 1].isalnum():
            yield mark, start, end


def _spans(example: Example) -> Iterator[tuple[int, int]]:
    """Yield the span of each surface in the text; an empty span if the text writes it differently."""
    end = 0
    for surface in example.surface:
        start = stop = end
        for word in surface.split():
            place = example.text.find(word, stop)
            if place < 0:
                start = stop = end
                break
            start, stop = (place if stop == end else start), place + len(word)
        yield start, stop
        end = stop


def _has_blank(counts: Mapping[str, Counter[bool]]) -> dict[str, bool]:
    """Return whether each mark that was seen often usually has a blank on this side."""
    frequent = {mark: blanks for mark, blanks in sorted(counts.items()) if blanks.total() >= MIN_SEEN}
    return {mark: blanks[True] > blanks[False] for mark, blanks in frequent.items()}


def most_frequent(counts: Counter[Value], default: Default) -> Value | Default:
    """Return the most frequent value, the first in order of several."""
    return min(counts, key=lambda value: (-counts[value], value), default=default)
