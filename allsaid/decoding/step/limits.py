"""What the texts of some rows must say and must not, as tensors beside the search's own.

"Says" has the meaning of ``allsaid.proof.coverage``: a word gives an item if the head of the item's name is among
the word's stems. Where texts say their goal, it is one item more, behind those of the agenda. What a model believes to
have said is another thing; a bound is kept on what stands in the text.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

import torch
from torch import Tensor

from allsaid.decoding.step import ban, lists
from allsaid.decoding.step.lists import Own
from allsaid.modeling.config import SearchConfig
from allsaid.modeling.data.agenda_arrays import Prompt
from allsaid.modeling.data.vocabulary import PAD, SPECIALS, Vocabulary
from allsaid.modeling.tables.box_table import NUMERALS
from allsaid.proof.coverage import Lexicon, Stems, find_names, stems_of
from allsaid.proof.values.matching import is_unsupported_number, numbers
from schemas.act import PREFIX, is_unfilled, parse_agenda_line
from schemas.texts.generated import BANNED, UNKNOWN


@dataclass(frozen=True)
class Limits:
    """Of R rows with L items at most, the goal with them where it counts, over V words."""

    cost: Tensor  # (R, V) nats off for a word: no bound where it must not be written, a few for an extra name
    names: Tensor  # (R, M) the words that may be written and give an item, filled up with PAD
    gives: Tensor  # (R, M, L) bool: which items each of them gives
    needed: Tensor  # (R,) so many items must be given before a text may end
    once: Tensor | None  # (V,) bool: the word may stand in a text once only
    watch: ban.Watch | None  # of the banned phrases
    listed: lists.Listed | None = None  # words that stand in a list once only

    def to(self, device: torch.device) -> Limits:
        cost, names, gives, needed = (part.to(device) for part in (self.cost, self.names, self.gives, self.needed))
        once = None if self.once is None else self.once.to(device)
        watch = None if self.watch is None else self.watch.to(device)
        listed = None if self.listed is None else self.listed.to(device)
        return Limits(cost, names, gives, needed, once, watch, listed)


def limits_of(
    rows: Sequence[Prompt],
    vocabulary: Vocabulary,
    lexicon: Lexicon,
    search: SearchConfig,
    banned: tuple[str, ...],
    device: torch.device,
    with_goal: bool = False,
    taste: Tensor | None = None,
    own: Sequence[Own] = (),
) -> Limits | None:
    """The limits of a search over some rows; None where nothing limits it.

    taste: (R, V) nats off for each word besides (`allsaid.decoding.variety`); own: the words of their own that
    texts of each row may copy, with their ids from V on.

    A placeholder that the row has no value for could not be filled, so it is never written.
    """
    placeholders = vocabulary.placeholders
    asks_names = search.is_banked or search.once_a_list
    if not (asks_names or search.supported_numbers_only or banned or placeholders or taste is not None):
        return None
    watch = ban.watch(vocabulary.words, banned) if banned else None
    never = torch.zeros(len(rows), len(vocabulary), dtype=torch.bool)
    if watch is not None:
        never |= watch.never
    for place, row in enumerate(rows):
        never[place, _closed(row, vocabulary, search, banned)] = True
    cost = torch.zeros(never.shape)
    if search.is_banked:
        for place, row in enumerate(rows):
            cost[place, _extra(row, vocabulary, lexicon)] = search.extra_penalty
    if taste is not None:
        cost += taste
    own = own or [{}] * len(rows)
    names, gives = _names(rows, vocabulary, own, with_goal, never)
    items = [len(asked(row, with_goal)) for row in rows]
    bound = torch.tensor([math.ceil(each * search.min_coverage / 100 - 1e-9) for each in items])
    needed = torch.minimum(bound, gives.any(1).sum(1))
    cost = cost.masked_fill(never, math.inf)
    once = None
    if search.values_once:
        once = torch.zeros(len(vocabulary), dtype=torch.bool)
        once[vocabulary.encode(sorted(placeholders))] = True
    listed = lists.listed(rows, vocabulary, own, names) if search.once_a_list else None
    return Limits(cost, names, gives, needed, once, watch, listed).to(device)


def giving(
    row: Prompt, vocabulary: Vocabulary, search: SearchConfig, banned: tuple[str, ...], with_goal: bool
) -> list[list[int]]:
    """The words that may be written and give each item of a row, by falling count; the goal's where it is one."""
    closed = set(_closed(row, vocabulary, search, banned))
    if banned:
        closed.update(ban.watch(vocabulary.words, banned).never.nonzero().flatten().tolist())
    return [[word for word in words if word not in closed] for words in _by_item(row, vocabulary, {}, with_goal)]


def asked(row: Prompt, with_goal: bool) -> list[list[str]]:
    """The names of what a text of a row is to say."""
    return [*row.agenda_tokens, row.goal_tokens] if with_goal else row.agenda_tokens


