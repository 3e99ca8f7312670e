"""Extra values, which a text states and its record lacks: values, dates, amounts, numbers, and answers."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence, Set
from decimal import Decimal

from allsaid.language.text import listed
from allsaid.language.units import Words
from allsaid.proof import findings
from allsaid.proof.clauses import ENDS, sentence_around
from allsaid.proof.foods.names import longest_first
from allsaid.proof.limits import SCORE
from allsaid.proof.polarity import places_of
from allsaid.proof.values.cues import column_at, is_measure, is_of_another_dimension, stem
from allsaid.proof.values.facts import Fact
from allsaid.proof.values.joined import RANGES, countries_of
from allsaid.proof.values.measures import Measure
from allsaid.proof.values.reading import Reading, names_column
from allsaid.proof.values.spoken import BEFORE_NOUNS, BEHIND_NOUNS, answers_of, find_free_offers
from schemas.texts.finding import LOOK, WRONG
from schemas.texts.generated import GOAL

# A word is a verb before or after one of these: "clip it", "it locks", "stand the lamp up".
_OBJECTS = frozenset(("it", "them", "you", "yourself", "us", "me", "him"))
_SUBJECTS = frozenset(("it", "that", "which", "who", "this", "he", "she"))
_DETERMINERS = frozenset(("a", "an", "the", "its", "their", "your"))
_STYLES = (["name"], ["names"], ["title"], ["accent"], ["flair"], ["influence"])  # "with an Italian name"
DAYS = frozenset(("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"))
_LATER = frozenset(("later", "earlier", "beforehand", "afterwards"))  # "half an hour later"
_YIELDING = frozenset(("covers", "makes", "feeds", "serves", "lasts", "fills", "brews", "yields", "goes", "does"))
_BEFORE_BASES = ENDS | {"each", "every"}
_STARTS = frozenset(".!?:;")
_ADVERBS = frozenset(("well", "up", "down", "out", "off", "away", "tight"))  # behind a verb: "sleep well"
# Words that are values in some trades, such as fillings, sides or strengths, and mostly something else.
_AMBIGUOUS = listed("down up off on out in over back left right well light lights fine kind round")
_NEARLY = Decimal("0.1")  # largest share by which a number is below or above one that is only nearly it


def find_extra(reading: Reading, goal: Words = (), true: Set[int] = frozenset()) -> None:
    """Add the extra values of a text, with their findings; the words that name the record's goal are never extra.

    true: positions of words that are known to be true.
    """
    facts, goals = reading.facts, [*places_of(reading.text.words, goal)] if goal else []
    covered = {*reading.taken, *true}.union(*goals)
    matches = [*reading.matches, *countries_of(reading.text.words, goals, facts, reading.known)]
    columns = {fact.column for fact in facts}
    stated = ((start, end, reading.stated(known, start, end)) for start, end, known in matches)
    free = (match for match in stated if match[2] and covered.isdisjoint(range(match[0], match[1])))
    for start, end, fitting in longest_first(free):
        if not (
            start in reading.scope.of_another
            or reading.scope.is_denied(start, end)
            or _describes_number(reading, start, end)
            or (end == start + 1 and start in reading.text.lower and all(fact.is_name for fact in fitting))
            or _is_range_end(reading, start, end)
            or reading.text.words[end : end + 1] in _STYLES
            or _is_verb(reading, start, end, fitting)
            or _is_particle(reading, start, end, fitting)
            or _answers(reading, start, end, fitting)
            or _is_elsewhere(reading, start, end, fitting)
            or _is_rate_of_another(reading, start, end, fitting)
        ):
            fact, is_sure = _meant(reading, start, end, fitting)
            reason = findings.OTHER_VALUE if fact.column in columns else findings.NOT_IN_ROW
            grade, reason = (WRONG, reason) if is_sure else (LOOK, findings.SEVERAL_COLUMNS)
            if reading.scope.is_beside(start) and not _is_named(reading, start, end, fact):
                grade, reason = LOOK, findings.OF_ANOTHER
            reading.add_extra(grade, fact.column, fact.line, reason, (start, end))
        elif end == start + 1 and start in reading.text.lower:
            reading.common.add(start)
        covered.update(range(start, end))
    for place, parts in reading.joined:
        for part in () if place in covered else parts:
            fitting = [fact for fact in reading.known.facts if (part,) in (*fact.forms, *fact.inflected)]
            own_lines = {fact.line for fact in facts if (part,) in (*fact.forms, *fact.inflected)}
            if not own_lines and place not in reading.scope.of_another:
                reason = findings.OTHER_VALUE if fitting[0].column in columns else findings.NOT_IN_ROW
                reading.add_extra(WRONG, fitting[0].column, fitting[0].line, reason, (place, place + 1))
    for start, end, _ in reading.dates:
        if covered.isdisjoint(range(start, end)):
            _add_number(reading, start, end, [fact.column for fact in facts if fact.date is not None])
            covered.update(range(start, end))
    record_times = {minutes for fact in facts for minutes in fact.times}
    for clock in reading.times:
        is_in_record = not clock.minutes.isdisjoint(record_times)
        if covered.isdisjoint(range(clock.start, clock.end)) and (is_in_record or clock.is_sure):
            if not is_in_record:
                _add_number(reading, clock.start, clock.end, [fact.column for fact in facts if fact.times])
            covered.update(range(clock.start, clock.end))
    _find_numbers(reading, covered)
    find_free_offers(reading, covered)
    answers_of_record = [(fact, reading.mentions[item]) for item, fact in enumerate(facts) if fact.says is not None]
    for column, known in reading.known.spoken.items():
        # Words that answer another column of the record, such as "breakfast", may belong only to that column.
        others = set().union(*(places for other, places in answers_of_record if other.column != column))
        answers = _answers_besides(reading, known[0], covered if column in columns else covered | others)
        for fact in known if answers else ():
            places = answers.get(fact.says, set())
            if not places or _has_answer(fact, facts):
                continue
            reason = findings.OPPOSITE if fact.column in columns else findings.NOT_IN_ROW
            reading.add_extra(WRONG, fact.column, fact.line, reason, (min(places), max(places) + 1), places)


def _is_elsewhere(reading: Reading, start: int, end: int, fitting: Sequence[Fact]) -> bool:
    """Return whether a common word is not the list's value here: "memory has a fragrance" beside a course's topics.

    This is so if the text states all values of the record's list in other sentences, and this one has no cue of it.
    """
    is_common = start in reading.text.lower or start == 0
    if end > start + 1 or not is_common or not all(fact.is_listed for fact in fitting):
        return False
    words = reading.text.words
    sentence = sentence_around(words, start, end)
    if any(stem(words[place]) in fact.cues for fact in fitting for place in sentence):
        return False
    columns = {fact.column for fact in fitting}
    places = [reading.mentions[item] for item, fact in enumerate(reading.facts) if fact.column in columns]
    return bool(places) and all(found and found.isdisjoint(sentence) for found in places)


def _is_rate_of_another(reading: Reading, start: int, end: int, fitting: Sequence[Fact]) -> bool:
    """Return whether words for how often are about something else than a column that the text states: "open daily"."""
    columns = {fact.column for fact in fitting if fact.rate is not None}
    stated = {fact.column for item, fact in enumerate(reading.facts) if reading.mentions[item]}
    is_rate = bool(columns) and all(fact.rate is not None for fact in fitting)
    return (
        is_rate
        and columns <= stated
        and column_at(reading.text.words, start, end, reading.known.columns) not in columns
    )


def _answers(reading: Reading, start: int, end: int, fitting: Sequence[Fact]) -> bool:
    """Return whether a common word answers a yes/no column of the record: "beginners welcome" beside a level."""
    if end > start + 1 or start not in reading.text.lower:
        return False
    word = reading.text.keys[start]
    is_answer = any(fact.says is not None and word in fact.keywords.alone for fact in reading.facts)
    column = column_at(reading.text.words, start, end, reading.known.columns)
    return is_answer and all(fact.column != column for fact in fitting)


def _is_range_end(reading: Reading, start: int, end: int) -> bool:
    """Return whether a day is one end of a range, so that the text does not state it alone: "Monday to Saturday"."""
    words = reading.text.words
    around = {*words[max(start - 2, 0) : start], *words[end : end + 2]}
    return words[start] in DAYS and bool(around & RANGES) and len(around & DAYS) > 0


def _describes_number(reading: Reading, start: int, end: int) -> bool:
    """Return whether a known value is one word that describes a number: "93 cm high", "a full 100 m²"."""
    words, measures = reading.text.words, reading.numbers.measures
    if end > start + 1:
        return False
    is_before = end in {measure.start for measure in measures} and words[start - 1 : start] in (["a"], ["the"])
    return is_before or (is_measure(words[start]) and start in {measure.end for measure in measures})


def _is_verb(reading: Reading, start: int, end: int, fitting: Sequence[Fact]) -> bool:
    """Whether a known value is one word that is a verb here: "clip it on", "the Heron stands ready"."""
    words = reading.text.words
    if end > start + 1 or end == len(words) or any(fact.column == GOAL for fact in fitting):
        return False
    before, after = words[start - 1] if start else ".", words[end]
    is_form = any((words[start],) in fact.forms for fact in fitting)
    is_named = start - 1 in reading.taken and start - 1 not in reading.text.lower  # "Tables Tamed turns chaos into ..."
    if is_form and is_named and words[start].endswith("s") and start in reading.text.lower:
        return after not in BEHIND_NOUNS
    if (after in _OBJECTS and before not in BEFORE_NOUNS) or (before in _SUBJECTS and after in _DETERMINERS):
        return True
    if is_form:
        return before in _STARTS and (after in BEFORE_NOUNS or after in _ADVERBS)
    is_column = stem(before) in reading.known.columns or stem(before) in reading.written.columns
    is_subject = before in _SUBJECTS or is_column or start - 1 in reading.taken
    return words[start].endswith("s") and is_subject and after not in BEHIND_NOUNS


def _is_particle(reading: Reading, start: int, end: int, fitting: Sequence[Fact]) -> bool:
    """Return whether a word is no value of its column, which no word of its sentence names: "pegs hold it down"."""
    words = reading.text.words
    if end > start + 1 or words[start] not in _AMBIGUOUS or (start and start not in reading.text.lower):
        return False
    sentence = sentence_around(words, start, end)
    return not any(stem(words[place]) in fact.cues for fact in fitting for place in sentence)


def _is_named(reading: Reading, start: int, end: int, fact: Fact) -> bool:
    """Return whether the words next to a value name its column: "near Burger King" has a value of the column `near`."""
    return column_at(reading.text.words, start, end, reading.known.columns) == fact.column


def _meant(reading: Reading, start: int, end: int, fitting: Sequence[Fact]) -> tuple[Fact, bool]:
    """Return the known value that some words mean, and whether its column is certain.

    A value that is written like this takes precedence over one that has these words as a synonym in the mapping.
    """
    words = reading.text.words
    column = column_at(words, start, end, reading.known.columns)
    named = [fact for fact in fitting if fact.column == column] or fitting
    written = tuple(words[start:end])
    fact = next((fact for fact in named if written == fact.forms[0]), named[0])
    return fact, all(other.column == fact.column for other in named)


def _answers_besides(reading: Reading, fact: Fact, covered: Collection[int]) -> dict[bool | None, set[int]]:
    """Return the answers of a text about the column of a fact, at positions not covered yet."""
    before, reading.taken = reading.taken, reading.taken.union(covered)
    found = answers_of(reading, fact)
    reading.taken = before
    return found


def _add_number(reading: Reading, start: int, end: int, columns: Sequence[str], is_true: bool = False) -> None:
    """Add a number, an amount or a date that the record lacks; ``columns``: the record's columns that it could fit."""
    line = " ".join(reading.text.words[start:end])
    column = columns[0] if len(set(columns)) == 1 else ""
    grade, reason = (WRONG, findings.OTHER_VALUE) if columns and not is_true else (LOOK, findings.UNKNOWN_NUMBER)
    reading.add_extra(grade, column, line, reason, (start, end))


