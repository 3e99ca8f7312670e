"""Interfaces of the steps of a search; each step changes scores of the next words.

Letters: R texts of the search's input, B slots of texts, n hypotheses of each, C candidate
words of a text.
"""

from __future__ import annotations

from typing import Protocol, Self, runtime_checkable

import torch
from torch import Tensor

from allsaid.decoding.step.score_buffer import ScoreBuffer
from allsaid.decoding.step.slots import Slots
from allsaid.modeling.models.base.contract import State


class StepProcessor(Protocol):
    """Part of a search that may keep state of the B · n hypotheses in the slots.

    Its state consists of tensors of fixed shapes, each an attribute, and it never reads a value on the host. So a GPU
    can record the steps once and replay them (`allsaid.decoding.fixed`).
    """

    def edit(self, buffer: ScoreBuffer, state: State) -> None:
        """Change the scores of the next words; ``state`` is the model's."""

    def follow(self, rows: Tensor, words: Tensor) -> None:
        """Continue with the hypotheses ``rows`` (B · n,), each extended by one of ``words`` (B · n,)."""

    def renew(self, places: Tensor, texts: Tensor) -> None:
        """Start other texts of the search's input in these places of B; both arguments have the same shape."""


@runtime_checkable
class Step(Protocol):
    """Step that a caller passes: a frozen dataclass of tensors of R rows, pickled if another process has the GPU.

    The base class `allsaid.modeling.data.tensors.Tensors` has `to`.
    """

    def begin(self, slots: Slots) -> StepProcessor:
        """Return the processor for one search, on the device of its slots."""

    def to(self, device: torch.device) -> Self:
        """Return a copy with its tensors on the device."""


@runtime_checkable
class Chooser(Protocol):
    """Chooser of the candidates of texts, such as a step's processor; without one, texts take the best words."""

    def candidates(self, buffer: ScoreBuffer) -> tuple[Tensor, Tensor, Tensor]:
        """Return scores, rows and words (B, C) of the candidates, in the order in which the beam takes them."""

    def renew(self, places: Tensor, texts: Tensor) -> None:
        """Start other texts of the search's input in these places."""
