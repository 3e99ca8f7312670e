"""How sharply a model looks at its source: the entropy of its attention (Benmalek et al. 2019, section 5.2).

It is measured while the model reads the true texts, their ends among them, so that all systems look for the same words.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from allsaid.modeling.data.dataset import DataSet, sorted_order
from allsaid.modeling.data.vocabulary import PAD
from allsaid.modeling.models.contract import ShowsAttention
from allsaid.modeling.saved.model_folder import Bundle
from training.fitting.scores import encoded

FIGURE = "attention_entropy"  # the mean
DOCUMENT = "attention.json"  # in a run: the share of words whose entropy is at most so many nats
STEP = 0.05  # nats, of the document
SHARES = ("attention", "pointer")  # pictures whose places share 1


@torch.inference_mode()
def entropies(bundle: Bundle, data: DataSet, split: str) -> np.ndarray:
    """Of each word of a split (N,), in nats; none of a model that looks at no places."""
    if not isinstance(bundle.model, ShowsAttention):
        return np.zeros(0)
    with encoded(bundle, data, split) as ids:
        found = [np.zeros(0)]
        for rows in sorted_order(ids.lengths, bundle.config.data.batch_size):
            batch = bundle.task.collate(ids, rows, bundle.config.data.max_text).to(bundle.device)
            found.append(_of_batch(bundle, batch).cpu().numpy())
    return np.concatenate(found)


def _of_batch(bundle: Bundle, batch: Any) -> Tensor:
    """Of each word (N,) of a batch."""
    state, found = bundle.model.start(bundle.packed(batch.prompts)), []
    for words, targets in zip(batch.inputs.unbind(1), batch.targets.unbind(1), strict=True):
        _, state = bundle.model.step(state, words)
        shown = [weights for title, weights in bundle.model.attention_of(state).items() if title in SHARES]
        found += [torch.special.entr(weights.flatten(1)).sum(1)[targets != PAD] for weights in shown]
    return torch.cat(found) if found else torch.zeros(0)


def at_most(nats: Sequence[float] | np.ndarray) -> Mapping[str, list[float]]:
    """The share of words (0 to 1) at or below each value, in steps up to the highest."""
    limits = np.arange(0, max(nats) + STEP, STEP)
    shares = np.searchsorted(np.sort(nats), limits + 1e-9, side="right") / len(nats)
    return {"nats": limits.round(2).tolist(), "shares": shares.round(4).tolist()}
