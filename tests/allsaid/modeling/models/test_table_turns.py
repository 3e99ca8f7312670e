"""How the turns of dialogues are read before the machine's next one is written: none twice, and each as by itself."""

from __future__ import annotations

import pytest
import torch

from allsaid.modeling.data.vocabulary import PAD
from allsaid.modeling.models.table_pointer import Settings, TablePointer

V = 30


@pytest.mark.parametrize("together", [True, False])
@torch.no_grad()
def test_equal_turns_are_read_once_and_all_as_by_themselves(together: bool) -> None:
    model, words = TablePointer(Settings(hidden=6), V).double().eval(), torch.randn(V, 6, dtype=torch.float64)
    words[PAD] = 0
    lengths = torch.tensor([3, 0, 40, 9, 3, 1, 8, 40, 3])
    turns = torch.randint(PAD + 1, V, (len(lengths), 40)).masked_fill(torch.arange(40) < 40 - lengths[:, None], PAD)
    turns = torch.cat([turns, turns[:1].expand(10, -1)])
    read: list[int] = []
    model.read.register_forward_hook(lambda _, given, found: read.append(given[0].shape[0] * given[0].shape[1]))
    found = model._read(turns, words, together)
    assert torch.allclose(found, torch.nn.LSTM.forward(model.read, words[turns])[0], rtol=0, atol=1e-12)
    if together:
        assert sum(read) < len(lengths) * 40
    else:
        assert read == [8 * 8, 8 * 16, 8 * 40]  # of each size eight turns, filled up


@torch.no_grad()
def test_a_turn_has_the_same_bits_beside_any_others() -> None:
    model, words = TablePointer(Settings(hidden=6), V).eval(), torch.randn(V, 6)
    turns = torch.randint(PAD + 1, V, (50, 16)).masked_fill(torch.arange(16) < 16 - torch.arange(50)[:, None] % 17, PAD)
    whole = model._read(turns, words, together=False)
    for chosen in ([7], [3, 4], [16, 2, 33, 49], [*range(30)]):
        assert model._read(turns[chosen], words, together=False).equal(whole[chosen])
