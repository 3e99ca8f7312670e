"""Forced pass: run a model over existing texts, word by word, to get the sources of copied words and the attention."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any  # Any: a network, known only at run time

import numpy as np
import torch
from torch import Tensor

from allsaid.modeling.data.vocabulary import START
from schemas.example import NO_ITEM
from schemas.texts.attention import WHOLE


@dataclass(frozen=True)
class PassOptions:
    """The data to collect for each word of the texts."""

    with_sources: bool  # whether to collect the source of each copied word
    with_attention: bool  # whether to collect attention weights
    has_subwords: bool  # whether token ids are subwords; weights are then summed by source word


@dataclass(frozen=True)
class PassOutputs:
    """Sources and attention of B texts of T words, including end tokens and padding."""

    sources: list[list[tuple[int, int]]]  # (B, T): item and word, NO_ITEM twice if not copied; [] if not collected
    maps: Mapping[str, np.ndarray]  # title -> (B, T, …) attention to source positions, in multiples of 1/WHOLE


@torch.inference_mode()
def forced_pass(model: Any, prompts: Any, words: Tensor, options: PassOptions) -> PassOutputs:
    """Run the model over the words (B, T); words and prompts are on the model's device."""
    state, before = model.start(prompts), torch.full_like(words[:, 0], START)
    maps: dict[str, list[Tensor]] = {}
    sources = []
    for word in words.unbind(1):
        scores, state = model.step(state, before)
        if options.with_sources:
            copied = model.copied_from(state, scores, word)
            sources.append(_most_likely(_by_word(copied) if options.has_subwords else copied))
        for title, values in (model.attention_of(state) if options.with_attention else {}).items():
            shown = _by_word(values) if options.has_subwords and values.dim() > 1 else values
            maps.setdefault(title, []).append((WHOLE * shown).round().to(torch.uint8))
        before = word
    return PassOutputs(
        torch.stack(sources, dim=1).tolist() if sources else [],
        {title: torch.stack(steps, dim=1).cpu().numpy() for title, steps in maps.items()},
    )


def _most_likely(posterior: Tensor) -> Tensor:
    """Return item and word (B, 2) of the likeliest source position (B, L, W); NO_ITEM if "not copied" is likelier."""
    flat = posterior.flatten(1)
    best = flat.argmax(1)
    place = torch.stack([best // posterior.shape[2], best % posterior.shape[2]], dim=1)
    return place.masked_fill((flat.sum(1) <= 0.5).unsqueeze(1), NO_ITEM)


def _by_word(values: Tensor) -> Tensor:
    """Sum the subword weights (B, L, W) of each of L words; return (B, 1, L)."""
    return values.sum(2).unsqueeze(1)
