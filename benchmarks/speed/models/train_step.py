"""Target tokens a second of training, beside JoeyNMT's and our model's bare matrix products, on one core in one run.

    python -m benchmarks.speed.models.train_step --peer PYTHON --data DIR [--output benchmarks/results/train_step.json]

PYTHON is the interpreter of an environment with JoeyNMT (benchmarks/speed/models/joeynmt_step.py says which), DIR a
data set whose training texts' lengths are taken. Processor time, since other processes may run: the loss, its
gradients, the cut of their norm and a step of plain descent. Words are made up; the sizes are the paper's on the
library. Texts are all of the library's mean length, or as long as its own: then each system forms its batches of 30 as
it does in training, ours of texts of like length, JoeyNMT's at random. The limit is the time of the Checklist's matrix
products, forward and backward, each the best of five into buffers that are there.
"""

from __future__ import annotations

import argparse
import json
import platform
import resource
import statistics
import subprocess
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from allsaid.modeling.data.agenda_arrays import Batch, Prompts
from allsaid.modeling.data.dataset import DataSet, epoch_order
from allsaid.modeling.data.vocabulary import END, PAD, START
from allsaid.modeling.models import checklist, encdec
from benchmarks.result_file import RESULTS, write
from schemas.example import NEW, NO_ITEM, NONE, UNSUPERVISED, USED

HERE = Path(__file__).resolve().parent
SIZES = (13_000, 4_300, 5_000)  # words of the text, title and agenda vocabularies of the whole library, about
HIDDEN, TEXTS, LENGTH, ITEMS = 256, 30, 125, 10  # the paper's sizes, the library's mean length and agenda
LONGEST = 814  # tokens, the paper's
SOURCE = 4 + 2 * ITEMS + 1  # words of a title, an agenda and an end, as JoeyNMT reads them
ROUNDS, STEPS, LIBRARY_STEPS = 2, 4, 6  # the first step of a round warms up and doesn't count

Step = tuple[int, float]  # target tokens, processor seconds


def models() -> dict[str, nn.Module]:
    whole = checklist.Settings(hidden=HIDDEN)
    return {
        "checklist": checklist.Checklist(whole, SIZES),
        "encdec": encdec.EncDec(encdec.Settings(hidden=HIDDEN), SIZES),
        "no_supervision": checklist.Checklist(replace(whole, supervision=False, final_weight=100), SIZES),
    }


def made_up_batch(lengths: list[int]) -> Batch:
    """Texts of so many tokens, their ends included: one word in sixteen is a first mention, one in thirty a later."""
    targets = torch.randint(4, SIZES[0], (len(lengths), max(lengths)))
    for row, length in enumerate(lengths):
        targets[row, length - 1], targets[row, length:] = END, PAD
    refs, types = torch.full_like(targets, NO_ITEM), torch.full_like(targets, NONE)
    for item in range(ITEMS - 2):
        for place, kind in ((5 + 12 * item, NEW), (70 + 4 * item, USED)):
            refs[:, place : place + 1], types[:, place : place + 1] = item, kind
    prompts = Prompts(
        goal=torch.randint(4, SIZES[1], (len(lengths), 4)),
        items=torch.randint(4, SIZES[2], (len(lengths), ITEMS, 2)),
        names=torch.randint(4, SIZES[0], (len(lengths), ITEMS, 2)),
        item_mask=torch.ones(len(lengths), ITEMS, dtype=torch.bool),
        weights=torch.ones(len(lengths), ITEMS),
    )
    inputs = torch.cat([torch.full((len(lengths), 1), START), targets[:, :-1]], dim=1)
    filling = targets == PAD
    types, refs = types.masked_fill(filling, UNSUPERVISED), refs.masked_fill(filling, NO_ITEM)
    return Batch(prompts, inputs, targets, types, refs)


def our_steps(model: Any, batches: list[list[int]]) -> list[Step]:
    optimiser = torch.optim.SGD(model.parameters(), lr=0.1, fused=True)
    steps = []
    for lengths in batches:
        batch = made_up_batch(lengths)
        begun = time.process_time()
        optimiser.zero_grad(set_to_none=True)
        model.loss(batch).total.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimiser.step()
        steps.append((sum(lengths), time.process_time() - begun))
    return steps


def their_steps(peer: str, batches: list[list[int]]) -> tuple[list[Step], int]:
    """JoeyNMT's steps, and its peak memory in kilobytes."""
    sizes = {"hidden": HIDDEN, "words": SIZES[0], "source_words": SIZES[1] + SIZES[2], "source": SOURCE}
    command = [peer, str(HERE / "joeynmt_step.py")]
    asked = json.dumps(sizes | {"batches": batches})
    answer = subprocess.run(command, input=asked, check=True, text=True, stdout=subprocess.PIPE).stdout
    found = json.loads(answer.splitlines()[-1])
    return [(tokens, seconds) for tokens, seconds in found["steps"]], found["peak_kilobytes"]


def best_of_five(product: Callable[[], object]) -> float:
    product()
    seconds = []
    for _ in range(5):
        begun = time.process_time()
        product()
        seconds.append(time.process_time() - begun)
    return min(seconds)


