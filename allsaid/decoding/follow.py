"""A model led along given texts, step by step, and what it tells of each word as tensors and numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from allsaid.modeling.data.vocabulary import START
from schemas.example import NO_ITEM
from schemas.texts.attention import WHOLE


@dataclass(frozen=True)
class Asked:
    is_copying: bool  # where each word is copied from
    is_shown: bool  # what the model looks at
    is_cut: bool  # the ids are pieces, whose words are the places


@dataclass(frozen=True)
class Followed:
    """Of B texts of T words, their ends and filling included."""

    sources: list[list[tuple[int, int]]]  # (B, T) item and word, NO_ITEM twice where a word is not copied; [] unasked
    maps: Mapping[str, np.ndarray]  # (B, T, …) of the places, parts of WHOLE, by the titles of the pictures


@torch.inference_mode()
def follow(model: Any, prompts: Any, words: Tensor, asked: Asked) -> Followed:
    """words: (B, T), where the model's weights are, as the prompts are."""
    state, before = model.start(prompts), torch.full_like(words[:, 0], START)
    maps: dict[str, list[Tensor]] = {}
    sources = []
    for word in words.unbind(1):
        scores, state = model.step(state, before)
        if asked.is_copying:
            copied = model.copied_from(state, scores, word)
            sources.append(_most_likely(_by_word(copied) if asked.is_cut else copied))
        for title, values in (model.attention_of(state) if asked.is_shown else {}).items():
            shown = _by_word(values) if asked.is_cut and values.dim() > 1 else values
            maps.setdefault(title, []).append((WHOLE * shown).round().to(torch.uint8))
        before = word
    return Followed(
        torch.stack(sources, dim=1).tolist() if sources else [],
        {title: torch.stack(steps, dim=1).cpu().numpy() for title, steps in maps.items()},
    )


def _most_likely(posterior: Tensor) -> Tensor:
    """Item and word (B, 2) of the likeliest place (B, L, W); NO_ITEM where it is likelier that none was copied."""
    flat = posterior.flatten(1)
    best = flat.argmax(1)
    place = torch.stack([best // posterior.shape[2], best % posterior.shape[2]], dim=1)
    return place.masked_fill((flat.sum(1) <= 0.5).unsqueeze(1), NO_ITEM)


def _by_word(values: Tensor) -> Tensor:
    """What pieces (B, L, W) of L words have, as that of the words of one source (B, 1, L)."""
    return values.sum(2).unsqueeze(1)
