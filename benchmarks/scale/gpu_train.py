"""Target tokens a second of training on a GPU, and what large batches do to the loss.

    python -m benchmarks.scale.gpu_train --data DIR [--output benchmarks/results/gpu_train.json]

DIR is a data set of agendas, such as the library; Allsaid need not be installed. It takes at most ten minutes; where
there is no GPU it ends with a sentence. The Checklist of the paper's size is trained on made-up words in batches of the
data set's lengths, for each size of batch and precision: step by step, and with its recurrence recorded as CUDA graphs;
beside it stands cuDNN's plain GRU of the same width over the same words. Then the Checklist learns the data set itself
for two epochs in batches of 30 and of 512, and the losses after each are shown.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest import mock

import numpy as np
import torch
from torch import Tensor, nn

from allsaid.modeling.config import Config
from allsaid.modeling.data.agenda_arrays import Batch
from allsaid.modeling.data.dataset import DataSet, epoch_order
from allsaid.modeling.data.tensors import Tensors
from allsaid.modeling.data.vocabulary import PAD
from allsaid.modeling.layers import gradients
from allsaid.modeling.layers.gradients import ProjectedNll
from allsaid.modeling.layers.losses import NLL, Losses
from allsaid.modeling.models.checklist import Checklist, Settings
from allsaid.modeling.precision import PRECISIONS, dtype_of, set_tf32
from benchmarks.result_file import RESULTS
from benchmarks.scale.gpu_parts import Parts, finish, has_gpu, wait
from benchmarks.speed.models.train_step import HIDDEN, LONGEST, SIZES, made_up_batch
from training.configs import load_config
from training.fitting.learner import Learner
from training.fitting.loop import _Run
from training.fitting.process_group import ALONE
from training.fitting.recorder import Silent

BATCHES = (30, 128, 512)
EPOCHS, RECIPES, TOKENS = 35, 82_590, 125  # the paper's, and the mean length of a text with its end
RATES = {30: 0.1, 512: 0.1}  # learning rate by size of batch: the paper's for both, so that only the batch differs
STEPS, WARM = 12, 3


class PlainGru(nn.Module):
    """A language model without goal and agenda: cuDNN's GRU of the same width, and the same projection to words."""

    def __init__(self, dtype: torch.dtype) -> None:
        super().__init__()
        self.dtype = dtype
        self.embedding, self.gru = nn.Embedding(SIZES[0], HIDDEN, PAD), nn.GRU(HIDDEN, HIDDEN)
        self.w_o = nn.Parameter(torch.empty(SIZES[0], HIDDEN).uniform_(-0.35, 0.35))

    def loss(self, batch: Batch) -> Losses:
        real = batch.targets != PAD
        outputs: Tensor = self.gru(self.embedding(batch.inputs).transpose(0, 1))[0].transpose(0, 1)
        nll = ProjectedNll.apply(outputs[real], self.w_o.to(self.dtype), batch.targets[real])
        return Losses({NLL: nll}, len(real), real.sum())


def batches_of(lengths: np.ndarray, size: int) -> list[list[int]]:
    """The lengths of the texts of some batches of an epoch, as training forms them."""
    order = epoch_order(lengths, size, 1, 0)
    return [lengths[rows].tolist() for rows in islice((one for one in order if len(one) == size), STEPS)]


def rate(model: Any, batches: Sequence[Tensors], tokens: Sequence[int], config: Config, device: str) -> int:
    """Target tokens a second of whole steps of the optimiser, of all but the first ones."""
    learner = Learner(model.to(device).train(), config.fit, ALONE)
    for step, batch in enumerate(batches[:WARM]):
        learner.learn(batch, 1.0, step)
    begun = wait(device)
    for step, batch in enumerate(batches[WARM:]):
        learner.learn(batch, 1.0, step)
    return round(sum(tokens[WARM:]) / (wait(device) - begun))


