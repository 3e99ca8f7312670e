"""A Transformer that may copy words of its source: Vaswani et al. 2017, with a copy mechanism (`layers.marginal`).

The task, the source and its places are those of `allsaid.modeling.models.scratchpad`. The pointer is an attention of
the last layer's output to the encoded source; its result is part of the output.

A word attends to the last ``window`` words of its text, including itself, both in training and in a search. So the
state of a search has a fixed size.

Letters: B texts, n hypotheses of each, T text length, S places of the source, ``k`` hidden size, ``a`` total width of
the heads, M the window, V words of the vocabulary; ids from V to V + S - 1 are copy candidates. ``z`` is the switch
between generating and copying, before its sigmoid.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Literal

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from allsaid.modeling.data.copying import Batch
from allsaid.modeling.data.vocabulary import PAD, VocabularySet
from allsaid.modeling.layers.gradients import TargetLogProbs, softmax_over
from allsaid.modeling.layers.losses import Losses
from allsaid.modeling.layers.marginal import as_known, losses_of_union, union_scores
from allsaid.modeling.layers.packed import Packed, pack
from allsaid.modeling.layers.scores import Scores
from allsaid.modeling.layers.transformer import at_places, stack
from allsaid.modeling.models.base.contract import PerHypothesis, PerText
from allsaid.modeling.models.base.packed_copier import PackedCopier, PackedState
from allsaid.modeling.tasks import pair
from allsaid.settings import number

TASK = pair.TASK


@dataclass(frozen=True)
class Settings:
    kind: Literal["transformer"] = "transformer"
    hidden: int = number(256, 2)
    layers: int = number(2, 1)  # of the encoder, and as many of the decoder
    heads: int = number(4, 1)
    window: int = number(64, 1)  # last words of the text that a word attends to
    dropout: float = number(0.1, 0, 0.9)


def build(settings: Settings, vocabularies: VocabularySet, dtype: torch.dtype) -> Transformer:
    return Transformer(settings, len(vocabularies.text), dtype)


@dataclass(frozen=True)
class TransformerState(PackedState):
    """State of B texts with n hypotheses each."""

    memory: PerText  # (B, S, k) the encoded source
    keys: PerText  # (B, S, k) of the pointer
    keys_values: PerText  # (B, layers, S, 2a) keys and values of the source, for the decoder
    text_keys_values: PerHypothesis  # (B · n, layers, M, 2a) the same of the text's last words, the newest one last
    count: PerHypothesis  # (B · n,) number of the text's words so far


class Transformer(PackedCopier):
    copies = True

    def __init__(self, config: Settings, words: int, dtype: torch.dtype = torch.float32) -> None:
        """words: V; dtype: precision of the output layer's matrix product."""
        super().__init__()
        k, heads = config.hidden, config.heads
        self.config, self.dtype = config, dtype
        self.drop = nn.Dropout(config.dropout)
        self.embedding = nn.Parameter(torch.empty(words, k))
        # The encoder's and the decoder's layers; saved weights have these names.
        self.read = stack(k, heads, config.dropout, is_decoder=False, count=config.layers)
        self.write = stack(k, heads, config.dropout, is_decoder=True, count=config.layers)
        self.read_norm, self.write_norm = nn.LayerNorm(k), nn.LayerNorm(k)
        self.query, self.key = nn.Linear(k, k), nn.Linear(k, k, bias=False)
        self.mix, self.switch = nn.Linear(2 * k, k), nn.Linear(2 * k, 1)
        self.w_o = nn.Parameter(torch.empty(words, k))
        for parameter in self.parameters():
            if parameter.dim() > 1:
                nn.init.xavier_uniform_(parameter)
        nn.init.normal_(self.embedding, std=k**-0.5)
        self.embedding.data[PAD] = 0

    def loss(self, batch: Batch) -> Losses:
        """Return the losses of words that may be generated or copied, and of the exact words behind unknown ones."""
        state = self.start(pack(batch.prompts))
        places = torch.arange(batch.inputs.shape[1], device=batch.inputs.device)
        back = places.unsqueeze(1) - places
        is_open = ((back >= 0) & (back < self.config.window)).unsqueeze(0)
        is_word = (state.source != PAD).unsqueeze(1)
        x = self._embed(batch.inputs, places)
        for layer, keys_values in zip(self.write, state.keys_values.unbind(1), strict=True):
            x = layer(x, layer.keys_values(x), is_open, keys_values, is_word)
        s, scores = self._point(x, state)
        c = torch.bmm(softmax_over(scores, is_word), state.memory)
        real = batch.targets != PAD
        decoded = self.drop(torch.cat([s, c], dim=2)[real])
        targets = as_known(batch.targets[real], len(self.w_o))
        word = TargetLogProbs.apply(self._outputs(decoded), self.w_o.to(self.dtype), targets)
        z = self._switch(decoded, is_word.expand_as(scores)[real])
        return losses_of_union(batch, state.source, len(self.w_o), word, scores[real].log_softmax(1), z)

    def start(self, packed: Packed) -> TransformerState:
        """Return the state before the first word of B texts, with the encoded source."""
        is_word = (packed.source != PAD).unsqueeze(1)
        x = self._embed(packed.source, torch.arange(packed.source.shape[1], device=packed.source.device))
        for layer in self.read:
            x = layer(x, layer.keys_values(x), is_word)
        memory = self.read_norm(x) * is_word.transpose(1, 2)
        keys_values = torch.stack([layer.source_keys_values(memory) for layer in self.write], dim=1)
        texts, layers, _, width = keys_values.shape
        return TransformerState(
            **self._first_fields(packed, memory),
            memory=memory,
            keys=self.key(memory),
            keys_values=keys_values,
            text_keys_values=keys_values.new_zeros(texts, layers, self.config.window, width),
            count=torch.zeros_like(packed.source[:, 0]),
        )

    def step(self, state: TransformerState, tokens: Tensor) -> tuple[Scores, TransformerState]:
        """Read one word of each hypothesis; tokens: (B · n,)."""
        x = self._embed(tokens.unsqueeze(1), state.count.unsqueeze(1))
        window = torch.arange(self.config.window, device=tokens.device).flip(0)  # the distance of each place
        is_open, is_word = (window <= state.count.unsqueeze(1)).unsqueeze(1), (state.source != PAD).unsqueeze(1)
        text_keys_values = []
        for layer, before, keys_values in zip(
            self.write, state.text_keys_values.unbind(1), state.keys_values.unbind(1), strict=True
        ):
            text_keys_values.append(torch.cat([before[:, 1:], layer.keys_values(x)], dim=1))
            x = layer(x, text_keys_values[-1], is_open, keys_values, is_word)
        s, scores = self._point(x.view(len(state.source), -1, x.shape[2]), state)
        weights = softmax_over(scores, is_word)
        decoded = torch.cat([s, torch.bmm(weights, state.memory)], dim=2).flatten(0, 1)
        state = replace(
            state,
            text_keys_values=torch.stack(text_keys_values, dim=1),
            count=state.count + 1,
            scores=scores.flatten(0, 1),
            decoded=decoded,
        )
        z, weights = self._switch(decoded, state.is_word), weights.flatten(0, 1)
        scored = union_scores(state.project, self._outputs(decoded), len(self.w_o), state.source, weights, z)
        return scored, state

    def _point(self, x: Tensor, state: TransformerState) -> tuple[Tensor, Tensor]:
        """Return the output for x (B, Q, k), and the pointer's scores (B, Q, S), the lowest number for padding."""
        s = self.write_norm(x)
        scores = self.query(s) @ state.keys.transpose(1, 2) / math.sqrt(s.shape[2])
        return s, scores.masked_fill((state.source == PAD).unsqueeze(1), torch.finfo(s.dtype).min)

    def _embed(self, ids: Tensor, places: Tensor) -> Tensor:
        """Return the embeddings of words (B, T) at places that broadcast to them."""
        k = self.config.hidden
        x = F.embedding(as_known(ids, len(self.w_o)), self.embedding, PAD) * math.sqrt(k)
        return self.drop(x + at_places(places, k))
