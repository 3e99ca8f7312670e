"""Base of models that may copy words of a source read as one text (`allsaid.modeling.layers.packed`).

Letters: B texts, n hypotheses of each, S places of the source, L items, W words of an item, k hidden size.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any  # Any: fields of the state, spread over typed fields

import torch
from torch import Tensor, nn

from allsaid.modeling.data.copying import Prompts
from allsaid.modeling.data.vocabulary import PAD
from allsaid.modeling.layers.gradients import softmax_over
from allsaid.modeling.layers.marginal import copied_from
from allsaid.modeling.layers.packed import Packed, by_place, pack
from allsaid.modeling.layers.projection import Projection
from allsaid.modeling.layers.scores import Scores
from allsaid.modeling.models.base.contract import PerHypothesis, PerText, State


@dataclass(frozen=True)
class PackedState(State):
    """State of B texts with n hypotheses each."""

    project: Projection
    source: PerText  # (B, S) ids, padded with PAD
    items: PerText  # (B, S) their item in the task's input: `allsaid.modeling.layers.packed`
    words: PerText  # (B, S)
    scores: PerHypothesis  # (B · n, S) of the places in the last step
    decoded: PerHypothesis  # (B · n, 2k) the top layer's state, and the result of its attention

    @property
    def is_word(self) -> Tensor:
        """Mask of the places that hold a word (B · n, S); the others are padding."""
        return (self.source != PAD).repeat_interleave(len(self.scores) // len(self.source), dim=0)


class PackedCopier(nn.Module):
    """A network with the layers below; one that doesn't copy has no switch."""

    copies: bool
    dtype: torch.dtype  # of the product with the vocabulary
    drop: nn.Dropout
    mix: nn.Linear
    switch: nn.Linear | None
    w_o: nn.Parameter

    def pack(self, prompts: Prompts) -> Packed:
        return pack(prompts)

    def _first_fields(self, packed: Packed, memory: Tensor) -> dict[str, Any]:
        """Return the fields of `PackedState` before the first word; memory: (B, S, k) the encoded source."""
        return {
            "project": Projection(self.w_o.to(self.dtype)),
            **{name: getattr(packed, name) for name in ("source", "items", "words")},
            "scores": torch.zeros_like(memory[:, :, 0]),
            "decoded": memory.new_zeros(len(memory), 2 * memory.shape[2]),
        }

    def attention_of(self, state: PackedState) -> dict[str, Tensor]:
        """Return the last step's attention to the source words, which is also the pointer, and p(z = 1)."""
        weights = by_place(state.items, state.words, softmax_over(state.scores, state.is_word))
        return {"p(z = 1)": self._switched(state), "pointer": weights} if self.copies else {"attention": weights}

    def copied_from(self, state: PackedState, scores: Scores, words: Tensor) -> Tensor:
        """Return p(z = 1) times the pointer at the places that hold the word, over the word's probability."""
        weights = softmax_over(state.scores, state.is_word)
        by_word = copied_from(state.source, weights, self._switched(state), scores, words)
        return by_place(state.items, state.words, by_word)

    def _switched(self, state: PackedState) -> Tensor:
        """Return p(z = 1) (B · n,) of the last step."""
        return self._switch(state.decoded, state.is_word).sigmoid()

    def _switch(self, decoded: Tensor, is_word: Tensor) -> Tensor:
        """Return the switch (B · n,) before its sigmoid; nothing is copied from a source without a word."""
        assert self.switch is not None
        switch: Tensor = self.switch(decoded).squeeze(1)
        return switch.masked_fill(~is_word.any(1), torch.finfo(decoded.dtype).min)

    def _outputs(self, decoded: Tensor) -> Tensor:
        """Return the inputs of the projection, of states with their attention."""
        return torch.tanh(self.mix(decoded))
