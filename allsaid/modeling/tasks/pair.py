"""The task of a pair: a text from a sequence of words that it may copy (Benmalek et al. 2019, section 4).

`allsaid.modeling.data.copying` defines the ids of words; here its source is one item. Where words are cut into pieces
(`allsaid.modeling.data.pieces`), each word is an item of its pieces. If the corpus marks the parts of the source that a
text has to name, such as the values of a logical form, these are the row's items.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

import numpy as np
import pyarrow as pa

from allsaid.modeling.config import DataConfig
from allsaid.modeling.data import copying
from allsaid.modeling.data.copying import Ids, Source
from allsaid.modeling.data.dataset import DataSet, rows_of_tables
from allsaid.modeling.data.vocabulary import Vocabulary, VocabularySet
from allsaid.modeling.tasks.sequence import CopyTask
from allsaid.modeling.text.surface import Reference
from allsaid.proof.coverage import Coverage
from allsaid.proof.figures import Figure, by_key
from allsaid.proof.values.facts import Fact, Inventory, Text
from allsaid.proof.values.matching import measure_values
from schemas.errors import UserError
from schemas.example import NO_ITEM
from schemas.pair import MAX_SOURCE_TOKENS

_NONE_KNOWN = Inventory()


@dataclass(frozen=True)
class Row:
    """The input of a text."""

    id: str
    source: str  # as written
    source_tokens: list[str]  # S
    items: list[str]  # L, as written
    item_tokens: list[list[str]]  # L lists of words


@dataclass(frozen=True)
class Example(Reference, Row):
    """A row with the text to learn."""


class PairTask(CopyTask[Row, Example]):
    borders = ("pairs",)
    figures = CopyTask.figures | by_key(
        Figure("bleu/sentence", "mean BLEU-4 of each text, smoothed by adding one", "", 2, "up", "BLEU-4 of a text"),
        Figure("meteor/sentence", "mean METEOR 1.5 of each text", "", 2, "up", "METEOR of a text"),
        Figure("rouge_1", "ROUGE-1 F against the example's own text", "", 2, "up", "ROUGE-1"),
        Figure("rouge_2", "ROUGE-2 F against the example's own text", "", 2, "up", "ROUGE-2"),
        Figure("rouge_l", "ROUGE-L F against the example's own text", "", 2, "up", "ROUGE-L"),
        Figure("percent_given", "values named", "%", 1, "up", "% named"),
        Figure("attention_entropy", "entropy of the attention at a word, in nats", "", 3, "down", "entropy, nats"),
    )
    cuts_words = True

    def build_vocabularies(self, data: DataSet, config: DataConfig) -> VocabularySet:
        """Count the training part's words, and learn their pieces; raises UserError if it has none."""
        return copying.count_vocabulary(data.tables("train", "pairs"), ("tokens", "source_tokens"), data.where, config)

    def examples(self, data: DataSet, split: str) -> Iterator[Example]:
        return rows_of_tables(data.tables(split, "pairs"), Example)

    def encode(self, data: DataSet, split: str, vocabularies: VocabularySet, folder: Path) -> Ids:
        tables = data.tables(split, "pairs")
        return copying.encode_parts((_encode_table(table, vocabularies.text) for table in tables), folder)

    def source(self, row: Row, vocabulary: Vocabulary) -> Source:
        return _source(row.source_tokens, vocabulary)

    def pieces(self, tokens: Sequence[int], row: Row, vocabularies: VocabularySet) -> list[str]:
        return super().words(tokens, row, vocabularies)

    def words(self, tokens: Sequence[int], row: Row, vocabularies: VocabularySet) -> list[str]:
        return vocabularies.text.join(self.pieces(tokens, row, vocabularies))

    def read_row(self, values: Mapping[str, object]) -> Row:
        tokens = values.get("source_tokens")
        if not copying.is_words(tokens) or not tokens:
            raise UserError("The row has no 'source', a text such as 'select player where number = \"3\"'.")
        if len(tokens) > MAX_SOURCE_TOKENS:
            raise UserError(f"The source has {len(tokens):,} words; at most {MAX_SOURCE_TOKENS:,} can be read.")
        items, item_tokens = values.get("items") or [], values.get("item_tokens") or []
        if not isinstance(items, list) or not copying.is_source(item_tokens) or len(items) != len(item_tokens):
            raise UserError("The row's 'items' are no list of texts such as ['3', 'butler cc'].")
        return Row(str(values["id"]), str(values.get("source") or " ".join(tokens)), tokens, items, item_tokens)

    def show(self, row: Row) -> tuple[str, list[str]]:
        return row.source, row.items

    def places(self, row: Row) -> list[list[str]]:
        return [row.source_tokens]

    def lines(self, row: Row) -> list[list[int]]:
        """Return the item that contains each word of the source, or NO_ITEM; the first of several."""
        item_of_word = [NO_ITEM] * len(row.source_tokens)
        for number, item in reversed([*enumerate(row.item_tokens)]):
            for place in range(len(item_of_word) - len(item) + 1):
                if item and row.source_tokens[place : place + len(item)] == item:
                    item_of_word[place : place + len(item)] = [number] * len(item)
        return [item_of_word]

    def protocol(self, data: DataSet) -> str:
        return "pairs"


def _encode_table(table: pa.Table, vocabulary: Vocabulary) -> dict[str, np.ndarray]:
    texts, sources = (table.column(name).to_pylist() for name in ("tokens", "source_tokens"))
    encoded_texts, copied = list[list[str]](), list[bool]()
    for text, source_words in zip(texts, map(frozenset, sources), strict=True):
        cut = vocabulary.cut(text)
        encoded_texts.append([*chain.from_iterable(cut)])
        copied += [word in source_words for word, pieces in zip(text, cut, strict=True) for _ in pieces]
    in_items = [_source(words, vocabulary) for words in sources]
    return copying.encode_part(encoded_texts, in_items, np.array(copied, bool), vocabulary)


def _source(words: Sequence[str], vocabulary: Vocabulary) -> Source:
    """Return the words as one item or, if they are cut, as an item each, so that places are known by word and piece."""
    return vocabulary.cut(words) if vocabulary.merges else [words]


def measure(tokens: Sequence[str], row: Row) -> Coverage:
    """Measure which items a text of T tokens names, in the same way as for a user's table; nothing is extra."""
    facts = [Fact("", item, (tuple(words),)) for item, words in zip(row.items, row.item_tokens, strict=True)]
    coverage = measure_values(Text(tokens, tokens, inflects=False), facts, _NONE_KNOWN)
    return replace(coverage, extra=[], extra_mentions=[])


TASK = PairTask()
