"""Whether a text states its row in forms that training texts use: each clause must be attested.

A clause is *attested* if

- it is a known form, or becomes one when a run of up to six symbols is replaced by another that carries the same values
  and stands in the same frame elsewhere, too;
- it begins or ends a sentence only as clauses of training texts do, and is joined to the clause before as they are;
- its words fit the row's goal: the text of a mug has no "for the open road", and "a" does not precede "headphones";
- the row is within the form's bounds (`training.forms.bounds`), and its value is not one that the form should have had
  in training texts, and never has.

What a form carries must be in the row, since symbols are read with the row at hand: a "no" that the row does not say,
or a value that it lacks, makes another symbol. Nothing here is a list of words.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import takewhile

from training.forms.bounds import numbers_of, values_of
from training.forms.clauses import Clause, Form, Sentence, cut, written
from training.forms.phrasebook import Known, Phrasebook, agreeing, pairs
from training.forms.said import bare
from training.forms.symbols import CARRIES, GOAL, SEVERAL, Row, Symbol, View, frame_at, is_value
from training.metrics.seen import plain

MAX_RUN = 6  # symbols that may be replaced
MIN_GENERAL = 3  # pairs of whole clauses that a joint joins, from which on it joins any
MIN_WHOLE = 0.9  # of the clauses behind a joint begin sentences elsewhere, so that all may
SPREAD = 0.7  # of the goals that a word should be seen with by chance, so that it goes with any
FREE = 4  # texts with a word, from which on it may be used with goals that it was not seen with
ABSENT = 6  # texts of a goal that should have a word, by chance, where it is no accident that none or few have it
MAX_CLASS = 0.7  # of all goals are in a class that a word shows
MIN_CLASS = 3  # goals that make a class, and of them those that a word of the class is seen with
MOST, HARDLY = 0.6, 0.2  # of a goal's texts have the word of its class, and that of another class
ABSENT_CLASS = 2.5  # texts of a class that should have a word, by chance
RARE = 0.25  # of these, so few that the word belongs to other goals
APART = 6  # clauses that should have a form and a value together, by chance, where none has
MIN_SIZES = 5  # clauses with a form, whose values all have another number of words
SEEN, NEW, NEVER = range(3)  # how a form goes with a value
UNKNOWN, BEGINNING, END, JOINT, GOAL_WORDS, BOUND, VALUE, NO_MARK = (
    "unknown",
    "beginning",
    "end",
    "joint",
    "goal",
    "bound",
    "value",
    "no mark",
)


@dataclass(frozen=True)
class Finding:
    """A passage that no form attests."""

    kind: str  # one of the names above
    first: int  # of its tokens
    last: int  # behind its tokens


@dataclass(frozen=True)
class Attested:
    """What the clauses of a text state."""

    findings: list[Finding]
    places: set[int]  # of the tokens of attested clauses
    carried: Counter[str]  # what these express, by the column's placeholder or the agenda token -> how many do
    repeated: list[str]  # what is carried by several clauses
    others: list[str]  # other goals that the text says, by a synonym


Frame = tuple[Form, Form]


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


class Attester:
    """The phrasebook as it is looked things up in; `training.forms.assemble` reads it, too."""

    def __init__(self, book: Phrasebook) -> None:
        self.book = book
        self.forms: Counter[Form] = Counter()
        self.ends: Counter[Form] = Counter()  # forms that end a sentence
        self.begins: Counter[Form] = Counter()
        self.goals_of: defaultdict[Form, set[str]] = defaultdict(set)
        self._openings: set[Form] = set()  # the first two symbols of sentences
        self._shapes: set[tuple[Form, ...]] = set()  # the first two symbols of sentences, and their joints
        self.firsts: set[Form] = set()  # the first two symbols of texts, or the one of their first clauses
        self._near: set[tuple[str, Form, Form]] = set()  # last before, joint, first behind
        self._before: set[tuple[str, str]] = set()  # a word, and a column's placeholder behind it
        self._behind: set[tuple[str, ...]] = set()  # a column's placeholder, and two words behind it
        pairs = []
        for known in book.usable:
            clauses = known.sentence.clauses
            for number, clause in enumerate(clauses):
                self.forms[clause.form] += known.count
                self.goals_of[clause.form].update(known.goals)
                if not number:
                    self.begins[clause.form] += known.count
                    self._openings.add(clause.form[:2])
                else:
                    before = clauses[number - 1].form
                    self._near.add((before[-1], clause.joint, clause.form[:1]))
                    pairs.append((before, clause.joint, clause.form))
            self.ends[clauses[-1].form] += known.count
        self._said = {bare(form): form for form in book.said}
        for form in (*(known.words for known in book.unstruck), *book.said):
            words = ["", *(word.removesuffix(SEVERAL) for word in form), "", ""]
            for place, word in enumerate(words):
                if word.startswith("SLOT_"):
                    self._before.add((words[place - 1], word))
                    self._behind.add((word, *words[place + 1 : place + 3]))
        self.firsts = {Known(texts[0], {}).sentence.clauses[0].form[:2] for texts, _ in book.beginnings}
        general: defaultdict[Form, set[tuple[Form, Form]]] = defaultdict(set)
        for before, joint, behind in pairs:
            if before in self.ends and behind in self.begins:
                general[joint].add((before, behind))
        self.general = {joint for joint, found in general.items() if len(found) >= MIN_GENERAL}
        self.ends.update(before for before, joint, behind in pairs if joint in self.general and behind in self.begins)
        self.begins.update(self._whole(pairs))
        self._shapes.update(self._shape(known.sentence) for known in book.usable)
        self._subjects = self._find_subjects({behind[:1] for _, _, behind in pairs if behind not in self.begins})
        self._verbs = self._find_verbs({behind[0] for _, _, behind in pairs if behind})
        joins = Counter((self._join_of(before, joint, behind), joint, behind[:1]) for before, joint, behind in pairs)
        self._joins = {join for join, count in joins.items() if count > 1 or not book.is_crowd}
        self.sources = lru_cache(maxsize=1 << 16)(self._sources)
        self._fits_goal = lru_cache(maxsize=1 << 16)(self._count_goal)

    def check(self, tokens: Sequence[str], row: Row) -> Attested:
        """What T tokens, with placeholders, state of a row."""
        view = self.book.reader.view(row)
        symbols = self.book.reader.read(tokens, view)
        sentences = cut(symbols, self.book.abbreviations)
        facts = Facts.of(row, view)
        findings: list[Finding] = []
        carried, places = Counter[str](), set[int]()
        for number, sentence in enumerate(sentences):
            said = self.said_of(sentence, view)
            if said and (number or self.book.subject in said):
                carried.update({_carrying(word) for word in said} - {""})
                places.update(_places_of(sentence))
                continue
            for place, clause in enumerate(sentence.clauses):
                kinds = [*self._faults(sentence, place, facts)]
                if not number and not place and clause.form[:2] not in self.firsts:
                    kinds.append(BEGINNING)
                findings += [_finding(kind, clause, sentence, place) for kind in kinds[:1]]
                if not kinds:
                    carried.update({one.carries for one in clause.symbols} - {""})
                    places.update(at for one in clause.symbols for at in range(one.first, one.last))
        if sentences and not sentences[-1].mark and self.book.has_marks:
            findings.append(Finding(NO_MARK, max(len(tokens) - 1, 0), len(tokens)))
        repeated = [token for token, count in carried.items() if count > 1]
        return Attested(findings, places, carried, repeated, self._other_goals(symbols, facts.goal))

    def _other_goals(self, symbols: Sequence[Symbol], goal: str) -> list[str]:
        """The goals that a text says by a synonym, where the goal's own text has the goal."""
        words = [symbol.text for symbol in symbols]
        found = {
            other: None
            for place, word in enumerate(words)
            for other in self._goals_by_word.get(word, ())
            if other != goal and frame_at(words, place) in self.book.reader.frames
        }
        return list(found)

    @cached_property
    def _goals_by_word(self) -> dict[str, list[str]]:
        found: defaultdict[str, list[str]] = defaultdict(list)
        for goal, words in self.book.reader.synonyms.items():
            for word in words:
                found[word].append(goal)
        return dict(found)

    def out_of_place(self, tokens: Sequence[str], view: View) -> set[str]:
        """The placeholders that stand nowhere behind a word, nor before two, beside which their column is known."""
        symbols = self.book.reader.read(tokens, view)
        words = ["", *(symbol.text.removesuffix(SEVERAL) for symbol in symbols), "", ""]
        seen: dict[str, bool] = {}
        for place, symbol in enumerate(symbols, 1):
            for token in tokens[symbol.first : symbol.last] if symbol.carries in view.columns.values() else ():
                is_known = (words[place - 1], symbol.carries) in self._before or (
                    symbol.carries,
                    *words[place + 1 : place + 3],
                ) in self._behind
                seen[token] = seen.get(token, False) or is_known
        return {token for token, is_known in seen.items() if not is_known}

    def said_of(self, sentence: Sentence, view: View) -> Form:
        """The sentence of the mapping that this is, if the row has what it expresses; else no symbols."""
        said = self._said.get(bare(written(sentence)), ())
        having = {*view.columns.values(), *view.spoken, GOAL}
        is_given = all(_carrying(word) in having for word in said if is_value(word))
        return said if is_given and self.book.holds_none(said) else ()

    def is_attested(self, sentence: Sentence, facts: Facts) -> bool:
        """Whether all clauses of a sentence are attested for a row."""
        if self.said_of(sentence, facts.view):
            return True
        places = range(len(sentence.clauses))
        return not any(next(self._faults(sentence, place, facts), "") for place in places)

    def _faults(self, sentence: Sentence, place: int, facts: Facts) -> Iterator[str]:
        clauses = sentence.clauses
        clause = clauses[place]
        if not self.is_known(clause.form) or (self.book.is_strict and not self._has_goal(clause.form, facts.goal)):
            yield UNKNOWN
        if not place and (clause.joint or not self.may_begin(clause.form)):
            yield BEGINNING
        if place and not self.may_join(clauses[place - 1].form, clause.joint, clause.form):
            yield JOINT
        if place == len(clauses) - 1 and not (self.may_end(clause.form) and self._is_whole(sentence)):
            yield END
        if not self.fits_goal(clause.form, facts.goal):
            yield GOAL_WORDS
        if not self._is_within(clause.form, facts.view, facts.numbers):
            yield BOUND
        if any(self.fit_of(clause.form, column, value) == NEVER for column, value in facts.values.items()):
            yield VALUE

    def _whole(self, pairs: Sequence[tuple[Form, Form, Form]]) -> set[Form]:
        """Forms behind a joint that nearly always has whole clauses behind it, such as ";"."""
        behind: defaultdict[Form, list[Form]] = defaultdict(list)
        for _, joint, form in pairs:
            behind[joint].append(form)
        strong = [joint for joint in self.general if _share(behind[joint], self.begins) >= MIN_WHOLE]
        return {form for joint in strong for form in behind[joint]}

    def _find_subjects(self, continuing: set[Form]) -> set[str]:
        """The first symbols that are subjects by themselves: what follows them also goes on without a subject.

        continuing: the first symbols of clauses that begin no sentence, as "weighs" behind "it is blue and".
        """
        behind: defaultdict[str, set[Form]] = defaultdict(set)
        for form in self.begins:
            if len(form) > 1:
                behind[form[0]].add(form[1:2])
        shared = {word: len(found & continuing) for word, found in behind.items()}
        return {word for word, found in behind.items() if shared[word] > 1 and 2 * shared[word] >= len(found)}

    def _find_verbs(self, continuing: set[str]) -> set[str]:
        """What follows a subject, and also begins clauses behind a joint."""
        return {form[1] for form in self.begins if form[0] in self._subjects and form[1:2]} & continuing

    def _join_of(self, before: Form, joint: Form, behind: Form) -> Form:
        """What a clause before another has to have in common with those of training texts that are joined so.

        Before a verb it is the subject: the first symbol, or the first two ("the price"). Before all else, as in "has a
        lid and a handle", it is the last verb with the symbol behind it; without one the last two symbols or,
        before a mark, the first two.
        """
        if behind and behind[0] in self._verbs:
            return before[:1] if before and before[0] in self._subjects else before[:2]
        place = next((place for place in range(len(before) - 1, -1, -1) if before[place] in self._verbs), None)
        if place is not None:
            return before[place : place + 2]
        return before[-2:] if joint[-1:] and joint[-1].isalpha() else before[:2]

    def _has_goal(self, form: Form, goal: str) -> bool:
        """Whether a form belongs to a goal: seen with it, or not seen at all but by replacing a run."""
        return goal in self.goals_of.get(form, {goal})

    def may_begin(self, form: Form) -> bool:
        return form[:2] in self._openings or any(one in self.begins for one in self.sources(form))

    def may_end(self, form: Form) -> bool:
        return any(one in self.ends for one in self.sources(form))

    def _is_whole(self, sentence: Sentence) -> bool:
        """Whether a first clause that is none by itself ("If it rains") is followed as in training texts."""
        first = sentence.clauses[0].form
        return len(sentence.clauses) == 1 or self.may_end(first) or self._shape(sentence) in self._shapes

    def _shape(self, sentence: Sentence) -> tuple[Form, ...]:
        """The first two symbols of a sentence with its joints, without the clauses that may follow any."""
        first, *others = sentence.clauses
        joints = takewhile(lambda joint: joint not in self.general, (clause.joint for clause in others[1:]))
        return first.form[:2], *(clause.joint for clause in others[:1]), *joints

    def may_join(self, before: Form, joint: Form, behind: Form) -> bool:
        """Whether clauses like these are joined so."""
        if (self._join_of(before, joint, behind), joint, behind[:1]) in self._joins:
            return True
        is_plain = bool(before) and not is_value(before[-1])
        if is_plain and (before[-1], joint, behind[:1]) in self._near:
            return True
        return joint in self.general and self.may_end(before) and self.may_begin(behind)

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
            return NEVER if expected >= APART else NEW
        return NEW if all(_size(one) != _size(value) for one in own) else SEEN

    def is_usual(self, form: Form, numbers: Mapping[str, float]) -> bool:
        """Whether the numbers that a form expresses are within the range that it was seen with."""
        ranges = self.book.seen_ranges.get(form, {})
        return all(low <= numbers[column] <= high for column, (low, high) in ranges.items() if column in numbers)

    def _is_within(self, form: Form, view: View, values: Mapping[str, float]) -> bool:
        """Whether a row is within the bounds of a form and of each of its words."""
        return all(self._is_in_bounds(part, view, values) for part in (form, *((word,) for word in form)))

    def _is_in_bounds(self, part: Form, view: View, values: Mapping[str, float]) -> bool:
        bound = self.book.bounds.get(part)
        if bound is None:
            return True
        in_range = all(low <= values[name] <= high for name, (low, high) in bound.ranges.items() if name in values)
        opposite = {_opposite(token) for token in bound.states}
        return in_range and opposite.isdisjoint(view.spoken)

    def is_known(self, form: Form) -> bool:
        return bool(self.sources(form))

    def _sources(self, form: Form) -> tuple[Form, ...]:
        """The form itself if it is known, else those that it becomes when a run is replaced."""
        if form in self.book.struck or not self.book.holds_none(form):
            return ()
        return (form,) if form in self.forms else tuple(self._replaced(form))

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
        for form in self.forms:
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


