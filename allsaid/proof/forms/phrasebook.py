"""The phrasebook: what a training part says of its rows, sentence by sentence, in symbols.

It is learned once (`allsaid.proof.forms.learn`), saved with the model, and read by the check of generated texts
(`allsaid.proof.forms.certificate.attest`) and by the writer (`allsaid.proof.forms.assembly.assemble`). A person may
review it (`allsaid.proof.forms.review`): what is struck there is never used again.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

from allsaid.proof.forms import claims
from allsaid.proof.forms.claims import Claim
from allsaid.proof.forms.clauses import Form, Sentence, sentence_of
from allsaid.proof.forms.symbols import ARTICLE, ARTICLES, CARRIES, GOAL, Reader, Symbol, is_value


@dataclass(frozen=True)
class Known:
    """A sentence of training texts."""

    words: Form  # its symbols, with joints and mark
    goals: Mapping[str, int]  # goal -> how often its texts have the sentence
    example: str = ""  # as one text has it

    @property
    def count(self) -> int:
        return sum(self.goals.values())

    @cached_property
    def sentence(self) -> Sentence:
        symbols = [Symbol(word, place, place + 1, "") for place, word in enumerate(self.words)]
        return sentence_of(symbols)


@dataclass(frozen=True)
class Bounds:
    """To which rows a form is bound, where training texts have it of far fewer rows than chance would."""

    ranges: Mapping[str, tuple[float, float]] = field(default_factory=dict)  # number's placeholder -> lowest, highest
    states: frozenset[str] = frozenset()  # agenda tokens of yes/no values


@dataclass(frozen=True)
class Phrasebook:
    reader: Reader
    sentences: tuple[Known, ...]  # the most frequent first
    beginnings: tuple[tuple[tuple[Form, ...], int], ...]  # sentences up to the first that has the subject, how often
    follows: Mapping[tuple[str, str], int]  # first symbols of two sentences in a row -> how often
    goals: Mapping[str, int]  # goal -> texts; empty where goals tell nothing, since nearly every row has its own
    columns: Mapping[str, Mapping[str, int]]  # agenda token -> goal -> rows
    words: Mapping[str, Mapping[str, int]]  # word, `pairs` and `agreeing` -> goal -> texts
    bounds: Mapping[Form, Bounds]
    values: Mapping[str, Mapping[str, int]]  # column's placeholder -> value -> how often forms express it
    values_of: Mapping[Form, Mapping[str, Mapping[str, int]]]  # form -> the same of this form alone
    abbreviations: frozenset[str] = frozenset()
    has_marks: bool = True  # whether texts end with a mark
    is_strict: bool = False  # whether a form belongs to the goals that it was seen with, as of dialogue acts
    subject: str = ""  # placeholder of the column that texts say first
    is_crowd: bool = False  # whether most clauses of the training texts are worded anew
    seen_ranges: Mapping[Form, Mapping[str, tuple[float, float]]] = field(default_factory=dict)  # of numbers expressed
    again: frozenset[str] = frozenset()  # columns whose value several clauses of a text may well express
    struck: frozenset[Form] = frozenset()  # forms that a person has struck
    claims: tuple[Claim, ...] = ()  # recurring ones that no column supports, the most frequent first
    said: tuple[Form, ...] = ()  # sentences of the mapping (`allsaid.proof.forms.said`)
    forbidden: tuple[str, ...] = ()  # claims that no sentence may hold; the mapping has them

    def without(self, struck: Collection[Form]) -> Phrasebook:
        """The same without some forms, nor the sentences that have them."""
        return replace(self, struck=self.struck.union(struck))

    @cached_property
    def usable(self) -> tuple[Known, ...]:
        """The sentences without a form that was struck, and without a forbidden claim."""
        return tuple(one for one in self.sentences if self.allows(one.sentence))

    @cached_property
    def unstruck(self) -> tuple[Known, ...]:
        """The sentences without a form that was struck."""
        return (
            tuple(one for one in self.sentences if self._is_unstruck(one.sentence)) if self.struck else self.sentences
        )

    def allows(self, sentence: Sentence) -> bool:
        """Whether a sentence has no struck form, and holds no forbidden claim."""
        words = [word for clause in sentence.clauses for word in (*clause.joint, *clause.form)]
        return self._is_unstruck(sentence) and self.holds_none(words)

    def _is_unstruck(self, sentence: Sentence) -> bool:
        return self.struck.isdisjoint(clause.form for clause in sentence.clauses)

    def holds_none(self, words: Collection[str]) -> bool:
        """Whether some symbols hold no forbidden claim."""
        return not self.forbidden or not claims.held([one.partition(CARRIES)[0] for one in words], self.forbidden)

    def to_json(self) -> dict[str, Any]:
        """Plain data for ``json.dump``."""
        return {
            "names_goal": self.reader.names_goal,
            "spoken": {column: sorted(words) for column, words in sorted(self.reader.spoken.items())},
            "gaps": sorted(" ".join(gap) for gap in self.reader.gaps),
            "synonyms": {goal: list(words) for goal, words in sorted(self.reader.synonyms.items())},
            "frames": sorted(list(frame) for frame in self.reader.frames),
            "sentences": [[" ".join(one.words), dict(one.goals), one.example] for one in self.sentences],
            "beginnings": [[[" ".join(words) for words in texts], count] for texts, count in self.beginnings],
            "follows": [[*pair, count] for pair, count in self.follows.items()],
            "goals": dict(self.goals),
            "columns": {token: dict(goals) for token, goals in self.columns.items()},
            "words": {word: dict(goals) for word, goals in self.words.items()},
            "bounds": {
                " ".join(form): {"ranges": {name: list(ends) for name, ends in one.ranges.items()}}
                | {"states": sorted(one.states)}
                for form, one in self.bounds.items()
            },
            "values": {column: dict(counts) for column, counts in self.values.items()},
            "values_of": {
                " ".join(form): {column: dict(counts) for column, counts in columns.items()}
                for form, columns in self.values_of.items()
            },
            "abbreviations": sorted(self.abbreviations),
            "has_marks": self.has_marks,
            "is_strict": self.is_strict,
            "subject": self.subject,
            "is_crowd": self.is_crowd,
            "seen_ranges": {
                " ".join(form): {column: list(ends) for column, ends in ranges.items()}
                for form, ranges in self.seen_ranges.items()
            },
            "again": sorted(self.again),
            "struck": sorted(" ".join(form) for form in self.struck),
            "claims": [[one.text, one.share, one.texts, one.example] for one in self.claims],
            "said": [" ".join(form) for form in self.said],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Phrasebook:
        reader = Reader(
            {column: frozenset(words) for column, words in data["spoken"].items()},
            frozenset(map(_form, data["gaps"])),
            {goal: tuple(words) for goal, words in data["synonyms"].items()},
            frozenset((frame[0], frame[1], frame[2]) for frame in data["frames"]),
            data["names_goal"],
        )
        bounds = {
            _form(words): Bounds(
                {name: (float(ends[0]), float(ends[1])) for name, ends in one["ranges"].items()},
                frozenset(one["states"]),
            )
            for words, one in data["bounds"].items()
        }
        return cls(
            reader,
            tuple(Known(_form(words), goals, example) for words, goals, example in data["sentences"]),
            tuple((tuple(map(_form, texts)), count) for texts, count in data["beginnings"]),
            {(before, behind): count for before, behind, count in data["follows"]},
            data["goals"],
            data["columns"],
            data["words"],
            bounds,
            data["values"],
            {_form(words): columns for words, columns in data["values_of"].items()},
            frozenset(data["abbreviations"]),
            data["has_marks"],
            data["is_strict"],
            data["subject"],
            data["is_crowd"],
            {
                _form(words): {column: (float(ends[0]), float(ends[1])) for column, ends in ranges.items()}
                for words, ranges in data["seen_ranges"].items()
            },
            frozenset(data["again"]),
            frozenset(map(_form, data["struck"])),
            tuple(Claim(*found) for found in data.get("claims", [])),
            tuple(map(_form, data.get("said", []))),
        )


def _form(words: str) -> Form:
    return tuple(words.split(" ")) if words else ()


def agreeing(form: Form) -> list[str]:
    """What has to agree with the goal: the last word before it, as "den GOAL", whatever value is between."""
    found = []
    for place, word in enumerate(form):
        if word == GOAL and place:
            before = next((one for one in reversed(form[:place]) if not is_value(one)), "")
            found.append(f"{ARTICLE if before in ARTICLES else before} {GOAL}")
    return found


def pairs(form: Form) -> list[str]:
    """Two words in a row, such as "it weighs"."""
    return [f"{one} {other}" for one, other in pairwise(form) if not (is_value(one) or is_value(other))]
