"""Forms that belong to some rows only: "easy to carry" to light things, "by USB" to what is rechargeable.

A form is bound to a range of numbers, or to a yes or no, where chance would hardly have it so among the rows of the
same goals: with a probability under one in a thousand, of a yes or no under one in a hundred thousand, since there are
more of them. The range of n numbers drawn at random covers a share of at most p of all with the probability
n p^(n-1) - (n-1) p^n, as that of n uniform numbers does.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from allsaid.proof.forms.clauses import Form
from allsaid.proof.forms.phrasebook import Bounds
from allsaid.proof.forms.symbols import CARRIES, View, is_value
from allsaid.proof.values.measures import as_measure
from allsaid.proof.values.seen import MAX_NEW
from schemas.act import column_and_answer
from schemas.example import Example

CHANCE, RANGE_CHANCE = 0.00001, 0.001
MIN_ROWS = 3  # that have a form


@dataclass
class _Seen:
    """The rows that have a form."""

    goals: Counter[str] = field(default_factory=Counter)
    numbers: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    states: Counter[str] = field(default_factory=Counter)
    asked: Counter[str] = field(default_factory=Counter)  # columns of yes or no that they have


class Learner:
    """Counts which rows have which forms."""

    def __init__(self) -> None:
        self._forms: defaultdict[Form, _Seen] = defaultdict(_Seen)
        self._rows: defaultdict[str, _Seen] = defaultdict(_Seen)  # of each goal

    def add_row(self, example: Example, view: View, goal: str) -> None:
        _add(self._rows[goal], example, view, goal)

    def add(self, form: Form, example: Example, view: View, goal: str) -> None:
        """Count a form in the text of a row."""
        _add(self._forms[form], example, view, goal)

    def bounds(self) -> dict[Form, Bounds]:
        found = {}
        for form, seen in sorted(self._forms.items()):
            if seen.goals.total() >= MIN_ROWS and not (len(form) == 1 and (" " in form[0] or is_value(form[0]))):
                carried = {word.rpartition(CARRIES)[2] for word in form}
                ranges = self._ranges(seen) if len(form) > 1 else {}  # "easy" alone says nothing of a weight
                bound = Bounds(ranges, self._states(seen, carried))
                if bound != Bounds():
                    found[form] = bound
        return found

    def seen_ranges(self) -> dict[Form, dict[str, tuple[float, float]]]:
        """The lowest and the highest number of each column that a form expresses."""
        found = {}
        for form, seen in sorted(self._forms.items()):
            ranges = {column: (min(held), max(held)) for column, held in seen.numbers.items() if column in form}
            if ranges:
                found[form] = ranges
        return found

    def _ranges(self, seen: _Seen) -> dict[str, tuple[float, float]]:
        found = {}
        for column, values in seen.numbers.items():
            every = [value for goal in seen.goals for value in self._rows[goal].numbers[column]]
            low, high = min(values), max(values)
            share = sum(low <= value <= high for value in every) / len(every)
            count = len(values)
            if count >= MIN_ROWS and chance_of_range(count, share) < RANGE_CHANCE:
                found[column] = (low, high)
        return found

    def _states(self, seen: _Seen, carried: set[str]) -> frozenset[str]:
        """The yes or no that all rows with a form have that have one; not what the form itself says."""
        found = set()
        for token, count in seen.states.items():
            column, _ = column_and_answer(token)
            having = sum(self._rows[goal].states[token] for goal in seen.goals)
            asked = sum(self._rows[goal].asked[column] for goal in seen.goals)
            if token not in carried and count == seen.asked[column] and (having / asked) ** count < CHANCE:
                found.add(token)
        return frozenset(found)


def chance_of_range(count: int, share: float) -> float:
    """The probability that so many numbers drawn at random cover at most a share of all."""
    return count * share ** (count - 1) - (count - 1) * share**count


class Values:
    """Counts which values each form expresses, of columns whose values recur."""

    def __init__(self) -> None:
        self._all: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self._forms: defaultdict[Form, defaultdict[str, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))

    def add(self, form: Form, held: Mapping[str, str]) -> None:
        """Count the values of a row, by the placeholders of their columns, that a form expresses."""
        for column in held.keys() & set(form):
            self._all[column][held[column]] += 1
            self._forms[form][column][held[column]] += 1

    def of_columns(self) -> dict[str, dict[str, int]]:
        """All values of each column in which at least half of them recur."""
        once = {column: sum(count == 1 for count in counts.values()) for column, counts in self._all.items()}
        return {
            column: dict(sorted(counts.items()))
            for column, counts in sorted(self._all.items())
            if once[column] <= MAX_NEW * counts.total()
        }

    def of_forms(self) -> dict[Form, dict[str, dict[str, int]]]:
        closed = self.of_columns()
        found = {
            form: {column: dict(sorted(counts.items())) for column, counts in columns.items() if column in closed}
            for form, columns in sorted(self._forms.items())
        }
        return {form: columns for form, columns in found.items() if columns}


def values_of(agenda: Sequence[str], agenda_tokens: Sequence[Sequence[str]], view: View) -> dict[str, str]:
    """The values that are no number and that their columns have alone, by the column's placeholder."""
    lines = {tokens[0]: line for tokens, line in zip(agenda_tokens, agenda, strict=True) if len(tokens) == 1}
    alone = Counter(view.columns.values())
    values = {token: " ".join(lines[token].partition("=")[2].lower().split()) for token in view.columns}
    return {
        column: values[token]
        for token, column in view.columns.items()
        if alone[column] == 1 and as_measure(values[token].split()) is None
    }


def _add(seen: _Seen, example: Example, view: View, goal: str) -> None:
    seen.goals[goal] += 1
    for column, value in numbers_of(example.agenda, example.agenda_tokens, view).items():
        seen.numbers[column].append(value)
    for token in view.spoken:
        seen.states[token] += 1
        seen.asked[column_and_answer(token)[0]] += 1


def numbers_of(agenda: list[str], agenda_tokens: list[list[str]], view: View) -> dict[str, float]:
    """The values that are one number, by their column's placeholder."""
    found: dict[str, float] = {}
    for line, tokens in zip(agenda, agenda_tokens, strict=True):
        measure = as_measure(line.partition("=")[2].split()) if tokens and tokens[0] in view.columns else None
        if measure:
            found[view.columns[tokens[0]]] = float(measure.number)
    return found
