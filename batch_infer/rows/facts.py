"""Facts of a record's agenda and words of its text, in the form that ``allsaid.proof.values.matching`` compares.

The matcher of an item depends on its kind. The kind comes from a user's mapping. Without one it is derived from the
value: yes or no, a number with at most one word next to it, else a value.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import lru_cache
from typing import Protocol

from allsaid.language.dates import read_date
from allsaid.language.inflection import adverbs, inflected, is_english
from allsaid.language.numbers import read_amount
from allsaid.language.spellings import codes, respelled
from allsaid.language.stems import key
from allsaid.language.text import ENGLISH, tokenize, with_dashes
from allsaid.language.times import read_times
from allsaid.language.units import UNITS
from allsaid.language.word_table import WORDS, WordTable, normalise
from allsaid.proof.coverage import Coverage
from allsaid.proof.derived import derived
from allsaid.proof.values.cues import cues_of, stem
from allsaid.proof.values.facts import Fact, Inventory, Keywords, Text
from allsaid.proof.values.matching import measure_values
from allsaid.proof.values.measures import as_amount, as_measure
from allsaid.proof.values.spoken import JOINED, UN
from batch_infer.rows.keywords import denying_phrases, keywords_of, opposites, verb_phrases
from pipelines.linking import delex
from pipelines.linking.acts import WORDS_WITHOUT_CONTENT, keywords, link, normalise_slots, split_name
from pipelines.linking.delex import Item
from pipelines.sources.records.findings.kinds import CODE, is_unit, unit_in_name
from pipelines.sources.records.mapping import Column, TableMapping
from pipelines.sources.records.mapping_keys import LIST, NUMBER, VALUE, YES_NO
from pipelines.sources.records.supervision import item_of
from pipelines.sources.records.values import amount_of, forms_of, normalised, phrases_of, spoken_of, values_of
from schemas.act import PREFIX, SPECIAL, Slot, agenda_line, parse_agenda_line
from schemas.texts.generated import GOAL, Generated


class RowWithAgenda(Protocol):
    """A row whose agenda items are values."""

    @property
    def agenda(self) -> list[str]: ...

    @property
    def agenda_tokens(self) -> list[list[str]]: ...  # one token for each line


ItemAndStems = tuple[Item, frozenset[str]]  # an agenda line's value, and the stems of words that mention its column
_NO_CUES = frozenset(map(stem, WORDS_WITHOUT_CONTENT.split()))
_ANSWERS = dict.fromkeys(("no", "yes")).keys()
_LINE = re.compile(r"[^\W\d][\w -]*=\S")


def text_of(written: str, mapping: TableMapping | None) -> Text:
    """Split a published text into words."""
    tokens, surface = normalise(with_dashes(written), _table(mapping))
    read = [*map(_word, tokens)]
    words = [word for word, _, _ in read]
    lower = frozenset(place for place, word in enumerate(surface) if word.islower())
    language = _language(mapping) or (ENGLISH if is_english(words) else "")
    decimal = mapping.decimal if mapping else ""
    parts: dict[str, list[int]] = {}
    for place, (_, _, of_word) in enumerate(read):
        for part in of_word:
            parts.setdefault(part, []).append(place)
    return Text(words, [one for _, one, _ in read], bool(language), language, decimal, parts, lower)


@lru_cache(maxsize=1 << 14)
def _word(token: str) -> tuple[str, str, tuple[str, ...]]:
    """Return a token as a word, with its key and those of its parts."""
    word = bare(token)
    return word, key(word), _parts(word)


def _parts(word: str) -> tuple[str, ...]:
    """Return the keys of words that are joined in one: "wi-fi" is "wi", "fi" and "wifi"; "hoodless" has a "hood"."""
    parts = [word.removesuffix(end) for end in JOINED] + [word.removeprefix(UN)]
    if "-" in word:
        parts = [*word.split("-"), word.replace("-", "")]
    return tuple(key(part) for part in parts if part and part != word)


def bare(word: str) -> str:
    """Return a word without the hyphens and points that some texts attach to it: "heron-", ".taste"."""
    inner = word.rstrip("-")
    return (inner.lstrip("-.") if inner.lstrip("-.")[:1].isalpha() else inner) or word


def facts_of(agenda: Iterable[str], mapping: TableMapping | None) -> list[Fact]:
    """Return the facts in the lines of an agenda ("colour=blue")."""
    facts = [_fact(parse_agenda_line(line), line, mapping) for line in agenda]
    if _language(mapping) not in ("", ENGLISH):
        return facts
    return [
        replace(fact, derived=derived(fact.forms[0])) if fact.number is None and fact.forms else fact for fact in facts
    ]


def ignored_of(lines: Iterable[str], mapping: TableMapping) -> Iterator[Fact]:
    """Yield the facts in the cells of columns that a mapping ignores; each fact's kind is guessed from its cell."""
    for line in lines:
        slot = parse_agenda_line(line)
        unit, is_code = unit_in_name(slot.slot), CODE.fullmatch(slot.value)
        amount = None if is_code else read_amount(slot.value, (unit.lower(),), mapping.decimal)
        kind = NUMBER if amount and (not amount.unit or is_unit(amount.unit)) else VALUE
        column = Column(slot.slot, kind, unit if kind == NUMBER else "", decimal=mapping.decimal)
        slot_with_unit = values_of(column, slot.value, ())[0].slot
        fact = _fact(slot_with_unit, line, replace(mapping, columns=(column,)))
        if fact.says is None:  # no answer yes or no
            yield fact


