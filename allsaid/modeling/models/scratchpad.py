"""The models of Benmalek et al. 2019 (tables 1 to 3): a text that may copy, and a source whose states are rewritten.

GRUs or LSTMs encode the whole source in both directions. The decoder starts from their last states, the cells of LSTMs
from zero. At each word the decoder attends to the places of the source (equations 1 to 3). The result is part of the
output and of the next step; with input feeding the next step gets the input of the output layer instead (Luong et al.
2015, section 3.3). The setting ``system``:

- *seq2seq*: nothing more.
- *copynet*: the attention is also a pointer. The probability of a word is the sum over generating and copying, and over
  all its places (`allsaid.modeling.layers.marginal`).
- *coverage*: as copynet; the sum of the attention so far is part of the scores. Attending to a place twice is a loss of
  weight `coverage_weight` (See et al. 2017, equations 10 to 13).
- *coverage_gru*: as copynet; a GRU keeps what was attended to, which is part of the scores (Tu et al. 2016).
- *scratchpad*: as copynet; after each word all states of the source are rewritten (equations 4 to 6) for the next step.

Steps 1 and 2 of the paper are swapped, as in its section 4.1: the decoder reads a word and the last attention, then
attends to the source, since the pointer depends on the word before. The sizes of f and g are not in the paper.

Letters: B texts, n hypotheses of each, T text length, S places of the source, k hidden size, V words of the vocabulary;
ids from V to V + S - 1 are copy candidates.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from allsaid.modeling.data.copying import Batch
from allsaid.modeling.data.vocabulary import PAD, VocabularySet
from allsaid.modeling.layers.gradients import TargetLogProbs, softmax_over
from allsaid.modeling.layers.losses import Losses
from allsaid.modeling.layers.marginal import as_known, losses_of_union, losses_of_words, union_scores
from allsaid.modeling.layers.notes import COVERAGE, Attention, Coverage, Memory, Notes, read
from allsaid.modeling.layers.packed import Packed, pack
from allsaid.modeling.layers.recurrent import WRITING, BidirectionalReader
from allsaid.modeling.layers.scores import Scores
from allsaid.modeling.models.base.contract import PerHypothesis, PerText
from allsaid.modeling.models.base.initial import init_uniform
from allsaid.modeling.models.base.packed_copier import PackedCopier, PackedState
from allsaid.modeling.tasks import pair
from allsaid.settings import number

TASK = pair.TASK
OPEN = 0.5  # a gate above it counts as open


@dataclass(frozen=True)
class Settings:
    kind: Literal["scratchpad"] = "scratchpad"
    system: Literal["scratchpad", "coverage", "coverage_gru", "copynet", "seq2seq"] = "scratchpad"
    coverage_weight: float = number(1.0, 0)  # λ of equation 13; 0: no such loss
    # The initial bias of a scratchpad's gates: at first writes hardly change the states. After 220 batches of WikiSQL
    # the dev perplexity was 17.8, with -3 it was 22.6, without notes 17.1. Small models that were trained to the end
    # are better with -4 to 0 (benchmarks/results/gates.json).
    gate_bias: float = -6.0
    cell: Literal["gru", "lstm"] = "gru"  # of encoder and decoder
    score: Literal["additive", "general"] = "additive"  # scores of the attention (Luong et al. 2015, section 3.1)
    input_feeding: bool = False  # the next step gets h~ = tanh(W [s ; c]) instead of c alone
    residual: bool = False  # decoder layers above the first add their input, then normalise (section 4.1)
    hidden: int = number(256, 2)  # of the decoder, and of both directions of the encoder together
    layers: int = number(2, 1)
    init: float = number(0.1, 0)
    dropout: float = number(0.2, 0, 0.9)  # of embeddings, between layers, and of each step's state and attention


def build(settings: Settings, vocabularies: VocabularySet, dtype: torch.dtype) -> Scratchpad:
    return Scratchpad(settings, len(vocabularies.text), dtype)


@dataclass(frozen=True)
class ReadState(PackedState):
    """State of B texts with n hypotheses each; the states of the source are per text."""

    states: PerText  # (B, S, k), and the next two, as in `Memory`
    keys: PerText
    gates: PerText
    h: PerHypothesis  # (B · n, layers, k), for LSTMs 2k: `LstmCell`
    seen: PerHypothesis  # (B · n, S, 1) the sum of all attention so far, or its `Coverage`
    opened: PerHypothesis  # (B · n, S) the gates of the last write; S is 0 if nothing is written

    @property
    def memory(self) -> Memory:
        return Memory(self.states, self.keys, self.gates)


@dataclass(frozen=True)
class NotesState(ReadState):
    """State of a scratchpad: each hypothesis has its own copy of the states of the source."""

    states: PerHypothesis  # (B · n, S, k)
    keys: PerHypothesis
    gates: PerHypothesis


class Scratchpad(PackedCopier):
    def __init__(self, config: Settings, words: int, dtype: torch.dtype = torch.float32) -> None:
        """words: V; dtype: of the product with the vocabulary."""
        super().__init__()
        k = config.hidden
        self.config, self.dtype = config, dtype
        self.drop = nn.Dropout(config.dropout)
        self.copies = config.system != "seq2seq"
        self.embedding = nn.Parameter(torch.empty(words, k))
        self.read = BidirectionalReader(k, config.layers, config.dropout, config.cell)
        self.write = nn.ModuleList(WRITING[config.cell](k if layer else 2 * k, k) for layer in range(config.layers))
        covers = {"coverage": 1, "coverage_gru": COVERAGE}.get(config.system, 0)
        self.attention = Attention(k, covers, general=config.score == "general")
        self.coverage = Coverage(k) if config.system == "coverage_gru" else None
        self.notes = Notes(k) if config.system == "scratchpad" else None
        self.mix = nn.Linear(2 * k, k)
        self.switch = nn.Linear(2 * k, 1) if self.copies else None
        self.w_o = nn.Parameter(torch.empty(words, k))
        init_uniform(self, config.init, self.embedding)
        # After the random weights, since these are not random.
        above = config.layers - 1 if config.residual else 0
        self.norms = nn.ModuleList(nn.LayerNorm(k) for _ in range(above))
        if self.notes is not None:
            nn.init.constant_(self.notes.gate.bias, config.gate_bias)

    def loss(self, batch: Batch) -> Losses:
        """Return `losses_of_words` or, for a model that copies, `losses_of_union`.

        coverage: Σ over places and words of the repeated attention (See et al. 2017, equation 12), times its weight. A
        scratchpad also reports the mean of its gates, and the share that is open.
        """
        state, steps = self.start(pack(batch.prompts)), []
        for x in self._embed(batch.inputs).unbind(1):
            decoded, state = self._advance(x, state)
            steps.append((decoded, state.scores, state.seen, state.opened))
        real = batch.targets != PAD
        decoded, scores, seen, opened = (torch.stack(part, dim=1)[real] for part in zip(*steps, strict=True))
        decoded, targets = self.drop(decoded), as_known(batch.targets[real], len(self.w_o))
        word = TargetLogProbs.apply(self._outputs(decoded), self.w_o.to(self.dtype), targets)
        if self.switch is None:
            return losses_of_words(batch, state.source, word)
        is_word = (state.source != PAD).unsqueeze(1).expand(-1, real.shape[1], -1)[real]
        z = self._switch(decoded, is_word)
        losses = losses_of_union(batch, state.source, len(self.w_o), word, scores.log_softmax(1), z)
        if self.notes is not None:
            gates = opened[is_word].detach()
            parts = {"gate": gates.sum(), "gate_open": (gates > OPEN).sum()}
            counts = dict.fromkeys(parts, is_word.sum())
            return replace(losses, parts={**losses.parts, **parts}, counts={**losses.counts, **counts})
        if self.config.system != "coverage" or not self.config.coverage_weight:
            return losses
        weights = softmax_over(scores, is_word)
        twice = torch.minimum(weights, seen.squeeze(2) - weights).sum()
        return replace(losses, named=losses.named | {"coverage": self.config.coverage_weight * twice})

    def start(self, packed: Packed) -> ReadState:
        """Return the state before the first word of B texts, with the encoded source."""
        states, h = self.read(self._embed(packed.source), packed.source != PAD)
        if self.config.cell == "lstm":
            h = torch.cat([h, torch.zeros_like(h)], dim=2)
        gates = states[:, :0] if self.notes is None else self.notes.of_place(states)
        kind = ReadState if self.notes is None else NotesState
        return kind(
            **self._first_fields(packed, states),
            states=states,
            keys=self.attention.key(states),
            gates=gates,
            h=h,
            seen=states.new_zeros(*states.shape[:2], 1 if self.coverage is None else COVERAGE),
            opened=states[:, :0, 0] if self.notes is None else torch.zeros_like(states[:, :, 0]),
        )

    def step(self, state: ReadState, tokens: Tensor) -> tuple[Scores, ReadState]:
        """Read one word of each hypothesis; tokens: (B · n,)."""
        decoded, state = self._advance(self._embed(tokens), state)
        outputs = self._outputs(decoded)
        if not self.copies:
            return state.project(outputs), state
        weights, z = softmax_over(state.scores, state.is_word), self._switch(decoded, state.is_word)
        return union_scores(state.project, outputs, len(self.w_o), state.source, weights, z), state

    def _advance(self, x: Tensor, state: ReadState) -> tuple[Tensor, ReadState]:
        """Read embedded words (B · n, k); return [s ; c] (B · n, 2k), and the next state."""
        s, h = torch.cat([x, self._fed(state.decoded)], dim=1), list[Tensor]()
        for layer, (cell, before) in enumerate(zip(self.write, state.h.unbind(1), strict=True)):
            h.append(cell(self.drop(s) if layer else s, before))
            out = h[layer][:, : self.config.hidden]
            s = self.norms[layer - 1](s + out) if layer and self.config.residual else out
        memory, is_word = state.memory, state.is_word
        scores = self.attention.scores(memory, s, state.seen).masked_fill(~is_word, torch.finfo(s.dtype).min)
        weights = softmax_over(scores, is_word)
        c = read(memory, weights)
        decoded = torch.cat([s, c], dim=1)
        if self.coverage is None:
            seen = state.seen + weights.unsqueeze(2)
        else:
            seen = self.coverage(state.seen, weights, memory.states, s)
        state = replace(state, h=torch.stack(h, dim=1), decoded=decoded, scores=scores, seen=seen)
        if self.notes is None:
            return decoded, state
        memory, opened = self.notes(memory, decoded, self.attention.key.weight)
        return decoded, replace(state, states=memory.states, keys=memory.keys, gates=memory.gates, opened=opened)

    def _fed(self, decoded: Tensor) -> Tensor:
        """Return the second input of a step, in addition to its word (B · n, k)."""
        return self._outputs(self.drop(decoded)) if self.config.input_feeding else decoded[:, self.config.hidden :]

    def _embed(self, ids: Tensor) -> Tensor:
        return self.drop(F.embedding(as_known(ids, len(self.w_o)), self.embedding, PAD))
