"""GRUs and LSTMs: those that read a text in both directions, and one that writes, a step at a time."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F


class LstmCell(nn.LSTMCell):
    """A step of an LSTM whose state is one tensor, h and its cells side by side: of a GRU it is h alone."""

    def forward(self, x: Tensor, state: Tensor) -> Tensor:  # type: ignore[override]
        """x: (N, k); state: (N, 2k), and so is the next one."""
        h, c = state.chunk(2, dim=1)
        return torch.cat(super().forward(x, (h, c)), dim=1)


READING = {"gru": nn.GRU, "lstm": nn.LSTM}
WRITING: dict[str, type[nn.GRUCell | LstmCell]] = {"gru": nn.GRUCell, "lstm": LstmCell}


class BothWays(nn.Module):
    """Layers of two that read, whose states h stand side by side.

    The second reads each text from its own end. So the filling always comes last and changes nothing, whatever stands
    beside it, and every step takes all texts: with packed sequences the number of rows of a product, and its last bits,
    would depend on how long the others are.
    """

    def __init__(self, k: int, layers: int, dropout: float, cell: str) -> None:
        """k: of a word, and of the states of both directions together; dropout: between layers; cell: of READING."""
        super().__init__()
        kind, self.dropout = READING[cell], dropout
        self.ahead = nn.ModuleList(kind(k, k - k // 2, batch_first=True) for _ in range(layers))
        self.back = nn.ModuleList(kind(k, k // 2, batch_first=True) for _ in range(layers))

    def forward(self, x: Tensor, is_word: Tensor) -> tuple[Tensor, Tensor]:
        """x: (B, S, k); is_word: (B, S), filling behind. Returns the last layer's states (B, S, k), zeros in the
        filling, and the last state of each direction (B, layers, k); zeros of a text without a word.
        """
        is_word, lengths = is_word.unsqueeze(2), is_word.sum(1)[:, None, None]
        places = torch.arange(x.shape[1], device=x.device)[None, :, None]
        turned = torch.where(is_word, lengths - 1 - places, places)
        ends = []
        for number, (ahead, back) in enumerate(zip(self.ahead, self.back, strict=True)):
            x = x if number == 0 else F.dropout(x, self.dropout, self.training)
            forward, backward = ahead(x)[0], back(_at(turned, x))[0]
            last = (lengths - 1).clamp(min=0)
            ends.append(torch.cat([_at(last, forward), _at(last, backward)], dim=2) * (lengths > 0))
            x = torch.cat([forward, _at(turned, backward)], dim=2) * is_word
        return x, torch.cat(ends, dim=1)


def _at(places: Tensor, x: Tensor) -> Tensor:
    """The states (B, n, k) at places (B, n, 1) of x (B, S, k)."""
    return x.gather(1, places.expand(-1, -1, x.shape[2]))
