"""The forms that are known from training texts, with their counts and goals.

A form is known if training texts have it. It is also known if it becomes such a form when one run of its symbols is
replaced by another. Both runs carry the same values, and elsewhere, too, they occur in the same frame: between the same
symbols of a form.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cached_property, lru_cache

from allsaid.proof.forms.clauses import Form
from allsaid.proof.forms.phrasebook import Phrasebook
from allsaid.proof.forms.symbols import CARRIES, is_value

MAX_RUN = 6  # symbols that may be replaced

Frame = tuple[Form, Form]


class KnownForms:
    """Looks up the forms of a phrasebook's sentences."""

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
        self.sources = lru_cache(maxsize=1 << 16)(self._sources)

    def is_known(self, form: Form) -> bool:
        return bool(self.sources(form))

    def has_goal(self, form: Form, goal: str) -> bool:
        """Whether a form belongs to a goal: seen with it, or not seen at all but by replacing a run."""
        return goal in self.goals_of.get(form, {goal})

    def _sources(self, form: Form) -> tuple[Form, ...]:
        """The form itself if it is known, else those that it becomes when a run is replaced."""
        if form in self.book.struck or not self.book.holds_none(form):
            return ()
        return (form,) if form in self.counts else tuple(self._replaced(form))

    def _replaced(self, form: Form) -> Iterator[Form]:
        """The known forms that differ from this one in a run which goes for another elsewhere, too."""
        for first in range(len(form)):
            for last in range(first + 1, min(first + MAX_RUN, len(form)) + 1):
                run, frame = form[first:last], (form[:first], form[last:])
                if run == form or run not in self._frames_of:
                    continue
                for other in self._runs_in.get(frame, ()):
                    if not first and not _carried(run) and len(other) != last:
                        continue  # "he" and "the cover" are other subjects, "it is" and "they are" are not
                    if _carried(other) == _carried(run) and not self._frames_of[run].isdisjoint(self._frames_of[other]):
                        yield (*frame[0], *other, *frame[1])

    @cached_property
    def _runs_in(self) -> dict[Frame, list[Form]]:
        """The runs that stand in each frame."""
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


def _carried(run: Form) -> list[str]:
    return sorted(word.rpartition(CARRIES)[2] if CARRIES in word else word for word in run if is_value(word))
