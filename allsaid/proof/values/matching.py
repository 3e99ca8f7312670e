"""Match a text to its record: covered values, extra values, which the record lacks, and the findings about both.

docs/coverage.md defines covered and extra for values, numbers and yes/no columns; a file of judged texts tests the
definition. Names are matched in `allsaid.proof.coverage`. Texts are normalised words.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from allsaid.language.times import HOURS, both_halves
from allsaid.language.units import UNITS, is_comparable
from allsaid.proof import findings
from allsaid.proof.clauses import ENDS, STOPS
from allsaid.proof.coverage import Coverage
from allsaid.proof.foods.names import all_names, longest_first
from allsaid.proof.polarity import places_of
from allsaid.proof.values.cues import column_at, stem
from allsaid.proof.values.extra import find_extra
from allsaid.proof.values.facts import Fact, Inventory, Text, find_forms
from allsaid.proof.values.ignored import find_ignored
from allsaid.proof.values.joined import compound, graded, owned, packed, ranging, repeating, sharing, turned, wholly
from allsaid.proof.values.loose import find_counts, find_fitting, find_loose
from allsaid.proof.values.measures import Words
from allsaid.proof.values.reading import Reading, Span, is_of_another, read
from allsaid.proof.values.spoken import find_spoken, spoken_places
from allsaid.proof.values.weak import drop_approximate, drop_contradicted, find_weak
from schemas.act import Slot, agenda_line
from schemas.texts.finding import LOOK, MISSING, WRONG, Finding

_LINKS = frozenset((":", "is", "are", "was", "the", "a", "an", "in"))  # between a column's name and its value
_DENYING = frozenset(map(stem, ("closed", "excluded", "without", "not", "no", "free")))  # in the name of a column
_LONG = 3  # fewest letters of a word that identifies a value


def measure_values(
    text: Text, facts: Sequence[Fact], known: Inventory, goal: Words = (), ignored: Iterable[Fact] = ()
) -> Coverage:
    """Measure a text of T words against the L facts of a record; names of extra values are lines ("colour=blue").

    goal: the words of the record's goal, such as "cooking class"; in these words nothing is extra. ignored: facts of
    columns that texts need not state; their values are not extra. They are read only for a text with an extra value.
    """
    reading = read_values(text, facts, known)
    before = {*reading.common}, {line: {*places} for line, places in reading.extra.items()}, [*reading.findings]
    find_extra(reading, goal)
    if len(reading.findings) > len(before[2]) and (true := find_ignored(reading, [*ignored])):
        reading.common, reading.extra, reading.findings = before
        find_extra(reading, goal, true)
    drop_contradicted(reading)
    drop_approximate(reading)
    given = [bool(reading.mentions[item]) for item in range(len(facts))]
    order = sorted(reading.extra, key=lambda line: min(reading.extra[line]))
    return Coverage(
        given=given,
        full_name=given,
        any_word=[full or _is_partly_given(fact, text, reading) for full, fact in zip(given, facts, strict=True)],
        extra=order,
        mentions=[sorted(reading.mentions[item]) for item in range(len(facts))],
        extra_mentions=[sorted(reading.extra[line]) for line in order],
        findings=tuple(_findings(reading, given)),
        weak=frozenset(reading.weak),
    )


def read_values(text: Text, facts: Sequence[Fact], known: Inventory) -> Reading:
    """Find the facts of a record of L facts that a text of T words states, and the words that state them."""
    reading = read(text, facts, known)
    _find_values(reading)
    _find_parts(reading)
    find_spoken(reading)
    find_weak(reading)
    return reading


def _find_values(reading: Reading) -> None:
    """Assign each occurrence of a value or number to one of the items that it fits."""
    fits: dict[Span, list[int]] = {}
    for start, end, item in dict.fromkeys(_occurrences(reading)):
        fact = reading.facts[item]
        is_another = fact.number is not None and is_of_another(reading, start, end, fact)
        if not is_another and not _is_inside(reading, start, end, fact):
            fits.setdefault((start, end), []).append(item)
    latest: list[int] = []  # items in the order of their latest mention
    shared: dict[int, range] = {}  # item -> a mention of the same value, which another column has, too
    for start, end, items in longest_first((*span, items) for span, items in fits.items()):
        column = _other_column(reading, start, end, items)
        if column and not _is_stated_beside_its_cue(reading, fits, column):
            line = agenda_line(Slot(column, " ".join(reading.text.words[start:end])))
            reading.add_extra(WRONG, column, line, findings.OTHER_COLUMN, (start, end))
            reading.taken.update(range(start, end))
            continue
        every, items = items, _named(reading, start, end, items)
        new = [item for item in items if item not in latest]
        item = new[0] if new else max(items, key=latest.index)
        if _is_stated(reading, item, start, end):
            latest = [other for other in latest if other != item] + [item]
            reading.mentions[item].update(range(start, end))
            reading.taken.update(range(start, end))
            fact = reading.facts[item]
            is_capital = start > 0 and start not in reading.text.lower and reading.text.words[start - 1] not in STOPS
            items += [other for other in every if other not in items and _is_joined(reading, start, end, other)]
            same = (other for other in items if reading.facts[other].is_stated_by(fact, is_capital))
            shared |= dict.fromkeys(same, range(start, end))
            if end == start + 1 and start in reading.text.lower and fact.number is None:
                reading.common.add(start)
    for item, places in shared.items():
        if not reading.mentions[item]:
            reading.mentions[item].update(places)


def _find_parts(reading: Reading) -> None:
    """Find values that hyphens join in one word, and values between the ends of a range: "sizes S to XL"."""
    for start, end, item in ranging(reading.text.words, reading.facts):
        if reading.taken.isdisjoint(range(start, end)) and _is_stated(reading, item, start, end):
            reading.mentions[item].update(range(start, end))
    for place, parts in reading.joined:
        if place in reading.taken:
            continue
        for item, fact in enumerate(reading.facts):
            is_part = any((part,) in (*fact.forms, *fact.inflected) for part in parts)
            if is_part and _is_stated(reading, item, place, place + 1):
                reading.mentions[item].add(place)


def _occurrences(reading: Reading) -> Iterator[tuple[int, int, int]]:
    """Yield (start, end, item) of each passage that may mention an item of the record."""
    text, numbers, written, facts = reading.text, reading.numbers, reading.written, reading.facts
    words = tuple(text.words)
    yield from find_forms(words, written.exact)
    if text.inflects:
        yield from find_forms(words, written.inflected)
    for find in (sharing, turned, compound, owned, repeating, packed, graded, wholly):
        yield from find(text.words, facts)
    if numbers.is_spelled:
        for start, end, item in find_forms(tuple(numbers.words), written.in_digits):
            yield numbers.spans[start][0], numbers.spans[end - 1][1], item
    for amount in numbers.amounts if written.amounts else ():
        for item, record_amount in written.amounts:
            if amount.equals(record_amount):
                yield amount.start, amount.end, item
    for start, end, date in reading.dates if written.dates else ():
        yield from ((start, end, item) for item, record_date in written.dates if date.equals(record_date))
    hours = (measure for measure in numbers.measures if not measure.unit and measure.number in HOURS)
    for measure in hours if written.times else ():  # "doors six"
        column = column_at(words, measure.start, measure.end, written.columns)
        same = both_halves(60 * int(measure.number))
        for item, record_times in written.times:
            if facts[item].column == column and same.issuperset(record_times):
                yield measure.start, measure.end, item
    for item, record_times in written.times if reading.times else ():
        clocks = [clock for clock in reading.times if not clock.minutes.isdisjoint(record_times)]
        if all(any(minutes in clock.minutes for clock in clocks) for minutes in record_times):
            yield from ((clock.start, clock.end, item) for clock in clocks)
    for find_stated in (find_loose, find_counts):
        for start, end, items in find_stated(text.words, facts, numbers.measures):
            yield from ((start, end, item) for item in items)
    for measure in numbers.measures:
        yield from ((measure.start, measure.end, item) for item in find_fitting(measure, reading))


def _named(reading: Reading, start: int, end: int, items: list[int]) -> list[int]:
    """Return the items that a mention may cover: those of the column that the words next to it name, else all."""
    facts = reading.facts
    if len({facts[item].column for item in items}) == 1:
        return items
    column = column_at(reading.text.words, start, end, reading.written.columns, facts[items[0]].number is not None)
    return [item for item in items if facts[item].column == column] or items


def _is_joined(reading: Reading, start: int, end: int, item: int) -> bool:
    """Return whether an item's column is named beside another next to a value: "calls and texts are unlimited"."""
    words, cues = reading.text.words, reading.facts[item].cues
    last = next((at for at in range(start, 0, -1) if words[at - 1] not in _LINKS | {"all", "both"}), 0)
    around = (words[max(last - 3, 0) : last], words[end : end + 3])
    return any([*beside[1:2]] == ["and"] and not cues.isdisjoint(map(stem, beside)) for beside in around)


