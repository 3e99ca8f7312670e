"""Goals and column values of a training part, for recognising new ones, and its known values.

A new value is informative only in a *closed* column. A column is closed if at least half of its cells have a value that
also occurs in another row; a number counts as a value that occurs once, and rows with the same goal and values count as
one row. In an open column, such as one of mostly different names, each new row brings a new value. The share of values
that occur once is Good's and Turing's estimate of how often the next row brings a new one (Good 1953).
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

MAX_NEW = 0.5  # largest share of values that occur once, in a closed column
MIN_MENTIONED = 0.5  # if at least this share of the texts mention their own goal, each text must mention it
MIN_BACKED = 0.5  # smallest share of the texts that mention a known value whose records have it
MAX_KEPT = 50_000  # different values of a column; a column with more counts as open

Values = Mapping[str, Sequence[str]]  # column -> its values, normalised
Known = tuple[str, ...] | None  # most frequent first; None for an open column


@dataclass(frozen=True)
class Seen:
    goals: Known  # in the form of `plain`
    columns: Mapping[str, Known] = field(default_factory=dict)  # each column of a row -> its normalised values
    mentioned_goals: tuple[str, ...] = ()  # goals that a text of another goal must not mention
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
        goals = {"goals": list(self.goals or ()), "said_goals": list(self.mentioned_goals), "asks_goal": self.asks_goal}
        return goals | {"columns": list(self.columns), "values": values}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Seen:  # Any: the values of JSON, by `to_json`
        values = {column: tuple(known) for column, known in data["values"].items()}
        columns = {column: values.get(column) for column in data["columns"]}
        return cls(tuple(data["goals"]) or None, columns, tuple(data["said_goals"]), data["asks_goal"])


def plain(goal: str) -> str:
    """Normalise a goal for comparison: one Unicode form, lower case, single blanks."""
    return " ".join(comparable(goal).lower().split())


def is_stated_by(value: str, others: Iterable[str]) -> bool:
    """Return whether a text with the ``others`` states a value: rooibos, of a blend with rooibos.

    The name "Orange" does not state the colour orange.
    """
    equal = (other for other in others if plain(other) == plain(value))
    return any(other[:1].islower() or not value[:1].islower() for other in equal)


def build_seen(goals: Iterable[str], acts: Iterable[Act]) -> Seen:
    """Collect the goals and values of a training part."""
    columns: dict[str, Counter[str]] = {}
    numbers: Counter[str] = Counter()
    records: set[int] = set()  # hashes, so that a record with several texts counts once
    for act in acts:
        slots = frozenset(act.slots)
        act_key = hash((act.act_type, slots))
        for slot in slots if len(slots) == 1 or act_key not in records else ():  # many rows may share a single value
            values = columns.setdefault(slot.slot, Counter())
            if _is_number(slot.value):
                numbers[slot.slot] += 1
            else:
                values[slot.value] += 1
        records.add(act_key)
    known = {column: _known(counts, numbers[column]) for column, counts in sorted(columns.items())}
    return Seen(_known(Counter(map(plain, goals))), known)


def _known(counts: Counter[str], numbers: int = 0) -> Known:
    once = sum(count == 1 for count in counts.values())
    if not counts or len(counts) > MAX_KEPT or once + numbers > MAX_NEW * (counts.total() + numbers):
        return None
    return _by_count(counts)


def goals_mentioned(goals: Iterable[str], acts: Iterable[Act]) -> tuple[tuple[str, ...], bool]:
    """Return the goals that a table's texts mention, most frequent first, and whether each text must mention its own.

    Each text must if at least half of the texts do. No goals are returned if at least half of the records also have
    their goal as a value. Words inside a value don't count ("the Hotel Metro" mentions no "hotel"). A goal is left out
    if most of the texts that mention it have another goal, as for values (`build_values`).
    """
    counts = Counter(map(plain, goals))
    stems = {goal: stems_of(goal.split()) for goal in counts}
    trie = trie_of((name, name) for name in stems.values() if name)
    mentioned: Counter[Stems] = Counter()
    backed: Counter[Stems] = Counter()
    rows = rows_with_goal_value = 0
    for act in acts:
        rows += 1
        own_goal = plain(act.act_type)
        rows_with_goal_value += own_goal in {slot.value for slot in act.slots}
        goals_in_text = {name for _, _, name in find_names(stems_of(act.tokens), trie)}
        mentioned.update(goals_in_text)
        backed.update(goals_in_text & {stems[own_goal]})
    if rows_with_goal_value >= MIN_MENTIONED * rows:
        return (), False
    known = [goal for goal in _by_count(counts) if 0 < backed[stems[goal]] >= MIN_MENTIONED * mentioned[stems[goal]]]
    return tuple(known[:MAX_KEPT]), bool(known) and backed.total() >= MIN_MENTIONED * rows


def _by_count(counts: Counter[str]) -> tuple[str, ...]:
    return tuple(sorted(counts, key=lambda value: (-counts[value], value)))


def _is_number(value: str) -> bool:
    return as_measure(value.split()) is not None


def build_values(acts: Iterable[Act]) -> dict[str, list[str]]:
    """Find the known values of each column, without numbers, since texts are searched for any number.

    A value is known if records have it, and if at least half of the texts that mention it belong to these records. So
    "hotel" in texts about hotels is no known value. Words are compared by stem, since a text may inflect a value.
    """
    rows = [(stems_of(act.normalised.split()), {(slot.slot, slot.value) for slot in act.slots}) for act in acts]
    columns: dict[str, set[str]] = {}
    for _, slots in rows:
        for column, value in slots:
            if value in ("yes", "no") or (value and value not in SPECIAL and as_measure(value.split()) is None):
                columns.setdefault(column, set()).add(value)
    stems = {value: stems_of(unquoted(value).split()) for values in columns.values() for value in values}
    trie = trie_of((value, value) for value in stems.values())
    mentioned: Counter[Stems] = Counter()
    backed: Counter[Stems] = Counter()
    for words, slots in rows:
        row_values = {stems[value] for _, value in slots if value in stems}
        found = {name for _, _, name in find_names(words, trie)}
        mentioned.update(found)
        backed.update(found & row_values)
    known = {value for value, key in stems.items() if value in SPECIAL or backed[key] >= MIN_BACKED * mentioned[key]}
    return {column: sorted(map(unquoted, values & known)) for column, values in sorted(columns.items())}
