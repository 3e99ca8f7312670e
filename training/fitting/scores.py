"""Generation and scoring of texts, the same for training, promotion and tests."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any  # Any: an example of the task, known only at run time

import torch

from allsaid import scratch
from allsaid.console import progress
from allsaid.decoding.hypothesis import NOTHING, Hypothesis
from allsaid.decoding.write import PIECE, write
from allsaid.disk import temporary_faults
from allsaid.modeling.config import SearchConfig
from allsaid.modeling.data.dataset import DataSet, sorted_order
from allsaid.modeling.layers.losses import COUNT, NLL, means
from allsaid.modeling.saved.model_folder import Bundle
from allsaid.modeling.tasks.contract import EncodedSplit, Learned, MeasuresLosses, Scores, Task
from allsaid.proof.coverage import Lexicon
from schemas.errors import UserError
from training.fitting.certificates import score

PERPLEXITY = "perplexity"  # of dev; one of the scores if the task's promotion depends on it


def generate(bundle: Bundle, prompts: Sequence[Any], search: SearchConfig) -> list[Hypothesis]:
    """Return the best hypothesis for each prompt."""
    best: list[Hypothesis] = []
    with progress("texts generated", len(prompts)) as bar:
        for start in range(0, len(prompts), PIECE):
            part = prompts[start : start + PIECE]
            best += [hypotheses[0] if hypotheses else NOTHING for hypotheses in write(bundle, part, search)]
            bar.advance(len(part))
    return best


@torch.no_grad()
def dev_losses(bundle: Bundle, ids: EncodedSplit) -> tuple[float, dict[str, float]]:
    """Return the mean loss of a dev text, and the parts of the loss, each over its count, with perplexities.

    A checklist model gets the checklist of the reference texts. A kind of words that dev lacks has no perplexity.
    ``ids``: the dev part as the bundle's task encodes it.
    """
    bundle.model.eval()
    data = bundle.config.data
    sums: dict[str, float] = {}
    for rows in sorted_order(ids.lengths, data.batch_size):
        losses = bundle.model.loss(bundle.task.collate(ids, rows, data.max_text).to(bundle.device))
        for name, value in losses.sums().items():
            sums[name] = sums.get(name, 0.0) + value.item()
    total = sum(sums[name] for name in losses.named) / len(ids)
    figures = means(sums, "dev_")
    logs = {name: value for name, value in figures.items() if name.startswith(f"dev_{NLL}")}
    logs = {name: value for name, value in logs.items() if sums.get(name.removeprefix("dev_") + COUNT, 1)}
    return total, figures | {name.replace(NLL, PERPLEXITY): math.exp(min(value, 700)) for name, value in logs.items()}


def finite_dev_losses(bundle: Bundle, ids: EncodedSplit, epoch: int) -> tuple[float, dict[str, float]]:
    """Return :func:`dev_losses` after an epoch; raise UserError if the loss is not finite."""
    total, figures = dev_losses(bundle, ids)
    if not math.isfinite(total):
        raise UserError(
            f"After epoch {epoch} the dev loss is {total}: the training has diverged. "
            "Start a new run with a smaller learning_rate."
        )
    return total, figures


def score_model(
    bundle: Bundle, data: DataSet, examples: Sequence[Learned], search: SearchConfig, lexicon: Lexicon
) -> dict[str, float]:
    """Generate texts for the examples and return their scores; a task without texts measures the whole dev part.

    ``lexicon`` is a parameter so that two models are measured with the same one.
    """
    task = bundle.task
    if isinstance(task, MeasuresLosses):
        with encoded(bundle, data, "dev") as ids:
            return task.measure_losses(bundle.model, ids, bundle.config.data)
    hypotheses = generate(bundle, examples, search)
    texts = [bundle.words(text.tokens, example) for text, example in zip(hypotheses, examples, strict=True)]
    scores = score(bundle, texts, examples, lexicon)
    if PERPLEXITY not in task.deciding:
        return scores
    return with_perplexities(scores, perplexities(bundle, data, "dev"), task)


def perplexities(bundle: Bundle, data: DataSet, split: str) -> dict[str, float]:
    """Return the perplexities of a split: of all words and, if the model distinguishes them, of kinds of words."""
    with encoded(bundle, data, split) as ids:
        return perplexities_of(dev_losses(bundle, ids)[1])


def with_perplexities(scores: Scores, values: Mapping[str, float], task: Task) -> dict[str, float]:
    """Return the scores with those perplexities that are figures of the task."""
    return {**scores, **{name: value for name, value in values.items() if name in task.figures}}


def perplexities_of(losses: Mapping[str, float]) -> dict[str, float]:
    """Return the perplexities among the figures of :func:`dev_losses`, by the names of a task's scores."""
    figures = {name.removeprefix("dev_"): value for name, value in losses.items()}
    return {name: value for name, value in figures.items() if name.startswith(PERPLEXITY)}


@contextmanager
def encoded(bundle: Bundle, data: DataSet, split: str) -> Iterator[EncodedSplit]:
    """Encode a split by the bundle's task, in a temporary folder."""
    with TemporaryDirectory(dir=scratch.folder("encoded")) as folder:
        with temporary_faults():
            found = bundle.task.encode(data, split, bundle.vocabularies, Path(folder))
        yield found


def fingerprint(examples: Sequence[Learned], merges: int = 0) -> str:
    """Return 16 hex digits for everything in the examples that scores depend on; rows without an agenda count by id.

    merges: the setting, since perplexities are per piece of a word.
    """
    names = ("goal_tokens", "agenda_tokens")
    parts = [(row.id, *(getattr(row, name) for name in names if hasattr(row, name)), row.tokens) for row in examples]
    parts += [("merges", merges)] if merges else []
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:16]
