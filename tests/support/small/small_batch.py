"""Two texts with their agendas, small enough to be computed by hand."""

from __future__ import annotations

import torch

from allsaid.modeling.data.agenda_arrays import Batch, Prompts
from allsaid.modeling.data.vocabulary import END, PAD, START
from schemas.example import NEW, NO_ITEM, NONE, UNSUPERVISED, USED

SIZES = (11, 6, 8)  # words of text, titles, agendas


def small_batch() -> Batch:
    """Two texts, of 5 and 3 words and their ends, with 3 and 2 items."""
    prompts = Prompts(
        goal=torch.tensor([[4, 5], [3, PAD]]),
        items=torch.tensor([[[4, 5], [6, PAD], [7, PAD]], [[5, PAD], [1, PAD], [PAD, PAD]]]),
        names=torch.tensor([[[4, 5], [6, PAD], [7, PAD]], [[5, PAD], [1, PAD], [PAD, PAD]]]),
        item_mask=torch.tensor([[True, True, True], [True, True, False]]),
        weights=torch.ones(2, 3),
    )
    targets = torch.tensor([[5, 6, 8, 6, 7, END], [5, 10, 9, END, PAD, PAD]])
    inputs = torch.cat([torch.full((2, 1), START), targets[:, :-1]], dim=1)
    types = torch.tensor([[NEW, NEW, NONE, USED, UNSUPERVISED, NONE], [NONE, NONE, NEW, NONE, -1, -1]])
    refs = torch.tensor([[0, 1, NO_ITEM, 1, NO_ITEM, NO_ITEM], [NO_ITEM, NO_ITEM, 0, NO_ITEM, NO_ITEM, NO_ITEM]])
    return Batch(prompts, inputs, targets, types, refs)
