"""Retrieval with slot filling: the text of a similar training pair, with words replaced where the two sources differ.

The source of the row is aligned word by word with that of the training pair, its *neighbour* (the longest common runs
first). Where they differ, a run of the neighbour's source and a run of the row's source form a *slot*. In the
neighbour's text, the row's run replaces each occurrence of the neighbour's run. Words of a slot whose run does not
occur in the text are *unfilled*. Slots are found in the sources alone, without a grammar of logical forms.

Among the ``NEAREST`` training pairs by the cosine of their sources' tf-idf, the one with the fewest unfilled words is
chosen; among equals the nearer one, then the earlier one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

import numpy as np
from scipy import sparse

from allsaid.modeling.data.dataset import DataSet
from allsaid.modeling.tasks.pair import TASK, Example, Row
from schemas.errors import UserError

NEAREST = 50
ROWS = 256  # compared with all training pairs at once


@dataclass(frozen=True)
class Slot:
    theirs: tuple[str, ...]  # a run of the neighbour's source
    ours: tuple[str, ...]  # the run of the row's source


def check(data: DataSet, split: str) -> None:
    """Accept any pairs; every baseline has a check."""


def texts(data: DataSet, examples: Sequence[Row]) -> list[list[str]]:
    """Return a text (tokens) for each source; raise UserError if there is no training pair."""
    known = [*TASK.examples(data, "train")]
    if not known:
        raise UserError(f"{data.where} has no training pairs. Run `allsaid ingest` first.")
    nearest = _nearest([row.source_tokens for row in known], [row.source_tokens for row in examples])
    return [_text(row, [known[place] for place in places]) for row, places in zip(examples, nearest, strict=True)]


def _text(row: Row, neighbours: Sequence[Example]) -> list[str]:
    filled = [fill(neighbour, row.source_tokens) for neighbour in neighbours]
    return min(filled, key=lambda text: text[1])[0]


def fill(neighbour: Example, source: Sequence[str]) -> tuple[list[str], int]:
    """Return the neighbour's text with its slots filled from the source, and the number of unfilled words."""
    text, places = neighbour.tokens, dict[int, Slot]()
    unfilled = 0
    for slot in sorted(slots(neighbour.source_tokens, source), key=lambda slot: -len(slot.theirs)):
        matches = [place for place in _places_of(slot.theirs, text) if not _overlaps(places, place, len(slot.theirs))]
        places |= dict.fromkeys(matches, slot)
        if not matches:
            unfilled += len(slot.theirs) + len(slot.ours)
    words: list[str] = []
    at = 0
    while at < len(text):
        words += places[at].ours if at in places else text[at : at + 1]
        at += len(places[at].theirs) if at in places else 1
    return words, unfilled


def slots(theirs: Sequence[str], ours: Sequence[str]) -> list[Slot]:
    """Return the runs in which two sources differ, each once; one run of a slot may be empty."""
    matcher = SequenceMatcher(None, theirs, ours, autojunk=False)
    differing = [
        Slot(tuple(theirs[begin:end]), tuple(ours[first:last]))
        for tag, begin, end, first, last in matcher.get_opcodes()
        if tag != "equal"
    ]
    return list(dict.fromkeys(differing))


def _places_of(run: Sequence[str], text: Sequence[str]) -> list[int]:
    """Return the positions of a run in the text, from left to right, without overlaps."""
    places: list[int] = []
    for place in range(len(text) - len(run) + 1) if run else ():
        if tuple(text[place : place + len(run)]) == run and (not places or place >= places[-1] + len(run)):
            places.append(place)
    return places


def _overlaps(places: dict[int, Slot], start: int, length: int) -> bool:
    return any(start < begin + len(slot.theirs) and begin < start + length for begin, slot in places.items())


def _nearest(known: Sequence[Sequence[str]], sources: Sequence[Sequence[str]]) -> Iterator[list[int]]:
    """Yield for each of the ``sources`` the most similar ``known`` ones, nearest first."""
    words = {word: number for number, word in enumerate(dict.fromkeys(word for source in known for word in source))}
    counts = _counts(known, words)
    weights = np.log(len(known) / np.bincount(counts.indices, minlength=len(words)).clip(min=1)) + 1
    table = _unit(counts.multiply(weights)).T.tocsc()
    for start in range(0, len(sources), ROWS):
        likeness = _unit(_counts(sources[start : start + ROWS], words).multiply(weights)) @ table
        for row in np.asarray(likeness.todense()):
            yield np.argsort(-row, kind="stable")[:NEAREST].tolist()


def _counts(sources: Sequence[Sequence[str]], words: dict[str, int]) -> sparse.csr_matrix:
    """Return the counts (S, W) of each known word in each source."""
    known = [[words[word] for word in source if word in words] for source in sources]
    starts = np.cumsum([0, *map(len, known)])
    columns = np.fromiter((word for row in known for word in row), np.int64, starts[-1])
    counts = sparse.csr_matrix((np.ones(len(columns)), columns, starts), shape=(len(known), len(words)))
    counts.sum_duplicates()
    return counts


def _unit(rows: sparse.spmatrix) -> sparse.csr_matrix:
    """Scale each row to length one; a row without words stays zero."""
    matrix = rows.tocsr()
    lengths = np.sqrt(np.asarray(matrix.multiply(matrix).sum(axis=1)).ravel())
    return sparse.diags(1 / np.where(lengths > 0, lengths, 1)) @ matrix