def unwritable(
    row: Prompt,
    vocabulary: Vocabulary,
    banned: tuple[str, ...],
    with_goal: bool = False,
    own: Own = MappingProxyType({}),
) -> dict[int, str]:
    """The items of a row that no text can give by their names, and why: :data:`BANNED` or :data:`UNKNOWN`.

    own: words of the row's own that a text may copy, and their ids from V on.
    """
    values = _banned_values(row, banned)
    never = ban.watch(vocabulary.words, banned).never if banned else None
    found = {}
    for item, name in enumerate(row.agenda_tokens):
        words = _words_of(name, vocabulary, own)
        is_never = never is not None and all(word < len(never) and bool(never[word]) for word in words)
        if (name and name[0] in values) or (words and is_never):
            found[item] = BANNED
        elif not words and not (name and name[0].startswith(PREFIX)):
            found[item] = UNKNOWN
    if with_goal:
        words = _words_of_goal(row.goal_tokens, vocabulary, own)
        if ban.first_banned(" ".join(row.goal_tokens), banned):
            found[len(row.agenda_tokens)] = BANNED
        elif not words:
            found[len(row.agenda_tokens)] = UNKNOWN
    return found


def _names(
    rows: Sequence[Prompt], vocabulary: Vocabulary, own: Sequence[Own], with_goal: bool, never: Tensor
) -> tuple[Tensor, Tensor]:
    """The words of each row that give an item and may be written, by falling count, and which items each gives."""
    found: list[dict[int, list[int]]] = []
    for row, of_its_own, closed in zip(rows, own, never, strict=True):
        of_row: defaultdict[int, list[int]] = defaultdict(list)
        for item, words in enumerate(_by_item(row, vocabulary, of_its_own, with_goal)):
            for word in words:
                if word >= len(vocabulary) or not closed[word]:
                    of_row[word].append(item)
        found.append(dict(sorted(of_row.items())))
    names = torch.full((len(rows), max(map(len, found))), PAD)
    gives = torch.zeros(*names.shape, max(len(asked(row, with_goal)) for row in rows), dtype=torch.bool)
    for place, given in enumerate(found):
        names[place, : len(given)] = torch.tensor(list(given), dtype=torch.long)
        for rank, items in enumerate(given.values()):
            gives[place, rank, items] = True
    return names, gives


def _closed(row: Prompt, vocabulary: Vocabulary, search: SearchConfig, banned: tuple[str, ...]) -> list[int]:
    """The words that no text of a row may hold, beside those that no text may."""
    words: list[str] = []
    if placeholders := vocabulary.placeholders:
        lines = zip(row.agenda_tokens, row.agenda, strict=True)
        filled = {word for name, line in lines for word in name if not is_unfilled(word, line)}
        words = [*_banned_values(row, banned), *sorted(placeholders - filled)]
    if search.supported_numbers_only:
        words += [word for word in _numbers(vocabulary.words) if is_unsupported_number(word, row.agenda)]
        words += NUMERALS
    return [vocabulary.ids[word] for word in words if word in vocabulary.ids]


def _by_item(row: Prompt, vocabulary: Vocabulary, own: Own, with_goal: bool) -> list[list[int]]:
    """The words that give each item of a row."""
    found = [_words_of(name, vocabulary, own) for name in row.agenda_tokens]
    return [*found, _words_of_goal(row.goal_tokens, vocabulary, own)] if with_goal else found


def _words_of(name: Sequence[str], vocabulary: Vocabulary, own: Own) -> list[int]:
    """The words that give an item of this name; a placeholder is given by itself only."""
    if len(name) == 1 and name[0].startswith(PREFIX):
        return [ids[name[0]] for ids in (vocabulary.ids, own) if name[0] in ids]
    stems = stems_of(name)
    return [*_by_stem(vocabulary.words).get(stems[-1], []), *_copied(stems[-1], own)] if stems else []


def _words_of_goal(goal: Sequence[str], vocabulary: Vocabulary, own: Own) -> list[int]:
    """The words that give a goal; none where a part of it can't be written, since it is said as a whole."""
    known = _by_stem(vocabulary.words)
    is_known = all(stem in known or _copied(stem, own) for stem in stems_of(goal))
    return _words_of(goal, vocabulary, own) if is_known else []


def _copied(stem: str, own: Own) -> list[int]:
    """The row's own words that hold a stem."""
    return [number for word, number in own.items() if stem in stems_of([word])]


def _extra(row: Prompt, vocabulary: Vocabulary, lexicon: Lexicon) -> list[int]:
    agenda = [stems_of(item) for item in row.agenda_tokens]
    return [
        position
        for position, names in _known_names(vocabulary.words, tuple(lexicon.names))
        if not all(lexicon.back(name, agenda) for name in names)
    ]


def _banned_values(row: Prompt, banned: Sequence[str]) -> list[str]:
    """The placeholders whose value holds what must not be written."""
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
def _known_names(words: tuple[str, ...], names: tuple[str, ...]) -> list[tuple[int, list[Stems]]]:
    """The words that hold known names, and these."""
    trie = Lexicon(dict.fromkeys(names, 1)).trie
    found = []
    for position, word in enumerate(words):
        stems = stems_of([word])
        if held := [stems[start:end] for start, end, _ in find_names(stems, trie)]:
            found.append((position, held))
    return found


@lru_cache(maxsize=4)
def _numbers(words: tuple[str, ...]) -> list[str]:
    return [word for word in words if numbers(word)]
