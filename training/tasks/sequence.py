"""The task of a sequence: items of words in, a text out that may copy their words (Yang et al. 2016, section 2.2).

The source is what all items hold, word by word; in recipes of allrecipes an item is an ingredient line. A source word
that the vocabulary of V words lacks is a word of the example's own: it gets an id from V on, the same one wherever the
example has it, and a model that copies can write it. In every perplexity it counts as an unknown word, so that systems
that copy and others may be compared.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from itertools import chain, pairwise
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
import pyarrow as pa
import torch
from torch import Tensor

from allsaid.console import UserError
from schemas.copy import MAX_INGREDIENT_TOKENS, NO_COPY
from training.config import DataConfig
from training.metrics.figures import FIGURES as SHARED
from training.metrics.figures import Figure
from training.metrics.scores import bleu, check_bleu
from training.tasks.arrays import FlatTexts, map_from_files
from training.tasks.dataset import DataSet
from training.tasks.restore import learn_casing
from training.tasks.surface import surface_of
from training.tasks.tensors import Tensors, fill
from training.tasks.vocabulary import (
    END,
    PAD,
    START,
    UNKNOWN,
    Vocabulary,
    VocabularySet,
    choose_words,
    count_words,
)

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
# Named and never imported here: no room below may import them.
JUDGE = "batch_infer.proof.ingredients"
RAW = "batch_infer.rows.ingredient_lines"


@dataclass(frozen=True)
class Vocabularies(VocabularySet):
    """One for sources and texts."""


@dataclass(frozen=True)
class Row:
    """What a text is made from."""

    id: str
    title: str  # for people: no model reads it
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
    counts: Counter[str] = Counter()
    for table in data.copies("train"):
        for column in ("tokens", "ingredient_tokens"):
            counts.update(count_words(table.column(column)))
    if not counts:
        raise UserError(f"The training part of {data.where} is empty, so there is nothing to learn.")
    return Vocabularies(choose_words(counts, config.text_cutoff))


def background(data: DataSet) -> dict[str, Any]:
    written: Iterator[Any] = examples(data, "train")
    return {"casing": learn_casing(written)}


def examples(data: DataSet, split: str) -> Iterator[Example]:
    for table in data.copies(split):
        for batch in table.to_batches(max_chunksize=1000):
            columns = ("id", "title", "ingredients", "ingredient_tokens", "text", "tokens")
            yield from map(Example, *(batch.column(name).to_pylist() for name in columns))


def read_row(values: Mapping[str, Any]) -> Row:
    """A row as the data sets have it; raises UserError where it has no source."""
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


def own_words(item_tokens: Sequence[Sequence[str]], vocabulary: Vocabulary) -> dict[str, int]:
    """The source words that the vocabulary lacks, by their first place, and their ids from V on."""
    unknown = dict.fromkeys(word for word in chain.from_iterable(item_tokens) if word not in vocabulary.ids)
    return {word: len(vocabulary) + number for number, word in enumerate(unknown)}


@dataclass(frozen=True)
class Ids(FlatTexts):
    """A split of N examples as flat arrays; ``x_starts[i]:x_starts[i + 1]`` is the part of example (or item) i."""

    copied: np.ndarray  # whether each copies a source word, by the data set's string match; bool
    source: np.ndarray  # ids of all items' words, int32
    item_starts: np.ndarray  # N + 1, counts items
    word_starts: np.ndarray  # items + 1, counts words


def encode(data: DataSet, split: str, vocabularies: Vocabularies, folder: Path) -> Ids:
    """Write a split's ids as arrays under ``folder`` and map them into memory."""
    parts: dict[str, list[np.ndarray]] = {column.name: [] for column in fields(Ids)}
    for table in data.copies(split):
        for name, values in _encode_table(table, vocabularies.text).items():
            parts[name].append(values)
    return Ids(**map_from_files(parts, folder))


def _encode_table(table: pa.Table, vocabulary: Vocabulary) -> dict[str, np.ndarray]:
    texts, sources = (table.column(name).to_pylist() for name in ("tokens", "ingredient_tokens"))
    own = [own_words(items, vocabulary) for items in sources]
    copied = table.column("copy_items").combine_chunks().flatten().to_numpy() != NO_COPY
    text = np.array([*chain.from_iterable(map(_look_up, texts, own, [vocabulary] * len(own)))], np.int32)
    words = (_look_up(chain.from_iterable(items), of, vocabulary) for items, of in zip(sources, own, strict=True))
    return {
        "text": text,
        "copied": copied | (text >= len(vocabulary)),  # nothing else can write a word of the example's own
        "source": np.array([*chain.from_iterable(words)], np.int32),
        "text_starts": _starts(texts),
        "item_starts": _starts(sources),
        "word_starts": _starts([item for items in sources for item in items]),
    }


