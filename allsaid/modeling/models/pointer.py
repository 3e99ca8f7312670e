"""The models of recipes of Yang et al. 2016, section 2.2 (table 5): a text that may copy words of its source.

An LSTM encodes each item of the source separately; the decoder LSTM starts from the sum of the last states. The setting
``system``:

- *seq2seq*: nothing more.
- *attention*: at each step the decoder attends to the words of the source. The result is part of the output and of the
  next step.
- *latent*: the attention is also a pointer. A switch z decides whether a word is copied from where it points. Training
  maximises the word's probability, p(z=0) softmax(w) + p(z=1) Σ of the pointer over the places that hold w.
- *pointer*: as latent, and z is supervised by the string match of the data set.

So a source word that the vocabulary lacks can be generated, and a known one has one probability, summed over both ways.
The encoder has no biases, so its state stays zero over the padding before an item's first word. The output layer of the
paper uses [s, d] directly. Here a layer of k units precedes it, which halves the product with the vocabulary.

Letters: B texts, n hypotheses of each, T text length, L items, W words of an item, S = L · W places of the source, k
hidden size, V words of the vocabulary; ids from V to V + S - 1 are copy candidates.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from allsaid.modeling.data.copying import Batch, Prompts
from allsaid.modeling.data.vocabulary import PAD, VocabularySet
from allsaid.modeling.layers import attentive_lstm
from allsaid.modeling.layers.gradients import TargetLogProbs
from allsaid.modeling.layers.losses import Losses
from allsaid.modeling.layers.marginal import as_known, copied_from, losses_of_union, losses_of_words, union_scores
from allsaid.modeling.layers.projection import Projection
from allsaid.modeling.layers.scores import Scores
from allsaid.modeling.models.base.contract import PerHypothesis, PerText, State
from allsaid.modeling.models.base.initial import init_uniform
from allsaid.modeling.tasks import sequence
from allsaid.settings import number

TASK = sequence.TASK


@dataclass(frozen=True)
class Settings:
    kind: Literal["pointer"] = "pointer"
    system: Literal["latent", "pointer", "attention", "seq2seq"] = "latent"
    hidden: int = number(256, 1)
    init: float = number(0.1, 0)
    dropout: float = number(0.2, 0, 0.9)  # of embeddings and of the decoder's output


def build(settings: Settings, vocabularies: VocabularySet, dtype: torch.dtype) -> Pointer:
    return Pointer(settings, len(vocabularies.text), dtype)


@dataclass(frozen=True)
class PointerState(State):
    """State of B texts with n hypotheses each."""

    project: Projection
    source: PerText  # (B, S) ids, padded with PAD
    memory: PerText  # (B, S, k) the encoder's state at each place
    keys: PerText  # (B, S, k) of the attention; S is 0 without attention
    h: PerHypothesis  # (B · n, k)
    c: PerHypothesis  # (B · n, k)
    d: PerHypothesis  # (B · n, k) the result of the last attention; (B · n, 0) without attention
    length: int  # W


class Pointer(nn.Module):
    def __init__(self, config: Settings, words: int, dtype: torch.dtype = torch.float32) -> None:
        """words: V; dtype: of the product with the vocabulary."""
        super().__init__()
        k = config.hidden
        self.config, self.dtype = config, dtype
        self.reads = config.system != "seq2seq"
        self.copies = config.system in ("pointer", "latent")
        self.embedding = nn.Parameter(torch.empty(words, k))
        self.drop = nn.Dropout(config.dropout)
        self.read = nn.LSTM(k, k, batch_first=True, bias=False)
        self.write = nn.LSTM(2 * k if self.reads else k, k, batch_first=True)
        self.key = nn.Linear(k, k, bias=False) if self.reads else None
        self.mix = nn.Linear(2 * k, k) if self.reads else None
        self.switch = nn.Linear(2 * k, 1) if self.copies else None
        self.w_o = nn.Parameter(torch.empty(words, k))
        init_uniform(self, config.init, self.embedding)

    def loss(self, batch: Batch) -> Losses:
        """Return `losses_of_words` or, for a model that copies, `losses_of_union`."""
        start = self.start(batch.prompts)
        decoded, scores = self._write(batch.inputs, start)
        real = batch.targets != PAD
        targets, decoded = batch.targets[real], self.drop(decoded[real])
        word = TargetLogProbs.apply(self._outputs(decoded), self.w_o.to(self.dtype), as_known(targets, len(self.w_o)))
        if self.switch is None:
            return losses_of_words(batch, start.source, word)
        pointer, z = scores[real].log_softmax(1), self.switch(decoded).squeeze(1)
        return losses_of_union(
            batch, start.source, len(self.w_o), word, pointer, z, taught=self.config.system == "pointer"
        )

    def start(self, prompts: Prompts) -> PointerState:
        """Return the state before the first word of B texts, whose items are encoded separately."""
        source = to_the_right(prompts.items)
        texts, items, length = source.shape
        memory, (h, c) = self.read(self._embed(source.flatten(0, 1)))
        h, c = (last.view(texts, items, -1).sum(1) for last in (h, c))
        memory = memory.reshape(texts, items * length, -1)
        memory = memory if self.reads else memory[:, :0]
        keys = memory if self.key is None else self.key(memory)
        d = torch.zeros_like(h) if self.reads else h[:, :0]
        return PointerState(Projection(self.w_o.to(self.dtype)), source.flatten(1), memory, keys, h, c, d, length)

    def step(self, state: PointerState, tokens: Tensor) -> tuple[Scores, PointerState]:
        """Read one word of each hypothesis; tokens: (B · n,)."""
        x = torch.cat([F.embedding(as_known(tokens, len(self.w_o)), self.embedding), state.d], dim=1)
        h, c = torch.lstm_cell(x, (state.h, state.c), *self.write.all_weights[0])
        if not self.reads:
            return state.project(h), replace(state, h=h, c=c)
        weights = _weights(state, h)
        d = torch.bmm(weights, state.memory).flatten(0, 1)
        decoded = torch.cat([h, d], dim=1)
        state = replace(state, h=h, c=c, d=d)
        if self.switch is None:
            return state.project(self._outputs(decoded)), state
        z = self.switch(decoded).squeeze(1)
        scores = union_scores(
            state.project, self._outputs(decoded), len(self.w_o), state.source, weights.flatten(0, 1), z
        )
        return scores, state

    def attention_of(self, state: PointerState) -> dict[str, Tensor]:
        """Return the last step's attention to the source words, which is also the pointer, and p(z = 1)."""
        if not self.reads:
            return {}
        weights = {"pointer" if self.copies else "attention": _places(state, _weights(state, state.h).flatten(0, 1))}
        return weights if self.switch is None else {"p(z = 1)": self._switched(state), **weights}

    def copied_from(self, state: PointerState, scores: Scores, words: Tensor) -> Tensor:
        """Return p(z = 1) times the pointer at the places that hold the word, over the word's probability."""
        weights = _weights(state, state.h).flatten(0, 1)
        return _places(state, copied_from(state.source, weights, self._switched(state), scores, words))

    def _switched(self, state: PointerState) -> Tensor:
        assert self.switch is not None
        return self.switch(torch.cat([state.h, state.d], dim=1)).squeeze(1).sigmoid()

    def _write(self, inputs: Tensor, start: PointerState) -> tuple[Tensor, Tensor]:
        """Return, for words (B, T), states with their attention (B, T, k or 2k), and the scores of places (B, T, S)."""
        x = self._embed(inputs)
        if not self.reads:
            return self.write(x, (start.h.unsqueeze(0), start.c.unsqueeze(0)))[0], start.memory
        return attentive_lstm.run(self.write, x, start.memory, start.keys, start.source != PAD, start.h, start.c)

    def _outputs(self, decoded: Tensor) -> Tensor:
        """Return the inputs of the projection, of states with their attention."""
        return decoded if self.mix is None else torch.tanh(self.mix(decoded))

    def _embed(self, ids: Tensor) -> Tensor:
        return self.drop(F.embedding(as_known(ids, len(self.w_o)), self.embedding, PAD))


def _weights(state: PointerState, h: Tensor) -> Tensor:
    """Return the attention (B, n, S) of the decoder's states (B · n, k) to each place."""
    by_text = h.view(len(state.keys), -1, h.shape[1])
    closed = (state.source == PAD).unsqueeze(1)
    return torch.bmm(by_text, state.keys.transpose(1, 2)).masked_fill(closed, torch.finfo(h.dtype).min).softmax(2)


def _places(state: PointerState, values: Tensor) -> Tensor:
    """Return values (B · n, S) of a state's places as (B · n, L, W), with padding after an item's words."""
    is_word = (state.source != PAD).view(len(state.source), -1, state.length)
    index = torch.arange(state.length, device=values.device) - is_word.sum(2, keepdim=True)  # from the item's end
    index = (index % state.length).repeat_interleave(len(values) // len(is_word), dim=0)
    return values.view(index.shape).gather(2, index)


def to_the_right(items: Tensor) -> Tensor:
    """Return items (B, L, W) with padding before their words."""
    length = items.shape[2]
    index = torch.arange(length, device=items.device) + (items != PAD).sum(2, keepdim=True) - length
    return items.gather(2, index.clamp(min=0)).masked_fill(index < 0, PAD)
