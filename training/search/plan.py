"""A row with more values than the training part puts into a text -> the rows of several sentences, and back.

The subject and the values that texts say first make a text of the usual size; each later sentence has as many values as
those of the training part have, chosen as these put them together. Where later sentences leave the subject out, their
rows do, too, so that the model writes what it has learned from such sentences (`training.tasks.later_sentences`). A
column that too few of them say goes with the subject, as in a text of its own.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

from schemas.act import parse_agenda_line
from schemas.example import NO_ITEM
from training.metrics.habits import Habits
from training.search.hypothesis import Hypothesis
from training.tasks.vocabulary import UNKNOWN

LEARNED = 20  # later sentences from which a model learns to write of a column without the subject


@dataclass(frozen=True)
class Part:
    """Some items of a row, to be said by one text of its own."""

    row: Any  # of the row's own type, with these items alone
    items: tuple[int, ...]  # their positions in the row's agenda; none of a whole row


def parts_of(row: Any, habits: Habits | None) -> list[Part]:
    """The parts of a row, in the order in which they are said; a row of no more values than usual is one."""
    if habits is None or len(row.agenda) <= habits.most:
        return [Part(row, ())]
    every = range(len(row.agenda))
    columns = [parse_agenda_line(line).slot for line in row.agenda]
    subject = [item for item in every if columns[item] == habits.subject][:1]
    left = sorted({*every}.difference(subject), key=lambda item: (habits.order.get(columns[item], 1.0), item))
    size = max(habits.usual - len(subject), 1)  # of values beside the subject
    groups = [[*subject, *_take(left, size, columns, habits)]]
    named = [item for item in left if _needs_subject(columns[item], habits)]
    free = [item for item in left if item not in named]
    for items, again, most in ((named, subject, size), (free, [], habits.sentence)):
        while items:
            sentences = -(-len(items) // most)
            groups.append([*again, *_take(items, -(-len(items) // sentences), columns, habits)])
    return [_part(row, sorted(group)) for group in groups]


def halved(habits: Habits, row: Any) -> Habits:
    """The habits of a corpus whose texts say half of the values of this row."""
    return replace(habits, most=1, usual=-(-len(row.agenda) // 2))


def _needs_subject(column: str, habits: Habits) -> bool:
    return habits.repeats_subject or (habits.later is not None and habits.later.get(column, 0) < LEARNED)


def _take(left: list[int], count: int, columns: Sequence[str], habits: Habits) -> list[int]:
    """Take so many of the items that are left: the first, and those that are most often said with the ones taken."""
    taken = [left.pop(0)] if left and count > 0 else []
    while left and len(taken) < count:
        near = max(left, key=lambda item: sum(_together(columns[item], columns[one], habits) for one in taken))
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
    """The texts of a row from those of its parts, best first: the best of each, then the second best of each …

    There are none where a part has none. A part before another gets the token ``mark`` where it ends with none of
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
