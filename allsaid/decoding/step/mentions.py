"""Agenda items that hypotheses refer to, for models that report them."""

from __future__ import annotations

import numpy as np
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
        self._items = torch.arange(most_items, device=slots.device)
        texts = torch.arange(slots.texts, device=slots.device)
        self._first_items = (texts * most_items).repeat_interleave(slots.width)  # of each row's text, among all items
        self._before = torch.full((rows,), NO_ITEM, device=slots.device)
        self._word = torch.full((rows,), PAD, device=slots.device)
        self._used = torch.zeros(rows, most_items, dtype=torch.bool, device=slots.device)
        self._now: Items | None = None

    def edit(self, buffer: ScoreBuffer, state: State) -> None:
        now = self._now = self._model.items_of(state)
        place = now.item.clamp(min=0)
        names = now.names.flatten(0, 1).index_select(0, self._first_items + place)  # (B · n, W)
        if not self._search.adjacent_items:
            # Different words of the same item's name may follow each other.
            is_word = names == self._word.unsqueeze(1)
            inside = is_word.any(1).logical_and_(now.item == self._before)
            free = torch.where(is_word.logical_not_().logical_and_(inside.unsqueeze(1)), names, PAD)
            are_items = torch.minimum(now.item, self._before) != NO_ITEM  # NO_ITEM is less than every item
            buffer.penalise(PENALTY * are_items, free)
        if self._search.item_bonus:
            fresh = now.is_new.unsqueeze(1) > self._used.gather(1, place.unsqueeze(1))
            buffer.add(torch.where(fresh, names, PAD), self._search.item_bonus)

    def follow(self, rows: Tensor, words: Tensor) -> None:
        assert self._now is not None  # an edit comes before
        self._before, self._word = self._now.item.index_select(0, rows), words
        new = self._now.is_new.index_select(0, rows)
        if self._search.item_bonus:
            introduced = (self._before.unsqueeze(1) == self._items).logical_and_(new.unsqueeze(1))
            self._used = introduced.logical_or_(self._used.index_select(0, rows))
        for history, values in ((self._history, self._before), (self._new, new.long())):
            self._slots.write(history, values.view(-1, self._slots.width))

    def renew(self, places: Tensor, texts: Tensor) -> None:
        self._before.view(-1, self._slots.width)[places] = NO_ITEM
        self._used.view(self._slots.texts, self._slots.width, -1)[places] = False

    def read(self, place: int, ended: Ended) -> tuple[list[int], list[int]]:
        """Return the item that each word of a hypothesis refers to, and those that it introduces, one per word."""
        steps = np.arange(len(ended.path))
        items = self._history[place].cpu().numpy()[ended.path, steps]
        new = self._new[place].cpu().numpy()[ended.path, steps] > 0
        return items.tolist(), items[new & (items != NO_ITEM)].tolist()
