"""Kneser-Ney of templates (Lebret et al. 2016, section 5.2): n-grams of words and of places of a table.

A text may only contain templates of its own table. The others are excluded, and their probability is distributed over
the rest in proportion: p(w | context, table) = p(w | context) / Σ of p over the allowed words. Search and perplexity
use this distribution.

Letters: B texts, n hypotheses of each, V words and templates, K the order.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import torch
from torch import Tensor

from allsaid.modeling.counting.ngram_model import NextWords, NgramModel
from allsaid.modeling.data.vocabulary import PAD, VocabularySet
from allsaid.modeling.layers.losses import Losses, losses_by_kind
from allsaid.modeling.layers.scores import Scores
from allsaid.modeling.models.base.contract import PerHypothesis, PerText, State
from allsaid.modeling.tasks.template import TASK, Batch, Prompts, is_template
from allsaid.settings import number

__all__ = ["TASK", "Settings", "build"]
CONTEXTS = 256  # contexts whose next words are summed at once


@dataclass(frozen=True)
class Settings:
    kind: Literal["template_kn"] = "template_kn"
    order: int = number(5, 1, 6)  # words, including the next one


def build(settings: Settings, vocabularies: VocabularySet, dtype: torch.dtype) -> TemplateKneserNey:
    return TemplateKneserNey(settings.order, [is_template(word) for word in vocabularies.text.words])


@dataclass(frozen=True)
class TemplateState(State):
    score: NextWords
    barred: PerText  # (B, V) bool: templates of other tables
    contexts: PerHypothesis  # (B · n, K - 1) places of the last 1, 2, … words


class TemplateKneserNey(NgramModel):
    is_template: Tensor  # (V,) bool

    def __init__(self, order: int, is_template: list[bool]) -> None:
        """order: K; is_template: of each of V words."""
        super().__init__(order, len(is_template))
        self.register_buffer("is_template", torch.tensor(is_template))

    def loss(self, batch: Batch) -> Losses:
        """Return nll: −Σ log p of words and templates."""
        real = batch.targets != PAD
        targets, contexts = batch.targets[real], self.ngrams.contexts(batch.inputs)[real]
        texts = torch.arange(len(real), device=real.device).unsqueeze(1).expand_as(real)[real]
        allowed = self._log_allowed(contexts, self._barred(batch.prompts)[texts].t())
        each = allowed - self.ngrams.log_probs_of(contexts, targets)
        in_table = self.is_template[targets]
        return losses_by_kind(each.sum(), each, len(real), {"table": in_table, "other": ~in_table})

    def start(self, prompts: Prompts) -> TemplateState:
        """Return the state before the first word of B texts."""
        contexts = self.ngrams.empty(len(prompts.templates))
        return TemplateState(NextWords(self.ngrams), self._barred(prompts), contexts)

    def step(self, state: TemplateState, tokens: Tensor) -> tuple[Scores, TemplateState]:
        """Read one word of each hypothesis; tokens: (B · n,)."""
        contexts = self.ngrams.follow(state.contexts, tokens)
        scores = state.score(contexts)
        values, room = scores.values[: scores.words], scores.room[: scores.words]
        values.view(len(values), len(state.barred), -1).masked_fill_(state.barred.t().unsqueeze(2), float("-inf"))
        allowed = torch.exp(values, out=room).sum(0).log_()
        return replace(scores, log_normaliser=allowed), replace(state, contexts=contexts)

    def _barred(self, prompts: Prompts) -> Tensor:
        """Return which templates each table lacks, (B, V) bool."""
        return self.is_template.repeat(len(prompts.templates), 1).scatter(1, prompts.templates, False)

    def _log_allowed(self, contexts: Tensor, barred: Tensor) -> Tensor:
        """Return log Σ p of the allowed words after contexts (N, K - 1); barred: (V, N) bool."""
        totals = torch.empty(len(contexts), device=contexts.device)
        for first in range(0, len(contexts), CONTEXTS):
            part = contexts[first : first + CONTEXTS]
            logs = torch.empty(self.ngrams.words, len(part), device=part.device)
            self.ngrams.write_all(part, logs)
            probs = logs.exp_().masked_fill_(barred[:, first : first + CONTEXTS], 0)
            totals[first : first + CONTEXTS] = probs.sum(0).log_()
        return totals
