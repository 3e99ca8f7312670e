"""Goals and column values of a training part, for recognising new ones, and its known values.

A new value is informative only in a *closed* column. There at least half of the values, row by row, also occur in
another row; rows with the same goal and values count as one row with several texts. In an open column, such as one of
mostly different names, each new row brings a new value; numbers always count as new values. The share of values that
occur once is Good's and Turing's estimate of how often the next row brings a new one (Good 1953).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from allsaid.language.characters import comparable
from allsaid.proof.foods.names import Stems, find_names, stems_of, trie_of
from allsaid.proof.values.measures import as_measure
from schemas.act import SPECIAL, Act, unquoted

MAX_NEW = 0.5  # largest share of values that occur once
MIN_SAID = 0.5  # smallest share of texts that mention their own goal if goals count
MIN_BACKED = 0.5  # smallest share of the texts with a value whose records hold it
MAX_KEPT = 50_000  # different values of a column; a column with more counts as open

Values = Mapping[str, Sequence[str]]  # column -> its values, normalised
Known = tuple[str, ...] | None  # most frequent first; None for an open column


@dataclass(frozen=True)
class Seen:
    goals: Known  # in the form of `plain`
    columns: Mapping[str, Known] = field(default_factory=dict)  # each column of a row -> its normalised values
    said_goals: tuple[str, ...] = ()  # goals that a text of another goal must not mention
    asks_goal: bool = False  # whether a text must mention its own goal

    def has_goal(self, goal: str) -> bool:
        return self.goals is None or plain(goal) in self._goals

    def has_value(self, column: str, value: str) -> bool:
        """Return whether a normalised value is known, or can't be judged since it is a number or its column is open."""
        if column not in self.columns:
            return False
        known = self._values[column]
        return known is None or value in known or _is_number(value)

    @cached_property
    def _goals(self) -> frozenset[str]:
        return frozenset(self.goals or ())

    @cached_property
    def _values(self) -> dict[str, frozenset[str] | None]:
        return {column: None if known is None else frozenset(known) for column, known in self.columns.items()}

    def to_json(self) -> dict[str, object]:
        """Return plain data for ``json.dump``; open columns have no entry in ``values``; open goals are empty."""
        values = {column: list(known) for column, known in self.columns.items() if known is not None}
        goals = {"goals": list(self.goals or ()), "said_goals": list(self.said_goals), "asks_goal": self.asks_goal}
        return goals | {"columns": list(self.columns), "values": values}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Seen:  # Any: the values of JSON, by `to_json`
        values = {column: tuple(known) for column, known in data["values"].items()}
        columns = {column: values.get(column) for column in data["columns"]}
        return cls(tuple(data["goals"]) or None, columns, tuple(data["said_goals"]), data["asks_goal"])


def plain(goal: str) -> str:
    """Normalise a goal for comparison: one Unicode form, lower case, single blanks."""
    return " ".join(comparable(goal).lower().split())


def build_seen(goals: Iterable[str], acts: Iterable[Act]) -> Seen:
    """Collect the goals and values of a training part."""
    columns: dict[str, Counter[str]] = {}
    numbers: Counter[str] = Counter()
    records: set[int] = set()  # hashes, so that a record with several texts counts once
    for act in acts:
        slots = frozenset(act.slots)
        record = hash((act.act_type, slots))
        for slot in slots if len(slots) == 1 or record not in records else ():  # many rows may share a single value
            values = columns.setdefault(slot.slot, Counter())
            if _is_number(slot.value):
                numbers[slot.slot] += 1
            else:
                values[slot.value] += 1
        records.add(record)
    known = {column: _known(counts, numbers[column]) for column, counts in sorted(columns.items())}
    return Seen(_known(Counter(map(plain, goals))), known)


def _known(counts: Counter[str], numbers: int = 0) -> Known:
    once = sum(count == 1 for count in counts.values())
    if not counts or len(counts) > MAX_KEPT or once + numbers > MAX_NEW * (counts.total() + numbers):
        return None
    return _by_count(counts)


def said_goals(goals: Iterable[str], acts: Iterable[Act]) -> tuple[tuple[str, ...], bool]:
    """Return the goals that a table's texts mention, most frequent first, and whether each text must mention its own.

    It must if at least half of the texts mention their own goal. No goal is returned if records hold it as a value
    anyway. Words inside a value don't count ("the Hotel Metro" mentions no "hotel"). As for values (`build_values`), a
    goal is left out if more texts mention it without having it than with it.
    """
    counts = Counter(map(plain, goals))
    stems = {goal: stems_of(goal.split()) for goal in counts}
    trie = trie_of((name, name) for name in stems.values() if name)
    said: Counter[Stems] = Counter()
    backed: Counter[Stems] = Counter()
    rows = held = 0
    for act in acts:
        rows += 1
        own = plain(act.act_type)
        held += own in {slot.value for slot in act.slots}
        found = {name for _, _, name in find_names(stems_of(act.tokens), trie)}
        said.update(found)
        backed.update(found & {stems[own]})
    if held >= MIN_SAID * rows:
        return (), False
    known = [goal for goal in _by_count(counts) if 0 < backed[stems[goal]] >= MIN_SAID * said[stems[goal]]]
    return tuple(known[:MAX_KEPT]), bool(known) and backed.total() >= MIN_SAID * rows


def _by_count(counts: Counter[str]) -> tuple[str, ...]:
    return tuple(sorted(counts, key=lambda value: (-counts[value], value)))


def _is_number(value: str) -> bool:
    return as_measure(value.split()) is not None


def build_values(acts: Iterable[Act]) -> dict[str, list[str]]:
    """Find the known values of each column; numbers are left out, since any number is searched for.

    A value is known if a record holds it, and if at least half of the texts that mention it belong to such records. So
    "hotel" in a text about a hotel counts as no value. Words are compared by stem, since a text may inflect a value.
    """
    rows = [(stems_of(act.normalised.split()), {(slot.slot, slot.value) for slot in act.slots}) for act in acts]
    columns: dict[str, set[str]] = {}
    for _, slots in rows:
        for column, value in slots:
            if value in ("yes", "no") or (value and value not in SPECIAL and as_measure(value.split()) is None):
                columns.setdefault(column, set()).add(value)
    stems = {value: stems_of(unquoted(value).split()) for values in columns.values() for value in values}
    trie = trie_of((value, value) for value in stems.values())
    said: Counter[Stems] = Counter()
    backed: Counter[Stems] = Counter()
    for words, slots in rows:
        held = {stems[value] for _, value in slots if value in stems}
        found = {name for _, _, name in find_names(words, trie)}
        said.update(found)
        backed.update(found & held)
    known = {value for value, own in stems.items() if value in SPECIAL or backed[own] >= MIN_BACKED * said[own]}
    return {column: sorted(map(unquoted, values & known)) for column, values in sorted(columns.items())}
