"""Goals, agendas and their texts as ids: flat arrays of a split, batches to learn, and prompts for generation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Protocol

import numpy as np
import pyarrow as pa
import torch
from torch import Tensor

from allsaid.modeling.data.arrays import FlatTexts, Lists, distinct, flat, look_up, map_from_files, starts
from allsaid.modeling.data.dataset import Identified
from allsaid.modeling.data.tensors import Tensors, inputs_of, padded_slices, texts_to_learn, values_to_learn
from allsaid.modeling.data.vocabulary import PAD, UNKNOWN, Vocabularies, Vocabulary, all_item_words, item_words
from allsaid.proof.forms.symbols import Row
from schemas.example import NO_ITEM, NONE, UNSUPERVISED

_Words = Sequence[Sequence[int]]  # the ids of each item's words


class Prompt(Identified, Row, Protocol):
    """The input of a text; an Example is one."""

    @property
    def goal_tokens(self) -> list[str]: ...


@dataclass(frozen=True)
class Ids(FlatTexts):
    """A split of N examples as flat arrays; ``x_starts[i]:x_starts[i + 1]`` is the part of example (or item) i.

    Ids are distinct within a title, an item or a name.
    """

    types: np.ndarray  # reference types of the words, int8
    refs: np.ndarray  # positions of their items, int16
    title: np.ndarray  # title ids, int32
    items: np.ndarray  # agenda ids of the words that make up the items, int32
    names: np.ndarray  # text ids of the words in the items' names, int32
    title_starts: np.ndarray  # N + 1
    agenda_starts: np.ndarray  # N + 1, counts items
    item_starts: np.ndarray  # items + 1, counts words
    name_starts: np.ndarray  # the same for names


@dataclass(frozen=True)
class Prompts(Tensors):
    """B goals and agendas; ids are padded with PAD and distinct within a goal or item.

    Each axis has a length of at least 1, also if there is no item.
    """

    goal: Tensor  # (B, G) title ids
    items: Tensor  # (B, L, W) agenda ids
    names: Tensor  # (B, L, W) the items' words as text ids
    item_mask: Tensor  # (B, L) bool: an item, not padding
    weights: Tensor  # (B, L) factors of the items' embeddings; 1 except for Checklist+


@dataclass(frozen=True)
class Batch(Tensors):
    """B texts to learn; position t of ``inputs`` is answered by position t of the others."""

    prompts: Prompts
    inputs: Tensor  # (B, T) text ids: START x_1 … x_n
    targets: Tensor  # (B, T) text ids: x_1 … x_n END, then PAD
    types: Tensor  # (B, T) reference type of the target; UNSUPERVISED for unknown words and padding
    refs: Tensor  # (B, T) its item, NO_ITEM if it refers to none


def encode_tables(tables: Iterable[pa.Table], vocabularies: Vocabularies, folder: Path) -> Ids:
    """Write the ids of tables of examples as arrays below ``folder`` and map them into memory."""
    return map_from_files(Ids, (_encode_table(table, vocabularies) for table in tables), folder)


def _encode_table(table: pa.Table, vocabularies: Vocabularies) -> dict[str, np.ndarray]:
    agenda = table.column("agenda_tokens").combine_chunks()
    item_names = agenda.flatten()
    title, title_starts = _distinct_ids(table.column("goal_tokens").combine_chunks(), vocabularies.title)
    items, item_starts = _distinct_ids(all_item_words(item_names), vocabularies.agenda)
    names, name_starts = _distinct_ids(item_names, vocabularies.text)
    return {
        "text": look_up(flat(table, "tokens"), vocabularies.text),
        "types": flat(table, "ref_types").to_numpy(),
        "refs": flat(table, "ref_items").to_numpy(),
        "title": title,
        "items": items,
        "names": names,
        "text_starts": starts(table.column("tokens").combine_chunks()),
        "title_starts": title_starts,
        "agenda_starts": starts(agenda),
        "item_starts": item_starts,
        "name_starts": name_starts,
    }


def _distinct_ids(lists: pa.Array, vocabulary: Vocabulary) -> Lists:
    """Return lists of words as ids, distinct within each list, and the start of each list."""
    return distinct(look_up(lists.flatten(), vocabulary), starts(lists))


def make_prompts(goals: Sequence[Sequence[int]], items: Sequence[_Words], names: Sequence[_Words]) -> Prompts:
    """Pad B goals (title ids), agendas (agenda ids) and item names (text ids)."""
    agendas = np.cumsum([0, *map(len, items)])
    return _filled(np.arange(len(goals)), _joined(goals), agendas, _joined(chain(*items)), _joined(chain(*names)))


def _joined(lists: Iterable[Sequence[int]]) -> Lists:
    """Return lists of ids, without duplicates within a list, as one array, and the start of each list."""
    distinct_lists = [list(dict.fromkeys(words)) for words in lists]
    return np.array([*chain(*distinct_lists)], np.int64), np.cumsum([0, *map(len, distinct_lists)])


def _filled(rows: np.ndarray, goals: Lists, agendas: np.ndarray, items: Lists, names: Lists) -> Prompts:
    """Return the prompts of some rows; ``agendas`` are the starts of each row's items among all items."""
    first, last = agendas[rows], agendas[rows + 1]
    columns = np.arange(max(1, (last - first).max()))
    mask = columns < (last - first)[:, None]
    places = (first[:, None] + columns)[mask]
    words = [padded_slices(flat, starts[places], starts[places + 1], PAD) for flat, starts in (items, names)]
    filled = np.full((2, *mask.shape, max(part.shape[1] for part in words)), PAD, np.int64)
    for number, part in enumerate(words):
        filled[number, mask, : part.shape[1]] = part
    goal = padded_slices(goals[0], goals[1][rows], goals[1][rows + 1], PAD)
    goal_ids, item_ids, name_ids, item_mask = map(torch.from_numpy, (goal, *filled, mask))
    return Prompts(goal_ids, item_ids, name_ids, item_mask, torch.ones(mask.shape))


def prompts(rows: Sequence[Prompt], vocabularies: Vocabularies) -> Prompts:
    """Return prompts of rows in words, as generation gets them."""
    return make_prompts(
        [vocabularies.title.encode(row.goal_tokens) for row in rows],
        [[vocabularies.agenda.encode(item_words(item)) for item in row.agenda_tokens] for row in rows],
        [[vocabularies.text.encode(item) for item in row.agenda_tokens] for row in rows],
    )


def collate(ids: Ids, rows: np.ndarray, max_text: int) -> Batch:
    """Batch the examples ``rows`` of a split; texts longer than ``max_text`` tokens are cut there, without an END."""
    targets = texts_to_learn(ids, rows, max_text)
    unknown = targets == UNKNOWN
    items, names = (ids.items, ids.item_starts), (ids.names, ids.name_starts)
    return Batch(
        _filled(rows, (ids.title, ids.title_starts), ids.agenda_starts, items, names),
        inputs_of(targets),
        targets,
        values_to_learn(ids, ids.types, rows, max_text, NONE, UNSUPERVISED).masked_fill(unknown, UNSUPERVISED),
        values_to_learn(ids, ids.refs, rows, max_text, NO_ITEM, NO_ITEM).masked_fill(unknown, NO_ITEM),
    )