def _other_column(reading: Reading, start: int, end: int, items: Sequence[int]) -> str:
    """Return the column that the words next to a mention name, if it is another than those of the items; else ""."""
    others = _other_columns(reading, start, end, items)
    is_number = reading.facts[items[0]].number is not None
    column = others and column_at(reading.text.words, start, end, reading.written.columns, is_number)
    return column if column and column in others else ""


def _is_stated_beside_its_cue(reading: Reading, fits: Mapping[Span, Sequence[int]], column: str) -> bool:
    """Return whether the text states a column's own value next to its name: "tickets are €4, family tickets €10"."""
    own = [span for span, items in fits.items() if any(reading.facts[item].column == column for item in items)]
    words, columns = reading.text.words, reading.written.columns
    head = stem(column.replace("_", " ").split()[-1])  # "ticket" may be any ticket
    cues = {cue: named for cue, named in columns.items() if cue != head}
    inside = (word for span in own for word in words[slice(*span)])
    is_inside = any(column in columns.get(stem(word), ()) for word in inside)  # "no fee: €5"
    return is_inside or any(column_at(words, *span, cues, is_number=True) == column for span in own)


def _other_columns(reading: Reading, start: int, end: int, items: Sequence[int]) -> set[str]:
    """Return the other columns of the record that the words of a mention could belong to."""
    facts = reading.facts
    own_columns = {facts[item].column for item in items}
    first = facts[items[0]]
    if first.number is not None and first.units:
        alike = (fact for fact in facts if fact.number is not None and fact.units)
        return {fact.column for fact in alike if is_comparable(fact.units[0], first.units[:1])} - own_columns
    if first.times or first.date:  # a text may confuse the times or dates of two columns
        alike = (fact for fact in facts if (fact.times and first.times) or (fact.date and first.date))
        return {fact.column for fact in alike} - own_columns
    span, found = (start, end), reading.matches
    if tuple(reading.text.words[start:end]) in first.derived:  # "half an inch" is a value of what has "1/2 inch"
        span, found = (0, len(first.forms[0])), all_names(first.forms[0], reading.known.trie)
    same = {value.column for begin, stop, values in found if (begin, stop) == span for value in values}
    return same.intersection(fact.column for fact in facts) - own_columns


