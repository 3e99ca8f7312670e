"""Fit of a form to a row: to its goal, its values and its numbers.

- Training texts of the goal must have the words of the form about as often as expected by chance. Goals that share a
  word in most of their texts, such as those of one gender, are a class; a word of another class does not fit.
- A value does not fit if training texts never have it in the form, although it would be expected by chance.
- The row must be within the bounds of the form (`allsaid.proof.forms.bounds`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

from allsaid.proof.forms.bounds import numbers_of, values_of
from allsaid.proof.forms.clauses import Form
from allsaid.proof.forms.phrasebook import Bounds, Phrasebook, agreeing, pairs
from allsaid.proof.forms.symbols import ANSWER_BAR, Row, RowIndex, is_value
from allsaid.proof.values.seen import plain
from schemas.act import column_and_answer

SPREAD = 0.7  # a word that is seen with at least this share of the expected goals fits any goal
FREE = 4  # a word of fewer texts says nothing about other goals; a goal of fewer texts is in no class
ABSENT = 6  # if at least this many texts of a goal are expected to have a word, it matters that none or few do
MAX_CLASS = 0.7  # largest share of all goals in a class
MIN_CLASS = 3  # fewest goals of a word that belongs to a class
MOST, HARDLY = 0.6, 0.2  # smallest share of a goal's texts with the word of its class; largest with another class's
ABSENT_CLASS = 2.5  # the same as `ABSENT` for the texts of a class
RARE = 0.25  # share of the expected texts below which a word belongs to other goals
APART = 6  # if at least this many clauses with a form and a value are expected, it matters that there is none
CROWD_APART = 1.5  # the same for a crowd's texts
MIN_SIZES = 5  # fewest clauses with a form to conclude from the number of words of its values
SEEN, NEW, NEVER = range(3)  # fit of a form and a value


@dataclass(frozen=True)
class Facts:
    """The facts of a row that clauses are checked against."""

    index: RowIndex
    goal: str
    numbers: Mapping[str, float]  # column's placeholder -> the number
    values: Mapping[str, str]  # column's placeholder -> the value; no numbers

    @classmethod
    def of(cls, row: Row, index: RowIndex) -> Facts:
        parts = row.agenda, row.agenda_tokens, index
        return cls(index, plain(row.goal), numbers_of(*parts), values_of(*parts))


class Fits:
    """Looks up the goals, values and bounds of a phrasebook's forms."""

    def __init__(self, book: Phrasebook) -> None:
        self.book = book
        self._fits_goal = lru_cache(maxsize=1 << 16)(self._count_goal)

    def fits_goal(self, form: Form, goal: str) -> bool:
        """Return whether the words of a form fit the goal."""
        if not self.book.goals:
            return True
        column = next((word.rpartition(ANSWER_BAR)[2] for word in form if ANSWER_BAR in word), "")
        return (
            (goal not in self.book.goals or all(goal in self.book.words.get(run, ()) for run in agreeing(form)))
            and all(self._fits_goal(word, goal, column, False) for word in form if not is_value(word))
            and all(self._fits_goal(pair, goal, column, True) for pair in pairs(form))
        )

    def _count_goal(self, word: str, goal: str, column: str, is_free: bool) -> bool:
        """Return whether texts of a goal have a word, or a pair of words, about as often as expected by chance.

        is_free: the answer for a rare one that the goal's texts lack.
        """
        seen = self.book.words.get(word, {})
        base = self.book.columns.get(column, self.book.goals)  # only such rows can have the word
        times, total = sum(count for user, count in seen.items() if user in base), sum(base.values())
        expected = times * base.get(goal, 0) / total
        if self._is_of_others(seen, goal):
            return False
        if goal in seen:
            return expected < ABSENT or seen[goal] >= RARE * expected
        if times < FREE:
            return is_free
        spread = sum(1 - (1 - count / total) ** times for count in base.values())
        return len(seen) >= SPREAD * spread and expected < ABSENT

    def _is_of_others(self, seen: Mapping[str, int], goal: str) -> bool:
        """Return whether a word belongs to other classes of goals than this goal's.

        All goals with the word are in a class without this goal, or the goals of this goal's class hardly have it.
        """
        times, total = sum(seen.values()), sum(self.book.goals.values())
        for others in self._classes:
            if goal not in others:
                if goal not in seen and len(seen) >= MIN_CLASS and others.issuperset(seen):
                    return True
                continue
            expected = times * sum(self.book.goals[other] for other in others) / total
            if expected >= ABSENT_CLASS and sum(seen.get(other, 0) for other in others) < RARE * expected:
                return True
        return False

    @cached_property
    def _classes(self) -> list[frozenset[str]]:
        """The goals with a word in most of their texts that others hardly have, such as a pronoun."""
        found = set[frozenset[str]]()
        known = {goal for goal, count in self.book.goals.items() if count >= FREE}
        for word, seen in self.book.words.items():
            shares = {goal: seen.get(goal, 0) / self.book.goals[goal] for goal in known}
            goals_with_word = frozenset(goal for goal, share in shares.items() if share >= MOST)
            are_apart = all(share <= HARDLY for goal, share in shares.items() if goal not in goals_with_word)
            if 1 < len(goals_with_word) <= MAX_CLASS * len(known) and are_apart and " " not in word:
                found.add(goals_with_word)
        return sorted(found, key=sorted)

    def fit_of(self, form: Form, column: str, value: str) -> int:
        """Return how a form fits the value of a column that it expresses.

        `SEEN` together, or nothing is known; `NEVER`, although expected by chance; `NEW` otherwise.
        """
        if column not in form or column not in self.book.values:
            return SEEN
        values_of_form, values_of_column = self.book.values_of.get(form, {}).get(column, {}), self.book.values[column]
        if value in values_of_form or not values_of_form:
            return SEEN
        if sum(values_of_form.values()) >= MIN_SIZES and all(_size(used) != _size(value) for used in values_of_form):
            return NEVER
        if value in values_of_column:
            expected = values_of_column[value] * sum(values_of_form.values()) / sum(values_of_column.values())
            return NEVER if expected >= (CROWD_APART if self.book.is_crowd else APART) else NEW
        return NEW if all(_size(used) != _size(value) for used in values_of_form) else SEEN

    def is_usual(self, form: Form, numbers: Mapping[str, float]) -> bool:
        """Return whether the numbers that a form expresses are within the range that it was seen with."""
        ranges = self.book.seen_ranges.get(form, {})
        return all(low <= numbers[column] <= high for column, (low, high) in ranges.items() if column in numbers)

    def is_within(self, form: Form, index: RowIndex, values: Mapping[str, float]) -> bool:
        """Return whether a row is within the bounds of a form and of each of its words."""
        for part in (form, *((word,) for word in form)):
            bound = self.book.bounds.get(part, Bounds())
            if any(not low <= values[name] <= high for name, (low, high) in bound.ranges.items() if name in values):
                return False
            if any(_opposite(token) in index.spoken for token in bound.states):
                return False
        return True


def _size(value: str) -> int:
    """Return the number of words, at most 3."""
    return min(len(value.split()), 3)


def _opposite(token: str) -> str:
    column, answer = column_and_answer(token)
    return f"{column}_{'NO' if answer == 'yes' else 'YES'}" if answer else token
