"""GRUs and LSTMs: layers that read a text in both directions, and a cell that generates one step at a time."""

from __future__ import annotations

import torch
from torch import Tensor, nn


class LstmCell(nn.LSTMCell):
    """A step of an LSTM whose state is one tensor, h followed by c, so that it has the interface of a GRU cell."""

    def forward(self, x: Tensor, state: Tensor) -> Tensor:  # type: ignore[override]
        """Return the next state (N, 2k); x: (N, k); state: (N, 2k)."""
        h, c = state.chunk(2, dim=1)
        return torch.cat(super().forward(x, (h, c)), dim=1)


READING = {"gru": nn.GRU, "lstm": nn.LSTM}
WRITING: dict[str, type[nn.GRUCell | LstmCell]] = {"gru": nn.GRUCell, "lstm": LstmCell}


class BidirectionalReader(nn.Module):
    """Layers of two readers, whose states h are concatenated.

    The second reader starts at each text's own end. So padding always comes last and has no effect, and every step
    includes all texts. With packed sequences the number of rows of a product, and so its last bits, would depend on the
    lengths of other texts.
    """

    def __init__(self, k: int, layers: int, dropout: float, cell: str) -> None:
        """k: size of a word, and of both directions' states together; dropout: between layers; cell: of READING."""
        super().__init__()
        kind, self.drop = READING[cell], nn.Dropout(dropout)
        self.ahead = nn.ModuleList(kind(k, k - k // 2, batch_first=True) for _ in range(layers))
        self.back = nn.ModuleList(kind(k, k // 2, batch_first=True) for _ in range(layers))

    def forward(self, x: Tensor, is_word: Tensor) -> tuple[Tensor, Tensor]:
        """Read texts; x: (B, S, k); is_word: (B, S), padding last.

        Returns the states of the last layer (B, S, k), zeros for padding, and the last state of each direction
        (B, layers, k), zeros for a text without a word.
        """
        is_word, lengths = is_word.unsqueeze(2), is_word.sum(1)[:, None, None]
        places = torch.arange(x.shape[1], device=x.device)[None, :, None]
        turned = torch.where(is_word, lengths - 1 - places, places)
        ends = []
        for number, (ahead, back) in enumerate(zip(self.ahead, self.back, strict=True)):
            x = x if number == 0 else self.drop(x)
            forward, backward = ahead(x)[0], back(_at(turned, x))[0]
            last = (lengths - 1).clamp(min=0)
            ends.append(torch.cat([_at(last, forward), _at(last, backward)], dim=2) * (lengths > 0))
            x = torch.cat([forward, _at(turned, backward)], dim=2) * is_word
        return x, torch.cat(ends, dim=1)


def _at(places: Tensor, x: Tensor) -> Tensor:
    """Return the states (B, n, k) at places (B, n, 1) of x (B, S, k)."""
    return x.gather(1, places.expand(-1, -1, x.shape[2]))