def _is_stated(reading: Reading, item: int, start: int, end: int) -> bool:
    """Return whether a mention affirms its value; otherwise, add a finding and mark its words as taken."""
    fact, scope = reading.facts[item], reading.scope
    if start in scope.of_another:
        grade, reason = LOOK, findings.OF_ANOTHER
    elif scope.is_denied(start, end) and fact.cues.isdisjoint(_DENYING):
        grade, reason = WRONG, findings.DENIED
    elif scope.is_hedged(start, fact.cues):
        grade, reason = LOOK, findings.HEDGED
    else:
        return True
    reading.find(grade, fact.column, fact.line, reason, (start, end))
    reading.taken.update(range(start, end))
    return False


def _is_inside(reading: Reading, start: int, end: int, fact: Fact) -> bool:
    """Return whether an occurrence is part of a longer one: a known value of its column, another's synonym, no value.

    - Synonyms of its own column don't count: "low customer rating" may mean "1 out of 5", and mentions "low", too.
    - An overlap with another value of its column that begins earlier belongs to that value: "5 star", "1 out 5 star".
    - "2 kg" in "2 kg 300 g" is not the value 2 kg, and "weighs 1.7" in "weighs 1.7 lb" is not 1.7 kg.
    """
    words = reading.text.words
    if fact.number is not None:
        longer = (one for one in reading.numbers.measures if one.start < end < one.end and one.unit)
        longer = (one for one in longer if tuple(words[start : one.start]) not in UNITS)  # "€1,875" in "€1,875 in all"
        if any(not measure.equals(fact.number, fact.units, fact.within) for measure in longer):
            return True
    for first, last, known in reading.matches:
        if first < start < last < end and last - first >= end - start:
            same = [value for value in known if value.column == fact.column]
            if same and all(value.forms[0] != fact.forms[0] for value in same):
                return True
        if first <= start and end <= last and last - first > end - start:
            phrase = tuple(words[first:last])
            if any((value.column == fact.column) is not (phrase in value.said) for value in known):
                return True
    return not reading.refused(fact).isdisjoint(range(start, end))


