"""Words that cover the items of a row, and words that its texts must not contain.

Coverage is that of ``allsaid.proof.coverage``: a word covers an item if the head of the item's name is among the word's
stems. Where texts state their goal, it is one more item after those of the agenda. The bound counts items in the
text, not the model's own item references.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache
from types import MappingProxyType

from allsaid.decoding.step import ban
from allsaid.decoding.step.lists import CopiedIds
from allsaid.modeling.config import SearchConfig
from allsaid.modeling.data.agenda_arrays import Prompt
from allsaid.modeling.data.vocabulary import SPECIALS, Vocabulary
from allsaid.modeling.tables.box_table import NUMERALS
from allsaid.proof.foods.names import stems_of
from allsaid.proof.values.measures import is_unsupported_number, numbers
from schemas.act import PREFIX, is_unfilled, parse_agenda_line
from schemas.texts.generated import BANNED, UNKNOWN


def allowed_words(
    row: Prompt, vocabulary: Vocabulary, search: SearchConfig, banned: tuple[str, ...], with_goal: bool
) -> list[list[int]]:
    """Return the allowed words that cover each item of a row, most frequent first; the goal may be an item."""
    closed = set(closed_words(row, vocabulary, search, banned))
    if banned:
        closed.update(ban.watch(vocabulary.words, banned).never.nonzero().flatten().tolist())
    return [[word for word in words if word not in closed] for words in words_by_item(row, vocabulary, {}, with_goal)]


def asked(row: Prompt, with_goal: bool) -> list[list[str]]:
    """Return the names that a text of a row has to state."""
    return [*row.agenda_tokens, row.goal_tokens] if with_goal else row.agenda_tokens


def unwritable(
    row: Prompt,
    vocabulary: Vocabulary,
    banned: tuple[str, ...],
    with_goal: bool = False,
    copied_ids: CopiedIds = MappingProxyType({}),
) -> dict[int, str]:
    """Return the items of a row that no text can cover by name, and why: :data:`BANNED` or :data:`UNKNOWN`.

    copied_ids: copy candidates of the row, and their ids from V on.
    """
    values = _banned_values(row, banned)
    never = ban.watch(vocabulary.words, banned).never if banned else None
    found = {}
    for item, name in enumerate(row.agenda_tokens):
        words = _words_of(name, vocabulary, copied_ids)
        is_never = never is not None and all(word < len(never) and bool(never[word]) for word in words)
        if (name and name[0] in values) or (words and is_never):
            found[item] = BANNED
        elif not words and not (name and name[0].startswith(PREFIX)):
            found[item] = UNKNOWN
    if with_goal:
        words = _words_of_goal(row.goal_tokens, vocabulary, copied_ids)
        if ban.first_banned(" ".join(row.goal_tokens), banned):
            found[len(row.agenda_tokens)] = BANNED
        elif not words:
            found[len(row.agenda_tokens)] = UNKNOWN
    return found


def closed_words(row: Prompt, vocabulary: Vocabulary, search: SearchConfig, banned: tuple[str, ...]) -> list[int]:
    """Return the words that texts of this row must not contain, in addition to those banned for all rows."""
    words: list[str] = []
    if placeholders := vocabulary.placeholders:
        lines = zip(row.agenda_tokens, row.agenda, strict=True)
        filled = {word for name, line in lines for word in name if not is_unfilled(word, line)}
        words = [*_banned_values(row, banned), *sorted(placeholders - filled)]
    if search.supported_numbers_only:
        words += [word for word in _numbers(vocabulary.words) if is_unsupported_number(word, row.agenda)]
        words += NUMERALS
    return [vocabulary.ids[word] for word in words if word in vocabulary.ids]


def words_by_item(row: Prompt, vocabulary: Vocabulary, copied_ids: CopiedIds, with_goal: bool) -> list[list[int]]:
    """Return the words that cover each item of a row."""
    found = [_words_of(name, vocabulary, copied_ids) for name in row.agenda_tokens]
    return [*found, _words_of_goal(row.goal_tokens, vocabulary, copied_ids)] if with_goal else found


def _words_of(name: Sequence[str], vocabulary: Vocabulary, copied_ids: CopiedIds) -> list[int]:
    """Return the words that cover an item of this name; only a placeholder itself covers a placeholder."""
    if len(name) == 1 and name[0].startswith(PREFIX):
        return [ids[name[0]] for ids in (vocabulary.ids, copied_ids) if name[0] in ids]
    stems = stems_of(name)
    return [*_by_stem(vocabulary.words).get(stems[-1], []), *_copied(stems[-1], copied_ids)] if stems else []


def _words_of_goal(goal: Sequence[str], vocabulary: Vocabulary, copied_ids: CopiedIds) -> list[int]:
    """Return the words that cover a goal; none if part of the goal can't be written, since it is stated as a whole."""
    known = _by_stem(vocabulary.words)
    is_known = all(stem in known or _copied(stem, copied_ids) for stem in stems_of(goal))
    return _words_of(goal, vocabulary, copied_ids) if is_known else []


def _copied(stem: str, copied_ids: CopiedIds) -> list[int]:
    """Return the row's copy candidates with this stem."""
    return [number for word, number in copied_ids.items() if stem in stems_of([word])]


def _banned_values(row: Prompt, banned: Sequence[str]) -> list[str]:
    """Return the placeholders whose values contain banned phrases."""
    return [
        name[0]
        for name, line in zip(row.agenda_tokens, row.agenda, strict=True)
        if len(name) == 1 and name[0].startswith(PREFIX) and ban.first_banned(parse_agenda_line(line).value, banned)
    ]


@lru_cache(maxsize=4)
def _by_stem(words: tuple[str, ...]) -> dict[str, list[int]]:
    found: defaultdict[str, list[int]] = defaultdict(list)
    for position, word in enumerate(words):
        if word not in SPECIALS:
            for stem in dict.fromkeys(stems_of([word])):
                found[stem].append(position)
    return dict(found)


@lru_cache(maxsize=4)
def _numbers(words: tuple[str, ...]) -> list[str]:
    return [word for word in words if numbers(word)]