def _find_numbers(reading: Reading, covered: set[int]) -> None:
    facts, numbers = reading.facts, reading.numbers
    for amount in numbers.amounts:
        if not covered.isdisjoint(range(amount.start, amount.end)):
            continue
        known = [fact for fact, other in reading.known.amounts if amount.equals(other)]
        known.sort(key=lambda fact: not fact.is_in_digits)  # "£20-25" before "moderate", its synonym
        columns = [facts[item].column for item, stated in reading.written.amounts if amount.is_comparable(stated)]
        if known:
            fact = next((fact for fact in known if fact.column in columns), known[0])
            reason = findings.OTHER_VALUE if fact.column in columns else findings.NOT_IN_ROW
            reading.add_extra(WRONG, fact.column, fact.line, reason, (amount.start, amount.end))
        elif columns:
            _add_number(reading, amount.start, amount.end, columns)
        else:
            continue
        covered.update(range(amount.start, amount.end))
    for measure in numbers.measures:
        span, text = (measure.start, measure.end), reading.text
        fitting = [fact for fact in facts if not is_of_another_dimension(text.words, *span, fact.cues, text.language)]
        if not covered.isdisjoint(range(*span)) or _is_supported(measure, fitting):
            continue
        behind = text.words[measure.end : measure.end + 3]
        is_base = not _YIELDING.isdisjoint(behind[:1]) or behind[1:] == ["enough", "for"]
        is_base = is_base and measure.number == 1 and (span[0] == 0 or text.words[span[0] - 1] in _BEFORE_BASES)
        is_offset = measure.unit and (is_base or not _LATER.isdisjoint(behind[:1]))  # "one litre covers 8 m²"
        is_offset = is_offset or names_column(reading, measure)
        if is_offset or measure.start in reading.scope.of_another or _is_scale(measure, reading):
            continue
        columns = [fact.column for fact in fitting if fact.number is not None and measure.is_comparable(fact.units)]
        if measure.is_spelled and not columns:  # "for two", "eight hours": a figure of speech, or a claim of no column
            if measure.unit:
                reading.find(LOOK, "", " ".join(text.words[slice(*span)]), findings.UNKNOWN_NUMBER, span)
            continue
        within_limit = _items_within_limit(measure, reading)
        if not any(reading.mentions[item] for item in within_limit):  # "just under 1,000 euros, at 999"
            _add_number(reading, *span, columns, bool(within_limit))


