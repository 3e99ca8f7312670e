"""Symbols -> sentences of clauses, which are what forms are compared by.

A clause ends at a mark within a sentence and at the words that `allsaid.proof.polarity` knows to join clauses; what
joins a clause to the one before it is its *joint*. Words that begin a clause and stay in it ("without") join nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from allsaid.proof import polarity
from allsaid.proof.forms.symbols import Symbol
from allsaid.proof.habits import ENDS, sentences

JOINTS = (polarity.ENDS | {":"}) - ENDS

Form = tuple[str, ...]  # the symbols of a clause


class Clause(NamedTuple):
    joint: Form  # what joins it to the clause before; empty at a sentence's beginning
    form: Form
    symbols: Sequence[Symbol]


class Sentence(NamedTuple):
    clauses: list[Clause]
    mark: str  # what ends it; "" of a text's end without one


def cut(symbols: Sequence[Symbol], abbreviations: Collection[str] = frozenset()) -> list[Sentence]:
    """The sentences of a text, each with its clauses."""
    words = [symbol.text for symbol in symbols]
    found = []
    for places in sentences(words, abbreviations):
        found.append(sentence_of([symbols[place] for place in places]))
    return found


def sentence_of(symbols: Sequence[Symbol]) -> Sentence:
    """The clauses of one sentence, whatever full stops of abbreviations it has inside."""
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


def written(sentence: Sentence) -> Form:
    """The symbols of a sentence with its joints and its mark."""
    words = [word for clause in sentence.clauses for word in (*clause.joint, *clause.form)]
    return (*words, sentence.mark) if sentence.mark else tuple(words)
