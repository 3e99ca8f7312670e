"""The task of a document: a language model that knows the entity of each mention (Yang et al. 2016, section 2.3).

No text is generated and nothing is searched: models are compared by their perplexity. A document here is a part of at
most 500 words, as in the data set. Its end is mostly a cut, so it is not predicted.

A model computes two probabilities of each word, both from the words so far and the entities that they mention:
- *annotated*, equation 9: that of the word, of whether it is a mention, and of its entity. Training maximises it. Over
  a document it is a lower bound of the words' probability. So its perplexity may be compared with that of a model
  without entities: it has no advantage from the annotations.
- *marginal*: that of the word alone, summed over all entities that it could mention. It measures how well the next word
  is predicted if the entities so far are known, which a model without entities does not use.
A model without entities has one probability, that of the word.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, runtime_checkable

import numpy as np
import torch
from torch import Tensor, nn

from allsaid.modeling.config import DataConfig
from allsaid.modeling.data.arrays import FlatTexts, flat, look_up, map_from_files, starts
from allsaid.modeling.data.dataset import DataSet, rows_of_tables, sorted_order
from allsaid.modeling.data.tensors import Tensors, fill, inputs_of
from allsaid.modeling.data.vocabulary import (
    PAD,
    SPECIALS,
    UNKNOWN,
    VocabularySet,
    check_counted,
    choose_words,
    count_words,
)
from allsaid.modeling.tasks.contract import MeasuresLosses, Scores
from allsaid.proof.figures import Figure, by_key
from schemas.document import NO_ENTITY, Document
from schemas.errors import UserError

MEASURES = ("perplexity", "marginal")
KINDS = ("", "_entity", "_word")  # kinds of words: all, mentions of entities, the others


@dataclass(frozen=True)
class Ids(FlatTexts):
    """A split of N documents as flat arrays; ``text_starts[i]:text_starts[i + 1]`` are the words of document i."""

    entities: np.ndarray  # the entity of each mention, numbered per document, or NO_ENTITY; int16


@dataclass(frozen=True)
class Batch(Tensors):
    """B documents of at most T words with at most E entities; position t of ``inputs`` is answered by ``targets``."""

    inputs: Tensor  # (B, T) text ids: START x_1 … x_(n-1)
    targets: Tensor  # (B, T) text ids: x_1 … x_n, then PAD
    entities: Tensor  # (B, T) entity of the target, from 0 by first mention; NO_ENTITY for others and padding
    newest: Tensor  # (B, T, E) position in ``inputs`` of the latest mention of each entity, 0 if there is none yet


@runtime_checkable
class GivesLogProbabilities(Protocol):
    """A language model of documents."""

    def annotated(self, batch: Batch) -> Tensor:
        """Return the annotated log-probability (B, T) of each word, 0 for padding."""

    def marginal(self, batch: Batch) -> Tensor:
        """Return the marginal log-probability (B, T) of each word, 0 for padding."""


@dataclass(frozen=True)
class Surprise:
    """The negative log-probability that a model gives to words of some kind, in each of N documents."""

    nats: np.ndarray  # (N,) sum over the words
    words: np.ndarray  # (N,) their number

    @property
    def perplexity(self) -> float | None:
        words = self.words.sum()
        return float(np.exp(self.nats.sum() / words)) if words else None


class DocumentTask(MeasuresLosses[Document, Document, VocabularySet, Ids]):
    borders = ("documents",)
    figures = by_key(
        Figure("perplexity", "perplexity of words with their entities", "", 2, "down", "all"),
        Figure("perplexity_entity", "perplexity of mentions with their entities", "", 2, "down", "entity"),
        Figure("perplexity_word", "perplexity of other words as such", "", 2, "down", "word"),
        Figure("marginal", "perplexity of words alone", "", 2, "down", "all, marginal"),
        Figure("marginal_entity", "perplexity of mentions, of the words alone", "", 2, "down", "entity, marginal"),
        Figure("marginal_word", "perplexity of other words, of the words alone", "", 2, "down", "word, marginal"),
        Figure("unknown_percent", "words outside of the vocabulary", "%", 1, ""),
        Figure("texts", "parts of documents", "", 0, ""),
    )
    deciding = ("perplexity",)
    vocabularies = VocabularySet

    def build_vocabularies(self, data: DataSet, config: DataConfig) -> VocabularySet:
        """Count the training part's words; raises UserError where none is left."""
        counts: Counter[str] = Counter()
        for table in data.tables("train", "documents"):
            counts.update(count_words(table.column("tokens")))
        check_counted(counts, data.where)
        words = choose_words(counts, config.text_cutoff, config.text_size)
        if len(words) == len(SPECIALS):
            raise UserError(
                f"No word of the training part of {data.where} is seen {config.text_cutoff} times, so the vocabulary "
                "is empty. Set text_cutoff lower."
            )
        return VocabularySet(words)

    def examples(self, data: DataSet, split: str) -> Iterator[Document]:
        return rows_of_tables(data.tables(split, "documents"), Document)

    def encode(self, data: DataSet, split: str, vocabularies: VocabularySet, folder: Path) -> Ids:
        pieces = (
            {
                "text": look_up(flat(table, "tokens"), vocabularies.text),
                "entities": flat(table, "entities").to_numpy(),
                "text_starts": starts(table.column("tokens").combine_chunks()),
            }
            for table in data.tables(split, "documents")
        )
        return map_from_files(Ids, pieces, folder)

    def collate(self, ids: Ids, rows: np.ndarray, max_text: int) -> Batch:
        return collate(ids, rows, max_text)

    def measure_losses(self, model: nn.Module, ids: Ids, config: DataConfig) -> dict[str, float]:
        return summarise(surprises(model, ids, config), ids)

    def checks(self, challenger: Scores, champion: Scores) -> list[tuple[bool, str]]:
        """Check that a new model has the lower perplexity."""
        new, old = challenger["perplexity"], champion["perplexity"]
        return [(new < old, f"its perplexity is {new:.2f}, the champion's {old:.2f}")]

    def brief(self, scores: Scores) -> str:
        return f"perplexity {self.figures['perplexity'].show(scores.get('perplexity'))}"

    def show(self, row: Document) -> tuple[str, list[str]]:
        """Return the document's name, and its entities by their first mentions."""
        firsts = [row.originals[row.entities.index(entity)] for entity in range(len(row.chains))]
        return f"{row.name}, part {row.part_number + 1}", firsts

    def protocol(self, data: DataSet) -> str:
        return "documents"