def _is_partly_given(fact: Fact, text: Text, reading: Reading) -> bool:
    """Return whether a word of the value, the number with any unit, or a keyword is in the text."""
    if fact.number is not None:
        return any(measure.number == fact.number for measure in reading.numbers.measures)
    return not fact.words.isdisjoint(text.words) or bool(spoken_places(text, fact))


def _findings(reading: Reading, given: Sequence[bool]) -> list[Finding]:
    """Return the findings in the order of the text, then those about missing values."""
    found = sorted(reading.findings, key=lambda finding: (finding.start, finding.end))
    reported = {finding.line for finding in found}
    wrong = {finding.column for finding in found if finding.grade == WRONG}
    for fact, is_given in zip(reading.facts, given, strict=True):
        if is_given or fact.line in reported or (fact.says is not None and fact.column in wrong):
            continue
        if fact.column not in wrong and _is_half_stated(fact, reading.text):
            found.append(Finding(findings.PARTLY, -1, -1, "", LOOK, fact.column, fact.line))
        elif passage := _unknown_name_after(reading, fact):
            reading.find(MISSING, fact.column, fact.line, findings.SOMETHING_ELSE, passage)
            found.append(reading.findings[-1])
        else:
            found.append(Finding(findings.NOT_STATED, -1, -1, "", MISSING, fact.column, fact.line))
    return found


def _unknown_name_after(reading: Reading, fact: Fact) -> Span | None:
    """Return the unknown words with capitals that follow the name of a missing value's column: "made in Norway"."""
    text, name = reading.text, tuple(fact.column.lower().replace("_", " ").split())
    is_value = fact.says is None and fact.number is None and not fact.is_listed and name  # items of pairs have none
    for place in places_of(text.words, name) if is_value and text.vocabulary.issuperset(name) else ():
        start = next((at for at in range(place.stop, len(text.words)) if text.words[at] not in _LINKS), 0)
        free = (at for at in range(start, len(text.words)) if text.words[at] in ENDS or at in text.lower)
        end = next(free, len(text.words))
        if end > start and reading.taken.isdisjoint(range(start, end)):
            return start, end
    return None


def _is_half_stated(fact: Fact, text: Text) -> bool:
    """Return whether a text has at least half of the words of a value of several words."""
    if fact.amounts or fact.number is not None:
        return False
    words = {word for word in fact.words if len(word) >= _LONG and word.isalpha()}
    return len(fact.words) > 1 and bool(words) and 2 * len(words.intersection(text.words)) >= len(words)
