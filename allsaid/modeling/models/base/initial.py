"""Initial weights."""

from __future__ import annotations

from torch import nn

from allsaid.modeling.data.vocabulary import PAD


def init_uniform(model: nn.Module, bound: float, *embeddings: nn.Parameter) -> None:
    """Initialise all weights uniformly in [-bound, bound], and the rows of PAD in ``embeddings`` with zeros."""
    for parameter in model.parameters():
        nn.init.uniform_(parameter, -bound, bound)
    for embedding in embeddings:
        embedding.data[PAD] = 0