def products(rows: int, inner: int, columns: int, texts: int = 0, steps: int = 1) -> float:
    """Seconds of a product (rows, inner) x (inner, columns) and of its two gradients, done for so many texts apart.

    In a recurrence of so many steps the product and the gradient of its input are done step by step.
    """

    def seconds(one: Tensor, other: Tensor) -> float:
        out = torch.matmul(one, other)
        return best_of_five(lambda: torch.matmul(one, other, out=out))

    apart = (texts,) if texts else ()
    weight = torch.randn(*apart, columns, inner)
    states, grads = torch.randn(*apart, rows, inner), torch.randn(*apart, rows, columns)
    step = rows // steps
    found = seconds(states[..., :step, :], weight.mT) + seconds(grads[..., :step, :], weight)
    return steps * found + seconds(grads.mT, states)


def limit() -> float:
    """Tokens a second of the Checklist's matrix products alone, texts of the mean length."""
    words = TEXTS * LENGTH
    seconds = [
        products(words, HIDDEN, 5 * HIDDEN),  # W x
        products(words, HIDDEN, 5 * HIDDEN, steps=LENGTH),  # U h
        products(words, HIDDEN, HIDDEN),  # P h
        products(words, HIDDEN, SIZES[0]),  # W_o o
        products(LENGTH, ITEMS, HIDDEN, texts=TEXTS),  # the items that are left
        products(LENGTH, HIDDEN, ITEMS, texts=TEXTS),  # their scores
        products(LENGTH, ITEMS, HIDDEN, texts=TEXTS),  # what is read of them
    ]
    return words / sum(seconds)


def library_batches(data: str) -> tuple[list[list[int]], list[list[int]]]:
    """Lengths of the texts of some batches of an epoch, as we form them and as JoeyNMT does."""
    columns = [table.column("tokens").combine_chunks() for table in DataSet(data).tables("train")]
    lengths = np.concatenate([np.diff(column.offsets.to_numpy()) for column in columns]).clip(max=LONGEST) + 1
    chance = np.random.default_rng(1)
    order = epoch_order(lengths, TEXTS, 1, 0)
    ours = [order[at] for at in chance.choice(len(order), ROUNDS * LIBRARY_STEPS, replace=False)]
    theirs = np.split(chance.permutation(len(lengths))[: ROUNDS * LIBRARY_STEPS * TEXTS], ROUNDS * LIBRARY_STEPS)
    return [lengths[rows].tolist() for rows in ours], [lengths[rows].tolist() for rows in theirs]


def megabytes(kilobytes: int) -> int:
    return round(kilobytes / 1024)


def run(peer: str, data: str) -> dict[str, Any]:
    equal = [[LENGTH] * TEXTS] * STEPS
    ours, theirs = library_batches(data)
    trained = models()
    steps: dict[str, list[Step]] = {name: [] for name in (*trained, "joeynmt")}
    library: dict[str, list[Step]] = {"checklist": [], "joeynmt": []}
    peak = 0
    for number in range(ROUNDS):
        part = slice(number * LIBRARY_STEPS, (number + 1) * LIBRARY_STEPS)
        for name, model in trained.items():
            steps[name] += our_steps(model, equal)[1:]
        library["checklist"] += our_steps(trained["checklist"], ours[part])
        found, used = their_steps(peer, equal + theirs[part])
        steps["joeynmt"] += found[1:STEPS]
        library["joeynmt"] += found[STEPS:]
        peak = max(peak, used)
    our_steps(trained["checklist"], [[LONGEST + 1] * TEXTS])
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    rates = {name: statistics.median(tokens / seconds for tokens, seconds in each) for name, each in steps.items()}
    own = {name: sum(step[0] for step in each) / sum(step[1] for step in each) for name, each in library.items()}
    bare = limit()
    return {
        "unit": "target tokens a second of one core's processor time",
        "equal_lengths": {name: round(rate) for name, rate in rates.items()},
        "library_lengths": {name: round(rate) for name, rate in own.items()},
        "limit": round(bare),
        "checklist_of_limit": round(rates["checklist"] / bare, 3),
        "times_joeynmt": {
            "equal_lengths": round(rates["checklist"] / rates["joeynmt"], 2),
            "library_lengths": round(own["checklist"] / own["joeynmt"], 2),
        },
        "peak_megabytes": {"checklist, longest texts": megabytes(used), "joeynmt": megabytes(peak)},
        "sizes": {"texts": TEXTS, "length": LENGTH, "items": ITEMS, "hidden": HIDDEN, "words": SIZES[0]},
        "processor": platform.processor() or platform.machine(),
        "torch": torch.__version__,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peer", required=True, help="the interpreter of an environment with JoeyNMT")
    parser.add_argument("--data", required=True, help="a data set's folder")
    parser.add_argument("--output", type=Path, default=RESULTS / "train_step.json")
    given = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(1)
    result = run(given.peer, given.data)
    write(given.output, result)
    print(json.dumps(result, indent=2))


if __name__ == "__main__":
    main()
