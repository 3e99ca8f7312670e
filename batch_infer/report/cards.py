"""Cards of generated texts for pages: items are numbered, ticked, and linked to the words that mention them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from allsaid.proof.coverage import Coverage, Lexicon, measure
from allsaid.proof.forms.claims import ALLOWED, UNDECIDED, claims_in
from batch_infer.report.diff import Change, changes_of
from batch_infer.report.heatmap import Picture
from batch_infer.rows import facts
from pipelines.recipes.ingredients import name_words
from pipelines.sources.records.mapping import TableMapping
from schemas.example import NO_ITEM, PHRASE_JOINER
from schemas.texts.finding import MISSING, Finding
from schemas.texts.generated import Generated


@dataclass(frozen=True)
class Claimed:
    """A word's link to a claim that no column supports."""

    number: int  # among the text's claims
    decision: str  # of the mapping


# Hues of the items' marks, far apart from one to the next; items of the same hue differ by their number.
HUES = (210, 35, 150, 330, 265, 85, 185, 10, 300, 55)
# For a word: the items that it mentions, the extra name or finding that it belongs to, or the claim that it is part of.
Mention = tuple[int, ...] | str | Claimed | None


@dataclass(frozen=True)
class Item:
    number: int  # from 1
    hue: int
    line: str
    given: bool | None  # None for a line that is not measured
    why: str = ""  # why it can't be fitted, or what the text has instead
    is_weak: bool = False  # whether it is given by weak evidence


@dataclass(frozen=True)
class Segment:
    """A stretch of text: plain, the mention of items, an extra name, a finding, or a claim that no column supports."""

    text: str
    items: tuple[Item, ...] = ()
    extra: bool = False
    claim: str = ""  # the mapping's decision: "allowed" or "undecided"


@dataclass(frozen=True)
class Card:
    row: Generated
    items: list[Item]
    lines: list[list[Segment]]
    picture: Picture | None = None  # of the model's attention

    @property
    def changes(self) -> list[Change]:
        """Return the edit of the training recipe that the text was made from."""
        return changes_of(self.row.prototype_text, self.row.text)

    @property
    def is_copied(self) -> bool:
        """Whether words are linked to the lines that they were copied from, not to the items that they name."""
        return not self.measured and any(part.items for line in self.lines for part in line)

    @property
    def findings_without_item(self) -> list[Finding]:
        """Return the findings that no item of the card shows: all but those about a missing item."""
        return [finding for finding in self.row.findings if finding.grade != MISSING]

    @property
    def extra_without_finding(self) -> list[str]:
        """Return the extra items that no finding shows."""
        found = {finding.line for finding in self.findings_without_item}
        return [name for name in self.row.extra if name not in found]

    @property
    def given(self) -> int:
        return sum(bool(item.given) for item in self.items)

    @property
    def measured(self) -> int:
        return sum(item.given is not None for item in self.items)


def card(row: Generated, mapping: TableMapping | None = None) -> Card:
    """Return a text's card, with items numbered and mentions found again by the rules of ``allsaid.proof``.

    ``mapping`` is that of a user's table, for its rows.
    """
    is_record = facts.is_record(row)
    words, coverage = facts.measured(row, mapping) if is_record else _measure_names(row)
    weak = facts.weak_lines(row, coverage)
    given = dict.fromkeys(row.missing, False) | dict.fromkeys(row.used, True)
    why = {
        finding.line: f"{finding.kind}: {finding.passage}"
        for finding in row.findings
        if finding.grade == MISSING and finding.passage
    }
    why |= dict(zip(row.unfitted, row.unfitted_why, strict=True))
    items = [
        Item(number, HUES[(number - 1) % len(HUES)], line, given.get(line), why.get(line, ""), line in weak)
        for number, line in enumerate(row.checked_lines, start=1)
    ]
    # The row's verdicts count: this version may read names differently from the version that made the data set.
    mentions = [places if item.given else [] for places, item in zip(coverage.mentions, items, strict=True)]
    beyond = zip(coverage.extra, coverage.extra_mentions, strict=True)
    extra_mentions = [places if name in row.extra else [] for name, places in beyond]
    mentioned = _mentions(replace(coverage, mentions=mentions, extra_mentions=extra_mentions), len(words))
    if not given and not is_record:  # the named items are unknown, so the copied ones are shown
        tokens = zip(row.tokens, row.ref_items, strict=True)
        copied = [None if item == NO_ITEM else (item,) for token, item in tokens for _ in _words(token)]
        mentioned = [found or item for found, item in zip(mentioned, copied, strict=True)]
    if is_record:
        for finding in row.findings:
            mentioned[finding.start : finding.end] = [
                found or finding.passage for found in mentioned[finding.start : finding.end]
            ]
    mentioned = [found or claim for found, claim in zip(mentioned, _claimed(row, words, mapping), strict=True)]
    spans = _spans(row.text, words)
    return Card(row, items, list(_lines(row.text, spans, mentioned, items)))


