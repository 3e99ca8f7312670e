"""Libraries tried in the place of our own code (docs/architecture.md): `python -m benchmarks.quality.libraries`.

Bootstrap intervals by scipy and sacrebleu beside `evaluation.measures.bootstrap`; averaged weights and learning rates
by torch beside the training loop's. Writes benchmarks/results/libraries.json; seconds are the processor's.
"""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from sacrebleu.metrics.bleu import BLEU
from scipy.stats import bootstrap as by_scipy
from torch.optim.lr_scheduler import PolynomialLR, ReduceLROnPlateau
from torch.optim.swa_utils import AveragedModel

from benchmarks.result_file import RESULTS, write
from evaluation.measures import bootstrap as ours

RESULT = RESULTS / "libraries.json"
TEXTS, LENGTH = 1055, 80  # as many as the library's test part has, of about as many words
WORDS = ["stir", "the", "soup", "and", "serve", "it", "hot", "with", "salt"]
IMPORTED = "import time; start = time.process_time(); import {}; print(time.process_time() - start)"
KEEP, STEPS = 0.999, 200
RATE, HALVE_AFTER, EPOCHS, ALL_STEPS = 0.1, 3, 100, 20_000


def main() -> None:
    write(RESULT, {"bootstrap": intervals(), "averages": averages(), "schedules": schedules()})


def timed(function: Callable[[], Any]) -> tuple[Any, float]:
    start = time.process_time()
    found = function()
    return found, round(time.process_time() - start, 2)


def intervals() -> dict[str, Any]:
    """Corpus BLEU of random texts: the interval by ours, by scipy and by sacrebleu, and what scipy says of one text."""
    chance = random.Random(1)
    texts, references = ([" ".join(chance.choices(WORDS, k=LENGTH)) for _ in range(TEXTS)] for _ in range(2))
    statistics = ours.bleu_statistics(texts, [[reference] for reference in references])
    own, seconds = timed(lambda: ours.bleu_interval(texts, [[reference] for reference in references]))
    theirs, scipy_seconds = timed(lambda: of_scipy(statistics, ours.bleu_of))
    metric = BLEU(tokenize="none", force=True)
    scored, sacrebleu_seconds = timed(lambda: metric.corpus_score(texts, [references], n_bootstrap=ours.DRAWS))
    try:
        one_text = str(of_scipy(statistics[:1], ours.bleu_of))
    except ValueError as fault:
        one_text = str(fault)
    command = [sys.executable, "-c", IMPORTED.format("scipy.stats")]
    imported = subprocess.run(command, check=True, capture_output=True, text=True)
    return {
        "ours": {"low": own.low, "high": own.high, "seconds": seconds},
        "scipy": {"low": theirs[0], "high": theirs[1], "seconds": scipy_seconds, "one text": one_text},
        "sacrebleu": {"mean": scored._mean, "half the interval": scored._ci, "seconds": sacrebleu_seconds},
        "seconds to import scipy.stats": round(float(imported.stdout), 2),
    }


def of_scipy(statistics: np.ndarray, figure: Callable[[np.ndarray], float]) -> tuple[float, float]:
    found = by_scipy(
        (np.arange(len(statistics)),),
        lambda drawn: figure(statistics[drawn].sum(axis=0)),
        vectorized=False,
        method="percentile",
        n_resamples=ours.DRAWS,
        confidence_level=ours.LEVEL / 100,
        rng=np.random.default_rng(ours.SEED),
    )
    return float(found.confidence_interval.low), float(found.confidence_interval.high)


def keep_at(step: int) -> float:
    """The share of the average that a step keeps, as in `training.fitting.loop`."""
    return min(KEEP, (1 + step) / (10 + step))


def averages() -> dict[str, Any]:
    """How far torch's averaged weights lie from the loop's after some steps, and what its tensors are called."""
    torch.manual_seed(1)
    model, mean = torch.nn.Linear(50, 50), torch.nn.Linear(50, 50)
    mean.load_state_dict(model.state_dict())
    theirs = AveragedModel(model, avg_fn=lambda own, weight, step: own.lerp(weight, 1 - keep_at(int(step))))
    for step in range(STEPS):
        with torch.no_grad():
            for weight in model.parameters():
                weight.add_(0.01 * torch.randn_like(weight))
            for own, weight in zip(mean.parameters(), model.parameters(), strict=True):
                own.lerp_(weight, 1 - keep_at(step))
        theirs.update_parameters(model)
    apart = (mean.weight - theirs.module.weight).abs().max().item()
    moved = (model.weight - mean.weight).abs().max().item()
    figures = {"steps": STEPS, "largest difference": apart, "largest distance to the model": moved}
    return figures | {"tensors": [*theirs.state_dict()]}


def schedules() -> dict[str, Any]:
    """Epochs at which the halved rates are equal, how far the linear ones lie apart, and what a scheduler keeps."""
    chance = random.Random(1)
    halved, linear = (torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], lr=RATE) for _ in range(2))
    plateau = ReduceLROnPlateau(halved, factor=0.5, patience=HALVE_AFTER - 1, threshold=0, eps=0)
    rate, best, stalled, equal = RATE, float("inf"), 0, 0
    for epoch in range(EPOCHS):
        loss = 1 / (1 + epoch) + 0.05 * chance.random()
        best, stalled = (loss, 0) if loss < best else (best, stalled + 1)
        rate /= 2 if stalled and stalled % HALVE_AFTER == 0 else 1
        plateau.step(loss)
        equal += rate == halved.param_groups[0]["lr"]
    polynomial, apart = PolynomialLR(linear, total_iters=ALL_STEPS), 0.0
    for step in range(1, ALL_STEPS):
        linear.step()
        polynomial.step()
        own = RATE * (1 - step / ALL_STEPS)
        apart = max(apart, abs(linear.param_groups[0]["lr"] - own) / own)
    kept = [name for name in ("best", "num_bad_epochs", "last_epoch") if name in plateau.state_dict()]
    return {"epochs": EPOCHS, "equal epochs": equal, "largest relative difference": apart, "kept": kept}


if __name__ == "__main__":
    main()
