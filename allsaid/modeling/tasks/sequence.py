"""The task of a sequence: a text from items of words that it may copy (Yang et al. 2016, section 2.2).

The source is the words of all items; in recipes of allrecipes an item is an ingredient line.
`allsaid.modeling.data.copying` defines the ids of words.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
import pyarrow as pa

from allsaid.modeling.config import DataConfig
from allsaid.modeling.data.copying import (
    Ids,
    Prompts,
    Vocabularies,
    count_vocabulary,
    encode_part,
    encode_parts,
    prompts_of,
    to_words,
)
from allsaid.modeling.data.copying import collate as collate
from allsaid.modeling.data.dataset import DataSet
from allsaid.modeling.text.restore import learn_casing
from allsaid.modeling.text.surface import surface_of
from allsaid.proof.figures import FIGURES as SHARED
from allsaid.proof.figures import Figure
from allsaid.proof.scores import bleu, check_bleu
from schemas.copy import MAX_INGREDIENT_TOKENS, NO_COPY
from schemas.errors import UserError

BORDERS = ("copies",)
DECIDING = ("perplexity", "bleu")
FIGURES = SHARED | {
    figure.key: figure
    for figure in (
        Figure("perplexity", "perplexity of all words", "", 2, "down", "all"),
        Figure("perplexity_source", "perplexity of words that stand in the source", "", 2, "down", "in the source"),
        Figure("perplexity_other", "perplexity of the other words", "", 2, "down", "other"),
    )
}
# Modules are named here and never imported: no room below may import them.
OF_AGENDAS = "allsaid.modeling.tasks.agenda_sequence"  # the task for data sets of examples


@dataclass(frozen=True)
class Row:
    """The input of a text."""

    id: str
    title: str  # for readers only: no model reads it
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
    """Count the training part's words; raises UserError where it has none."""
    columns = ("tokens", "ingredient_tokens")
    return count_vocabulary(data.copies("train"), columns, config.text_cutoff, data.where, config.text_size)


def background(data: DataSet) -> dict[str, Any]:
    written: Iterator[Any] = examples(data, "train")
    return {"casing": learn_casing(written)}


def examples(data: DataSet, split: str) -> Iterator[Example]:
    for table in data.copies(split):
        for batch in table.to_batches(max_chunksize=1000):
            columns = ("id", "title", "ingredients", "ingredient_tokens", "text", "tokens")
            yield from map(Example, *(batch.column(name).to_pylist() for name in columns))


def read_row(values: Mapping[str, Any]) -> Row:
    """Return a row in the format of the data sets; raises UserError where it has no source."""
    tokens: Any = values.get("ingredient_tokens")
    is_source = isinstance(tokens, list) and all(isinstance(item, list) for item in tokens)
    if not is_source or not all(isinstance(word, str) and word for item in tokens for word in item) or not any(tokens):
        raise UserError("The row has no 'ingredients', a list of lines such as ['3 leeks', '2 tablespoons butter'].")
    if (words := sum(map(len, tokens))) > MAX_INGREDIENT_TOKENS:
        raise UserError(f"The ingredients have {words:,} words; at most {MAX_INGREDIENT_TOKENS:,} can be read.")
    items = values.get("ingredients") or [" ".join(item) for item in tokens]
    if len(items) != len(tokens):
        raise UserError(f"The row has {len(items)} 'ingredients', but 'ingredient_tokens' of {len(tokens)}.")
    return Row(str(values["id"]), str(values.get("title") or ""), items, tokens)


def encode(data: DataSet, split: str, vocabularies: Vocabularies, folder: Path) -> Ids:
    """Write a split's ids as arrays under ``folder`` and map them into memory."""
    return encode_parts((_encode_table(table, vocabularies) for table in data.copies(split)), folder)


def _encode_table(table: pa.Table, vocabularies: Vocabularies) -> dict[str, np.ndarray]:
    texts, sources = (table.column(name).to_pylist() for name in ("tokens", "ingredient_tokens"))
    copied = table.column("copy_items").combine_chunks().flatten().to_numpy() != NO_COPY
    return encode_part(texts, sources, copied, vocabularies.text)


def prompts(rows: Sequence[Row], vocabularies: Vocabularies) -> Prompts:
    """Return prompts of rows in words, as generation gets them."""
    return prompts_of((row.item_tokens for row in rows), vocabularies.text)


def words(tokens: Sequence[int], row: Row, vocabularies: Vocabularies) -> list[str]:
    """Return the words of a text's ids; those from V on are the row's copy candidates."""
    return to_words(tokens, row.item_tokens, vocabularies.text)


@dataclass(frozen=True)
class Scores:
    """Scores of a split; perplexities are of the model that generated the texts, on all texts; references have none."""

    bleu: float  # corpus BLEU-4 over words, 0 to 100
    tokens: float  # per text
    texts: int
    perplexity: float | None = None
    perplexity_source: float | None = None  # of the words that are in the source
    perplexity_other: float | None = None


def score(texts: Sequence[Sequence[str]], examples: Sequence[Example], lexicon: Any) -> Scores:
    return Scores(
        bleu=bleu(texts, [example.tokens for example in examples]),
        tokens=fmean(map(len, texts)),
        texts=len(texts),
    )


def checks(challenger: Any, champion: Any) -> list[tuple[bool, str]]:
    """Check that a new model predicts the dev texts better, and that its texts are hardly worse."""
    ours, before = (FIGURES["perplexity"].show(scores.perplexity) for scores in (challenger, champion))
    return [
        (challenger.perplexity < champion.perplexity, f"its perplexity is {ours}, the champion's {before}"),
        check_bleu(challenger, champion),
    ]


def brief(scores: Scores) -> str:
    return f"of source words {scores.perplexity_source:.2f}, BLEU {scores.bleu:.1f}"


def show(row: Row) -> tuple[str, list[str]]:
    return row.title, row.items


def places(row: Row) -> list[list[str]]:
    return row.item_tokens


def protocol(data: DataSet) -> str:
    return "sequences"