def _claimed(row: Generated, words: Sequence[str], mapping: TableMapping | None) -> list[Mention]:
    """Return the claim that each word is part of; the longest if there are several."""
    found: list[Mention] = [None] * len(words)
    allowed = mapping.allowed if mapping else ()
    for number, claim in enumerate(sorted(row.claims, key=len)):
        parts = list(facts.text_of(claim, mapping).words)
        decision = ALLOWED if claims_in([claim], allowed) else UNDECIDED
        for place in range(len(words) - len(parts) + 1):
            if parts and list(words[place : place + len(parts)]) == parts:
                found[place : place + len(parts)] = [Claimed(number, decision)] * len(parts)
    return found


def _words(token: str) -> list[str]:
    return [word for word in token.lower().split(PHRASE_JOINER) if word]


def _measure_names(row: Generated) -> tuple[Sequence[str], Coverage]:
    words = [word for token in row.tokens for word in _words(token)]
    names = [name_words(line) for line in row.checked_lines]
    return words, measure(words, names, Lexicon(dict.fromkeys(row.extra, 1)))


def _mentions(coverage: Coverage, words: int) -> list[Mention]:
    """Return the mention of each word. Among items that share a head word, those with the longest match win."""
    extra: list[str | None] = [None] * words
    for name, places in zip(coverage.extra, coverage.extra_mentions, strict=True):
        for place in places:
            extra[place] = name
    longest = [0] * words
    items: list[tuple[int, ...]] = [()] * words
    for item, places in enumerate(coverage.mentions):
        for _, group in groupby(enumerate(places), key=lambda entry: entry[1] - entry[0]):
            run = [place for _, place in group]
            for place in run:
                if len(run) >= longest[place]:
                    items[place] = (*items[place], item) if len(run) == longest[place] else (item,)
                    longest[place] = len(run)
    return [found or name for found, name in zip(items, extra, strict=True)]


def _spans(text: str, words: Sequence[str]) -> list[tuple[int, int]]:
    """Return the span of each word in the text restored from them; an empty span for a word that is not found."""
    lower = "".join(letter.lower() if len(letter.lower()) == 1 else letter for letter in text)
    spans, position = [], 0
    for word in words:
        start = lower.find(word, position)
        spans.append((start, start + len(word)) if start >= 0 else (position, position))
        position = spans[-1][1]
    return spans


def _lines(
    text: str, spans: Sequence[tuple[int, int]], mentioned: Sequence[Mention], items: Sequence[Item]
) -> Iterator[list[Segment]]:
    """Yield the text's lines as segments; neighbouring words with the same mention are one segment."""
    line: list[Segment] = []
    position = 0
    for what, group in groupby(zip(spans, mentioned, strict=True), key=lambda entry: entry[1]):
        run = [span for span, _ in group]
        start, end = run[0][0], run[-1][1]
        if what is None or start == end:
            continue
        line, *before = _break(text[position:start], line)
        yield from before
        marked = tuple(items[number] for number in what) if isinstance(what, tuple) else ()
        claim = what.decision if isinstance(what, Claimed) else ""
        line.append(Segment(text[start:end], marked, isinstance(what, str), claim))
        position = end
    line, *before = _break(text[position:], line)
    yield from before
    yield line


def _break(text: str, line: list[Segment]) -> list[list[Segment]]:
    """Add plain text to a line; return the line that is now open, then the lines that were closed."""
    first, *others = text.split("\n")
    lines = [[*line, Segment(first)] if first else line, *([Segment(part)] if part else [] for part in others)]
    return [lines[-1], *lines[:-1]]
