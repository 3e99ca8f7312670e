"""Build the steps of a search from a request about some rows.

`items.py` defines when a text states an item; each step has its own module.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import torch
from torch import Tensor

from allsaid.decoding.step import ban, lists
from allsaid.decoding.step.banks import Needed
from allsaid.decoding.step.contract import Step
from allsaid.decoding.step.costs import Costs
from allsaid.decoding.step.items import asked, closed_words, words_by_item
from allsaid.decoding.step.lists import CopiedIds
from allsaid.decoding.step.once import Once
from allsaid.decoding.step.phrases import Phrases
from allsaid.modeling import plugins
from allsaid.modeling.config import SearchConfig
from allsaid.modeling.data.agenda_arrays import Prompt
from allsaid.modeling.data.vocabulary import PAD, Vocabulary
from allsaid.proof.coverage import Lexicon
from allsaid.proof.foods.names import Stems, find_names, stems_of
from schemas.errors import UserError

GROUP = "allsaid.steps"  # of entry points


@dataclass(frozen=True)
class Request:
    """Settings of the steps that are the same for all rows of a search."""

    vocabulary: Vocabulary  # V words
    lexicon: Lexicon
    search: SearchConfig
    banned: tuple[str, ...] = ()
    with_goal: bool = False  # whether a text has to state its goal


def steps_of(
    rows: Sequence[Prompt], request: Request, costs: Tensor | None = None, copied_ids: Sequence[CopiedIds] = ()
) -> list[Step]:
    """Return the steps of a search over R rows, in the order of their edits; none if nothing is required.

    costs: (R, V) extra cost of each word in nats (`allsaid.decoding.variety`); copied_ids: copy candidates of each row,
    with their ids from V on.

    A placeholder without a value in the row could not be filled, so it is never generated.
    """
    search, vocabulary = request.search, request.vocabulary
    watch = ban.watch(vocabulary.words, request.banned) if request.banned else None
    never = torch.zeros(len(rows), len(vocabulary), dtype=torch.bool)
    if watch is not None:
        never |= watch.never
    for place, row in enumerate(rows):
        never[place, closed_words(row, vocabulary, search, request.banned)] = True
    nats = _nats(rows, request, costs).masked_fill(never, math.inf)
    steps: list[Step] = []
    if search.values_once and vocabulary.placeholders:
        steps.append(Once(torch.tensor(vocabulary.encode(sorted(vocabulary.placeholders)))))
    if nats.any():
        steps.append(Costs(nats))
    if watch is not None:
        steps.append(Phrases(watch))
    if search.is_banked or search.once_a_list:
        copied_ids = copied_ids or [{}] * len(rows)
        names, gives = _names(rows, request, copied_ids, never)
        if search.is_banked:
            steps.append(Needed(names, gives, _least(rows, request, gives)))
        if search.once_a_list:
            steps.append(lists.listed(rows, vocabulary, copied_ids, names))
    return steps


def steps_of_packages(rows: Sequence[Prompt], vocabulary: Vocabulary, search: SearchConfig) -> list[Step]:
    """Return the steps of installed packages for rows of goal and agenda, by the names of their entry points.

    Raises UserError where an entry point can't be loaded, or does not return a step.
    """
    steps: list[Step] = []
    for name, make in plugins.all_parts(GROUP).items():
        step = make(rows, vocabulary, search)
        if step is not None and not isinstance(step, Step):
            raise UserError(
                f"The entry point '{name}' of {GROUP} gives a {type(step).__name__}, which is no step: it must have "
                "`begin` and `to`. Update that package, or remove it."
            )
        steps += [] if step is None else [step]
    return steps


def _nats(rows: Sequence[Prompt], request: Request, costs: Tensor | None) -> Tensor:
    """Return the costs (R, V) of the allowed words in nats."""
    nats = torch.zeros(len(rows), len(request.vocabulary))
    if request.search.is_banked:
        for place, row in enumerate(rows):
            nats[place, _extra(row, request)] = request.search.extra_penalty
    return nats if costs is None else nats + costs


def _least(rows: Sequence[Prompt], request: Request, gives: Tensor) -> Tensor:
    """Return the number of items that a text of each row must cover (R,), limited to those that can be covered."""
    items = [len(asked(row, request.with_goal)) for row in rows]
    bound = [math.ceil(each * request.search.min_coverage / 100 - 1e-9) for each in items]
    return torch.minimum(torch.tensor(bound), gives.any(1).sum(1))


def _names(
    rows: Sequence[Prompt], request: Request, copied_ids: Sequence[CopiedIds], never: Tensor
) -> tuple[Tensor, Tensor]:
    """Return the allowed words (R, M) that cover an item, most frequent first, and their items (R, M, L)."""
    vocabulary, with_goal = request.vocabulary, request.with_goal
    found: list[dict[int, list[int]]] = []
    for row, row_copied_ids, closed in zip(rows, copied_ids, never, strict=True):
        items_by_word: defaultdict[int, list[int]] = defaultdict(list)
        for item, words in enumerate(words_by_item(row, vocabulary, row_copied_ids, with_goal)):
            for word in words:
                if word >= len(vocabulary) or not closed[word]:
                    items_by_word[word].append(item)
        found.append(dict(sorted(items_by_word.items())))
    names = torch.full((len(rows), max(map(len, found))), PAD)
    gives = torch.zeros(*names.shape, max(len(asked(row, with_goal)) for row in rows), dtype=torch.bool)
    for place, given in enumerate(found):
        names[place, : len(given)] = torch.tensor(list(given), dtype=torch.long)
        for rank, items in enumerate(given.values()):
            gives[place, rank, items] = True
    return names, gives


def _extra(row: Prompt, request: Request) -> list[int]:
    """Return the words that contain a known name without support in the agenda."""
    agenda = [stems_of(item) for item in row.agenda_tokens]
    return [
        position
        for position, names in _known_names(request.vocabulary.words, tuple(request.lexicon.names))
        if not all(request.lexicon.back(name, agenda) for name in names)
    ]


@lru_cache(maxsize=4)
def _known_names(words: tuple[str, ...], names: tuple[str, ...]) -> list[tuple[int, list[Stems]]]:
    """Return the words that contain known names, and these names."""
    trie = Lexicon(dict.fromkeys(names, 1)).trie
    found = []
    for position, word in enumerate(words):
        stems = stems_of([word])
        if in_word := [stems[start:end] for start, end, _ in find_names(stems, trie)]:
            found.append((position, in_word))
    return found
