"""What a search takes beside a model and its prompts: steps, each of which changes scores of the words to come.

Letters: R texts of the search's input, B slots of texts that are searched at present, n hypotheses of each, C words
that a text may go on with.
"""

from __future__ import annotations

from typing import Any, Protocol, Self, runtime_checkable

import torch
from torch import Tensor

from allsaid.decoding.step.sheet import Sheet
from allsaid.decoding.step.slots import Slots


class StepProcessor(Protocol):
    """It runs inside a search, and may keep something of the B · n hypotheses in the slots.

    What it keeps and makes anew is a tensor of one shape in an attribute of its own, and nothing in it asks the host
    for a value: a GPU records the steps once and plays them from then on (`allsaid.decoding.fixed`).
    """

    def edit(self, sheet: Sheet, state: Any) -> None:
        """Change the scores of the words to come; ``state`` is the model's."""

    def follow(self, rows: Tensor, words: Tensor) -> None:
        """Go on with the hypotheses ``rows`` (B · n,), each with one word more, of ``words`` (B · n,)."""

    def renew(self, places: Tensor, texts: Tensor) -> None:
        """Other texts of the search's input begin in these places of B; both are of one shape."""


@runtime_checkable
class Step(Protocol):
    """What a caller hands over: a frozen dataclass of tensors of R rows, which is pickled to the owner of a GPU.

    `allsaid.modeling.data.tensors.Tensors` has `to`.
    """

    def begin(self, slots: Slots) -> StepProcessor:
        """What runs inside one search, on the device of its slots."""

    def to(self, device: torch.device) -> Self:
        """The same with its tensors there."""


@runtime_checkable
class Chooser(Protocol):
    """Says what texts may go on with. A step's processor may be one; without any, texts go on with the best words."""

    def candidates(self, sheet: Sheet) -> tuple[Tensor, Tensor, Tensor]:
        """Scores, rows and words (B, C) of what texts may go on with, in the order in which the beam takes them."""

    def renew(self, places: Tensor, texts: Tensor) -> None:
        """Other texts of the search's input begin in these places."""
