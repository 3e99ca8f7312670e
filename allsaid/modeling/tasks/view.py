"""Views of goals and agendas: the conversion to the ids that a model reads.

Models of agendas have the view below. Other views let models of other tasks read agendas as their own input: as a box
(`allsaid.modeling.tasks.as_box`) or as a sequence (`allsaid.modeling.tasks.as_sequence`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Generic

import numpy as np
import pyarrow as pa

from allsaid.modeling.config import DataConfig
from allsaid.modeling.data.agenda_arrays import Batch, Ids, Prompt, Prompts, collate, encode_tables, prompts
from allsaid.modeling.data.dataset import DataSet
from allsaid.modeling.data.later_sentences import later_tables
from allsaid.modeling.data.tensors import Tensors
from allsaid.modeling.data.vocabulary import Vocabularies, all_item_words, check_counted, choose_words, count_words
from allsaid.modeling.tasks import contract
from allsaid.modeling.text.restore import Casing, learn_casing


@dataclass(frozen=True)  # views are compared and sent to workers
class View(ABC, Generic[contract.Vocabularies, contract.Ids]):
    """The methods of a task (`allsaid.modeling.tasks.contract`) that depend on how its models read a row."""

    weighs_items = False
    label = ""  # follows the name of the task in errors

    @property
    @abstractmethod
    def vocabularies(self) -> type[contract.Vocabularies]: ...

    @abstractmethod
    def build_vocabularies(self, data: DataSet, config: DataConfig) -> contract.Vocabularies: ...

    @abstractmethod
    def encode(self, data: DataSet, split: str, vocabularies: contract.Vocabularies, folder: Path) -> contract.Ids: ...

    @abstractmethod
    def collate(self, ids: contract.Ids, rows: np.ndarray, max_text: int) -> Tensors: ...

    @abstractmethod
    def prompts(self, rows: Sequence[Prompt], vocabularies: contract.Vocabularies) -> Tensors: ...

    @abstractmethod
    def words(self, tokens: Sequence[int], row: Prompt, vocabularies: contract.Vocabularies) -> list[str]: ...

    @abstractmethod
    def own_ids(self, row: Prompt, vocabularies: contract.Vocabularies) -> Mapping[str, int]: ...

    def places(self, row: Prompt) -> list[list[str]]:
        """Return the items' words and, after the last line, the goal's."""
        return [*row.agenda_tokens, row.goal_tokens]


class AgendaView(View[Vocabularies, Ids]):
    """Goal and items, for the models of agendas (`allsaid.modeling.data.agenda_arrays`)."""

    vocabularies = Vocabularies
    weighs_items = True

    def build_vocabularies(self, data: DataSet, config: DataConfig) -> Vocabularies:
        counts: dict[str, dict[str, int]] = {"tokens": {}, "goal_tokens": {}, "agenda_tokens": {}}
        for table in data.tables("train"):
            for column, total in counts.items():
                words = table.column(column).combine_chunks()
                words = all_item_words(words.flatten()) if column == "agenda_tokens" else words
                for word, count in count_words(words).items():
                    total[word] = total.get(word, 0) + count
        check_counted(counts["tokens"], data.where)
        return Vocabularies(
            choose_words(counts["tokens"], config.text_cutoff, config.text_size),
            choose_words(counts["goal_tokens"], config.title_cutoff),
            choose_words(counts["agenda_tokens"], config.agenda_cutoff),
        )

    def encode(self, data: DataSet, split: str, vocabularies: Vocabularies, folder: Path) -> Ids:
        return encode_tables(learned_tables(data, split), vocabularies, folder)

    def collate(self, ids: Ids, rows: np.ndarray, max_text: int) -> Batch:
        return collate(ids, rows, max_text)

    def prompts(self, rows: Sequence[Prompt], vocabularies: Vocabularies) -> Prompts:
        return prompts(rows, vocabularies)

    def words(self, tokens: Sequence[int], row: Prompt, vocabularies: Vocabularies) -> list[str]:
        return vocabularies.text.decode(tokens)

    def own_ids(self, row: Prompt, vocabularies: Vocabularies) -> Mapping[str, int]:
        return {}

    def places(self, row: Prompt) -> list[list[str]]:
        """Return the lines of the agenda."""
        return [[line] for line in row.agenda]


@lru_cache(maxsize=1)  # it reads all texts, and encoding a user's table needs the abbreviations again
def casing_of(data: DataSet) -> Casing:
    """Return how the texts of the training part are cased."""
    return learn_casing(data.examples("train"))


def learned_tables(data: DataSet, split: str) -> Iterator[pa.Table]:
    """Yield the examples of a split; for training on a user's table also the later sentences as separate examples."""
    yield from data.tables(split)
    if split == "train" and data.mapping():
        yield from later_tables(data.examples(split), casing_of(data).abbreviations)
