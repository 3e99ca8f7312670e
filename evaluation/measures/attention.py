"""Entropy of a model's attention over its source (Benmalek et al. 2019, section 5.2).

It is measured while the model reads the reference texts, end tokens included, so that all systems predict the same
tokens.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from allsaid.modeling.data.dataset import DataSet, sorted_order
from allsaid.modeling.data.vocabulary import PAD
from allsaid.modeling.models.base.contract import ShowsAttention
from allsaid.modeling.saved.model_folder import Bundle
from training.fitting.scores import encoded

FIGURE = "attention_entropy"  # the mean
DOCUMENT = "attention.json"  # in a run: the share of tokens whose entropy is at most a limit, for each limit
STEP = 0.05  # nats between two limits
DISTRIBUTIONS = ("attention", "pointer")  # the pictures whose weights sum to 1


@torch.inference_mode()
def entropies(bundle: Bundle, data: DataSet, split: str) -> np.ndarray:
    """Return the entropy of each token of a split (N,), in nats; empty for a model without attention."""
    if not isinstance(bundle.model, ShowsAttention):
        return np.zeros(0)
    with encoded(bundle, data, split) as ids:
        parts = [np.zeros(0)]
        for rows in sorted_order(ids.lengths, bundle.config.data.batch_size):
            batch = bundle.task.collate(ids, rows, bundle.config.data.max_text).to(bundle.device)
            parts.append(_of_batch(bundle, batch).cpu().numpy())
    return np.concatenate(parts)


def _of_batch(bundle: Bundle, batch: Any) -> Tensor:  # Any: of the model's task
    """Return the entropy of each token of a batch (N,), in nats."""
    state, parts = bundle.model.start(bundle.packed(batch.prompts)), []
    for words, targets in zip(batch.inputs.unbind(1), batch.targets.unbind(1), strict=True):
        _, state = bundle.model.step(state, words)
        pictures = bundle.model.attention_of(state)
        weights = [pictures[title] for title in DISTRIBUTIONS if title in pictures]
        parts += [torch.special.entr(weight.flatten(1)).sum(1)[targets != PAD] for weight in weights]
    return torch.cat(parts) if parts else torch.zeros(0)


def at_most(nats: Sequence[float] | np.ndarray) -> Mapping[str, list[float]]:
    """Return the share of tokens (0 to 1) at or below each limit, in steps up to the highest entropy."""
    limits = np.arange(0, max(nats) + STEP, STEP)
    shares = np.searchsorted(np.sort(nats), limits + 1e-9, side="right") / len(nats)
    return {"nats": limits.round(2).tolist(), "shares": shares.round(4).tolist()}
