"""Texts per second of the beam search, next to JoeyNMT's, an earlier search and the model's matrix products alone.

The search is measured over all words, and with a shortlist: 1,000 frequent words and 128 words of each text.

    python -m benchmarks.speed.models.search_speed --peer PYTHON --before DIR
        [--output benchmarks/results/search_speed.json]

PYTHON is the interpreter of an environment with JoeyNMT (benchmarks/speed/models/joeynmt_step.py says which), DIR a
checkout of commit 272a98e. All systems generate texts of 120 tokens, a forced length, with a beam of 10 over 10,004
words and models of size 256, from sources of equal length. Each searches the number of texts at once that suits it
best. One core: processor time, all systems in turn, the best of the rounds. Two cores: wall-clock time, ours in two
processes, as in the batch job. The limit is the time of the Checklist's matrix products, each the best of five runs
into existing buffers. The shares of the time are the self time of each operation by PyTorch's profiler. The last
figures are the time of a sentence of a dialogue (26 words, a beam of 5, a vocabulary of 600, SC-LSTM of its paper's
size), and the peak memory of a process that searches over 13,000 words.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import torch

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
HIDDEN, WORDS, WIDTH, LENGTH, ITEMS = 256, 10_004, 10, 120, 10
SOURCE = 4 + 2 * ITEMS + 1  # words of a title, an agenda and an end, as JoeyNMT reads them
SIZES = (WORDS, 4_300, 5_000)
BATCHES, ROUNDS = (8, 16, 32), 3
MARKS, FREQUENT, OWN = 4, 1_000, 128
SENTENCES, SENTENCE, DIALOGUE = 128, 26, (600, 20, 60)
LIBRARY = (13_000, 4_300, 8_600)
PARTS = {
    "matrix products": ("mm", "addmm", "bmm", "mkldnn", "linear"),
    "log-softmax": ("_log_softmax", "exp", "amax", "logsumexp"),
    "top-k": ("topk", "sort", "take"),
    "masks and copies": ("copy_", "clone", "fill_", "masked_fill_", "zero_", "scatter", "sub", "add", "cat", "index"),
}


def made_up(texts: int, modules: Any, sizes: tuple[int, int, int] = SIZES) -> Any:
    chance = torch.Generator().manual_seed(2)

    def ids(below: int, count: int) -> list[int]:
        return torch.randint(4, below, (count,), generator=chance).tolist()

    agendas = [[ids(sizes[2], 2) for _ in range(ITEMS)] for _ in range(texts)]
    names = [[ids(sizes[0], 2) for _ in range(ITEMS)] for _ in range(texts)]
    return modules.make_prompts([ids(sizes[1], 4) for _ in range(texts)], agendas, names)


def ours(shortlist: int = 0, sizes: tuple[int, int, int] = SIZES) -> Callable[[int], None]:
    from allsaid.decoding.beam import beam_search
    from allsaid.modeling.config import SearchConfig
    from allsaid.modeling.data import agenda_arrays
    from allsaid.modeling.models.checklist import Checklist, Settings

    model = forced(Checklist(Settings(hidden=HIDDEN), sizes))
    with torch.inference_mode():
        model.start(made_up(1, agenda_arrays, sizes))  # builds what a model builds once

    def search(texts: int) -> None:
        options = SearchConfig(width=WIDTH, max_tokens=LENGTH, search_batch=texts, shortlist=shortlist)
        rare = torch.arange(MARKS + shortlist, sizes[0])
        own = torch.stack([rare[torch.randperm(len(rare))[:OWN].sort().values] for _ in range(texts)])
        check(
            beam_search(model, made_up(texts, agenda_arrays, sizes), options, shortlists=own if shortlist else None),
            LENGTH,
        )

    return search


def dialogue() -> Callable[[int], None]:
    from allsaid.decoding.beam import beam_search
    from allsaid.modeling.config import SearchConfig
    from allsaid.modeling.data import agenda_arrays
    from allsaid.modeling.models.sclstm import ScLstm, Settings

    model = forced(ScLstm(Settings(), DIALOGUE))
    options = SearchConfig(width=5, max_tokens=SENTENCE, search_batch=64)
    return lambda texts: check(beam_search(model, made_up(texts, agenda_arrays, DIALOGUE), options), SENTENCE)


def before() -> Callable[[int], None]:
    """Return the earlier search; runs with its checkout on the path."""
    from allsaid.modeling import data
    from allsaid.modeling.config import ChecklistConfig, SearchConfig
    from allsaid.modeling.models.checklist import Checklist
    from training.decode import beam_search

    model = forced(Checklist(ChecklistConfig(hidden=HIDDEN), SIZES))
    return lambda texts: check(
        beam_search(model, made_up(texts, data), SearchConfig(width=WIDTH, max_tokens=LENGTH, search_batch=texts)),
        LENGTH,
    )


def forced(model: Any) -> Any:
    """Return a model whose texts don't end."""
    with torch.no_grad():
        model.w_o[3] = 0
    return model.eval()


