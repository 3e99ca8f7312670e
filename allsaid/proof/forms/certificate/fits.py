"""Whether a form fits a row: its goal, its values and its numbers.

- The words of a form must be used of the goal, about as often as chance would have it. Goals that share a word in most
  of their texts, as those of one gender do, form a class; a word of another class does not fit.
- A value does not fit if training texts should have it in the form by chance, and never do.
- The row must be within the bounds of the form (`allsaid.proof.forms.bounds`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

from allsaid.proof.forms.bounds import numbers_of, values_of
from allsaid.proof.forms.clauses import Form
from allsaid.proof.forms.phrasebook import Phrasebook, agreeing, pairs
from allsaid.proof.forms.symbols import CARRIES, Row, View, is_value
from allsaid.proof.values.seen import plain
from schemas.act import column_and_answer

SPREAD = 0.7  # of the goals that a word should be seen with by chance, so that it goes with any
FREE = 4  # texts with a word, from which on it may be used with goals that it was not seen with
ABSENT = 6  # texts of a goal that should have a word, by chance, where it is no accident that none or few have it
MAX_CLASS = 0.7  # of all goals are in a class that a word shows
MIN_CLASS = 3  # goals that make a class, and of them those that a word of the class is seen with
MOST, HARDLY = 0.6, 0.2  # of a goal's texts have the word of its class, and that of another class
ABSENT_CLASS = 2.5  # texts of a class that should have a word, by chance
RARE = 0.25  # of these, so few that the word belongs to other goals
APART = 6  # clauses that should have a form and a value together, by chance, where none has
CROWD_APART = 1.5  # the same in a crowd's texts
MIN_SIZES = 5  # clauses with a form, whose values all have another number of words
SEEN, NEW, NEVER = range(3)  # how a form goes with a value


@dataclass(frozen=True)
class Facts:
    """What clauses are checked against: a row as forms see it."""

    view: View
    goal: str
    numbers: Mapping[str, float]  # column's placeholder -> the number
    values: Mapping[str, str]  # column's placeholder -> the value, of what is no number

    @classmethod
    def of(cls, row: Row, view: View) -> Facts:
        parts = row.agenda, row.agenda_tokens, view
        return cls(view, plain(row.goal), numbers_of(*parts), values_of(*parts))


class Fits:
    """Looks up the goals, values and bounds of a phrasebook's forms."""

    def __init__(self, book: Phrasebook) -> None:
        self.book = book
        self._fits_goal = lru_cache(maxsize=1 << 16)(self._count_goal)

    def fits_goal(self, form: Form, goal: str) -> bool:
        """Whether the words of a form are used of this goal."""
        if not self.book.goals:
            return True
        column = next((word.rpartition(CARRIES)[2] for word in form if CARRIES in word), "")
        agrees = (
            all(goal in self.book.words.get(run, ()) for run in agreeing(form)) if goal in self.book.goals else True
        )
        return (
            agrees
            and all(self._fits_goal(word, goal, column, False) for word in form if not is_value(word))
            and all(self._fits_goal(pair, goal, column, True) for pair in pairs(form))
        )

    def _count_goal(self, word: str, goal: str, column: str, is_free: bool) -> bool:
        """Whether a word, or a pair of words, is used of a goal: about as often as chance would have it.

        is_free: what a rare one counts as that the goal's texts lack.
        """
        seen = self.book.words.get(word, {})
        base = self.book.columns.get(column, self.book.goals)  # only such rows can have the word
        times, every = sum(count for one, count in seen.items() if one in base), sum(base.values())
        expected = times * base.get(goal, 0) / every
        if self._is_of_others(seen, goal):
            return False
        if goal in seen:
            return expected < ABSENT or seen[goal] >= RARE * expected
        if times < FREE:
            return is_free
        spread = sum(1 - (1 - count / every) ** times for count in base.values())
        return len(seen) >= SPREAD * spread and expected < ABSENT

    def _is_of_others(self, seen: Mapping[str, int], goal: str) -> bool:
        """Whether goals that share a word, as those of one gender do, tell that this one does not have another word.

        All that have it share a word which this goal lacks; or those that share a word with this goal hardly have it.
        """
        times, every = sum(seen.values()), sum(self.book.goals.values())
        for others in self._classes:
            if goal not in others:
                if goal not in seen and len(seen) >= MIN_CLASS and others.issuperset(seen):
                    return True
                continue
            expected = times * sum(self.book.goals[one] for one in others) / every
            if expected >= ABSENT_CLASS and sum(seen.get(one, 0) for one in others) < RARE * expected:
                return True
        return False

    @cached_property
    def _classes(self) -> list[frozenset[str]]:
        """The goals that have a word in most of their texts, where all others have it in hardly any, as a pronoun."""
        found = set[frozenset[str]]()
        known = {goal for goal, count in self.book.goals.items() if count >= FREE}
        for word, seen in self.book.words.items():
            shares = {goal: seen.get(goal, 0) / self.book.goals[goal] for goal in known}
            having = frozenset(goal for goal, share in shares.items() if share >= MOST)
            are_apart = all(share <= HARDLY for goal, share in shares.items() if goal not in having)
            if 1 < len(having) <= MAX_CLASS * len(known) and are_apart and " " not in word:
                found.add(having)
        return sorted(found, key=sorted)

    def fit_of(self, form: Form, column: str, value: str) -> int:
        """How a form goes with the value of a column that it expresses.

        `SEEN` with it or with none; `NEVER` where chance would have them together; `NEW` otherwise.
        """
        if column not in form or column not in self.book.values:
            return SEEN
        own, every = self.book.values_of.get(form, {}).get(column, {}), self.book.values[column]
        if value in own or not own:
            return SEEN
        if sum(own.values()) >= MIN_SIZES and all(_size(one) != _size(value) for one in own):
            return NEVER
        if value in every:
            expected = every[value] * sum(own.values()) / sum(every.values())
            return NEVER if expected >= (CROWD_APART if self.book.is_crowd else APART) else NEW
        return NEW if all(_size(one) != _size(value) for one in own) else SEEN

    def is_usual(self, form: Form, numbers: Mapping[str, float]) -> bool:
        """Whether the numbers that a form expresses are within the range that it was seen with."""
        ranges = self.book.seen_ranges.get(form, {})
        return all(low <= numbers[column] <= high for column, (low, high) in ranges.items() if column in numbers)

    def is_within(self, form: Form, view: View, values: Mapping[str, float]) -> bool:
        """Whether a row is within the bounds of a form and of each of its words."""
        return all(self._is_in_bounds(part, view, values) for part in (form, *((word,) for word in form)))

    def _is_in_bounds(self, part: Form, view: View, values: Mapping[str, float]) -> bool:
        bound = self.book.bounds.get(part)
        if bound is None:
            return True
        in_range = all(low <= values[name] <= high for name, (low, high) in bound.ranges.items() if name in values)
        opposite = {_opposite(token) for token in bound.states}
        return in_range and opposite.isdisjoint(view.spoken)


def _size(value: str) -> int:
    """One word, two, or more."""
    return min(len(value.split()), 3)


def _opposite(token: str) -> str:
    column, answer = column_and_answer(token)
    return f"{column}_{'NO' if answer == 'yes' else 'YES'}" if answer else token
