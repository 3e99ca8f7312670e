"""What is written into a source, by hand, and how the source is read."""

from __future__ import annotations

import pytest
import torch

from allsaid.modeling.layers.notes import Attention, Memory, Notes, Write
from allsaid.modeling.layers.recurrent import BidirectionalReader, LstmCell


@torch.no_grad()
def test_a_write_moves_each_state_by_its_own_gate() -> None:
    """Computed by hand from equations 4 to 6: u = tanh(g), α' = σ(f), h <- α' u + (1 − α') h."""
    notes = Notes(2)
    for parameter in notes.parameters():
        parameter.zero_()
    notes.note.bias.copy_(torch.tensor([0.5, -0.5]))
    notes.of_place.weight.copy_(torch.tensor([[1.0, 0.0]]))
    notes.gate.weight.fill_(2.0)
    states, key = torch.tensor([[[-1.0, 1.0], [0.0, 1.0], [0.5, 1.0]]]), torch.tensor([[3.0, 0.0], [0.0, 3.0]])
    after, gates = notes(Memory(states, states * 3, states[:, :, :1]), torch.zeros(1, 4), key)
    u = 0.46211716  # tanh(0.5)
    shares = [0.5, 0.5, 0.73105858]  # σ(2 max(h, 0)) of −1, 0 and 0.5
    by_hand = [share * u + (1 - share) * h for share, h in zip(shares, (-1.0, 0.0, 0.5), strict=True)]
    assert after.states[0, :, 0].tolist() == pytest.approx(by_hand, abs=1e-6)
    assert after.states[0, :, 1].tolist() == pytest.approx([1 - share * (1 + u) for share in shares], abs=1e-6)
    assert after.keys[0, :, 0].tolist() == pytest.approx([3 * one for one in by_hand], abs=1e-6)
    assert after.gates[0, :, 0].tolist() == pytest.approx(by_hand, abs=1e-6)
    assert gates[0].tolist() == pytest.approx(shares, abs=1e-6)


def test_a_write_has_the_gradients_of_differences() -> None:
    torch.manual_seed(2)
    h, u, share = (
        torch.rand(*size, dtype=torch.float64, requires_grad=True) for size in ((2, 3, 4), (2, 4), (2, 3, 1))
    )
    assert torch.autograd.gradcheck(Write.apply, (h, u, share))


@torch.no_grad()
def test_general_scores_equal_products_by_hand() -> None:
    """s · (W2 h + seen · w) of two places (Luong et al. 2015, section 3.1)."""
    attention = Attention(2, covers=1, general=True)
    assert attention.cover is not None
    attention.cover.copy_(torch.tensor([[10.0, 1.0]]))
    states = torch.tensor([[[1.0, 2.0], [0.0, -1.0]]])
    memory = Memory(states, keys=states * 3, gates=states[:, :0])
    s, seen = torch.tensor([[1.0, 1.0], [2.0, 0.0]]), torch.tensor([[[0.0], [0.0]], [[0.5], [1.0]]])
    assert attention.scores(memory, s, seen).tolist() == [[9, -3], [6 + 2 * 5, 0 + 2 * 10]]


@torch.no_grad()
def test_an_lstm_writes_with_its_cells_beside_its_state() -> None:
    torch.manual_seed(3)
    cell = LstmCell(2, 3)
    x, h, c = torch.randn(4, 2), torch.randn(4, 3), torch.randn(4, 3)
    expected = torch.nn.LSTMCell.forward(cell, x, (h, c))
    assert torch.equal(cell(x, torch.cat([h, c], dim=1)), torch.cat(expected, dim=1))


@pytest.mark.parametrize("cell", ["gru", "lstm"])
@torch.no_grad()
def test_the_reader_begins_each_direction_at_a_word(cell: str) -> None:
    torch.manual_seed(1)
    reader = BidirectionalReader(6, 2, 0.5, cell).eval()
    x = torch.randn(1, 3, 6)
    states, ends = reader(torch.cat([x, torch.randn(1, 2, 6)], dim=1), torch.tensor([[True, True, True, False, False]]))
    short, same = reader(x, torch.ones(1, 3, dtype=torch.bool))
    assert torch.allclose(states[:, :3], short) and not states[:, 3:].any()
    assert torch.allclose(ends, same) and torch.allclose(ends[:, 1, :3], states[:, 2, :3])
    assert torch.allclose(ends[:, 1, 3:], states[:, 0, 3:])