def check(found: Any, length: int) -> None:
    if any(len(best.tokens) != length for hypotheses in found for best in hypotheses[:1]):
        raise SystemExit(f"A text does not have {length} tokens, as it should.")


def timed(search: Callable[[int], None], texts: int) -> tuple[float, float]:
    """Return processor seconds and wall-clock seconds."""
    clock, processor = time.monotonic(), time.process_time()
    search(texts)
    return time.process_time() - processor, time.monotonic() - clock


def shares(search: Callable[[int], None]) -> dict[str, float]:
    """Return part of the search -> its share of the processor time, for 16 texts; other operations are the rest."""
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]) as profiler:
        search(16)
    spent = dict.fromkeys([*PARTS, "the rest"], 0.0)
    for operation in profiler.key_averages():
        name = operation.key.removeprefix("aten::")
        spent[next((part for part, names in PARTS.items() if name.startswith(names)), "the rest")] += (
            operation.self_cpu_time_total
        )
    return {part: round(time / sum(spent.values()), 3) for part, time in spent.items()}


def limit(texts: int, words: int) -> float:
    """Return texts per second of one core for the products of a Checklist's steps alone, with this many words.

    The input word needs no product, since its contribution to a step comes from a table.
    """
    rows, k = texts * WIDTH, HIDDEN
    seconds = 0.0
    for columns, times in ((5 * k, 1), (k, 1), (words, 1)):
        left, right, out = torch.randn(rows, k), torch.randn(k, columns), torch.empty(rows, columns)
        torch.mm(left, right, out=out)
        found = []
        for _ in range(5):
            started = time.process_time()
            for _ in range(5):
                torch.mm(left, right, out=out)
            found.append((time.process_time() - started) / 5)
        seconds += times * min(found)
    return texts / (LENGTH * seconds)


def elsewhere(command: list[str], given: dict[str, Any], path: str) -> Any:
    environment = os.environ | {"OMP_NUM_THREADS": str(given["threads"]), "PYTHONPATH": path}
    done = subprocess.run(command, input=json.dumps(given), env=environment, capture_output=True, text=True, check=True)
    return done.stdout


def times_of_peer(python: str, batches: list[int], threads: int) -> list[list[float]]:
    given = {"hidden": HIDDEN, "words": WORDS, "source_words": SIZES[1], "source": SOURCE, "width": WIDTH}
    given |= {"length": LENGTH, "threads": threads, "batches": batches}
    return [
        list(map(float, line.split()))
        for line in elsewhere([python, str(HERE / "joeynmt_search.py")], given, "").splitlines()
    ]


def run_ours(system: str, path: str, batches: list[int], threads: int = 1, profile: bool = False) -> Any:
    command = [sys.executable, __file__, "--inside", system]
    return json.loads(elsewhere(command, {"batches": batches, "threads": threads, "profile": profile}, path))


def two_processes(system: str, texts: int) -> list[list[float]]:
    """Return the texts of two processes that run at the same time, and the seconds of the slower process."""
    with ThreadPoolExecutor() as pool:
        both = list(pool.map(lambda _: run_ours(system, str(ROOT), [texts])["times"][0], range(2)))
    return [[2 * texts, max(times[1] for times in both), max(times[2] for times in both)]]


def inside(system: str) -> None:
    """Measure one system in this process; print a JSON line of times, shares of the time and peak memory."""
    given = json.load(sys.stdin)
    torch.set_num_threads(given["threads"])
    torch.manual_seed(1)
    search = {
        "before": before,
        "now": ours,
        "shortlist": lambda: ours(FREQUENT),
        "library": lambda: ours(sizes=LIBRARY),
        "dialogue": dialogue,
    }[system]()
    times = [[texts, *timed(search, texts)] for texts in given["batches"]]
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(json.dumps({"times": times, "peak": peak, "shares": shares(search) if given["profile"] else {}}))


