"""Texts a second of a GPU, and whether its texts are those of the CPU.

    python -m benchmarks.scale.gpu_generate --model FOLDER --data DIR [--output benchmarks/results/gpu_generate.json]

FOLDER is a model folder, DIR a data set that it can write for; Allsaid need not be installed. It takes at most ten
minutes; where there is no GPU it ends with a sentence. The best texts of 200 test examples are searched on the CPU and,
in float32 with TF32 off, on the GPU; each example whose texts differ is listed with the gap of the two texts' scores,
both as the CPU reads them, per word. Then texts a second are measured for each precision, some numbers of texts at
once, recorded steps and plain ones; and by worker processes that share a device worker, with the memory that is taken
on the GPU. Beam and the proof are left out: the machine may lack what they need.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from typing import Any
from unittest import mock

import torch

from allsaid.decoding import beam
from allsaid.decoding.device import DeviceClient
from allsaid.decoding.hypothesis import Hypothesis
from allsaid.decoding.write import write
from allsaid.modeling.config import SearchConfig
from allsaid.modeling.data.dataset import DataSet, fixed_sample
from allsaid.modeling.data.vocabulary import END, START
from allsaid.modeling.precision import PRECISIONS
from allsaid.modeling.saved.model_folder import Bundle, load
from benchmarks.result_file import RESULTS, ROOT
from benchmarks.scale.gpu_parts import Parts, finish, has_gpu, wait

NEAR = 1e-4  # of two scores a word: where they are nearer, either text may come first
BATCHES, WORKERS = (20, 64, 256, 512), (1, 4, 16)
WORKER = (
    f"import sys; sys.path.insert(0, {str(ROOT)!r}); "
    "from benchmarks.scale.gpu_generate import work; work(*sys.argv[1:])"
)


def plain(model: Path, device: str) -> Bundle:
    """In float32, with TF32 off."""
    return load(model, device, "float32")


def searched(bundle: Bundle, rows: Sequence[Any], search: SearchConfig) -> list[Hypothesis]:
    return [found[0] for found in write(bundle, rows, search)]


@torch.inference_mode()
def score(bundle: Bundle, row: Any, hypothesis: Hypothesis) -> float:
    """Return the log-probability of a text by a teacher-forced pass, per word."""
    words = [*hypothesis.tokens, *([END] if hypothesis.finished else [])]
    state, before, total = bundle.model.start(bundle.prompts([row])), torch.tensor([START]), 0.0
    for word in words:
        scores, state = bundle.model.step(state, before)
        before = torch.tensor([word])
        total += scores.of(before).item()
    return total / len(words)


def parity(model: Path, device: str, rows: Sequence[Any], search: SearchConfig) -> dict[str, Any]:
    here = plain(model, "cpu")
    ours, theirs = searched(here, rows, search), searched(plain(model, device), rows, search)
    pairs = list(zip(rows, ours, theirs, strict=True))
    noise = [abs(cpu.log_probability - gpu.log_probability) for _, cpu, gpu in pairs if cpu.tokens == gpu.tokens]
    differing = [difference(here, *pair) for pair in pairs if pair[1].tokens != pair[2].tokens]
    return {
        "examples": len(rows),
        "equal": len(rows) - len(differing),
        "differing_within": sum(text["gap"] <= NEAR for text in differing),
        "within": NEAR,
        "largest_difference_of_log_probabilities": max(noise, default=None),
        "differing": differing,
    }


def difference(here: Bundle, row: Any, ours: Hypothesis, theirs: Hypothesis) -> dict[str, Any]:
    scores = [score(here, row, hypothesis) for hypothesis in (ours, theirs)]
    texts = [" ".join(here.words(hypothesis.tokens, row)) for hypothesis in (ours, theirs)]
    return {"id": row.id, "gap": abs(scores[0] - scores[1]), "scores": scores, "cpu": texts[0], "gpu": texts[1]}


def rate(bundle: Bundle, device: str, rows: Sequence[Any], search: SearchConfig, is_recorded: bool) -> float:
    """Return texts per second."""
    whole = beam._Beam.fixed
    with mock.patch.object(beam._Beam, "fixed", whole if is_recorded else lambda search: search._steps):
        searched(bundle, rows[: search.search_batch], replace(search, max_tokens=8))  # gets ready
        begun = wait(device)
        searched(bundle, rows, search)
        return round(len(rows) / (wait(device) - begun), 1)


def rates(model: Path, device: str, rows: Sequence[Any], search: SearchConfig, size: int) -> Any:
    found: dict[str, dict[str, float]] = {}
    many, asked = list(islice(cycle(rows), max(2 * size, len(rows)))), replace(search, search_batch=size)
    for precision in PRECISIONS if device == "cuda" else ("float32", "bfloat16"):
        bundle = load(model, device, precision)
        found[precision] = {
            "recorded": rate(bundle, device, many, asked, True),
            "plain": rate(bundle, device, many, asked, False),
        }
    return found


def work(model: str, data: str, count: str, size: str, device: str) -> None:
    """Search ``count`` rows through the device worker, in a worker process, between two lines from its parent."""
    rows = list(islice(cycle(fixed_sample(DataSet(data).examples("test"), 200)), int(count)))
    client = DeviceClient(Path(model), device, "float32")
    bundle = replace(load(Path(model)), client=client)
    print(client.process, flush=True)
    sys.stdin.readline()
    searched(bundle, rows, replace(bundle.config.search, search_batch=int(size)))
    print("done", flush=True)
    sys.stdin.readline()


def shared(model: Path, data: str, device: str, count: int, size: int, rows: int) -> dict[str, Any]:
    """Return the texts per second of ``count`` workers together, and the memory of their device worker."""
    free = torch.cuda.mem_get_info()[0] if device == "cuda" else 0
    command = [sys.executable, "-c", WORKER, str(model), data, str(rows), str(size), device]
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    workers: list[Any] = [subprocess.Popen(command, **pipes) for _ in range(count)]
    devices = {worker.stdout.readline().strip() for worker in workers}
    begun = wait(device)
    for worker in workers:
        worker.stdin.write("go\n")
        worker.stdin.flush()
    done = [worker.stdout.readline().strip() for worker in workers]
    seconds = wait(device) - begun
    taken = free - torch.cuda.mem_get_info()[0] if device == "cuda" else 0
    for worker in workers:
        worker.communicate()
    if done != ["done"] * count:
        raise RuntimeError("a worker ended before its time")
    return {
        "texts_per_second": round(count * rows / seconds, 1),
        "processes_with_the_model": len(devices),
        "gpu_megabytes": taken >> 20,
    }


def measure(parts: Parts, model: Path, data: str, batches: Sequence[int], workers: Sequence[int], rows: int) -> None:
    device, search = parts.device, load(model).config.search
    examples = fixed_sample(DataSet(data).examples("test"), rows)
    parts.measure("parity", partial(parity, model, device, examples, search))
    for count in workers:
        name = f"workers, {count}"
        parts.measure(name, partial(shared, model, data, device, count, batches[-1], batches[-1]))
    for size in reversed(batches):
        name = f"texts_per_second, {size} at once"
        parts.measure(name, partial(rates, model, device, examples, search, size))
    parts.left_out.append("The Beam job with its proof: `allsaid generate --device cuda` where Beam and spaCy are.")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", required=True, type=Path, help="a model folder")
    parser.add_argument("--data", required=True, help="a data set's folder")
    parser.add_argument("--output", type=Path, default=RESULTS / "gpu_generate.json")
    given = parser.parse_args()
    would = (
        "compares the texts of 200 examples with the CPU's, and measures texts a second for float32, TF32 and "
        f"bfloat16, for {', '.join(map(str, BATCHES))} texts at once, with recorded steps and without, and for "
        f"{', '.join(map(str, WORKERS))} workers that share one model"
    )
    if has_gpu(would):
        parts = Parts("cuda")
        measure(parts, given.model, given.data, BATCHES, WORKERS, 200)
        finish(parts, given)


if __name__ == "__main__":
    main()