def agenda_slots(agenda: Iterable[str], mapping: TableMapping | None) -> list[Slot]:
    """Return the slots in the lines of an agenda, with values normalised as in training data."""
    return [_normalised(parse_agenda_line(line), mapping) for line in agenda]


def same_values(slot: Slot, mapping: TableMapping | None) -> list[str]:
    """Return a normalised value, its synonyms in the mapping, and the values that it is a synonym of."""
    column = _column(slot, mapping)
    if column is None or not column.said:
        return [slot.value]
    synonyms = [" ".join(phrase) for phrase in phrases_of(column, slot.value)]
    return [slot.value, *synonyms, *(value for value, phrases in column.said if tuple(slot.value.split()) in phrases)]


def linked(
    written: str, row: RowWithAgenda, mapping: TableMapping | None, parse: Callable[[str, str], ItemAndStems]
) -> tuple[list[str], list[int]]:
    """Split a text of T tokens as training texts are, and find the items that the tokens state.

    Returns the tokens, with placeholders for values, and for each token the index of its item, or
    `schemas.example.NO_ITEM`. ``parse``: :func:`item_and_stems_of`, perhaps cached.
    """
    parsed = [parse(line, token) for line, (token,) in zip(row.agenda, row.agenda_tokens, strict=True)]
    items = [item for item, _ in parsed]
    tokens, surface = normalise(written, _table(mapping))
    done = delex.delexicalise(tokens, surface, items, _language(mapping))
    return done.tokens, link(done, items, [column_stems for _, column_stems in parsed])[1]


def is_flagged(line: str, mapping: TableMapping | None) -> bool:
    """Return whether an agenda line has a value that its column's kind can't hold, such as "price=from 499 to 599"."""
    column = _column(slot := parse_agenda_line(line), mapping)
    return column is not None and any(value.finding for value in values_of(column, slot.value, ()))


def inventory_of(
    values: Mapping[str, Sequence[str]], mapping: TableMapping | None, goals: Sequence[str] = ()
) -> Inventory:
    """Return the known values of a table's columns, and the goals that texts mention; names begin with a capital.

    For numbers only the units are known, since any number is searched for. An answer's opposite is always known.
    """
    columns = {name for name, known in values.items() if not _ANSWERS.isdisjoint(known)}
    columns |= {column.name for column in mapping.columns if column.kind == YES_NO} if mapping else set()
    known = {name: dict.fromkeys((*values.get(name, ()), *_ANSWERS)) for name in sorted(columns)}
    slots = [Slot(column, value) for column, some in ({**values} | known).items() for value in some]
    slots += [Slot(GOAL, goal) for goal in goals]
    numbers = (column for column in mapping.columns if column.kind == NUMBER) if mapping else ()
    # A dummy amount, from which `_fact` finds the spellings of the unit; the forms of the number are removed below.
    slots += [Slot(column.name, f"1 {column.unit}".strip()) for column in numbers]
    lower = (Slot(slot.slot, slot.value.lower()) for slot in slots)
    facts = [_fact(slot, agenda_line(slot), mapping) for slot in lower]
    facts = [replace(fact, forms=()) if fact.number is not None else fact for fact in facts]
    pairs = zip(slots, facts, strict=True)
    return Inventory(tuple(replace(fact, is_name=True) if slot.value[:1].isupper() else fact for slot, fact in pairs))


def measured(row: Generated, mapping: TableMapping | None) -> tuple[Sequence[str], Coverage]:
    """Return the words of a record's text and its coverage, for the HTML report.

    Only the row's values count as known values, not the model's.
    """
    row_facts, text = facts_of(row.checked_lines, mapping), text_of(row.text, mapping)
    return text.words, measure_values(text, row_facts, Inventory((*row_facts, *facts_of(row.extra, mapping))))


def weak_lines(row: Generated, found: Coverage) -> set[str]:
    """Return the agenda lines that a text states with weak evidence; ``found``: its coverage, by :func:`measured`.

    A certified text has none: each of its clauses matches a form of training texts, for this row.
    """
    sure = {line for item, line in enumerate(row.checked_lines) if found.given[item] and item not in found.weak}
    return set() if row.certified else set(row.used) - sure


