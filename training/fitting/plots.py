"""The pictures of a training run: loss curves, and what a model attends to over a text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np

matplotlib.use("Agg")
from matplotlib import pyplot as plt
from matplotlib.ticker import MaxNLocator

from training.metrics.figures import Figure
from training.models.losses import NLL


def loss_curves(path: Path, history: Sequence[dict[str, Any]], main: Figure) -> None:
    """Draw training and dev losses and the main figure on dev by epoch; ``history`` holds one row an epoch."""
    epochs = [row["epoch"] for row in history]
    key = f"dev_{main.key}"
    measured = [row for row in history if key in row]
    losses = [name.removeprefix("train_") for name in history[0] if name.startswith("train_")]
    losses.remove(NLL)
    shown = 1 + bool(losses) + bool(measured)
    figure, grid = plt.subplots(1, shown, figsize=(4.3 * shown, 3.8), layout="constrained", squeeze=False)
    panels = list(grid[0])
    for part in ("train", "dev"):
        panels[0].plot(epochs, [row[f"{part}_{NLL}"] for row in history], marker=".", label=part)
    panels[0].set_title("negative log-likelihood a word")
    panels[0].legend()
    for loss in losses:
        (line,) = panels[1].plot(epochs, [row[f"train_{loss}"] for row in history], linestyle="--")
        panels[1].plot(
            epochs, [row[f"dev_{loss}"] for row in history], marker=".", color=line.get_color(), label=f"{loss} (dev)"
        )
    if losses:
        panels[1].set_title("other losses (dashed: train)")
        panels[1].legend()
    if measured:
        panels[-1].plot([row["epoch"] for row in measured], [row[key] for row in measured], marker=".")
        panels[-1].set_title(f"{main.name}, dev sample")
        if main.unit == "%":
            panels[-1].set_ylim(0, 100)
    for panel in panels:
        panel.set_xlabel("epoch")
        panel.xaxis.set_major_locator(MaxNLocator(integer=True))
        panel.grid(alpha=0.3)
    figure.savefig(path, dpi=110)
    plt.close(figure)


def attention_maps(path: Path, tokens: Sequence[str], items: Sequence[str], maps: Mapping[str, np.ndarray]) -> None:
    """Draw what a model holds of each item at each word of a text, side by side.

    tokens: T words; items: L names; maps: (T, L) by their titles.
    """
    height = 1.6 + 0.17 * len(tokens)
    size = (1 + len(maps) * (1 + 0.25 * len(items)), height)
    figure, grid = plt.subplots(1, len(maps), figsize=size, sharey=True, layout="constrained", squeeze=False)
    for panel, (title, values) in zip(grid[0], maps.items(), strict=True):
        panel.imshow(values, cmap="Greys", vmin=0, vmax=1, aspect="auto", interpolation="nearest")
        panel.set_title(title)
        panel.set_xticks(range(len(items)), items, rotation=90, fontsize=8)
        panel.set_yticks(range(len(tokens)), tokens, fontsize=7)
    figure.savefig(path, dpi=110)
    plt.close(figure)
