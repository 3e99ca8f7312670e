"""What a checklist model's checklist holds while it writes a text, drawn."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import torch

from schemas.example import Example
from training.fitting import plots
from training.models.checklist import Checklist, State
from training.models.model_folder import Bundle
from training.tasks.dataset import encode_prompts
from training.tasks.vocabulary import END, SPECIALS, START


@torch.no_grad()
def draw_checklist(path: Path, bundle: Bundle, model: Checklist, example: Example, tokens: list[str]) -> None:
    """The heat map of one generated text: what the model's soft checklist held while it wrote it."""
    states = list(_forced(bundle, model, example, tokens))
    new, used, checklist = (
        torch.cat([getattr(state, name) for state in states]).float().cpu().numpy()
        for name in ("new_items", "used_items", "checklist")
    )
    items = [" ".join(item) for item in example.agenda_tokens]
    plots.checklist_map(path, [*tokens, SPECIALS[END]], items, new, used, checklist)


def _forced(bundle: Bundle, model: Checklist, example: Example, tokens: list[str]) -> Iterator[State]:
    """The states that predict each of the given words, and the end."""
    device = model.w_o.device
    state = model.start(encode_prompts([example], bundle.vocabularies).to(device))
    for word in [START, *bundle.vocabularies.text.encode(tokens)]:
        _, state = model.step(state, torch.tensor([word], device=device))
        yield state
