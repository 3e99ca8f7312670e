"""Sums of losses over batches, each over its own count."""

from __future__ import annotations

import pytest
import torch

from allsaid.modeling.layers.losses import Losses, means


def test_a_loss_is_logged_over_its_own_count_or_a_word() -> None:
    parts = {"nll": torch.tensor(12.0), "left": torch.tensor(2.0), "switch": torch.tensor(3.0)}
    losses = Losses(parts, 2, torch.tensor(8), {"switch": torch.tensor(4)})
    sums = {name: value.item() for name, value in losses.sums().items()}
    assert means(sums, "dev_") == {"dev_nll": 1.5, "dev_left": 0.25, "dev_switch": 0.75}
    assert losses.total.item() == (12 + 2 + 3) / 2


def test_what_was_never_counted_is_no_fault() -> None:
    assert means({"nll": 8.0, "switch": 0.0, "switch/count": 0.0, "words": 4.0}, "") == {"nll": 2.0, "switch": 0.0}


def test_word_loss_comes_first_and_counts_match() -> None:
    one = torch.ones(())
    with pytest.raises(ValueError, match=r"must be 'nll', that of its words; these are \['loss'\]"):
        Losses({"loss": one}, 1, one)
    with pytest.raises(ValueError, match=r"a count of 'swich', but the losses are \['nll', 'switch'\]"):
        Losses({"nll": one, "switch": one}, 1, one, {"swich": one})
