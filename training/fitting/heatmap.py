"""What a model attends to while it writes a text, drawn."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch

from schemas.example import Example
from training.fitting import plots
from training.models.model_folder import Bundle
from training.tasks.vocabulary import END, SPECIALS, START


@torch.no_grad()
def draw_attention(path: Path, bundle: Bundle, example: Example, tokens: list[str]) -> None:
    """The heat maps of one generated text, of a model that shows its attention."""
    found = [bundle.model.attention_of(state) for state in _forced(bundle, example, tokens)]
    maps = {name: torch.cat([one[name] for one in found]).float().cpu().numpy() for name in found[0]}
    items = [" ".join(item) for item in example.agenda_tokens]
    plots.attention_maps(path, [*tokens, SPECIALS[END]], items, maps)


def _forced(bundle: Bundle, example: Example, tokens: list[str]) -> Iterator[Any]:
    """The states that predict each of the given words, and the end."""
    state = bundle.model.start(bundle.prompts([example]))
    for word in [START, *bundle.vocabularies.text.encode(tokens)]:
        _, state = bundle.model.step(state, torch.tensor([word], device=bundle.device))
        yield state
