"""What a model owes: a loss, scores of the next words, and a state whose hypotheses can be rearranged.

A model's module, in ``allsaid/modeling/models`` or in another package, holds the names of :class:`Kind`; its network
has the functions of :class:`Model`. What else a model can do it says by having the function of one of the last classes.

Letters: B texts side by side, n hypotheses of each, V words, C words of the example's own (ids from V on, for a model
that copies), L agenda items, W words of an item's name. The *places* of an input are the words of its items, (L, W):
of a table its rows and columns, of an agenda the items alone, (L,).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal, Protocol, Self, get_type_hints, runtime_checkable

import torch
from torch import Tensor

from allsaid.modeling.layers.losses import Losses
from allsaid.modeling.layers.scores import Scores


@dataclass(frozen=True)
class Items:
    """The agenda item that the word to come refers to."""

    item: Tensor  # (B · n,) its position, or NO_ITEM
    is_new: Tensor  # (B · n,) bool: that is its first mention
    names: Tensor  # (B, L, W) the words of the items' names, filled up with PAD


PerText = Annotated[Tensor, "text"]  # the first axis is the texts
PerHypothesis = Annotated[Tensor, "hypothesis"]  # the first axis is the hypotheses, those of a text side by side


@dataclass(frozen=True)
class State:
    """What a model keeps of B texts with n hypotheses each.

    Fields are `PerText` or `PerHypothesis`; others belong to all texts.
    """

    def select(self, rows: Tensor) -> Self:
        """Other hypotheses of the same texts: row i of the result, text by text, is row ``rows[i]``."""
        return replace(self, **{name: part.index_select(0, rows) for name, part in self._parts("hypothesis").items()})

    def keep(self, texts: Tensor, each: int = 1) -> Self:
        """Only some of the texts, with all their hypotheses, so many of each."""
        kept = {name: part.index_select(0, texts) for name, part in self._parts("text").items()}
        return replace(self.select(rows_of(texts, each)), **kept)

    def put(self, texts: Tensor, other: Self, each: int) -> None:
        """Write the texts of another state, with as many hypotheses, into these places."""
        for axis, places in (("text", texts), ("hypothesis", rows_of(texts, each))):
            for name, part in self._parts(axis).items():
                part.index_copy_(0, places, getattr(other, name))

    def _parts(self, axis: str) -> dict[str, Tensor]:
        kind: Any = type(self)
        return {name: getattr(self, name) for name in _marked(kind)[axis]}


@cache
def _marked(state: type) -> dict[str, list[str]]:
    """The names of a state's fields, by axis."""
    marks = {
        name: getattr(hint, "__metadata__", ()) for name, hint in get_type_hints(state, include_extras=True).items()
    }
    return {axis: [name for name, mark in marks.items() if axis in mark] for axis in ("text", "hypothesis")}


def rows_of(texts: Tensor, each: int) -> Tensor:
    """The rows of some texts, each of which has so many hypotheses side by side."""
    return (texts.unsqueeze(1) * each + torch.arange(each, device=texts.device)).flatten()


class Kind(Protocol):
    """The module of a model."""

    TASK: Any  # the module of its task: `allsaid.modeling.tasks.contract.Task`
    Settings: type  # a frozen dataclass; its first field is ``kind``, a Literal of the kind's name

    def build(self, settings: Any, vocabularies: Any, dtype: torch.dtype) -> Any:
        """The network with its first weights; vocabularies are the task's, dtype is that of the large products."""


class Model(Protocol):
    """A network, a `torch.nn.Module`. Its states are of a type of their own, a `State`."""

    def loss(self, batch: Any) -> Losses:
        """What training minimises, of a batch that the task has made."""

    def start(self, prompts: Any) -> Any:
        """The state before the first word of B texts, one hypothesis of each: all that does not depend on the step."""

    def step(self, state: Any, tokens: Tensor) -> tuple[Scores, Any]:
        """Read one word of each hypothesis (B · n,); ids from V on are the example's own words."""


@runtime_checkable
class PacksPrompts(Protocol):
    """A model that reads its task's prompts in a form of its own, so that what it is searched with has fewer places."""

    def pack(self, prompts: Any) -> Any:
        """What ``start`` reads: a dataclass of tensors, their first axis the texts, whose filling is zero."""


@runtime_checkable
class Counts(Protocol):
    """A model with weights that are counted in the training texts, before the first epoch."""

    def count(self, ids: Any, folder: Path) -> None:
        """Set these weights; ids: the training part as the task encodes it; folder: empty, for the time of counting."""


@runtime_checkable
class SizedByTexts(Protocol):
    """A model with weights whose sizes follow from the texts that it was trained on."""

    def resize(self, sizes: Mapping[str, Sequence[int]]) -> None:
        """Make room for the weights of a file, whose sizes these are by names."""


@runtime_checkable
class KnowsItems(Protocol):
    """A model that says which agenda item its next word refers to; of others no item is looked at."""

    def items_of(self, state: Any) -> Items: ...


@runtime_checkable
class ShowsAttention(Protocol):
    """A model that says what it holds of each place of its input; it is drawn for a text."""

    def attention_of(self, state: Any) -> dict[str, Tensor]:
        """Of the last step 0 to 1 for each place, (B · n, L, W) or (B · n, L), by the titles of the pictures.

        (B · n,) is of no place, such as a switch; {} of a model that looks at none.
        """


@runtime_checkable
class CopiesWords(Protocol):
    """A model that may copy words from places of its input."""

    copies: bool  # whether it does so as it is set

    def copied_from(self, state: Any, scores: Scores, words: Tensor) -> Tensor:
        """p(copied from this place | the next word) of each place (B · n, L, W), for one next word each (B · n,).

        State and scores are those of the step before the word.
        """


@runtime_checkable
class ChecksItems(Protocol):
    """A model that can be told which items its text has named, as NN-Swap does."""

    def check(self, state: Any, items: Tensor) -> Any:
        """The state with just these items checked, zeros and ones (B · n, L)."""


@runtime_checkable
class EditsTexts(Protocol):
    """A model without weights, whose texts are edited training recipes."""

    edits: Literal[True]


@runtime_checkable
class AssemblesTexts(Protocol):
    """A model without weights, whose texts are assembled from the sentences of its phrasebook."""

    assembles: Literal[True]
