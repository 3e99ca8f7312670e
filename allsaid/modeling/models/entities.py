"""The language model with entity states of Yang et al. 2016, section 2.3, and the LSTM that it is made of (table 6).

Before each word the model decides whether it is a mention (z), then of which entity (v), an entity of the document so
far or a new one; the word is written from the entity's state, which is the LSTM's state after its newest mention. A
new entity has the learned state of a virtual empty one, slot 0. The mentions of the words so far are given, in training
and in measuring, so all states of a document are known beforehand and nothing but the LSTM runs word by word.

Letters: B documents, T words, E entities, k hidden size, V words of the vocabulary.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from allsaid.modeling.data.vocabulary import PAD
from allsaid.modeling.layers.gradients import ProjectedNll, TargetLogProbs
from allsaid.modeling.layers.losses import Losses
from allsaid.modeling.tasks import document
from allsaid.modeling.tasks.document import Batch, Vocabularies
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


def build(settings: Settings, vocabularies: Vocabularies, dtype: torch.dtype) -> Entities:
    return Entities(settings, len(vocabularies.text), dtype)


@dataclass(frozen=True)
class Choices:
    """What the model may point to before each word."""

    states: Tensor  # (B, T, E + 1, k) of the empty entity, then of each entity
    there: Tensor  # (B, T, E + 1) bool: the empty one, and what has been mentioned
    log_v: Tensor  # (B, T, E + 1) log p(v)
    switch: Tensor  # (B, T) what z is the sigmoid of


class Entities(nn.Module):
    def __init__(self, config: Settings, words: int, dtype: torch.dtype = torch.float32) -> None:
        """words: V; dtype: of the product with the vocabulary."""
        super().__init__()
        k = config.hidden
        self.config, self.dtype = config, dtype
        self.embedding = nn.Parameter(torch.empty(words, k))
        self.lstm = nn.LSTM(k, k, batch_first=True)
        self.w_1 = nn.Parameter(torch.empty(words, k))
        if config.entity_states:
            self.empty = nn.Parameter(torch.empty(1, k))  # h^e_0
            # ATTN of Bahdanau et al. 2014: v tanh(W h^e + U h)
            self.key, self.query = nn.Linear(k, k, bias=False), nn.Linear(k, k, bias=False)
            self.score = nn.Linear(k, 1, bias=False)
            self.w_z = nn.Linear(2 * k, 1, bias=False)
            self.w_2 = nn.Linear(2 * k, k, bias=False)
        for parameter in self.parameters():
            nn.init.uniform_(parameter, -config.init, config.init)

    def loss(self, batch: Batch) -> Losses:
        """−Σ log of equation 9: p(z) p(v) p(word | v) of a mention, p(z) p(word) of another word."""
        real, h = batch.targets != PAD, self._read(batch)
        outputs, chosen = self._annotated(h, batch)
        w_1 = self.w_1.to(self.dtype)
        nll = ProjectedNll.apply(outputs[real], w_1, batch.targets[real]) - chosen[real].sum()
        return Losses({"nll": nll}, len(real), real.sum())

    def annotated(self, batch: Batch) -> Tensor:
        """(B, T) log p(word, z, v | words and entities so far), equation 9; 0 at filling. Without gradients."""
        real, h = batch.targets != PAD, self._read(batch)
        outputs, chosen = self._annotated(h, batch)
        return self._at(real, self._log_probs(outputs[real], batch.targets[real]) + chosen[real])

    def marginal(self, batch: Batch) -> Tensor:
        """(B, T) log p(word | words and entities so far), summed over z and v; 0 at filling. Without gradients."""
        real, h = batch.targets != PAD, self._read(batch)
        as_such = self._log_probs(h[real], batch.targets[real])
        if not self.config.entity_states:
            return self._at(real, as_such)
        choices = self._choices(h, batch)
        place = (choices.there & real.unsqueeze(2)).nonzero(as_tuple=True)
        pointed = torch.full_like(choices.log_v, -torch.inf)
        outputs = self._from_entity(choices.states[place], h[place[:2]])
        pointed[place] = choices.log_v[place] + self._log_probs(outputs, batch.targets[place[:2]])
        pointed_word = F.logsigmoid(choices.switch[real]) + pointed[real].logsumexp(1)
        return self._at(real, torch.logaddexp(F.logsigmoid(-choices.switch[real]) + as_such, pointed_word))

    def _read(self, batch: Batch) -> Tensor:
        """(B, T, k) the state h before each target."""
        x = F.dropout(F.embedding(batch.inputs, self.embedding), self.config.dropout, self.training)
        return F.dropout(self.lstm(x)[0], self.config.dropout, self.training)

    def _annotated(self, h: Tensor, batch: Batch) -> tuple[Tensor, Tensor]:
        """What is projected to words, (B, T, k), and log p(z) or log p(z) p(v), (B, T), by the true z and v."""
        if not self.config.entity_states:
            return h, torch.zeros_like(h[:, :, 0])
        choices, is_mention = self._choices(h, batch), batch.entities != NO_ENTITY
        log_z = F.logsigmoid(torch.where(is_mention, choices.switch, -choices.switch))
        place = is_mention.nonzero(as_tuple=True)
        entity = batch.entities[place]
        slot = torch.where(batch.newest[*place, entity] > 0, entity + 1, 0)  # a first mention is of the empty entity
        outputs = h.index_put(place, self._from_entity(choices.states[*place, slot], h[place]))
        return outputs, log_z.index_put(place, choices.log_v[*place, slot], accumulate=True)

    def _choices(self, h: Tensor, batch: Batch) -> Choices:
        states = self._by_entity(self.empty, h, batch.newest)
        keys = self._by_entity(self.key(self.empty), self.key(h), batch.newest)
        scores = self.score(torch.tanh(keys + self.query(h).unsqueeze(2))).squeeze(3)
        there = F.pad(batch.newest > 0, (1, 0), value=True)
        log_v = scores.masked_fill(~there, torch.finfo(scores.dtype).min).log_softmax(2)
        d = (log_v.exp().unsqueeze(3) * states).sum(2)
        return Choices(states, there, log_v, self.w_z(torch.cat([d, h], dim=2)).squeeze(2))

    def _by_entity(self, empty: Tensor, states: Tensor, newest: Tensor) -> Tensor:
        """(1, k) and (B, T, k) -> (B, T, E + 1, k) of the empty entity and at each entity's newest mention."""
        row = torch.arange(len(states), device=states.device).view(-1, 1, 1)
        return torch.cat([empty.expand(*states.shape[:2], 1, -1), states[row, newest]], dim=2)

    def _from_entity(self, state: Tensor, h: Tensor) -> Tensor:
        """(N, k) an entity's state and the LSTM's -> (N, k) what its word is projected from."""
        return torch.tanh(self.w_2(torch.cat([state, h], dim=1)))

    def _log_probs(self, outputs: Tensor, targets: Tensor) -> Tensor:
        found: Tensor = TargetLogProbs.apply(outputs, self.w_1.to(self.dtype), targets)
        return found

    def _at(self, real: Tensor, values: Tensor) -> Tensor:
        return torch.zeros(real.shape, dtype=values.dtype, device=values.device).masked_scatter(real, values)
