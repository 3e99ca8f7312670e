"""Known values that are names, by their letter case in cells and texts: "two free days" does not name the plan Free."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator

from allsaid.proof.habits import ENDS
from allsaid.proof.values.reading import Reading
from allsaid.proof.values.seen import Values
from schemas.act import PREFIX, parse_agenda_line
from schemas.example import NO_ITEM, Example

MAX_LOWER = 0.1  # largest share of the texts stating a name that write it in lower case

Value = tuple[str, str]  # column, and a value in lower case
Mention = tuple[str, str, bool]  # the same, and whether a text writes the value in lower case


def with_names(values: Values, common: Container[Value], mentions: Iterable[Mention]) -> dict[str, list[str]]:
    """Return the known values in lower case, except for names, which begin with a capital.

    A value that some texts state in lower case is a common word. Values that no text states are like their column.
    common: the values that a cell of the table has in lower case.
    """
    counts = Counter(mention for mention in mentions if mention[:2] not in common)
    of_columns: Counter[tuple[str, bool]] = Counter()
    for (column, _, is_lower), texts in counts.items():
        of_columns[column, is_lower] += texts

    def is_name(column: str, value: str) -> bool:
        lower, capital = counts[column, value, True], counts[column, value, False]
        if not lower and not capital:
            lower, capital = of_columns[column, True], of_columns[column, False]
        return (column, value) not in common and lower <= MAX_LOWER * (lower + capital)

    return {
        column: [value.capitalize() if is_name(column, value) else value for value in known]
        for column, known in values.items()
    }


def mentions_of(reading: Reading) -> Iterator[Mention]:
    """Yield the values that a text states, except where they begin a sentence."""
    words = reading.text.words
    for item, fact in enumerate(reading.facts):
        own = fact.words if fact.number is None else ()
        places = {
            place for place in reading.mentions[item] if place and words[place] in own and words[place - 1] not in ENDS
        }
        if places:
            yield fact.column, " ".join(fact.forms[0]), places <= reading.text.lower


def mentions_in(example: Example) -> Iterator[Mention]:
    """Yield the same of a reference text, whose placeholders take the places of the values."""
    for place, item in enumerate(example.ref_items):
        is_value = item != NO_ITEM and example.tokens[place].startswith(PREFIX)
        if is_value and place and example.tokens[place - 1] not in ENDS:
            slot, written = parse_agenda_line(example.agenda[item]), example.surface[place]
            if written.lower() == slot.value.lower():
                yield slot.slot, written.lower(), written.islower()


def common_in(lines: Iterable[str]) -> set[Value]:
    """Return the values of agenda lines that begin in lower case."""
    slots = map(parse_agenda_line, lines)
    return {(slot.slot, slot.value.lower()) for slot in slots if slot.value[:1].islower()}
