"""Symbols -> sentences of clauses, the unit in which forms are compared.

A clause ends at a mark within a sentence and at the words that join clauses (`allsaid.proof.polarity`). The words and
marks between two clauses are the *joint* of the second one. Words that begin a clause and stay in it ("without") are
no joint.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from allsaid.language.text import DASH
from allsaid.proof import clauses
from allsaid.proof.forms.symbols import Symbol
from allsaid.proof.habits import ENDS, sentences
from schemas.example import Example

JOINTS = (clauses.ENDS | {":"}) - ENDS - {DASH}

Form = tuple[str, ...]  # the symbols of a clause


class Clause(NamedTuple):
    joint: Form  # empty at the beginning of a sentence
    form: Form
    symbols: Sequence[Symbol]


class Sentence(NamedTuple):
    clauses: list[Clause]
    mark: str  # at its end; "" if the text ends without one

    @property
    def symbols(self) -> list[Symbol]:
        return [symbol for clause in self.clauses for symbol in clause.symbols]

    @property
    def words(self) -> Form:
        """Its symbols with the joints, without the mark."""
        return tuple(word for clause in self.clauses for word in (*clause.joint, *clause.form))

    @property
    def written(self) -> Form:
        """Its symbols with the joints and the mark."""
        return (*self.words, self.mark) if self.mark else self.words


def cut(symbols: Sequence[Symbol], abbreviations: Collection[str] = frozenset()) -> list[Sentence]:
    """Split a text into its sentences, and each sentence into its clauses."""
    words = [symbol.text for symbol in symbols]
    return [sentence_of([symbols[place] for place in places]) for places in sentences(words, abbreviations)]


def sentence_of(symbols: Sequence[Symbol]) -> Sentence:
    """Split one sentence into its clauses; full stops inside it belong to abbreviations."""
    mark = symbols[-1].text if symbols[-1].text in ENDS else ""
    return Sentence(_clauses(symbols[:-1] if mark else symbols), mark)


def _clauses(symbols: Sequence[Symbol]) -> list[Clause]:
    found: list[Clause] = []
    joint: list[str] = []
    inside: list[Symbol] = []
    for symbol in symbols:
        if symbol.text not in JOINTS or not (found or inside or not symbol.text.isalpha()):
            inside.append(symbol)  # "if you think of …" begins a sentence, and joins nothing
            continue
        if inside:
            found.append(_clause(joint, inside))
            joint, inside = [], []
        joint.append(symbol.text)
    if inside or joint:
        found.append(_clause(joint, inside))
    return found


def _clause(joint: Sequence[str], symbols: Sequence[Symbol]) -> Clause:
    return Clause(tuple(joint), tuple(symbol.text for symbol in symbols), symbols)


def surface_of(sentence: Sentence, example: Example) -> str:
    """Return a sentence as the text of its example has it, without the mark; "" if it has no symbol."""
    symbols = sentence.symbols
    return " ".join(example.surface[symbols[0].first : symbols[-1].end]) if symbols else ""
