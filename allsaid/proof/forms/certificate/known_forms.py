"""Forms known from training texts, with their counts and goals.

A form is known if training texts have it, or if exchanging one run of its symbols for another run makes a form that
they have. Both runs must express the same values. They must also occur in another common frame: the symbols around a
run in a form.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cached_property, lru_cache

from allsaid.proof.forms.clauses import Form
from allsaid.proof.forms.phrasebook import Phrasebook
from allsaid.proof.forms.symbols import ANSWER_BAR, is_value

MAX_RUN = 6  # most symbols that may be replaced

Frame = tuple[Form, Form]


class KnownForms:
    """Looks up whether forms are known from a phrasebook's sentences."""

    def __init__(self, book: Phrasebook) -> None:
        self.book = book
        self.counts: Counter[Form] = Counter()
        self.ends: Counter[Form] = Counter()  # forms that end a sentence
        self.begins: Counter[Form] = Counter()
        self.goals_of: defaultdict[Form, set[str]] = defaultdict(set)
        for known in book.usable:
            clauses = known.sentence.clauses
            for clause in clauses:
                self.counts[clause.form] += known.count
                self.goals_of[clause.form].update(known.goals)
            self.begins[clauses[0].form] += known.count
            self.ends[clauses[-1].form] += known.count
        self.training_forms = lru_cache(maxsize=1 << 16)(self._training_forms)

    def is_known(self, form: Form) -> bool:
        return bool(self.training_forms(form))

    def has_goal(self, form: Form, goal: str) -> bool:
        """Return whether a form is seen with a goal, or only known by replacing a run."""
        return goal in self.goals_of.get(form, {goal})

    def _training_forms(self, form: Form) -> tuple[Form, ...]:
        """Return the form itself if training texts have it, else the forms that exchanging a run makes."""
        if form in self.book.struck or self.book.has_forbidden(form):
            return ()
        return (form,) if form in self.counts else tuple(self._replaced(form))

    def _replaced(self, form: Form) -> Iterator[Form]:
        """Yield the forms of training texts that differ from this one in one exchangeable run."""
        for first in range(len(form)):
            for last in range(first + 1, min(first + MAX_RUN, len(form)) + 1):
                run, frame = form[first:last], (form[:first], form[last:])
                if run == form or run not in self._frames_of:
                    continue
                for other in self._runs_in.get(frame, ()):
                    if not first and not _values_of(run) and len(other) != last:
                        continue  # "he" and "the cover" are other subjects, "it is" and "they are" are not
                    if _values_of(other) == _values_of(run) and not self._frames_of[run].isdisjoint(
                        self._frames_of[other]
                    ):
                        yield (*frame[0], *other, *frame[1])

    @cached_property
    def _runs_in(self) -> dict[Frame, list[Form]]:
        """The runs in each frame."""
        found: defaultdict[Frame, list[Form]] = defaultdict(list)
        for form in self.counts:
            for first in range(len(form)):
                for last in range(first + 1, min(first + MAX_RUN, len(form)) + 1):
                    if last - first < len(form):
                        found[form[:first], form[last:]].append(form[first:last])
        return dict(found)

    @cached_property
    def _frames_of(self) -> dict[Form, set[Frame]]:
        found: defaultdict[Form, set[Frame]] = defaultdict(set)
        for frame, runs in self._runs_in.items():
            for run in runs:
                found[run].add(frame)
        return dict(found)


def _values_of(run: Form) -> list[str]:
    return sorted(word.rpartition(ANSWER_BAR)[2] if ANSWER_BAR in word else word for word in run if is_value(word))
