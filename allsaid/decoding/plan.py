"""Split a row with more columns than training texts have into the rows of several sentences, and join their texts.

The subject and the columns that texts state first make a text of the usual size. Each later sentence has as many
columns as later sentences of the training part have, grouped as the training part groups them. If later
sentences omit the subject, so do their rows: the model has learned from such sentences
(`allsaid.modeling.data.later_sentences`). A column that few later sentences state keeps the subject, as in a separate
text.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any  # Any: a row with or without an agenda, known only at run time

from allsaid.decoding.hypothesis import Hypothesis
from allsaid.modeling.data.vocabulary import UNKNOWN
from allsaid.proof.habits import Habits
from schemas.act import parse_agenda_line
from schemas.example import NO_ITEM

LEARNED = 20  # later sentences with a column from which a model learns to state it without the subject


@dataclass(frozen=True)
class Part:
    """Some items of a row, to be stated by a separate text."""

    row: Any  # of the row's own type, with these items alone
    items: tuple[int, ...]  # their positions in the row's agenda; empty for a whole row


def parts_of(row: Any, habits: Habits | None) -> list[Part]:
    """Split a row into parts in the order of their sentences; a row with no more columns than usual is one part.

    The values of a list stay together.
    """
    having = _columns(row) if habits else {}  # other tasks' rows have no agenda
    if habits is None or len(having) <= habits.most:
        return [Part(row, ())]
    subject = [habits.subject] if habits.subject in having else []
    left = sorted(having.keys() - {*subject}, key=lambda column: (habits.order.get(column, 1.0), having[column]))
    size = max(habits.usual - len(subject), 1)  # columns next to the subject
    groups = [[*subject, *_take(left, size, habits)]]
    named = [column for column in left if _needs_subject(column, habits)]
    free = [column for column in left if column not in named]
    for columns, again, most in ((named, subject, size), (free, [], habits.sentence)):
        while columns:
            sentences = -(-len(columns) // most)
            groups.append([*again, *_take(columns, -(-len(columns) // sentences), habits)])
    return [_part(row, sorted(item for column in group for item in having[column])) for group in groups]


def halved(habits: Habits, row: Any) -> Habits:
    """Return the habits of a corpus whose texts state half of the columns of this row."""
    return replace(habits, most=1, usual=-(-len(_columns(row)) // 2))


def _columns(row: Any) -> dict[str, list[int]]:
    """Return the items of each column of a row, in order; a list column has several."""
    having: dict[str, list[int]] = {}
    for item, line in enumerate(row.agenda):
        having.setdefault(parse_agenda_line(line).slot, []).append(item)
    return having


def _needs_subject(column: str, habits: Habits) -> bool:
    return habits.repeats_subject or (habits.later is not None and habits.later.get(column, 0) < LEARNED)


def _take(left: list[str], count: int, habits: Habits) -> list[str]:
    """Take ``count`` of the columns left: the first, then those most often stated together with the taken ones."""
    taken = [left.pop(0)] if left and count > 0 else []
    while left and len(taken) < count:
        near = max(left, key=lambda column: sum(_together(column, one, habits) for one in taken))
        left.remove(near)
        taken.append(near)
    return taken


def _together(one: str, other: str, habits: Habits) -> float:
    first, second = sorted((one, other))
    return habits.pairs.get(first, {}).get(second, 0.0)


def _part(row: Any, items: Sequence[int]) -> Part:
    chosen = replace(
        row, agenda=[row.agenda[item] for item in items], agenda_tokens=[row.agenda_tokens[item] for item in items]
    )
    return Part(chosen, tuple(items))


def join(
    parts: Sequence[Part], found: Sequence[Sequence[Hypothesis]], ends: Collection[int], mark: int
) -> list[Hypothesis]:
    """Join the texts of a row's parts, best first: the best of each part, then the second best of each part, …

    Return none where a part has none. All parts but the last get the token ``mark`` unless they end with one of
    ``ends``.
    """
    if len(parts) == 1:
        return list(found[0])
    if not all(found):
        return []
    count = max(map(len, found))
    chosen = ([texts[min(rank, len(texts) - 1)] for texts in found] for rank in range(count))
    return [_joined(parts, [*(_ended(one, ends, mark) for one in first), last]) for *first, last in chosen]


def _ended(one: Hypothesis, ends: Collection[int], mark: int) -> Hypothesis:
    if mark == UNKNOWN or (one.tokens and one.tokens[-1] in ends):
        return one
    return replace(one, tokens=[*one.tokens, mark], items=[*one.items, NO_ITEM])


def _joined(parts: Sequence[Part], texts: Sequence[Hypothesis]) -> Hypothesis:
    used = {part.items[item] for part, one in zip(parts, texts, strict=True) for item in one.used}
    return Hypothesis(
        tokens=[token for one in texts for token in one.tokens],
        items=[
            NO_ITEM if item == NO_ITEM else part.items[item]
            for part, one in zip(parts, texts, strict=True)
            for item in one.items
        ],
        log_probability=sum(one.log_probability for one in texts),
        used=sorted(used),
        finished=all(one.finished for one in texts),
        penalised=any(one.penalised for one in texts),
    )
