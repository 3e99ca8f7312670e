"""Split a row with more columns than training texts have into the rows of several sentences, and join their texts.

The first text has the subject and the columns that training texts state first; it is as long as training texts usually
are. The other columns follow in later sentences, in groups of the size and kind that later sentences of training texts
have. If those sentences omit the subject, the rows of later sentences omit it, too: the model has learned from such
sentences (`allsaid.modeling.data.later_sentences`). Columns that few of them state are written with the subject, since
the model has not learned to state them without it.
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

LEARNED = 20  # later sentences that must state a column before a model can state it without the subject


@dataclass(frozen=True)
class Part:
    """Some items of a row, to be stated by a separate text."""

    row: Any  # of the row's own type, with these items alone
    items: tuple[int, ...]  # their positions in the row's agenda; empty for a whole row


def parts_of(row: Any, habits: Habits | None) -> list[Part]:
    """Split a row into parts in the order of their sentences; a row with few columns is one part.

    The values of a list stay together. The parts are as large as texts (``habits.usual`` columns) and later sentences
    (``habits.sentence`` columns) of the training part usually are; ``habits.most`` columns still fit into one text.
    """
    items_by_column = _columns(row) if habits else {}  # other tasks' rows have no agenda
    if habits is None or len(items_by_column) <= habits.most:
        return [Part(row, ())]
    subject = [habits.subject] if habits.subject in items_by_column else []
    left = sorted(
        items_by_column.keys() - {*subject}, key=lambda column: (habits.order.get(column, 1.0), items_by_column[column])
    )
    size = max(habits.usual - len(subject), 1)  # columns in addition to the subject
    groups = [[*subject, *_take(left, size, habits)]]
    with_subject = [column for column in left if _needs_subject(column, habits)]
    without_subject = [column for column in left if column not in with_subject]
    for columns, repeated, most in ((with_subject, subject, size), (without_subject, [], habits.sentence)):
        while columns:
            sentences = -(-len(columns) // most)
            groups.append([*repeated, *_take(columns, -(-len(columns) // sentences), habits)])
    return [_part(row, sorted(item for column in group for item in items_by_column[column])) for group in groups]


def halved(habits: Habits, row: Any) -> Habits:
    """Return the habits of a corpus whose texts state half of the columns of this row."""
    return replace(habits, most=1, usual=-(-len(_columns(row)) // 2))


def _columns(row: Any) -> dict[str, list[int]]:
    """Return the items of each column of a row, in order; a list column has several."""
    items_by_column: dict[str, list[int]] = {}
    for item, line in enumerate(row.agenda):
        items_by_column.setdefault(parse_agenda_line(line).slot, []).append(item)
    return items_by_column


def _needs_subject(column: str, habits: Habits) -> bool:
    return habits.repeats_subject or (habits.later is not None and habits.later.get(column, 0) < LEARNED)


def _take(left: list[str], count: int, habits: Habits) -> list[str]:
    """Take ``count`` columns: the first one left, then the ones most often stated together with the taken columns."""
    taken = [left.pop(0)] if left and count > 0 else []
    while left and len(taken) < count:
        near = max(left, key=lambda column: sum(_together(column, chosen, habits) for chosen in taken))
        left.remove(near)
        taken.append(near)
    return taken


def _together(column: str, other_column: str, habits: Habits) -> float:
    first, second = sorted((column, other_column))
    return habits.pairs.get(first, {}).get(second, 0.0)


def _part(row: Any, items: Sequence[int]) -> Part:
    chosen = replace(
        row, agenda=[row.agenda[item] for item in items], agenda_tokens=[row.agenda_tokens[item] for item in items]
    )
    return Part(chosen, tuple(items))


def join(
    parts: Sequence[Part], texts_by_part: Sequence[Sequence[Hypothesis]], ends: Collection[int], mark: int
) -> list[Hypothesis]:
    """Join the texts of a row's parts, best first: the best of each part, then the second best of each part, …

    Return no texts if a part has none. All parts but the last get the token ``mark`` unless they end with one of
    ``ends``.
    """
    if len(parts) == 1:
        return list(texts_by_part[0])
    if not all(texts_by_part):
        return []
    count = max(map(len, texts_by_part))
    chosen = ([texts[min(rank, len(texts) - 1)] for texts in texts_by_part] for rank in range(count))
    return [_joined(parts, [*(_ended(text, ends, mark) for text in first), last]) for *first, last in chosen]


def _ended(text: Hypothesis, ends: Collection[int], mark: int) -> Hypothesis:
    if mark == UNKNOWN or (text.tokens and text.tokens[-1] in ends):
        return text
    return replace(text, tokens=[*text.tokens, mark], items=[*text.items, NO_ITEM])


def _joined(parts: Sequence[Part], texts: Sequence[Hypothesis]) -> Hypothesis:
    used = {part.items[item] for part, text in zip(parts, texts, strict=True) for item in text.used}
    return Hypothesis(
        tokens=[token for text in texts for token in text.tokens],
        items=[
            NO_ITEM if item == NO_ITEM else part.items[item]
            for part, text in zip(parts, texts, strict=True)
            for item in text.items
        ],
        log_probability=sum(text.log_probability for text in texts),
        used=sorted(used),
        finished=all(text.finished for text in texts),
        penalised=any(text.penalised for text in texts),
    )