def collate(ids: Ids, rows: np.ndarray, max_text: int) -> Batch:
    """Batch the documents ``rows`` of a split, each cut to ``max_text`` words."""
    parts = [
        slice(start, min(end, start + max_text))
        for start, end in zip(ids.text_starts[rows], ids.text_starts[rows + 1], strict=True)
    ]
    targets = fill([ids.text[part].tolist() for part in parts], PAD)
    entities = fill([ids.entities[part].tolist() for part in parts], NO_ENTITY)
    return Batch(inputs_of(targets), targets, entities, newest_mentions(entities))


def newest_mentions(entities: Tensor) -> Tensor:
    """Return the position of the latest mention of each entity in the inputs (B, T, E); entities: (B, T) of targets.

    A target is the input one position later.
    """
    texts, length = entities.shape
    newest = np.zeros((texts, length, max(0, int(entities.max()) + 1)), np.int64)
    row, place = (entities[:, :-1] != NO_ENTITY).nonzero().numpy().T
    newest[row, place + 1, entities[row, place].numpy()] = place + 1
    return torch.from_numpy(np.maximum.accumulate(newest, axis=1))


@torch.no_grad()
def surprises(model: nn.Module, ids: Ids, config: DataConfig) -> dict[str, Surprise]:
    """Measure a model's surprise at each of N documents, N at least 1, by the names of the perplexities."""
    assert isinstance(model, GivesLogProbabilities)
    device = next(model.parameters()).device
    model.eval()
    sums = {measure + kind: np.zeros((2, len(ids))) for measure in MEASURES for kind in KINDS}
    for rows in sorted_order(ids.lengths, config.batch_size):
        batch = collate(ids, rows, config.max_text).to(device)
        real, mentions = batch.targets != PAD, batch.entities != NO_ENTITY
        logs = {"perplexity": model.annotated(batch), "marginal": model.marginal(batch)}
        for kind, selected in zip(KINDS, (real, mentions, real & ~mentions), strict=True):
            for measure in MEASURES:
                nats = -logs[measure].masked_fill(~selected, 0).sum(1)
                sums[measure + kind][:, rows] = torch.stack([nats, selected.sum(1)]).cpu().numpy()
    return {name: Surprise(*columns) for name, columns in sums.items()}


def summarise(found: Mapping[str, Surprise], ids: Ids) -> dict[str, float]:
    """Return the scores of a split from the model's surprise; a kind without words gets no perplexity."""
    perplexities = {name: surprise.perplexity for name, surprise in found.items()}
    unknown = np.count_nonzero(ids.text == UNKNOWN) / max(1, len(ids.text))
    known = {name: value for name, value in perplexities.items() if value is not None}
    return {**known, "unknown_percent": 100 * unknown, "texts": len(ids)}


TASK = DocumentTask()
