"""The phrasebook: the sentences of a training part, in symbols, with counts of how they are used.

It is learned once (`allsaid.proof.forms.learn`), saved with the model, and read by the check of generated texts
(`allsaid.proof.forms.certificate.attest`) and by the writer (`allsaid.proof.forms.assembly.assemble`). A person may
review it (`allsaid.proof.forms.review`) and strike clauses, which are never used again.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

from allsaid.proof.forms import claims
from allsaid.proof.forms.claims import Claim
from allsaid.proof.forms.clauses import Form, Sentence, sentence_of
from allsaid.proof.forms.symbols import ARTICLE, ARTICLES, GOAL, Reader, Symbol, bare, is_value


@dataclass(frozen=True)
class Known:
    """A sentence of training texts."""

    words: Form  # its symbols, with joints and mark
    goals: Mapping[str, int]  # goal -> number of its sentences
    example: str = ""  # as written in one text

    @property
    def count(self) -> int:
        return sum(self.goals.values())

    @cached_property
    def sentence(self) -> Sentence:
        symbols = [Symbol(word, place, place + 1, "") for place, word in enumerate(self.words)]
        return sentence_of(symbols)


@dataclass(frozen=True)
class Bounds:
    """The rows that a form is limited to, if training texts use it for far fewer rows than expected by chance."""

    ranges: Mapping[str, tuple[float, float]] = field(default_factory=dict)  # number's placeholder -> lowest, highest
    states: frozenset[str] = frozenset()  # agenda tokens of yes/no values


@dataclass(frozen=True)
class Phrasebook:
    reader: Reader
    sentences: tuple[Known, ...]  # the most frequent first
    beginnings: tuple[tuple[tuple[Form, ...], int], ...]  # sentences up to the first with the subject -> count
    follows: Mapping[tuple[str, str], int]  # first symbols of two sentences in a row -> count
    goals: Mapping[str, int]  # goal -> texts; empty if nearly every row has a goal of its own
    columns: Mapping[str, Mapping[str, int]]  # agenda token -> goal -> rows
    words: Mapping[str, Mapping[str, int]]  # word, `pairs` and `agreeing` -> goal -> texts
    bounds: Mapping[Form, Bounds]
    values: Mapping[str, Mapping[str, int]]  # column's placeholder -> value -> count in forms
    values_of: Mapping[Form, Mapping[str, Mapping[str, int]]]  # form -> the same of this form alone
    abbreviations: frozenset[str] = frozenset()
    has_end_marks: bool = True  # whether texts end with a mark, such as a full stop
    is_strict: bool = False  # whether a form belongs to the goals that it was seen with (dialogue acts)
    subject: str = ""  # placeholder of the column that texts mention first
    is_crowd: bool = False  # whether many clauses occur once, as in texts by many people
    seen_ranges: Mapping[Form, Mapping[str, tuple[float, float]]] = field(default_factory=dict)  # of numbers expressed
    again: frozenset[str] = frozenset()  # columns that a text may express in several clauses
    struck: frozenset[Form] = frozenset()  # by a person
    claims: tuple[Claim, ...] = ()  # that no column supports, the most frequent first
    from_mapping: tuple[Form, ...] = ()  # sentences of the mapping (`allsaid.proof.forms.mapping_sentences`)
    forbidden: tuple[str, ...] = ()  # claims of the mapping that no sentence may contain

    def without(self, struck: Collection[Form]) -> Phrasebook:
        """Return the phrasebook without some forms and the sentences that contain them."""
        return replace(self, struck=self.struck.union(struck))

    @cached_property
    def usable(self) -> tuple[Known, ...]:
        """The sentences without a struck form or a forbidden claim."""
        return tuple(counted for counted in self.sentences if self.allows(counted.sentence))

    @cached_property
    def sentences_not_struck(self) -> tuple[Known, ...]:
        """The sentences without a form that a person struck."""
        return tuple(counted for counted in self.sentences if self._has_no_struck(counted.sentence))

    def allows(self, sentence: Sentence) -> bool:
        """Return whether a sentence contains no struck form and no forbidden claim."""
        return self._has_no_struck(sentence) and not self.has_forbidden(sentence.words)

    def _has_no_struck(self, sentence: Sentence) -> bool:
        return self.struck.isdisjoint(clause.form for clause in sentence.clauses)

    def has_forbidden(self, words: Form) -> bool:
        """Return whether symbols contain a forbidden claim."""
        return bool(self.forbidden and claims.claims_in(bare(words), self.forbidden))

    def to_json(self) -> dict[str, object]:
        """Return plain data for ``json.dump``; forms are written as one string."""
        return {
            "names_goal": self.reader.names_goal,
            "spoken": {column: sorted(words) for column, words in sorted(self.reader.spoken.items())},
            "gaps": sorted(" ".join(gap) for gap in self.reader.gaps),
            "synonyms": {goal: list(words) for goal, words in sorted(self.reader.synonyms.items())},
            "frames": sorted(list(frame) for frame in self.reader.frames),
            "sentences": [
                [" ".join(counted.words), dict(counted.goals), counted.example] for counted in self.sentences
            ],
            "beginnings": [[[" ".join(words) for words in texts], count] for texts, count in self.beginnings],
            "follows": [[*pair, count] for pair, count in self.follows.items()],
            "goals": dict(self.goals),
            "columns": dict(self.columns),
            "words": dict(self.words),
            "bounds": {
                " ".join(form): {"ranges": dict(bounds.ranges), "states": sorted(bounds.states)}
                for form, bounds in self.bounds.items()
            },
            "values": dict(self.values),
            "values_of": {" ".join(form): dict(columns) for form, columns in self.values_of.items()},
            "abbreviations": sorted(self.abbreviations),
            "has_marks": self.has_end_marks,
            "is_strict": self.is_strict,
            "subject": self.subject,
            "is_crowd": self.is_crowd,
            "seen_ranges": {" ".join(form): dict(ranges) for form, ranges in self.seen_ranges.items()},
            "again": sorted(self.again),
            "struck": sorted(" ".join(form) for form in self.struck),
            "claims": [[claim.words, claim.share, claim.text_count, claim.example] for claim in self.claims],
            "said": [" ".join(form) for form in self.from_mapping],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Phrasebook:  # Any: the values of JSON, by `to_json`
        reader = Reader(
            {column: frozenset(words) for column, words in data["spoken"].items()},
            frozenset(map(_form, data["gaps"])),
            {goal: tuple(words) for goal, words in data["synonyms"].items()},
            frozenset((frame[0], frame[1], frame[2]) for frame in data["frames"]),
            data["names_goal"],
        )
        bounds = {
            _form(words): Bounds(_ranges(found["ranges"]), frozenset(found["states"]))
            for words, found in data["bounds"].items()
        }
        return cls(
            reader,
            tuple(Known(_form(words), goals, example) for words, goals, example in data["sentences"]),
            tuple((tuple(map(_form, texts)), count) for texts, count in data["beginnings"]),
            {(before, after): count for before, after, count in data["follows"]},
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
            {_form(words): _ranges(ranges) for words, ranges in data["seen_ranges"].items()},
            frozenset(data["again"]),
            frozenset(map(_form, data["struck"])),
            tuple(Claim(*found) for found in data["claims"]),
            tuple(map(_form, data["said"])),
        )


def _form(words: str) -> Form:
    return tuple(words.split(" ")) if words else ()


def _ranges(ends: Mapping[str, Sequence[float]]) -> dict[str, tuple[float, float]]:
    return {column: (low, high) for column, (low, high) in ends.items()}


def agreeing(form: Form) -> list[str]:
    """Return the words that must agree with the goal: the last one before it ("den GOAL"), over values between them."""
    found = []
    for place, word in enumerate(form):
        if word == GOAL and place:
            before = next((symbol for symbol in reversed(form[:place]) if not is_value(symbol)), "")
            found.append(f"{ARTICLE if before in ARTICLES else before} {GOAL}")
    return found


def pairs(form: Form) -> list[str]:
    """Return the pairs of neighbours that are words, such as "it weighs"."""
    return [f"{word} {following}" for word, following in pairwise(form) if not (is_value(word) or is_value(following))]