def best(times: list[list[float]], column: int) -> tuple[float, int]:
    """Return the best median of texts per second, and the number of texts at once that reaches it."""
    rates: dict[int, list[float]] = {}
    for round_times in times:
        rates.setdefault(int(round_times[0]), []).append(round_times[0] / round_times[column])
    return max((statistics.median(each), texts) for texts, each in rates.items())


def run(peer: str, old: str) -> dict[str, Any]:
    here = str(ROOT)
    systems: dict[str, Callable[[list[int], int], list[list[float]]]] = {
        "joeynmt": lambda batches, threads: times_of_peer(peer, batches, threads),
        "before": lambda batches, threads: run_ours("before", old, batches, threads)["times"],
        "now": lambda batches, _: run_ours("now", here, batches)["times"],
        "shortlist": lambda batches, _: run_ours("shortlist", here, batches)["times"],
    }
    one_core: dict[str, list[list[float]]] = {name: [] for name in systems}
    limits: dict[str, list[float]] = {"now": [], "shortlist": []}
    sentences = []
    for _ in range(ROUNDS):
        for name, measure in systems.items():
            one_core[name] += measure(list(BATCHES), 1)
        for name, words in (("now", WORDS), ("shortlist", MARKS + FREQUENT + OWN)):
            limits[name].append(max(limit(texts, words) for texts in BATCHES))
        sentences.append(run_ours("dialogue", here, [SENTENCES])["times"][0][1] / SENTENCES)
    rates = {name: best(times, 1) for name, times in one_core.items()}
    two = {name: systems[name]([rates[name][1]], 2) for name in ("joeynmt", "before")}
    two |= {name: two_processes(name, rates[name][1]) for name in ("now", "shortlist")}
    bare = {name: statistics.median(each) for name, each in limits.items()}
    joey = rates["joeynmt"][0]
    return {
        "texts_per_second": {name: round(rate, 2) for name, (rate, _) in rates.items()},
        "texts_at_once": {name: texts for name, (_, texts) in rates.items()},
        "by_the_clock_on_two_cores": {name: round(best(times, 2)[0], 2) for name, times in two.items()},
        "limit": round(bare["now"], 2),
        "of_limit": round(rates["now"][0] / bare["now"], 3),
        "times_joeynmt": round(rates["now"][0] / joey, 2),
        "shortlist": {
            "frequent": FREQUENT,
            "own": OWN,
            "limit": round(bare["shortlist"], 2),
            "of_limit": round(rates["shortlist"][0] / bare["shortlist"], 3),
            "times_joeynmt": round(rates["shortlist"][0] / joey, 2),
        },
        "milliseconds_a_sentence": round(1000 * min(sentences), 2),
        "peak_megabytes": run_ours("library", here, [max(BATCHES)])["peak"],
        "times_before": round(rates["now"][0] / rates["before"][0], 2),
        "shares": {
            "before": run_ours("before", old, [], profile=True)["shares"],
            "now": run_ours("now", here, [], profile=True)["shares"],
            "shortlist": run_ours("shortlist", here, [], profile=True)["shares"],
        },
        "sizes": {"hidden": HIDDEN, "words": WORDS, "width": WIDTH, "length": LENGTH, "source": SOURCE},
        "batches": BATCHES,
        "rounds": ROUNDS,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peer", help="the interpreter of an environment with JoeyNMT")
    parser.add_argument("--before", help="a checkout of commit 272a98e")
    parser.add_argument("--inside", help="measure one system; for this script's own use")
    parser.add_argument("--output", type=Path, default=ROOT / "benchmarks" / "results" / "search_speed.json")
    given = parser.parse_args()
    torch.set_num_threads(1)
    if given.inside:
        return inside(given.inside)
    from benchmarks import result_file  # here, since the checkout of before has none that `--inside` could import
    from benchmarks.speed.models.search_shares import draw

    result = run(given.peer, given.before) | result_file.machine()
    result_file.write(given.output, result)
    draw(result["shares"], ROOT / "docs" / "search_shares.png")
    print(json.dumps(result, indent=2))


if __name__ == "__main__":
    main()
