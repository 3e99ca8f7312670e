"""The view of an agenda as a sequence, for models of sequences: the words of its items, then those of its goal.

The goal comes last, so that an item's place is its position in the agenda. The rest is shared with agendas
(`allsaid.modeling.tasks.agenda`), including the rows that generation reads.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from pathlib import Path

import numpy as np
import pyarrow as pa

from allsaid.modeling.config import DataConfig
from allsaid.modeling.data.agenda_arrays import Prompt
from allsaid.modeling.data.copying import (
    Ids,
    Prompts,
    Source,
    Vocabularies,
    count_vocabulary,
    encode_part,
    encode_parts,
    own_words,
    prompts_of,
    to_words,
)
from allsaid.modeling.data.copying import collate as collate
from allsaid.modeling.data.dataset import DataSet
from allsaid.modeling.data.vocabulary import SPECIALS, UNKNOWN, Vocabulary
from allsaid.modeling.tasks.agenda import BORDERS as BORDERS
from allsaid.modeling.tasks.agenda import DECIDING as DECIDING
from allsaid.modeling.tasks.agenda import FIGURES as FIGURES
from allsaid.modeling.tasks.agenda import background as background
from allsaid.modeling.tasks.agenda import brief as brief
from allsaid.modeling.tasks.agenda import checks as checks
from allsaid.modeling.tasks.agenda import companions as companions
from allsaid.modeling.tasks.agenda import examples as examples
from allsaid.modeling.tasks.agenda import learned_tables
from allsaid.modeling.tasks.agenda import protocol as protocol
from allsaid.modeling.tasks.agenda import score as score
from allsaid.modeling.tasks.agenda import show as show
from schemas.act import is_unfilled
from schemas.example import NEW, USED

OF_TABLE = "allsaid.modeling.tasks.record_sequence"  # it imports this module


def build_vocabularies(data: DataSet, config: DataConfig) -> Vocabularies:
    """Count the training part's words; raises UserError where it has none."""
    columns = ("tokens", "goal_tokens", "agenda_tokens")
    return count_vocabulary(data.tables("train"), columns, config.text_cutoff, data.where, config.text_size)


def encode(data: DataSet, split: str, vocabularies: Vocabularies, folder: Path) -> Ids:
    """Write a split's ids as arrays under ``folder`` and map them into memory."""
    return encode_parts((_encode_table(table, vocabularies) for table in learned_tables(data, split)), folder)


def _encode_table(table: pa.Table, vocabularies: Vocabularies) -> dict[str, np.ndarray]:
    names = ("tokens", "ref_types", "goal_tokens", "agenda", "agenda_tokens")
    texts, types, *parts = (table.column(name).to_pylist() for name in names)
    sources = [_source(goal, lines, items, vocabularies.text) for goal, lines, items in zip(*parts, strict=True)]
    copied: list[bool] = []
    for text, kinds, source in zip(texts, types, sources, strict=True):
        there = {*chain.from_iterable(source)}
        copied += [kind in (NEW, USED) and word in there for word, kind in zip(text, kinds, strict=True)]
    return encode_part(texts, sources, np.array(copied, bool), vocabularies.text)


def _source(goal: list[str], lines: Sequence[str], items: Sequence[list[str]], vocabulary: Vocabulary) -> Source:
    """Return the items and the goal; a slot that no value fills can't be written, so it is no copy candidate."""
    words = [
        [SPECIALS[UNKNOWN] if word not in vocabulary.ids and is_unfilled(word, line) else word for word in item]
        for line, item in zip(lines, items, strict=True)
    ]
    return [*words, goal]


def _source_of(row: Prompt, vocabularies: Vocabularies) -> Source:
    return _source(row.goal_tokens, row.agenda, row.agenda_tokens, vocabularies.text)


def prompts(rows: Sequence[Prompt], vocabularies: Vocabularies) -> Prompts:
    """Return prompts of rows in words, as generation gets them."""
    return prompts_of((_source_of(row, vocabularies) for row in rows), vocabularies.text)


def words(tokens: Sequence[int], row: Prompt, vocabularies: Vocabularies) -> list[str]:
    """Return the words of a text's ids; those from V on are the row's copy candidates."""
    return to_words(tokens, _source_of(row, vocabularies), vocabularies.text)


def own_ids(row: Prompt, vocabularies: Vocabularies) -> dict[str, int]:
    """Return the row's words that the vocabulary lacks, and their ids from V on."""
    return own_words(_source_of(row, vocabularies), vocabularies.text)


def places(row: Prompt) -> list[list[str]]:
    """Return the items' words and, after the last line, the goal's."""
    return [*row.agenda_tokens, row.goal_tokens]
