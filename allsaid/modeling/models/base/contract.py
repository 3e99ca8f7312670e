"""Interface of a model: a loss, scores of the next words, and a state whose hypotheses can be rearranged.

A model's module, in ``allsaid/modeling/models`` or in another package, has the names of :class:`Kind`. Its network has
the methods of :class:`Model`. The protocols after that are optional abilities: a network has one by having its methods.

Letters: B texts, n hypotheses of each, V words, C copy candidates (ids from V on, for a model that copies), L agenda
items, W words of an item's name. The *places* of an input are the words of its items (L, W), the rows and columns of a
table, or the items of an agenda (L,).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal, Protocol, Self, TypeAlias, TypeVar, get_type_hints, runtime_checkable

import torch
from torch import Tensor

from allsaid.modeling.data.tensors import Tensors
from allsaid.modeling.layers.losses import Losses
from allsaid.modeling.layers.scores import Scores
from allsaid.modeling.tasks.contract import EncodedSplit, Task


@dataclass(frozen=True)
class Items:
    """The agenda item that the next word refers to."""

    item: Tensor  # (B · n,) its position, or NO_ITEM
    is_new: Tensor  # (B · n,) bool: whether it is the first mention
    names: Tensor  # (B, L, W) the words of the items' names, padded with PAD


PerText = Annotated[Tensor, "text"]  # the first axis is the texts
PerHypothesis = Annotated[Tensor, "hypothesis"]  # the first axis is the hypotheses, grouped by text


@dataclass(frozen=True)
class State:
    """State of a model for B texts with n hypotheses each.

    Fields are `PerText` or `PerHypothesis`; others belong to all texts.
    """

    def select(self, rows: Tensor) -> Self:
        """Return other hypotheses of the same texts: row i of the result is row ``rows[i]`` of the same text."""
        return replace(self, **{name: part.index_select(0, rows) for name, part in self._parts("hypothesis").items()})

    def keep(self, texts: Tensor, each: int = 1) -> Self:
        """Return the state of some of the texts, with all their hypotheses; each: n."""
        kept = {name: part.index_select(0, texts) for name, part in self._parts("text").items()}
        return replace(self.select(rows_of(texts, each)), **kept)

    def put(self, texts: Tensor, other: Self, each: int) -> None:
        """Overwrite ``texts`` with those of another state; each: n, the same in both states."""
        for axis, places in (("text", texts), ("hypothesis", rows_of(texts, each))):
            for name, part in self._parts(axis).items():
                part.index_copy_(0, places, getattr(other, name))

    def _parts(self, axis: str) -> dict[str, Tensor]:
        kind: type = type(self)
        return {name: getattr(self, name) for name in _marked(kind)[axis]}


@cache
def _marked(state: type) -> dict[str, list[str]]:
    """Return the names of a state's fields, by axis."""
    marks = {
        name: getattr(hint, "__metadata__", ()) for name, hint in get_type_hints(state, include_extras=True).items()
    }
    return {axis: [name for name, mark in marks.items() if axis in mark] for axis in ("text", "hypothesis")}


def rows_of(texts: Tensor, each: int) -> Tensor:
    """Return the rows of some texts, each of which has ``each`` hypotheses."""
    return (texts.unsqueeze(1) * each + torch.arange(each, device=texts.device)).flatten()


# A `torch.nn.Module` with the methods of `Model`. It is Any, since Python has no type for both.
Network: TypeAlias = Any


class Kind(Protocol):
    """The module of a model."""

    TASK: Task  # the task that the model learns
    Settings: type  # a frozen dataclass; its first field is ``kind``, a Literal of the kind's name

    # Any: each module has its own classes of settings and vocabularies.
    def build(self, settings: Any, vocabularies: Any, dtype: torch.dtype) -> Network:
        """Return the network with its initial weights; vocabularies: the task's; dtype: of large matrix products."""


Batch = TypeVar("Batch", bound=Tensors, contravariant=True)
Prompts = TypeVar("Prompts", bound=Tensors, contravariant=True)
OwnState = TypeVar("OwnState", bound=State)
ReadState = TypeVar("ReadState", bound=State, contravariant=True)


class Model(Protocol[Batch, Prompts, OwnState]):
    """A network, which is a `torch.nn.Module`. Batches and prompts are those of its task."""

    def loss(self, batch: Batch) -> Losses:
        """Return the losses whose sum training minimises."""

    def start(self, prompts: Prompts) -> OwnState:
        """Return the state before the first word of B texts, one hypothesis each; it has all that no step changes."""

    def step(self, state: OwnState, tokens: Tensor) -> tuple[Scores, OwnState]:
        """Read one word of each hypothesis (B · n,), which may be a copy candidate; return the scores of the next."""


@runtime_checkable
class PacksPrompts(Protocol[Prompts]):
    """A model that converts its task's prompts, so that a search has fewer places."""

    def pack(self, prompts: Prompts) -> Tensors:
        """Return the input of ``start``: tensors whose first axis is the texts, padded with zeros."""


@runtime_checkable
class Counts(Protocol):
    """A model with weights that are counted in the training texts, before the first epoch."""

    def count(self, ids: EncodedSplit, folder: Path) -> None:
        """Set these weights; ids: the training part as the task encodes it; folder: empty, for temporary files."""


@runtime_checkable
class SizedByTexts(Protocol):
    """A model with weights whose sizes depend on its training texts."""

    def resize(self, sizes: Mapping[str, Sequence[int]]) -> None:
        """Allocate the weights for a file; sizes: of the weights by their names."""


@runtime_checkable
class KnowsItems(Protocol[ReadState]):
    """A model that reports the agenda item of its next word."""

    def items_of(self, state: ReadState) -> Items: ...


@runtime_checkable
class ShowsAttention(Protocol[ReadState]):
    """A model that reports its attention to the places of its input, for pictures of a text."""

    def attention_of(self, state: ReadState) -> dict[str, Tensor]:
        """Return the weights of the last step, 0 to 1, (B · n, L, W) or (B · n, L), by the titles of the pictures.

        A weight without a place, such as a switch, is (B · n,). A model without attention returns {}.
        """


@runtime_checkable
class CopiesWords(Protocol[ReadState]):
    """A model that may copy words from places of its input."""

    copies: bool  # whether its settings let it copy

    def copied_from(self, state: ReadState, scores: Scores, words: Tensor) -> Tensor:
        """Return, for each place (B · n, L, W), the probability that the next word (B · n,) was copied from it.

        State and scores are from the step before the word.
        """


@runtime_checkable
class ChecksItems(Protocol[OwnState]):
    """A model whose checklist can be set, as NN-Swap does."""

    def check(self, state: OwnState, items: Tensor) -> OwnState:
        """Return the state with exactly these items checked, zeros and ones (B · n, L)."""


@runtime_checkable
class EditsTexts(Protocol):
    """A model without weights, whose texts are edited training recipes."""

    edits: Literal[True]


@runtime_checkable
class AssemblesTexts(Protocol):
    """A model without weights, whose texts are assembled from the sentences of its phrasebook."""

    assembles: Literal[True]
