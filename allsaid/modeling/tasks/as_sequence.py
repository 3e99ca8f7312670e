"""The view of an agenda as a sequence, for models of sequences: the words of its items, then those of its goal.

The goal comes last, so that an item's place is its position in the agenda.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path

import numpy as np
import pyarrow as pa

from allsaid.modeling.config import DataConfig
from allsaid.modeling.data import copying
from allsaid.modeling.data.agenda_arrays import Prompt
from allsaid.modeling.data.copying import Batch, Ids, Prompts, Source
from allsaid.modeling.data.dataset import DataSet
from allsaid.modeling.data.vocabulary import SPECIALS, UNKNOWN, Vocabulary, VocabularySet
from allsaid.modeling.tasks.view import View, learned_tables
from schemas.act import is_unfilled
from schemas.example import NEW, USED


class SequenceView(View[VocabularySet, Ids]):
    vocabularies = VocabularySet
    label = " as sequence"

    def build_vocabularies(self, data: DataSet, config: DataConfig) -> VocabularySet:
        columns = ("tokens", "goal_tokens", "agenda_tokens")
        return copying.count_vocabulary(data.tables("train"), columns, data.where, config)

    def encode(self, data: DataSet, split: str, vocabularies: VocabularySet, folder: Path) -> Ids:
        tables = learned_tables(data, split)
        return copying.encode_parts((_encode_table(table, vocabularies.text) for table in tables), folder)

    def collate(self, ids: Ids, rows: np.ndarray, max_text: int) -> Batch:
        return copying.collate(ids, rows, max_text)

    def prompts(self, rows: Sequence[Prompt], vocabularies: VocabularySet) -> Prompts:
        return copying.prompts_of((_source_of(row, vocabularies.text) for row in rows), vocabularies.text)

    def words(self, tokens: Sequence[int], row: Prompt, vocabularies: VocabularySet) -> list[str]:
        return copying.to_words(tokens, _source_of(row, vocabularies.text), vocabularies.text)

    def own_ids(self, row: Prompt, vocabularies: VocabularySet) -> Mapping[str, int]:
        return copying.own_words(_source_of(row, vocabularies.text), vocabularies.text)


def _encode_table(table: pa.Table, vocabulary: Vocabulary) -> dict[str, np.ndarray]:
    names = ("tokens", "ref_types", "goal_tokens", "agenda", "agenda_tokens")
    texts, types, *parts = (table.column(name).to_pylist() for name in names)
    sources = [_source(goal, lines, items, vocabulary) for goal, lines, items in zip(*parts, strict=True)]
    copied: list[bool] = []
    for text, kinds, source in zip(texts, types, sources, strict=True):
        source_words = {*chain.from_iterable(source)}
        copied += [kind in (NEW, USED) and word in source_words for word, kind in zip(text, kinds, strict=True)]
    return copying.encode_part(texts, sources, np.array(copied, bool), vocabulary)


def _source(goal: list[str], lines: Sequence[str], items: Sequence[list[str]], vocabulary: Vocabulary) -> Source:
    """Return the items and the goal; a slot that no value fills can't be written, so it is no copy candidate."""
    words = [
        [SPECIALS[UNKNOWN] if word not in vocabulary.ids and is_unfilled(word, line) else word for word in item]
        for line, item in zip(lines, items, strict=True)
    ]
    return [*words, goal]


def _source_of(row: Prompt, vocabulary: Vocabulary) -> Source:
    return _source(row.goal_tokens, row.agenda, row.agenda_tokens, vocabulary)