def rates(lengths: np.ndarray, size: int, config: Config, device: str) -> dict[str, Any]:
    of_batches = batches_of(lengths, size)
    tokens = [sum(one) for one in of_batches]
    torch.manual_seed(1)
    batches = [made_up_batch(one).to(device) for one in of_batches]
    found: dict[str, Any] = {}
    for precision in PRECISIONS if device == "cuda" else ("float32", "bfloat16"):
        set_tf32(precision)
        checklist = partial(Checklist, Settings(hidden=HIDDEN), SIZES, dtype_of(precision))
        stretch = gradients.STRETCH["cuda"]
        ways: list[tuple[str, int, Callable[[], Any]]] = [
            ("step by step", 0, checklist),
            ("recorded", stretch, checklist),
            ("cuDNN's plain GRU", stretch, partial(PlainGru, dtype_of(precision))),
        ]
        found[precision] = {}
        for name, steps, build in ways:
            with mock.patch.dict(gradients.STRETCH, {device: steps}):
                found[precision][name] = rate(build(), batches, tokens, config, device)
    best = max(one["recorded"] for one in found.values())
    return found | {"minutes_of_the_papers_training": round(EPOCHS * RECIPES * TOKENS / best / 60, 1)}


def losses(data: str, config: Config, size: int) -> dict[str, Any]:
    """The losses of a word after each epoch, and tokens a second of training as it is, batches being made included."""
    fit = replace(config.fit, learning_rate=RATES.get(size, config.fit.learning_rate), sample_texts=0)
    config = replace(config, data=replace(config.data, batch_size=size), fit=fit)
    with TemporaryDirectory() as folder:
        where = Path(folder)
        run = _Run(config, DataSet(data), where, Silent(), ALONE, where / "ids")
        begun = wait(fit.device)
        run.learn(False)
        seconds = wait(fit.device) - begun
    words = int(run.train_ids.lengths.clip(max=config.data.max_text).sum()) + len(run.train_ids)
    return {
        "epochs": [{name: row[name] for name in ("epoch", "train_nll", "dev_nll")} for row in run.state.history],
        "texts": len(run.train_ids),
        "tokens_per_second_with_dev": round(fit.epochs * words / seconds),
        "learning_rate": fit.learning_rate,
    }


def made_in_a_second(data: str, config: Config, size: int) -> int:
    """Target tokens a second of the host, which makes the batches: the device waits for no less."""
    with TemporaryDirectory() as folder:
        where = Path(folder)
        run = _Run(config, DataSet(data), where, Silent(), ALONE, where / "ids")
        order = epoch_order(run.train_ids.lengths, size, 1, 0)[:20]
        begun = wait("cpu")
        tokens = sum(
            int((run.task.collate(run.train_ids, rows, config.data.max_text).targets != PAD).sum()) for rows in order
        )
        return round(tokens / (wait("cpu") - begun))


def measure(parts: Parts, data: str, config: Config, batches: Sequence[int]) -> None:
    """config: of the training on the data set itself."""
    device = parts.device
    columns = [table.column("tokens").combine_chunks() for table in DataSet(data).tables("train")]
    lengths = np.concatenate([np.diff(column.offsets.to_numpy()) for column in columns]).clip(max=LONGEST) + 1
    for size in batches:
        parts.measure(f"tokens_per_second, batches of {size}", partial(rates, lengths, size, config, device))
    parts.measure("tokens_per_second of the host's batches", partial(made_in_a_second, data, config, batches[-1]))
    for size in (batches[0], batches[-1]):
        parts.measure(f"losses, batches of {size}", partial(losses, data, config, size))
    parts.left_out.append(
        "JoeyNMT: its step (benchmarks/speed/models/joeynmt_step.py) is of a CPU, in an environment of its own."
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True, help="a data set's folder")
    parser.add_argument("--output", type=Path, default=RESULTS / "gpu_train.json")
    given = parser.parse_args()
    would = (
        "trains the Checklist of the paper's size in batches of 30, 128 and 512, in float32, TF32 and bfloat16, "
        "step by step and recorded, beside cuDNN's plain GRU, and compares the losses of batches of 30 and 512 after "
        "two epochs"
    )
    if has_gpu(would):
        parts = Parts("cuda")
        measure(parts, given.data, load_config("checklist-paper", ["device=cuda", "epochs=2", "dtype=tf32"]), BATCHES)
        finish(parts, given)


if __name__ == "__main__":
    main()
