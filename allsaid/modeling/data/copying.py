"""Texts that may copy words of their source, as ids; shared by all tasks of such texts.

A source is items of words. A word that the vocabulary of V words lacks is a copy candidate of the example. It gets the
same id from V on everywhere in the example, and a model that copies can generate it. In every perplexity it counts as
an unknown word, so that systems with and without copying can be compared.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from pathlib import Path
from typing import TypeGuard

import numpy as np
import pyarrow as pa
import torch
from torch import Tensor

from allsaid.modeling.config import DataConfig
from allsaid.modeling.data.arrays import FlatTexts, map_from_files
from allsaid.modeling.data.tensors import Tensors, fill_nested, inputs_of, texts_to_learn
from allsaid.modeling.data.vocabulary import (
    UNKNOWN,
    Vocabulary,
    VocabularySet,
    check_counted,
    choose_pieces,
    choose_words,
    count_words,
)

Source = Sequence[Sequence[str]]  # L items, each a list of words


def count_vocabulary(
    tables: Iterable[pa.Table], columns: Sequence[str], where: str, config: DataConfig
) -> VocabularySet:
    """Count the words of some columns of a training part; raises UserError if it has none."""
    counts: Counter[str] = Counter()
    for table in tables:
        for column in columns:
            counts.update(count_words(table.column(column)))
    check_counted(counts, where)
    if config.merges:
        return VocabularySet(choose_pieces(counts, config.text_cutoff, config.merges))
    return VocabularySet(choose_words(counts, config.text_cutoff, config.text_size))


def is_words(value: object) -> TypeGuard[list[str]]:
    """Return whether a value of a row is a list of words, none of them empty."""
    return isinstance(value, list) and all(isinstance(word, str) and word for word in value)


def is_source(value: object) -> TypeGuard[list[list[str]]]:
    """Return whether a value of a row is a list of items, each a list of words."""
    return isinstance(value, list) and all(map(is_words, value))


def own_words(source: Source, vocabulary: Vocabulary) -> dict[str, int]:
    """Return the source words that the vocabulary lacks, by their first place, and their ids from V on."""
    unknown = dict.fromkeys(word for word in chain.from_iterable(source) if word not in vocabulary.ids)
    return {word: len(vocabulary) + number for number, word in enumerate(unknown)}


def to_words(tokens: Sequence[int], source: Source, vocabulary: Vocabulary) -> list[str]:
    """Return the words of a text's ids; those from V on are the source's copy candidates."""
    known = (*vocabulary.words, *own_words(source, vocabulary))
    return [known[token] for token in tokens]


def to_ids(words: Iterable[str], candidates: Mapping[str, int], vocabulary: Vocabulary) -> list[int]:
    """Return the ids of words; candidates: the ids of the source's copy candidates."""
    ids = vocabulary.ids
    return [ids[word] if word in ids else candidates.get(word, UNKNOWN) for word in words]


@dataclass(frozen=True)
class Ids(FlatTexts):
    """A split of N examples as flat arrays; ``x_starts[i]:x_starts[i + 1]`` is the part of example (or item) i."""

    copied: np.ndarray  # whether each word copies a source word, by the data set's string match; bool
    source: np.ndarray  # ids of all items' words, int32
    item_starts: np.ndarray  # N + 1, counts items
    word_starts: np.ndarray  # items + 1, counts words


def encode_parts(parts: Iterable[dict[str, np.ndarray]], folder: Path) -> Ids:
    """Join the results of :func:`encode_part` for a split, write them below ``folder`` and map them into memory."""
    return map_from_files(Ids, parts, folder)


def encode_part(
    texts: Sequence[Sequence[str]], sources: Sequence[Source], copied: np.ndarray, vocabulary: Vocabulary
) -> dict[str, np.ndarray]:
    """Encode some examples as the arrays of :class:`Ids`; copied: bool, of all words of all texts."""
    candidates = [own_words(source, vocabulary) for source in sources]
    text = np.array([*chain.from_iterable(map(to_ids, texts, candidates, [vocabulary] * len(candidates)))], np.int32)
    words = (
        to_ids(chain.from_iterable(source), of, vocabulary) for source, of in zip(sources, candidates, strict=True)
    )
    return {
        "text": text,
        "copied": copied | (text >= len(vocabulary)),  # copy candidates can't be generated in any other way
        "source": np.array([*chain.from_iterable(words)], np.int32),
        "text_starts": _starts(texts),
        "item_starts": _starts(sources),
        "word_starts": _starts([item for source in sources for item in source]),
    }


def _starts(lists: Sequence[Sequence[object]]) -> np.ndarray:
    return np.cumsum([0, *map(len, lists)], dtype=np.int64)


@dataclass(frozen=True)
class Prompts(Tensors):
    """B sources of at most L items with at most W words."""

    items: Tensor  # (B, L, W) ids, copy candidates from V on, padded with PAD


@dataclass(frozen=True)
class Batch(Tensors):
    """B texts to learn; position t of ``inputs`` is answered by position t of the others."""

    prompts: Prompts
    inputs: Tensor  # (B, T) ids: START x_1 … x_n
    targets: Tensor  # (B, T) ids: x_1 … x_n END, then PAD; copy candidates from V on
    copied: Tensor  # (B, T) bool: the target copies a source word by the data set's string match


def collate(ids: Ids, rows: np.ndarray, max_text: int) -> Batch:
    """Batch the examples ``rows`` of a split; texts longer than ``max_text`` tokens are cut there, without an END."""
    targets, sources = texts_to_learn(ids, rows, max_text), []
    copies = torch.zeros_like(targets, dtype=torch.bool)
    for place, row in enumerate(rows):
        flags = ids.copied[ids.text_starts[row] : ids.text_starts[row + 1]][:max_text]
        copies[place, : len(flags)] = torch.from_numpy(flags.copy())
        borders = ids.word_starts[ids.item_starts[row] : ids.item_starts[row + 1] + 1].tolist()
        sources.append([ids.source[first:last].tolist() for first, last in pairwise(borders)])
    return Batch(Prompts(fill_nested(sources)), inputs_of(targets), targets, copies)


def prompts_of(sources: Iterable[Source], vocabulary: Vocabulary) -> Prompts:
    """Return prompts of sources in words, as generation gets them."""
    encoded = []
    for source in sources:
        candidates = own_words(source, vocabulary)
        encoded.append([to_ids(item, candidates, vocabulary) for item in source])
    return Prompts(fill_nested(encoded))
