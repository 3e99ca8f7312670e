"""The picture of a search's processor time by kinds of operations (docs/search_shares.png)."""

from __future__ import annotations

from pathlib import Path

from matplotlib.figure import Figure
from matplotlib.patches import Patch


def draw(shares: dict[str, dict[str, float]], path: Path) -> None:
    """Draw a bar for each search; ``shares``: search -> kind of operation -> share of the time, 0 to 1."""
    figure = Figure(figsize=(7, 2.2), layout="constrained")
    axes = figure.subplots()
    for row, found in enumerate(shares.values()):
        left = 0.0
        for number, share in enumerate(found.values()):
            axes.barh(row, share, left=left, color=f"C{number}")
            if share > 0.03:
                axes.text(left + share / 2, row, f"{share:.0%}", ha="center", va="center", fontsize=8)
            left += share
    axes.set_yticks(range(len(shares)), list(shares))
    axes.invert_yaxis()
    axes.set_xlim(0, 1)
    axes.xaxis.set_major_formatter("{x:.0%}")
    parts = list(next(iter(shares.values())))
    axes.legend(
        [Patch(color=f"C{number}") for number in range(len(parts))],
        parts,
        ncols=len(parts),
        fontsize=7,
        loc="lower center",
        bbox_to_anchor=(0.5, 1),
    )
    figure.savefig(path, dpi=150)