def is_record(row: Generated) -> bool:
    """Return whether a generated row's agenda holds values ("colour=blue") rather than names."""
    return any(token.startswith(PREFIX) for token in row.tokens) or any(map(_LINE.match, row.agenda))


def item_and_stems_of(line: str, token: str, mapping: TableMapping | None) -> ItemAndStems:
    """Return the item of an agenda line with its token, and the stems of words that mention its column."""
    slot = parse_agenda_line(line)
    column, normal = _column(slot, mapping), _normalised(slot, mapping)
    if column is None:
        return Item(token, delex.forms(normal.value)), keywords(slot.slot)
    return item_of(token, column, normal, _language(mapping)), spoken_of(column)


def _fact(slot: Slot, line: str, mapping: TableMapping | None) -> Fact:
    fact, column = _any_fact(slot, line, mapping), _column(slot, mapping)
    return replace(fact, never=column.refused) if column and column.never else fact


def _any_fact(slot: Slot, line: str, mapping: TableMapping | None) -> Fact:
    column, value = _column(slot, mapping), with_dashes(_normalised(slot, mapping).value)
    if value in SPECIAL or not value:
        spoken = keywords_of(column) if column else Keywords(keywords(slot.slot))
        says = value == "yes" if value in ("yes", "no") else None
        return Fact(slot.slot, line, keywords=spoken, says=says, idioms=_idioms(column))
    number, units = _number(value, column)
    forms = forms_of(column, value, _language(mapping)) if column else delex.forms(value)
    language = _language(mapping) or ENGLISH
    written = tuple(tuple(tokenize(unit, language)) for unit in units if unit)
    others = (*inflected(forms, language), *codes(forms)) if number is None else ()
    if number is None and language == ENGLISH:
        spelled = respelled(forms)
        others += adverbs(forms) + spelled + inflected(spelled, language)
    is_value = number is None and forms
    times = read_times(forms[0]) if is_value else ()
    is_count = (number is not None and not written) or value.isdecimal()  # "1" of "1", "5" and "unlimited"
    return Fact(
        slot.slot,
        line,
        forms,
        others,
        number,
        written + inflected(written, language),
        decimal=column.decimal if column else "",
        said=frozenset(phrases_of(column, value)) if column else frozenset(),
        within=column.within if column else Decimal(),
        amounts=tuple(filter(None, map(as_amount, forms))) if is_value and not times else (),
        date=read_date(forms[0]) if is_value else None,
        times=times,
        cues=_cues(slot.slot),
        is_listed=column is not None and column.kind == LIST,
        counted=_counted((slot.slot, *(column.also if column else ())), language) if is_count else frozenset(),
    )


def _idioms(column: Column | None) -> tuple[tuple[bool, tuple[str, ...]], ...]:
    """Return the phrases of the mapping for yes and no, each with its answer."""
    if not column or column.kind != YES_NO:
        return ()
    idioms = [(answer == "yes", phrase) for answer, phrases in column.said for phrase in phrases]
    idioms += [(True, phrase) for phrase in (*denying_phrases(column), *verb_phrases(column))]
    return (*idioms, *((False, phrase) for phrase in opposites(column)))


@lru_cache(maxsize=1 << 12)
def _cues(column: str) -> frozenset[str]:
    """Return the stems of the words that name a column."""
    return cues_of(split_name(column)) - _NO_CUES


@lru_cache(maxsize=1 << 12)
def _counted(names: tuple[str, ...], language: str) -> frozenset[tuple[str, ...]]:
    """Return a column's names in singular and plural, as they follow a number without a unit: "3 bedrooms"."""
    found = tuple(tuple(split_name(name).lower().split()) for name in names)
    return frozenset((*found, *inflected(found, language)))


def _column(slot: Slot, mapping: TableMapping | None) -> Column | None:
    return next((column for column in mapping.columns if column.name == slot.slot), None) if mapping else None


def _normalised(slot: Slot, mapping: TableMapping | None) -> Slot:
    column = _column(slot, mapping)
    if column is None:
        return normalise_slots([slot], _table(mapping))[0]
    return Slot(slot.slot, normalised(column, slot.value, _table(mapping)))


def _number(value: str, column: Column | None) -> tuple[Decimal | None, Sequence[str]]:
    """Return the number in a value and the spellings of its unit; None if the value is not a number."""
    if column is not None and (found := amount_of(column, value)):
        return found[0].number, found[1]
    measure = as_measure(value.split())
    # In a column of values, only an amount with a known unit is a number: "1 TB".
    if column is not None and (column.kind != VALUE or measure is None or measure.unit not in UNITS):
        return None, []
    return (measure.number, [" ".join(measure.unit)]) if measure else (None, [])


def _language(mapping: TableMapping | None) -> str:
    return mapping.language if mapping else ""


def _table(mapping: TableMapping | None) -> WordTable:
    return mapping.words if mapping else WORDS
