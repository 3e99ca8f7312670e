"""Other words for values, proposed from rows whose value is not found in their text; a person accepts them.

A phrase is proposed for a value if several texts of such rows have it, and hardly any text of a row with another value.
The phrase that explains most of a value's texts comes first, then the one that explains most of the rest.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from pipelines.linking.acts import rows
from pipelines.sources.records.findings.mentions import WITHOUT_CONTENT, has_content
from pipelines.sources.records.mapping import TableMapping
from pipelines.sources.records.supervision import Record, prepared
from schemas.act import PREFIX, Slot, parse_agenda_line
from schemas.example import Example

MIN_TEXTS = 3  # at least this many texts of rows whose value is not found have the phrase
MIN_SHARE = 0.9  # at least this share of the texts with the phrase are of rows with the value
MIN_LIFT = 3  # the phrase is this many times as frequent in texts of rows whose value is not found as in all texts
LONGEST = 4  # words of a phrase
MOST = 8  # phrases for a value
Words = tuple[str, ...]


@dataclass(frozen=True)
class Proposal:
    """A phrase that may be other words for a value."""

    slot: Slot
    phrase: str
    texts: int  # number of texts with the phrase, of rows whose value linking does not find
    others: int  # number of texts with the phrase, of rows with another value or none
    unfound: int  # number of texts of rows whose value linking does not find
    example: str


def propose(records: Iterable[Record], mapping: TableMapping) -> list[Proposal]:
    """Return the proposals for each value, the most frequent values first."""
    examples = [rows(prepared(record, mapping, "", 0), mapping.words)[0] for record in records]
    phrases = [frozenset(_phrases(example.tokens)) for example in examples]
    text_counts = Counter(phrase for found in phrases for phrase in found)
    unfound: defaultdict[Slot, list[int]] = defaultdict(list)
    rows_with: defaultdict[Slot, set[int]] = defaultdict(set)
    for row, example in enumerate(examples):
        mentioned = set(example.ref_items)
        for item, slot in enumerate(map(parse_agenda_line, example.agenda)):
            rows_with[slot].add(row)
            if item not in mentioned:
                unfound[slot].append(row)
    found: list[Proposal] = []
    for slot, texts in sorted(unfound.items(), key=lambda entry: (-len(entry[1]), entry[0].slot, entry[0].value)):
        found += _proposals_for(slot, texts, rows_with[slot], examples, phrases, text_counts)
    return found


def _proposals_for(
    slot: Slot,
    unfound: Sequence[int],
    rows_with_value: set[int],
    examples: Sequence[Example],
    phrases: Sequence[frozenset[Words]],
    text_counts: Counter[Words],
) -> Iterator[Proposal]:
    """Yield the proposals for a value; ``unfound``: the rows with the value in whose texts it is not found."""
    counts_with_value = Counter(phrase for row in rows_with_value for phrase in phrases[row])
    left = set(unfound)
    for _ in range(MOST):
        counts = Counter(
            phrase
            for row in left
            for phrase in phrases[row]
            if counts_with_value[phrase] >= max(MIN_TEXTS, MIN_SHARE * text_counts[phrase])
        )
        expected = {phrase: text_counts[phrase] * len(unfound) / len(examples) for phrase in counts}
        typical = (phrase for phrase in counts if counts[phrase] >= MIN_LIFT * expected[phrase])
        best = max(typical, key=lambda phrase: (counts[phrase], -len(phrase), phrase), default=None)
        if best is None or counts[best] < MIN_TEXTS:
            return
        first = next(row for row in unfound if row in left and best in phrases[row])
        texts = sum(best in phrases[row] for row in unfound)
        others = text_counts[best] - counts_with_value[best]
        yield Proposal(slot, " ".join(best), texts, others, len(unfound), examples[first].text)
        left = {row for row in left if best not in phrases[row]}


def _phrases(tokens: Sequence[str]) -> Iterator[Words]:
    """Yield the runs of words of a text without placeholders that begin and end with a word that has content."""
    for start, first in enumerate(tokens):
        if not _may_end(first):
            continue
        for end in range(start + 1, min(start + LONGEST, len(tokens)) + 1):
            if tokens[end - 1].startswith(PREFIX) or not any(map(str.isalnum, tokens[end - 1])):
                break
            if _may_end(tokens[end - 1]) and any(map(has_content, tokens[start:end])):
                yield tuple(tokens[start:end])


def _may_end(token: str) -> bool:
    """Return whether a phrase may begin or end with a token."""
    return token not in WITHOUT_CONTENT and not token.startswith(PREFIX) and any(map(str.isalnum, token))


def comments(proposals: Iterable[Proposal]) -> str:
    """Return the proposals as comments of a mapping, with their evidence."""
    lines: list[str] = []
    for proposal in proposals:
        if not lines:
            lines += [
                "# Proposed other words for values that were not found in their texts. Accept one by moving it under",
                "# the `said:` of its column, such as {kind: value, said: {cheap: [inexpensive]}}. Delete the rest.",
            ]
        lines.append(f"#   {proposal.slot.slot}: {{said: {{{proposal.slot.value}: [{proposal.phrase}]}}}}")
        lines.append(
            f"#     in {proposal.texts} of {proposal.unfound} texts without the value, and in {proposal.others} of "
            f'other rows: "{_short(proposal.example)}"'
        )
    return "".join(f"{line}\n" for line in lines)


def _short(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= 120 else words[:117] + "..."