def _look_up(words: Any, own: Mapping[str, int], vocabulary: Vocabulary) -> list[int]:
    ids = vocabulary.ids
    return [ids[word] if word in ids else own.get(word, UNKNOWN) for word in words]


def _starts(lists: Sequence[Sequence[Any]]) -> np.ndarray:
    return np.cumsum([0, *map(len, lists)], dtype=np.int64)


@dataclass(frozen=True)
class Prompts(Tensors):
    """B sources of at most L items with at most W words."""

    items: Tensor  # (B, L, W) ids, the example's own words from V on, filled up with PAD


@dataclass(frozen=True)
class Batch(Tensors):
    """B texts to learn; position t of ``inputs`` is answered by position t of the others."""

    prompts: Prompts
    inputs: Tensor  # (B, T) ids: START x_1 … x_n
    targets: Tensor  # (B, T) ids: x_1 … x_n END, then PAD; the example's own words from V on
    copied: Tensor  # (B, T) bool: by the data set's string match the target copies a source word


def collate(ids: Ids, rows: np.ndarray, max_text: int) -> Batch:
    """Batch the examples ``rows`` of a split; texts longer than ``max_text`` tokens are cut there, without an END."""
    texts, copied, sources = [], [], []
    for row in rows:
        start, end = ids.text_starts[row], ids.text_starts[row + 1]
        cut = min(end, start + max_text)
        texts.append([*ids.text[start:cut].tolist(), *([END] if cut == end else [])])
        copied.append(ids.copied[start:cut].tolist())
        borders = ids.word_starts[ids.item_starts[row] : ids.item_starts[row + 1] + 1].tolist()
        sources.append([ids.source[first:last].tolist() for first, last in pairwise(borders)])
    targets = fill(texts, PAD)
    inputs = torch.cat([torch.full_like(targets[:, :1], START), targets[:, :-1]], dim=1)
    copies = torch.zeros_like(targets, dtype=torch.bool)
    for row, flags in enumerate(copied):
        copies[row, : len(flags)] = torch.tensor(flags, dtype=torch.bool)
    return Batch(_make_prompts(sources), inputs, targets, copies)


def prompts(rows: Sequence[Row], vocabularies: Vocabularies) -> Prompts:
    """Prompts as generation gets them, in words."""
    vocabulary, sources = vocabularies.text, []
    for row in rows:
        own = own_words(row.item_tokens, vocabulary)
        sources.append([_look_up(item, own, vocabulary) for item in row.item_tokens])
    return _make_prompts(sources)


def _make_prompts(sources: Sequence[Sequence[Sequence[int]]]) -> Prompts:
    longest = max((len(item) for items in sources for item in items), default=0)
    filled = np.full((len(sources), max(1, *map(len, sources)), max(1, longest)), PAD, np.int64)
    for row, items in enumerate(sources):
        for place, item in enumerate(items):
            filled[row, place, : len(item)] = item
    return Prompts(torch.from_numpy(filled))


def words(tokens: Sequence[int], row: Row, vocabularies: Vocabularies) -> list[str]:
    """The words of a text's ids; those from V on are the row's own."""
    known = (*vocabularies.text.words, *own_words(row.item_tokens, vocabularies.text))
    return [known[token] for token in tokens]


@dataclass(frozen=True)
class Scores:
    """Perplexities are of the model that wrote the texts, on all texts of the part; people's texts have none."""

    bleu: float  # corpus BLEU-4 over words, 0 to 100
    words: float  # a text
    texts: int
    perplexity: float | None = None
    perplexity_source: float | None = None  # of the words that stand in the source
    perplexity_other: float | None = None


def score(texts: Sequence[Sequence[str]], examples: Sequence[Example], lexicon: Any) -> Scores:
    return Scores(
        bleu=bleu(texts, [example.tokens for example in examples]),
        words=fmean(map(len, texts)),
        texts=len(texts),
    )


def checks(challenger: Any, champion: Any) -> list[tuple[bool, str]]:
    """A new model must guess the dev texts better, and write texts that are hardly worse."""
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


def protocol(data: DataSet) -> tuple[str, str]:
    return "sequences", "evaluation.tasks.sequences"
