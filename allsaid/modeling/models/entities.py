"""The language model with entity states of Yang et al. 2016, section 2.3, and the LSTM alone (table 6).

Before each word the model decides whether it is a mention (z), then of which entity (v): one of the document so far or
a new one. A mention is predicted from the state of its entity, which is the LSTM's state after the latest mention. A
new entity has the learned state of a virtual empty entity, slot 0. The true mentions of the words so far are known,
both in training and in evaluation. So all states of a document can be computed at once, and only the LSTM runs word by
word.

Letters: B documents, T words, E entities, k hidden size, V words of the vocabulary.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from allsaid.modeling.data.vocabulary import PAD, VocabularySet
from allsaid.modeling.layers.gradients import ProjectedNll, TargetLogProbs
from allsaid.modeling.layers.losses import Losses
from allsaid.modeling.models.base.initial import init_uniform
from allsaid.modeling.tasks import document
from allsaid.modeling.tasks.document import Batch
from allsaid.settings import number
from schemas.document import NO_ENTITY

TASK = document.TASK


@dataclass(frozen=True)
class Settings:
    kind: Literal["entities"] = "entities"
    hidden: int = number(128, 1)
    init: float = number(0.1, 0)
    dropout: float = number(0.3, 0, 0.9)  # after the embedding and after the LSTM
    entity_states: bool = True  # false: the LSTM alone


def build(settings: Settings, vocabularies: VocabularySet, dtype: torch.dtype) -> Entities:
    return Entities(settings, len(vocabularies.text), dtype)


@dataclass(frozen=True)
class Choices:
    """Entities that the model may point to before each word."""

    states: Tensor  # (B, T, E + 1, k) of the empty entity, then of each entity
    is_open: Tensor  # (B, T, E + 1) bool: the empty one, and those mentioned so far
    log_v: Tensor  # (B, T, E + 1) log p(v)
    switch: Tensor  # (B, T) z before its sigmoid


class Entities(nn.Module):
    def __init__(self, config: Settings, words: int, dtype: torch.dtype = torch.float32) -> None:
        """words: V; dtype: of the product with the vocabulary."""
        super().__init__()
        k = config.hidden
        self.config, self.dtype = config, dtype
        self.embedding = nn.Parameter(torch.empty(words, k))
        self.drop = nn.Dropout(config.dropout)
        self.lstm = nn.LSTM(k, k, batch_first=True)
        self.w_1 = nn.Parameter(torch.empty(words, k))
        if config.entity_states:
            self.empty = nn.Parameter(torch.empty(1, k))  # h^e_0
            # ATTN of Bahdanau et al. 2014: v tanh(W h^e + U h)
            self.key, self.query = nn.Linear(k, k, bias=False), nn.Linear(k, k, bias=False)
            self.score = nn.Linear(k, 1, bias=False)
            self.w_z = nn.Linear(2 * k, 1, bias=False)
            self.w_2 = nn.Linear(2 * k, k, bias=False)
        init_uniform(self, config.init)

    def loss(self, batch: Batch) -> Losses:
        """Return −Σ log of equation 9: p(z) p(v) p(word | v) for a mention, p(z) p(word) for any word that is none."""
        real, h = batch.targets != PAD, self._lstm_states(batch)
        outputs, log_choice = self._true_choices(h, batch)
        w_1 = self.w_1.to(self.dtype)
        nll = ProjectedNll.apply(outputs[real], w_1, batch.targets[real]) - log_choice[real].sum()
        return Losses({"nll": nll}, len(real), real.sum())

    def annotated(self, batch: Batch) -> Tensor:
        """Return log p(word, z, v | words and entities so far) (B, T), equation 9; 0 for padding. Without gradients."""
        real, h = batch.targets != PAD, self._lstm_states(batch)
        outputs, log_choice = self._true_choices(h, batch)
        return self._scatter(real, self._log_probs(outputs[real], batch.targets[real]) + log_choice[real])

    def marginal(self, batch: Batch) -> Tensor:
        """Return log p(word | words and entities so far) (B, T), over z and v; 0 for padding. Without gradients."""
        real, h = batch.targets != PAD, self._lstm_states(batch)
        plain_word = self._log_probs(h[real], batch.targets[real])
        if not self.config.entity_states:
            return self._scatter(real, plain_word)
        choices = self._choices(h, batch)
        place = (choices.is_open & real.unsqueeze(2)).nonzero(as_tuple=True)
        pointed = torch.full_like(choices.log_v, -torch.inf)
        outputs = self._from_entity(choices.states[place], h[place[:2]])
        pointed[place] = choices.log_v[place] + self._log_probs(outputs, batch.targets[place[:2]])
        pointed_word = F.logsigmoid(choices.switch[real]) + pointed[real].logsumexp(1)
        return self._scatter(real, torch.logaddexp(F.logsigmoid(-choices.switch[real]) + plain_word, pointed_word))

    def _lstm_states(self, batch: Batch) -> Tensor:
        """Return the state h before each target (B, T, k)."""
        x = self.drop(F.embedding(batch.inputs, self.embedding))
        return self.drop(self.lstm(x)[0])

    def _true_choices(self, h: Tensor, batch: Batch) -> tuple[Tensor, Tensor]:
        """Return the inputs of the projection (B, T, k), and log p(z) or log p(z) p(v) of the true z and v (B, T)."""
        if not self.config.entity_states:
            return h, torch.zeros_like(h[:, :, 0])
        choices, is_mention = self._choices(h, batch), batch.entities != NO_ENTITY
        log_z = F.logsigmoid(torch.where(is_mention, choices.switch, -choices.switch))
        place = is_mention.nonzero(as_tuple=True)
        entity = batch.entities[place]
        # `newest` has the position of each entity's latest mention; 0, before the first one, means the empty entity.
        slot = torch.where(batch.newest[*place, entity] > 0, entity + 1, 0)
        outputs = h.index_put(place, self._from_entity(choices.states[*place, slot], h[place]))
        return outputs, log_z.index_put(place, choices.log_v[*place, slot], accumulate=True)

    def _choices(self, h: Tensor, batch: Batch) -> Choices:
        states = self._by_entity(self.empty, h, batch.newest)
        keys = self._by_entity(self.key(self.empty), self.key(h), batch.newest)
        scores = self.score(torch.tanh(keys + self.query(h).unsqueeze(2))).squeeze(3)
        is_open = F.pad(batch.newest > 0, (1, 0), value=True)
        log_v = scores.masked_fill(~is_open, torch.finfo(scores.dtype).min).log_softmax(2)
        expected_state = (log_v.exp().unsqueeze(3) * states).sum(2)
        return Choices(states, is_open, log_v, self.w_z(torch.cat([expected_state, h], dim=2)).squeeze(2))

    def _by_entity(self, empty: Tensor, states: Tensor, newest: Tensor) -> Tensor:
        """Return the empty entity's state (1, k) and those (B, T, k) at the latest mentions, as (B, T, E + 1, k)."""
        row = torch.arange(len(states), device=states.device).view(-1, 1, 1)
        return torch.cat([empty.expand(*states.shape[:2], 1, -1), states[row, newest]], dim=2)

    def _from_entity(self, state: Tensor, h: Tensor) -> Tensor:
        """Combine the entity's state with the LSTM's, (N, k) each, into the projection's input (N, k) at a mention."""
        return torch.tanh(self.w_2(torch.cat([state, h], dim=1)))

    def _log_probs(self, outputs: Tensor, targets: Tensor) -> Tensor:
        log_probs: Tensor = TargetLogProbs.apply(outputs, self.w_1.to(self.dtype), targets)
        return log_probs

    def _scatter(self, real: Tensor, values: Tensor) -> Tensor:
        """Return a tensor with the values at the places that are no padding, and 0 at the others."""
        return torch.zeros(real.shape, dtype=values.dtype, device=values.device).masked_scatter(real, values)
