"""Interpolated modified Kneser-Ney of n-grams (Chen and Goodman 1998), a baseline of Lebret et al. 2016, Table 1.

It copies nothing: all numbers of a table are the same word, and its words outside of the vocabulary are unknown words.

Letters: B texts, n hypotheses of each, T text length, V words of the vocabulary, C distinct words of a table, K the
order.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import torch
from torch import Tensor

from allsaid.modeling.counting.ngram_model import NextWords, NgramModel
from allsaid.modeling.data.vocabulary import PAD
from allsaid.modeling.layers.losses import Losses, losses_by_kind
from allsaid.modeling.layers.scores import Scores
from allsaid.modeling.models.base.contract import PerHypothesis, PerText, State
from allsaid.modeling.tables.box_arrays import Batch, Prompts, find
from allsaid.modeling.tables.box_table import Vocabularies
from allsaid.modeling.tasks.box import TASK
from allsaid.settings import number

__all__ = ["TASK", "Settings", "build"]


@dataclass(frozen=True)
class Settings:
    kind: Literal["kneser_ney"] = "kneser_ney"
    order: int = number(5, 1, 6)  # words, including the next one


def build(settings: Settings, vocabularies: Vocabularies, dtype: torch.dtype) -> KneserNey:
    return KneserNey(settings.order, len(vocabularies.text))


@dataclass(frozen=True)
class KneserNeyState(State):
    score: NextWords
    words: PerText  # (B, C) ids of the table's words
    reads: PerText  # (B, C) ids below V
    contexts: PerHypothesis  # (B · n, K - 1) places of the last 1, 2, … words


class KneserNey(NgramModel):
    def loss(self, batch: Batch) -> Losses:
        """Return nll: −Σ log p of the words."""
        table = batch.prompts.words, batch.prompts.reads
        real = batch.targets != PAD
        numbers, targets = (ids[real] for ids in find(*table, batch.targets))
        contexts = self.ngrams.contexts(find(*table, batch.inputs)[1])[real]
        in_table = numbers != 0
        each = -self.ngrams.log_probs_of(contexts, targets)
        return losses_by_kind(each.sum(), each, len(real), {"table": in_table, "other": ~in_table})

    def start(self, prompts: Prompts) -> KneserNeyState:
        """Return the state before the first word of B texts."""
        contexts = self.ngrams.empty(len(prompts.words))
        return KneserNeyState(NextWords(self.ngrams), prompts.words, prompts.reads, contexts)

    def step(self, state: KneserNeyState, tokens: Tensor) -> tuple[Scores, KneserNeyState]:
        """Read one word of each hypothesis; tokens: (B · n,)."""
        _, words = find(state.words, state.reads, tokens.view(len(state.words), -1))
        contexts = self.ngrams.follow(state.contexts, words.flatten())
        return state.score(contexts), replace(state, contexts=contexts)
