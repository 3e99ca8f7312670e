"""The task of a pair: a text from a sequence of words that it may copy (Benmalek et al. 2019, section 4).

`allsaid.modeling.data.copying` defines the ids of words; here its source is one item. Where words are cut into pieces
(`allsaid.modeling.data.pieces`), each word is an item of its pieces. If the corpus marks the parts of the source that a
text has to name, such as the values of a logical form, these are the row's items.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from allsaid.modeling.config import DataConfig
from allsaid.modeling.data.copying import (
    Ids,
    Prompts,
    Source,
    Vocabularies,
    count_vocabulary,
    encode_part,
    encode_parts,
    prompts_of,
    to_words,
)
from allsaid.modeling.data.copying import collate as collate
from allsaid.modeling.data.dataset import DataSet
from allsaid.modeling.data.vocabulary import Vocabulary
from allsaid.modeling.tasks import sequence
from allsaid.modeling.tasks.sequence import DECIDING as DECIDING
from allsaid.modeling.tasks.sequence import OF_AGENDAS as OF_AGENDAS
from allsaid.modeling.tasks.sequence import brief as brief
from allsaid.modeling.tasks.sequence import checks as checks
from allsaid.modeling.tasks.sequence import score as score
from allsaid.modeling.text.restore import learn_casing
from allsaid.modeling.text.surface import surface_of
from allsaid.proof.coverage import Coverage
from allsaid.proof.figures import Figure
from allsaid.proof.values.matching import Fact, Inventory, Text, measure_values
from schemas.errors import UserError
from schemas.example import NO_ITEM
from schemas.pair import MAX_SOURCE_TOKENS

BORDERS = ("pairs",)
FIGURES = sequence.FIGURES | {
    figure.key: figure
    for figure in (
        Figure("bleu/sentence", "mean BLEU-4 of each text, smoothed by adding one", "", 2, "up", "BLEU-4 of a text"),
        Figure("rouge_l", "ROUGE-L F against the example's own text", "", 2, "up", "ROUGE-L"),
        Figure("percent_given", "values named", "%", 1, "up", "% named"),
        Figure("attention_entropy", "entropy of the attention at a word, in nats", "", 3, "down", "entropy, nats"),
    )
}
# Modules are named here and never imported: no room below may import them.
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
class Example(Row):
    text: str
    tokens: list[str]  # T

    @cached_property
    def surface(self) -> list[str]:
        return surface_of(self.text, self.tokens)


def build_vocabularies(data: DataSet, config: DataConfig) -> Vocabularies:
    """Count the training part's words, and learn their pieces; raises UserError where it has none."""
    columns = ("tokens", "source_tokens")
    return count_vocabulary(
        data.pairs("train"), columns, config.text_cutoff, data.where, config.text_size, config.merges
    )


def background(data: DataSet) -> dict[str, Any]:
    written: Iterator[Any] = examples(data, "train")
    return {"casing": learn_casing(written)}


def examples(data: DataSet, split: str) -> Iterator[Example]:
    for table in data.pairs(split):
        for batch in table.to_batches(max_chunksize=1000):
            columns = ("id", "source", "source_tokens", "items", "item_tokens", "text", "tokens")
            yield from map(Example, *(batch.column(name).to_pylist() for name in columns))


def read_row(values: Mapping[str, Any]) -> Row:
    """Return a row in the format of the data sets; raises UserError where it has no source."""
    tokens = values.get("source_tokens")
    if not is_words(tokens) or not tokens:
        raise UserError("The row has no 'source', a text such as 'select player where number = \"3\"'.")
    if len(tokens) > MAX_SOURCE_TOKENS:
        raise UserError(f"The source has {len(tokens):,} words; at most {MAX_SOURCE_TOKENS:,} can be read.")
    items, item_tokens = values.get("items") or [], values.get("item_tokens") or []
    if not all(map(is_words, item_tokens)) or len(items) != len(item_tokens):
        raise UserError("The row's 'items' are no list of texts such as ['3', 'butler cc'].")
    return Row(str(values["id"]), str(values.get("source") or " ".join(tokens)), tokens, items, item_tokens)


def is_words(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(word, str) and word for word in value)


def encode(data: DataSet, split: str, vocabularies: Vocabularies, folder: Path) -> Ids:
    """Write a split's ids as arrays under ``folder`` and map them into memory."""
    return encode_parts((_encode_table(table, vocabularies) for table in data.pairs(split)), folder)


def _encode_table(table: pa.Table, vocabularies: Vocabularies) -> dict[str, np.ndarray]:
    texts, sources = (table.column(name).to_pylist() for name in ("tokens", "source_tokens"))
    vocabulary, written, copied = vocabularies.text, list[list[str]](), list[bool]()
    for text, there in zip(texts, map(frozenset, sources), strict=True):
        cut = vocabulary.cut(text)
        written.append([*chain.from_iterable(cut)])
        copied += [word in there for word, found in zip(text, cut, strict=True) for _ in found]
    return encode_part(written, [_source(words, vocabulary) for words in sources], np.array(copied, bool), vocabulary)


def _source(words: Sequence[str], vocabulary: Vocabulary) -> Source:
    """Return the words as one item or, if they are cut, as an item each, so that places are known by word and piece."""
    return vocabulary.cut(words) if vocabulary.merges else [words]


def prompts(rows: Sequence[Row], vocabularies: Vocabularies) -> Prompts:
    """Return prompts of rows, as generation gets them."""
    return prompts_of((_source(row.source_tokens, vocabularies.text) for row in rows), vocabularies.text)


def pieces(tokens: Sequence[int], row: Row, vocabularies: Vocabularies) -> list[str]:
    """Return the pieces of a text's ids; those from V on are the row's copy candidates."""
    return to_words(tokens, _source(row.source_tokens, vocabularies.text), vocabularies.text)


def words(tokens: Sequence[int], row: Row, vocabularies: Vocabularies) -> list[str]:
    """Return the words of a text's ids; those from V on are the row's copy candidates."""
    return vocabularies.text.join(pieces(tokens, row, vocabularies))


def measure(tokens: Sequence[str], row: Row) -> Coverage:
    """Measure which items a text of T tokens names, in the same way as for a user's table; nothing is extra."""
    facts = [Fact("", item, (tuple(words),)) for item, words in zip(row.items, row.item_tokens, strict=True)]
    found = measure_values(Text(tokens, tokens, inflects=False), facts, _NONE_KNOWN)
    return replace(found, extra=[], extra_mentions=[])


def show(row: Row) -> tuple[str, list[str]]:
    return row.source, row.items


def places(row: Row) -> list[list[str]]:
    return [row.source_tokens]


def lines(row: Row) -> list[list[int]]:
    """Return the item that contains each word of the source, or NO_ITEM; the first of several."""
    found = [NO_ITEM] * len(row.source_tokens)
    for number, item in reversed([*enumerate(row.item_tokens)]):
        for place in range(len(found) - len(item) + 1):
            if item and row.source_tokens[place : place + len(item)] == item:
                found[place : place + len(item)] = [number] * len(item)
    return [found]


def protocol(data: DataSet) -> str:
    return "pairs"
