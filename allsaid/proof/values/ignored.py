"""Values of a row's ignored columns in a text. Texts need not state them; if they do, the values are not extra.

A value counts if the text has the whole cell: the same words, the same day, or the same number in the same unit. If the
text omits a value of the same kind, it may have confused the two: "costs €30" may state the old price as the price.
Then the ignored value counts only if the words next to it name its column. The same holds for a number without a unit
that counts a noun: "12 glasses".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from allsaid.language.units import is_comparable, ratio
from allsaid.proof.values.cues import column_at
from allsaid.proof.values.facts import Fact, columns_by_cue, find_forms, forms_of
from allsaid.proof.values.loose import NO_NOUN
from allsaid.proof.values.measures import Measure
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
    """Yield the spans of dates, amounts, numbers, times and known values, which may contain an occurrence."""
    yield from ((start, end) for start, end, _ in (*reading.dates, *reading.matches))
    yield from ((amount.start, amount.end) for amount in reading.numbers.amounts)
    yield from ((measure.start, measure.end) for measure in reading.numbers.measures)
    yield from ((clock.start, clock.end) for clock in reading.times)


def _occurrences(reading: Reading, fact: Fact, unstated: Sequence[Fact]) -> Iterator[tuple[Span, bool]]:
    """Yield each occurrence of a value, and whether the text omits no value that it could be confused with."""
    if fact.number is not None:
        for measure in reading.numbers.measures:
            if _is_same(measure, fact):
                alike = (other for other in unstated if other.number is not None)
                is_free = not any(is_comparable(measure.unit, other.units or ((),)) for other in alike)
                counts = measure.unit or [*reading.text.words[measure.end : measure.end + 1]] not in NO_NOUN
                yield (measure.start, measure.end), is_free and bool(fact.units or not counts)
        return
    for amount in reading.numbers.amounts:
        if any(amount.equals(ignored_amount) for ignored_amount in fact.amounts):
            others = (unstated_amount for other in unstated for unstated_amount in other.amounts)
            yield (
                (amount.start, amount.end),
                not any(amount.is_comparable(unstated_amount) for unstated_amount in others),
            )
    for start, end, date in reading.dates:
        if fact.date is not None and date.equals(fact.date):
            yield (start, end), not any(other.date for other in unstated)
    lacking = {other.column for other in unstated}
    for start, end, _ in find_forms(tuple(reading.text.words), forms_of([fact.starts])):
        columns_here = {
            value.column for first, last, known in reading.matches if first < end and start < last for value in known
        }
        yield (start, end), lacking.isdisjoint(columns_here)


def _is_same(measure: Measure, fact: Fact) -> bool:
    """Return whether a number equals that of a fact; for a fact without units, only the numbers are compared."""
    if not fact.units:
        return measure.number == fact.number
    sizes = (1 if unit == measure.unit else ratio(unit, measure.unit) for unit in fact.units)
    return any(size is not None and fact.number is not None and measure.number == fact.number * size for size in sizes)
