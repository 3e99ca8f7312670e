"""Agenda items that hypotheses refer to, for models that report them."""

from __future__ import annotations

import torch
from torch import Tensor

from allsaid.decoding.step.score_buffer import ScoreBuffer
from allsaid.decoding.step.slots import Ended, Slots
from allsaid.modeling.config import SearchConfig
from allsaid.modeling.data.vocabulary import PAD
from allsaid.modeling.models.base.contract import Items, KnowsItems, State
from schemas.example import NO_ITEM

PENALTY = 10_000.0  # nats; excludes item references on consecutive words unless no other word is left


class Mentions:
    """Penalties for item references on consecutive words, and a bonus for new items.

    The paper ranks only finished texts by their items. Without a bonus during the search, hypotheses that end early
    crowd out those that name more items.
    """

    def __init__(self, model: KnowsItems, slots: Slots, most_items: int, search: SearchConfig) -> None:
        self._model, self._slots, self._search = model, slots, search
        self._history, self._new = slots.history(NO_ITEM), slots.history(0)
        rows = slots.texts * slots.width
        self._rows = torch.arange(rows, device=slots.device)
        self._texts = self._rows // slots.width
        self._items = torch.arange(most_items, device=slots.device)
        self._before = torch.full((rows,), NO_ITEM, device=slots.device)
        self._word = torch.full((rows,), PAD, device=slots.device)
        self._used = torch.zeros(rows, most_items, dtype=torch.bool, device=slots.device)
        self._now: Items | None = None

    def edit(self, buffer: ScoreBuffer, state: State) -> None:
        now = self._now = self._model.items_of(state)
        place = now.item.clamp(min=0)
        names = now.names[self._texts, place]  # (B · n, W)
        if not self._search.adjacent_items:
            # Different words of the same item's name may follow each other.
            inside = ((now.item == self._before) & (names == self._word.unsqueeze(1)).any(1)).unsqueeze(1)
            free = torch.where(inside & (names != self._word.unsqueeze(1)), names, PAD)
            buffer.penalise(PENALTY * ((now.item != NO_ITEM) & (self._before != NO_ITEM)), free)
        if self._search.item_bonus:
            fresh = now.is_new & ~self._used[self._rows, place]
            buffer.add(torch.where(fresh.unsqueeze(1), names, PAD), self._search.item_bonus)

    def follow(self, rows: Tensor, words: Tensor) -> None:
        assert self._now is not None  # an edit comes before
        self._before, self._word, new = self._now.item[rows], words, self._now.is_new[rows]
        introduced = self._before.unsqueeze(1) == self._items
        self._used = self._used[rows] | (introduced & new.unsqueeze(1))
        for history, values in ((self._history, self._before), (self._new, new.long())):
            self._slots.write(history, values.view(-1, self._slots.width))

    def renew(self, places: Tensor, texts: Tensor) -> None:
        self._before.view(-1, self._slots.width)[places] = NO_ITEM
        self._used.view(self._slots.texts, self._slots.width, -1)[places] = False

    def read(self, place: int, ended: Ended) -> tuple[list[int], list[int]]:
        """Return the item that each word of a hypothesis refers to, and those that it introduces, one per word."""
        steps = range(len(ended.path))
        items = self._history[place].cpu().numpy()[ended.path, steps]
        new = self._new[place].cpu().numpy()[ended.path, steps] > 0
        return items.tolist(), items[new & (items != NO_ITEM)].tolist()
