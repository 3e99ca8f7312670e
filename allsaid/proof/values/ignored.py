"""Values of a row's ignored columns in a text: they are true, so they are not extra, and no text need state them.

A value counts if the text has the whole cell: the same words, the same day, the same number in the same unit. It may
also have taken the place of a value that the text omits: the old price in "costs €30". In this case, it counts only if
the words next to it name its column. The same holds for a number that counts something: "12 glasses".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from allsaid.language.units import ratio
from allsaid.proof.values.cues import column_at
from allsaid.proof.values.facts import Fact, columns_by_cue, find_forms, forms_of
from allsaid.proof.values.loose import NO_NOUN
from allsaid.proof.values.measures import Measure, is_comparable
from allsaid.proof.values.reading import Reading, Span


def find_ignored(reading: Reading, ignored: Sequence[Fact]) -> set[int]:
    """Return the positions of a text's words that are values of ignored columns."""
    if not ignored:
        return set()
    unstated = [fact for item, fact in enumerate(reading.facts) if not reading.mentions[item]]
    columns = columns_by_cue([*reading.facts, *ignored])
    longer = [*_spans(reading)]
    found: set[int] = set()
    for fact in ignored:
        for (start, end), is_sure in _occurrences(reading, fact, unstated):
            is_part = any(first <= start and end <= last and last - first > end - start for first, last in longer)
            if is_part or not reading.taken.isdisjoint(range(start, end)):
                continue
            if is_sure or column_at(reading.text.words, start, end, columns, fact.number is not None) == fact.column:
                found.update(range(start, end))
    return found


def _spans(reading: Reading) -> Iterator[Span]:
    """Yield what may contain an occurrence: dates, amounts, numbers and known values."""
    yield from ((start, end) for start, end, _ in (*reading.dates, *reading.matches))
    yield from ((amount.start, amount.end) for amount in reading.numbers.amounts)
    yield from ((one.start, one.end) for one in reading.numbers.measures)
    yield from ((clock.start, clock.end) for clock in reading.times)


def _occurrences(reading: Reading, fact: Fact, unstated: Sequence[Fact]) -> Iterator[tuple[Span, bool]]:
    """Yield each occurrence of a value, and whether it can't be in the place of an unstated value of the record."""
    if fact.number is not None:
        for one in reading.numbers.measures:
            if _is_same(one, fact):
                alike = (other for other in unstated if other.number is not None)
                is_free = not any(is_comparable(one.unit, other.units or ((),)) for other in alike)
                counts = one.unit or [*reading.text.words[one.end : one.end + 1]] not in NO_NOUN
                yield (one.start, one.end), is_free and bool(fact.units or not counts)
        return
    for amount in reading.numbers.amounts:
        if any(amount.equals(own) for own in fact.amounts):
            others = (own for other in unstated for own in other.amounts)
            yield (amount.start, amount.end), not any(amount.is_comparable(own) for own in others)
    for start, end, date in reading.dates:
        if fact.date is not None and date.equals(fact.date):
            yield (start, end), not any(other.date for other in unstated)
    lacking = {other.column for other in unstated}
    for start, end, _ in find_forms(tuple(reading.text.words), forms_of((form, 0) for form in fact.forms)):
        meant = {one.column for first, last, known in reading.matches if first < end and start < last for one in known}
        yield (start, end), lacking.isdisjoint(meant)


def _is_same(one: Measure, fact: Fact) -> bool:
    """Return whether a number is exactly that of a fact; one without a unit may count anything."""
    if not fact.units:
        return one.number == fact.number
    sizes = (1 if unit == one.unit else ratio(unit, one.unit) for unit in fact.units)
    return any(size is not None and fact.number is not None and one.number == fact.number * size for size in sizes)
