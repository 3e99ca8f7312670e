"""Bounds of forms that belong to some rows only: "easy to carry" to light things, "by USB" to rechargeable ones.

A form is bound to a range of numbers, or to a yes or no, if chance would hardly explain it among the rows of the same
goals: the probability is under 0.001 for a range, and under 0.00001 for a yes or no, since there are more of them. The
range of n random numbers covers at most a share p of all numbers with probability n p^(n-1) - (n-1) p^n, as if the
numbers were uniform.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from allsaid.proof.forms.clauses import Form
from allsaid.proof.forms.phrasebook import Bounds
from allsaid.proof.forms.symbols import ANSWER_BAR, RowIndex, is_value
from allsaid.proof.values.measures import as_measure
from allsaid.proof.values.seen import MAX_NEW
from schemas.act import column_and_answer
from schemas.example import Example

CHANCE, RANGE_CHANCE = 0.00001, 0.001
MIN_ROWS = 3  # with a form


@dataclass
class _Seen:
    """The rows with a form."""

    goals: Counter[str] = field(default_factory=Counter)
    numbers: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    states: Counter[str] = field(default_factory=Counter)
    asked: Counter[str] = field(default_factory=Counter)  # yes/no columns that they have

    def add(self, example: Example, index: RowIndex, goal: str) -> None:
        self.goals[goal] += 1
        for column, value in numbers_of(example.agenda, example.agenda_tokens, index).items():
            self.numbers[column].append(value)
        for token in index.spoken:
            self.states[token] += 1
            self.asked[column_and_answer(token)[0]] += 1


class Learner:
    """Counts which rows have which forms."""

    def __init__(self) -> None:
        self._forms: defaultdict[Form, _Seen] = defaultdict(_Seen)
        self._rows: defaultdict[str, _Seen] = defaultdict(_Seen)  # of each goal

    def add_row(self, example: Example, index: RowIndex, goal: str) -> None:
        self._rows[goal].add(example, index, goal)

    def add(self, form: Form, example: Example, index: RowIndex, goal: str) -> None:
        """Count a form in the text of a row."""
        self._forms[form].add(example, index, goal)

    def bounds(self) -> dict[Form, Bounds]:
        found = {}
        for form, seen in sorted(self._forms.items()):
            if seen.goals.total() >= MIN_ROWS and not (len(form) == 1 and (" " in form[0] or is_value(form[0]))):
                expressed = {word.rpartition(ANSWER_BAR)[2] for word in form}
                ranges = self._ranges(seen) if len(form) > 1 else {}  # "easy" alone implies no weight
                bound = Bounds(ranges, self._states(seen, expressed))
                if bound != Bounds():
                    found[form] = bound
        return found

    def seen_ranges(self) -> dict[Form, dict[str, tuple[float, float]]]:
        """Return, for each form, the lowest and the highest number of each column that it expresses."""
        found = {}
        for form, seen in sorted(self._forms.items()):
            ranges = {
                column: (min(numbers), max(numbers)) for column, numbers in seen.numbers.items() if column in form
            }
            if ranges:
                found[form] = ranges
        return found

    def _ranges(self, seen: _Seen) -> dict[str, tuple[float, float]]:
        found = {}
        for column, values in seen.numbers.items():
            values_of_goals = [value for goal in seen.goals for value in self._rows[goal].numbers[column]]
            low, high = min(values), max(values)
            share = sum(low <= value <= high for value in values_of_goals) / len(values_of_goals)
            if len(values) >= MIN_ROWS and chance_of_range(len(values), share) < RANGE_CHANCE:
                found[column] = (low, high)
        return found

    def _states(self, seen: _Seen, expressed: set[str]) -> frozenset[str]:
        """Return the answers that all rows with a form share, without those that the form itself expresses."""
        found = set()
        for token, count in seen.states.items():
            column, _ = column_and_answer(token)
            rows_with_token = sum(self._rows[goal].states[token] for goal in seen.goals)
            asked = sum(self._rows[goal].asked[column] for goal in seen.goals)
            if token not in expressed and count == seen.asked[column] and (rows_with_token / asked) ** count < CHANCE:
                found.add(token)
        return frozenset(found)


def chance_of_range(count: int, share: float) -> float:
    """Return the probability that ``count`` numbers drawn at random cover at most a share of all."""
    return count * share ** (count - 1) - (count - 1) * share**count


class Values:
    """Counts which values each form expresses, of columns whose values recur."""

    def __init__(self) -> None:
        self._all: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self._forms: defaultdict[Form, defaultdict[str, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))

    def add(self, form: Form, values: Mapping[str, str]) -> None:
        """Count the values of a row, by the placeholders of their columns, that a form expresses."""
        for column in values.keys() & set(form):
            self._all[column][values[column]] += 1
            self._forms[form][column][values[column]] += 1

    def of_columns(self) -> dict[str, dict[str, int]]:
        """Return the counts of all values, for each column in which at least half of the values recur."""
        once = {column: sum(count == 1 for count in counts.values()) for column, counts in self._all.items()}
        closed = {column for column, counts in self._all.items() if once[column] <= MAX_NEW * counts.total()}
        return in_order({column: self._all[column] for column in closed})

    def of_forms(self) -> dict[Form, dict[str, dict[str, int]]]:
        closed = self.of_columns()
        found = {
            form: {column: dict(sorted(counts.items())) for column, counts in columns.items() if column in closed}
            for form, columns in sorted(self._forms.items())
        }
        return {form: columns for form, columns in found.items() if columns}


def in_order(counts: Mapping[str, Counter[str]]) -> dict[str, dict[str, int]]:
    """Return counts of counts as plain data, sorted by their keys."""
    return {key: dict(sorted(found.items())) for key, found in sorted(counts.items())}


def values_of(agenda: Sequence[str], agenda_tokens: Sequence[Sequence[str]], index: RowIndex) -> dict[str, str]:
    """Return the only values of their columns that are no numbers, by the column's placeholder."""
    lines = {tokens[0]: line for tokens, line in zip(agenda_tokens, agenda, strict=True) if len(tokens) == 1}
    alone = Counter(index.columns.values())
    values = {token: " ".join(lines[token].partition("=")[2].lower().split()) for token in index.columns}
    return {
        column: values[token]
        for token, column in index.columns.items()
        if alone[column] == 1 and as_measure(values[token].split()) is None
    }


def numbers_of(agenda: list[str], agenda_tokens: list[list[str]], index: RowIndex) -> dict[str, float]:
    """Return the values that are one number, by the column's placeholder."""
    found: dict[str, float] = {}
    for line, tokens in zip(agenda, agenda_tokens, strict=True):
        measure = as_measure(line.partition("=")[2].split()) if tokens and tokens[0] in index.columns else None
        if measure:
            found[index.columns[tokens[0]]] = float(measure.number)
    return found
