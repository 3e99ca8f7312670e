"""The plots of a training run: loss curves, and a model's attention over a text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any  # Any: JSON

import matplotlib
import numpy as np

matplotlib.use("Agg")
from matplotlib import pyplot as plt
from matplotlib.ticker import MaxNLocator

from allsaid.modeling.layers.losses import NLL
from allsaid.proof.figures import Figure
from schemas.texts.attention import WHOLE, Weights

CELL, MARGIN = 0.17, 2  # size of a heat map's cell in inches; height of a map's title in cells


def loss_curves(path: Path, history: Sequence[Mapping[str, Any]], main: Figure) -> None:
    """Draw training and dev losses and the main figure on dev by epoch; ``history``: the figures of each epoch."""
    epochs = [row["epoch"] for row in history]
    key = f"dev_{main.key}"
    measured = [row for row in history if key in row]
    losses = [name.removeprefix("train_") for name in history[0] if name.startswith("train_")]
    losses.remove(NLL)
    panel_count = 1 + bool(losses) + bool(measured)
    figure, grid = plt.subplots(1, panel_count, figsize=(4.3 * panel_count, 3.8), layout="constrained", squeeze=False)
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


def attention_maps(path: Path, tokens: Sequence[str], weights: Sequence[Weights]) -> None:
    """Draw a model's weights of each place (rows) at each of T words (columns), one map below the other."""
    maps = [(title, list(rows)) for title, rows in groupby(weights, key=lambda row: row.map)]
    heights = [len(rows) + MARGIN for _, rows in maps]
    size = (2.5 + CELL * len(tokens), CELL * (sum(heights) + 2 * MARGIN))
    figure, panels = plt.subplots(
        len(maps), 1, figsize=size, height_ratios=heights, sharex=True, layout="constrained", squeeze=False
    )
    for panel, (title, rows) in zip(panels.flat, maps, strict=True):
        shares = np.stack([np.frombuffer(row.shares, np.uint8) for row in rows])
        panel.imshow(shares, cmap="Greys", vmin=0, vmax=WHOLE, aspect="auto", interpolation="nearest")
        panel.set_yticks(range(len(rows)), [row.place or title for row in rows], fontsize=7)
        if rows[0].place:
            panel.set_title(title)
        panel.set_xticks(range(len(tokens)), tokens, rotation=90, fontsize=7)
    figure.savefig(path, dpi=110)
    plt.close(figure)