def _is_scale(measure: Measure, reading: Reading) -> bool:
    """Return whether a number is the maximum of a score that the record has: 10 in "8.9 out of 10"."""
    return any(
        amount.relation == SCORE
        and amount.start < measure.start
        and measure.end == amount.end
        and any(amount.numbers[0] == fact.number for fact in reading.facts)
        for amount in reading.numbers.amounts
    )


def _items_within_limit(measure: Measure, reading: Reading) -> list[int]:
    """Return the items whose numbers are within the limit that contains a number: 1.9 kg for "under 2 kg"."""
    amounts = reading.numbers.amounts
    limits = [amount for amount in amounts if amount.start <= measure.start and measure.end <= amount.end]
    is_hedged = reading.scope.is_hedged(measure.start)  # "nearly three metres, 295 cm to be exact"
    return [
        item
        for item, fact in enumerate(reading.facts)
        if fact.number is not None
        and (
            any(amount.contains(fact.number, fact.units) for amount in limits)
            or (is_hedged and measure.equals(fact.number, fact.units, _NEARLY))
        )
    ]


def _is_supported(measure: Measure, facts: Sequence[Fact]) -> bool:
    """Return whether a record has a number, with this unit if both have one."""
    same_number = [fact for fact in facts if measure.number in fact.numbers]
    if measure.unit and any(measure.unit in fact.units for fact in facts):  # "ten seats", by seats and not by a date
        return any(measure.unit in fact.units for fact in same_number)
    return any(not measure.unit or not fact.units or measure.unit in fact.units for fact in same_number)


def _has_answer(fact: Fact, facts: Iterable[Fact]) -> bool:
    """Return whether a record has the same answer for the column, or only names it."""
    return any(other.column == fact.column and (other.says is None or other.says == fact.says) for other in facts)
