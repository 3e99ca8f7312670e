"""The task of a sequence: a text from items of words that it may copy (Yang et al. 2016, section 2.2).

The source is the words of all items; in recipes of allrecipes an item is an ingredient line.
`allsaid.modeling.data.copying` defines the ids of words.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa

from allsaid.modeling.config import DataConfig
from allsaid.modeling.data import copying
from allsaid.modeling.data.copying import Batch, Ids, Prompts, Source
from allsaid.modeling.data.dataset import DataSet
from allsaid.modeling.data.vocabulary import Vocabulary, VocabularySet
from allsaid.modeling.tasks.agenda import AgendaTask
from allsaid.modeling.tasks.as_sequence import SequenceView
from allsaid.modeling.tasks.contract import Row as AnyRow
from allsaid.modeling.tasks.contract import Scores
from allsaid.modeling.tasks.perplexity import Example as AnyExample
from allsaid.modeling.tasks.perplexity import PerplexityTask
from allsaid.modeling.text.surface import Reference
from allsaid.proof.figures import FIGURES, Figure, by_key
from schemas.copy import MAX_INGREDIENT_TOKENS, NO_COPY
from schemas.errors import UserError


class CopyTask(PerplexityTask[AnyRow, AnyExample, VocabularySet, Ids]):
    """Base of the tasks of sequences and pairs: a source of items, whose words a text may copy."""

    figures = FIGURES | by_key(
        Figure("perplexity", "perplexity of all words", "", 2, "down", "all"),
        Figure("perplexity_source", "perplexity of words that are in the source", "", 2, "down", "in the source"),
        Figure("perplexity_other", "perplexity of the other words", "", 2, "down", "other"),
        Figure("perplexity_copied", "perplexity of words that copy one by the string match", "", 2, "down", "copied"),
        Figure("perplexity_uncopied", "perplexity of words that copy none", "", 2, "down", "not copied"),
    )
    vocabularies = VocabularySet

    @abstractmethod
    def source(self, row: AnyRow, vocabulary: Vocabulary) -> Source:
        """Return the items of a row's source, as words of the vocabulary."""

    def collate(self, ids: Ids, rows: np.ndarray, max_text: int) -> Batch:
        return copying.collate(ids, rows, max_text)

    def prompts(self, rows: Sequence[AnyRow], vocabularies: VocabularySet) -> Prompts:
        return copying.prompts_of((self.source(row, vocabularies.text) for row in rows), vocabularies.text)

    def words(self, tokens: Sequence[int], row: AnyRow, vocabularies: VocabularySet) -> list[str]:
        return copying.to_words(tokens, self.source(row, vocabularies.text), vocabularies.text)

    def brief(self, scores: Scores) -> str:
        return f"of source words {scores['perplexity_source']:.2f}, BLEU {scores['bleu']:.1f}"

    @property
    def of_agendas(self) -> AgendaTask[VocabularySet, Ids]:
        return AgendaTask(SequenceView())


@dataclass(frozen=True)
class Row:
    """The input of a text."""

    id: str
    title: str  # for readers only: no model reads it
    items: list[str]  # L, as written
    item_tokens: list[list[str]]  # L lists of words


@dataclass(frozen=True)
class Example(Reference, Row):
    """A row with the text to learn."""


class SequenceTask(CopyTask[Row, Example]):
    borders = ("copies",)

    def build_vocabularies(self, data: DataSet, config: DataConfig) -> VocabularySet:
        return copying.count_vocabulary(
            data.tables("train", "copies"), ("tokens", "ingredient_tokens"), data.where, config
        )

    def examples(self, data: DataSet, split: str) -> Iterator[Example]:
        for table in data.tables(split, "copies"):
            for batch in table.to_batches(max_chunksize=1000):
                columns = ("id", "title", "ingredients", "ingredient_tokens", "text", "tokens")
                yield from map(Example, *(batch.column(name).to_pylist() for name in columns))

    def encode(self, data: DataSet, split: str, vocabularies: VocabularySet, folder: Path) -> Ids:
        tables = data.tables(split, "copies")
        return copying.encode_parts((_encode_table(table, vocabularies.text) for table in tables), folder)

    def source(self, row: Row, vocabulary: Vocabulary) -> Source:
        return row.item_tokens

    def read_row(self, values: Mapping[str, object]) -> Row:
        tokens = values.get("ingredient_tokens")
        if not copying.is_source(tokens) or not any(tokens):
            raise UserError(
                "The row has no 'ingredients', a list of lines such as ['3 leeks', '2 tablespoons butter']."
            )
        if (words := sum(map(len, tokens))) > MAX_INGREDIENT_TOKENS:
            raise UserError(f"The ingredients have {words:,} words; at most {MAX_INGREDIENT_TOKENS:,} can be read.")
        items = values.get("ingredients") or [" ".join(item) for item in tokens]
        if not isinstance(items, list) or len(items) != len(tokens):
            count = len(items) if isinstance(items, list) else 0
            raise UserError(f"The row has {count} 'ingredients', but 'ingredient_tokens' of {len(tokens)}.")
        return Row(str(values["id"]), str(values.get("title") or ""), items, tokens)

    def show(self, row: Row) -> tuple[str, list[str]]:
        return row.title, row.items

    def places(self, row: Row) -> list[list[str]]:
        return row.item_tokens

    def protocol(self, data: DataSet) -> str:
        return "sequences"


def _encode_table(table: pa.Table, vocabulary: Vocabulary) -> dict[str, np.ndarray]:
    texts, sources = (table.column(name).to_pylist() for name in ("tokens", "ingredient_tokens"))
    copied = table.column("copy_items").combine_chunks().flatten().to_numpy() != NO_COPY
    return copying.encode_part(texts, sources, copied, vocabulary)


TASK = SequenceTask()
