"""What a GPU reached in training."""

from __future__ import annotations

from allsaid import markdown
from pages.results import facts, result

BATCHES = "tokens_per_second, batches of "


def training() -> str:
    """Return the target tokens a second by size of batch and precision, and what the paper's training would take."""
    found = result("gpu_train")
    rows = [
        [name.removeprefix(BATCHES), precision, *(f"{ways[way]:,}" for way in ways)]
        for name, by_precision in found.items()
        if name.startswith(BATCHES)
        for precision, ways in by_precision.items()
        if isinstance(ways, dict)
    ]
    ways = next(iter(found[f"{BATCHES}30"].values()))
    minutes = {
        f"minutes of the paper's 35 passes, batches of {name.removeprefix(BATCHES)}": part[
            "minutes_of_the_papers_training"
        ]
        for name, part in found.items()
        if name.startswith(BATCHES)
    }
    host = found["tokens_per_second of the host's batches"]
    return (
        markdown.table(["texts a batch", "precision", *ways], rows)
        + "\n\n"
        + facts({"GPU": found["machine"]["device"], **minutes, "tokens a second of the host's batches": f"{host:,}"})
    )