def _places_of(sentence: Sentence) -> set[int]:
    """The places of a sentence's tokens."""
    symbols = [one for clause in sentence.clauses for one in clause.symbols]
    return {place for one in symbols for place in range(one.first, one.last)}


def _carrying(word: str) -> str:
    """What a symbol expresses, as `Symbol.carries` has it."""
    if not is_value(word):
        return ""
    return word.rpartition(CARRIES)[2] if CARRIES in word else word.removesuffix(SEVERAL)


def _share(forms: Sequence[Form], known: Collection[Form]) -> float:
    return sum(form in known for form in forms) / len(forms)


def _size(value: str) -> int:
    """One word, two, or more."""
    return min(len(value.split()), 3)


def _carried(run: Form) -> list[str]:
    return sorted(word.rpartition(CARRIES)[2] if CARRIES in word else word for word in run if is_value(word))


def _opposite(token: str) -> str:
    head, _, tail = token.rpartition("_")
    return f"{head}_{ {'YES': 'NO', 'NO': 'YES'}.get(tail, tail) }"


def _finding(kind: str, clause: Clause, sentence: Sentence, place: int) -> Finding:
    """The passage of a clause; of one without a symbol, the joint, that of its neighbour."""
    symbols = clause.symbols or sentence.clauses[place - 1].symbols
    return Finding(kind, symbols[0].first, symbols[-1].last) if symbols else Finding(kind, 0, 0)
