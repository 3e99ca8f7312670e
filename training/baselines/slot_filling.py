"""Retrieval with slot filling: a neighbour's text, in which what its source has in other words is written anew.

The two sources are aligned word by word (the longest common runs first). A run of the neighbour's source that is
another one in ours is a *slot*; wherever it stands in the neighbour's text, ours is written in its place. A
neighbour is the better the fewer words remain *unfilled*: of the neighbour's runs those that its text doesn't hold, of
ours those that so come into no text. The sources themselves say where the slots are: nothing here knows a logical form.

Of the ``NEAREST`` training pairs by the cosine of their sources' tf-idf the one with the fewest unfilled words is
taken; of equals the nearer one, then the earlier one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

import numpy as np
from scipy import sparse

from allsaid.modeling.data.dataset import DataSet
from allsaid.modeling.tasks import pair
from allsaid.modeling.tasks.pair import Example, Row
from schemas.errors import UserError

TASK = pair
NEAREST = 50
ROWS = 256  # that are compared with all training pairs at once


@dataclass(frozen=True)
class Slot:
    theirs: tuple[str, ...]  # a run of the neighbour's source
    ours: tuple[str, ...]


def check(data: DataSet, split: str) -> None:
    """Any pairs will do."""


def texts(data: DataSet, examples: Sequence[Row]) -> list[list[str]]:
    """A text (tokens) for each source; raises UserError where there is no training pair."""
    known = [*pair.examples(data, "train")]
    if not known:
        raise UserError(f"{data.where} has no training pair to take a text of. Run `allsaid ingest` first.")
    nearest = _nearest([one.source_tokens for one in known], [one.source_tokens for one in examples])
    return [_text(row, [known[place] for place in places]) for row, places in zip(examples, nearest, strict=True)]


def _text(row: Row, neighbours: Sequence[Example]) -> list[str]:
    filled = [fill(neighbour, row.source_tokens) for neighbour in neighbours]
    return min(filled, key=lambda one: one[1])[0]


def fill(neighbour: Example, source: Sequence[str]) -> tuple[list[str], int]:
    """The neighbour's text with its slots filled from the source, and the number of words that remain unfilled."""
    text, places = neighbour.tokens, dict[int, Slot]()
    unfilled = 0
    for slot in sorted(slots(neighbour.source_tokens, source), key=lambda one: -len(one.theirs)):
        found = [place for place in _found(slot.theirs, text) if not _overlaps(places, place, len(slot.theirs))]
        places |= dict.fromkeys(found, slot)
        if not found:
            unfilled += len(slot.theirs) + len(slot.ours)
    words: list[str] = []
    at = 0
    while at < len(text):
        words += places[at].ours if at in places else text[at : at + 1]
        at += len(places[at].theirs) if at in places else 1
    return words, unfilled


def slots(theirs: Sequence[str], ours: Sequence[str]) -> list[Slot]:
    """The runs in which two sources differ, each once; one of them may be empty."""
    matcher = SequenceMatcher(None, theirs, ours, autojunk=False)
    found = [
        Slot(tuple(theirs[begin:end]), tuple(ours[first:last]))
        for tag, begin, end, first, last in matcher.get_opcodes()
        if tag != "equal"
    ]
    return list(dict.fromkeys(found))


def _found(run: Sequence[str], text: Sequence[str]) -> list[int]:
    """Where the run begins in the text, from left to right and side by side."""
    places: list[int] = []
    for place in range(len(text) - len(run) + 1) if run else ():
        if tuple(text[place : place + len(run)]) == run and (not places or place >= places[-1] + len(run)):
            places.append(place)
    return places


def _overlaps(places: dict[int, Slot], start: int, length: int) -> bool:
    return any(start < begin + len(slot.theirs) and begin < start + length for begin, slot in places.items())


def _nearest(known: Sequence[Sequence[str]], asked: Sequence[Sequence[str]]) -> Iterator[list[int]]:
    """Of each source that is asked for the training sources most like it, nearest first."""
    words = {word: number for number, word in enumerate(dict.fromkeys(word for one in known for word in one))}
    counts = _counts(known, words)
    weights = np.log(len(known) / np.bincount(counts.indices, minlength=len(words)).clip(min=1)) + 1
    table = _unit(counts.multiply(weights)).T.tocsc()
    for start in range(0, len(asked), ROWS):
        likeness = _unit(_counts(asked[start : start + ROWS], words).multiply(weights)) @ table
        for row in np.asarray(likeness.todense()):
            yield np.argsort(-row, kind="stable")[:NEAREST].tolist()


def _counts(sources: Sequence[Sequence[str]], words: dict[str, int]) -> sparse.csr_matrix:
    """How often each source (S) has each known word: (S, W)."""
    held = [[words[word] for word in one if word in words] for one in sources]
    starts = np.cumsum([0, *map(len, held)])
    columns = np.fromiter((word for one in held for word in one), np.int64, starts[-1])
    found = sparse.csr_matrix((np.ones(len(columns)), columns, starts), shape=(len(held), len(words)))
    found.sum_duplicates()
    return found


def _unit(rows: sparse.spmatrix) -> sparse.csr_matrix:
    """Each row of length one; one without words stays so."""
    found = rows.tocsr()
    lengths = np.sqrt(np.asarray(found.multiply(found).sum(axis=1)).ravel())
    return sparse.diags(1 / np.where(lengths > 0, lengths, 1)) @ found
