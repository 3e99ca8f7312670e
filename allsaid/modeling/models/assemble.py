"""Texts assembled from the sentences of training texts: a writer for small tables and for acts (`allsaid.proof.forms`).

What it writes with is the phrasebook, which every model of a table has; here it has nothing else. Its weights are the
frequencies of words, so that it has a dev loss as all models have. No text is searched by them.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import torch
from torch import Tensor, nn

from allsaid.modeling.data.arrays import FlatTexts
from allsaid.modeling.data.vocabulary import END, PAD, START
from allsaid.modeling.layers.losses import NLL, Losses
from allsaid.modeling.models.contract import State
from allsaid.modeling.tasks import agenda as TASK

__all__ = ["TASK", "Settings", "build"]
SMOOTH = 1.0  # added to the count of each word


@dataclass(frozen=True)
class Settings:
    kind: Literal["assemble"] = "assemble"


def build(settings: Settings, vocabularies: Any, dtype: torch.dtype) -> Assemble:
    return Assemble(len(vocabularies.text))


class Assemble(nn.Module):
    assembles: Literal[True] = True
    log_probs: Tensor  # (V,) of single words

    def __init__(self, words: int) -> None:
        """words: V."""
        super().__init__()
        self.register_buffer("log_probs", torch.zeros(words))

    def count(self, ids: FlatTexts, folder: Path) -> None:
        """Count the words of the training part's texts, and their ends."""
        counts = torch.full_like(self.log_probs, SMOOTH)
        for first in range(0, len(ids), 100_000):
            read = torch.from_numpy(ids.read(first, first + 100_000, len(counts)).astype("int64"))
            counts += torch.bincount(read, minlength=len(counts))
        counts[END] += len(ids)
        counts[[PAD, START]] = 0
        self.log_probs.copy_((counts / counts.sum()).log())

    def loss(self, batch: Any) -> Losses:
        """nll: −Σ log p of words by their frequency."""
        real = batch.targets != PAD
        return Losses({NLL: -self.log_probs[batch.targets[real]].sum()}, len(real), real.sum())

    def start(self, prompts: Any) -> State:
        """Nothing is searched: `allsaid.decoding.certified` assembles."""
        raise NotImplementedError

    def step(self, state: State, tokens: Tensor) -> Any:
        """See `start`."""
        raise NotImplementedError
