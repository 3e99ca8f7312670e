"""Word frequencies of training texts: the only weights of models without a trained network.

These models (`assemble`, `edit`) build texts from sentences of training texts. The frequencies only give a dev loss.
"""

from __future__ import annotations

from pathlib import Path
from typing import NoReturn

import torch
from torch import Tensor, nn

from allsaid.modeling.data.agenda_arrays import Batch
from allsaid.modeling.data.arrays import FlatTexts
from allsaid.modeling.data.vocabulary import END, PAD, START
from allsaid.modeling.layers.losses import NLL, Losses

SMOOTH = 1.0  # added to the count of each word


class WordFrequencies(nn.Module):
    """A network that only gives a dev loss; the models' texts come from elsewhere."""

    log_probs: Tensor  # (V,) log p of each word by its frequency

    def __init__(self, words: int) -> None:
        """words: V."""
        super().__init__()
        self.register_buffer("log_probs", torch.zeros(words))

    def count(self, ids: FlatTexts, folder: Path) -> None:
        """Count the words of the training part's texts, and their ends; ``folder``, of the protocol, is not used."""
        counts = torch.full_like(self.log_probs, SMOOTH)
        for first in range(0, len(ids), 100_000):
            read = torch.from_numpy(ids.read(first, first + 100_000, len(counts)).astype("int64"))
            counts += torch.bincount(read, minlength=len(counts))
        counts[END] += len(ids)
        counts[[PAD, START]] = 0
        self.log_probs.copy_((counts / counts.sum()).log())

    def loss(self, batch: Batch) -> Losses:
        """Return nll: −Σ log p of the words by their frequency."""
        real = batch.targets != PAD
        return Losses({NLL: -self.log_probs[batch.targets[real]].sum()}, len(real), real.sum())

    def start(self, prompts: object) -> NoReturn:
        """Raise NotImplementedError, since these models generate no text word by word."""
        raise NotImplementedError

    def step(self, state: object, tokens: Tensor) -> NoReturn:
        """See `start`."""
        raise NotImplementedError
