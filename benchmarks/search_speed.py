"""Texts a second of the beam search, beside JoeyNMT's, the search of before and our model's bare matrix products.

    python benchmarks/search_speed.py --peer PYTHON --before DIR [--output benchmarks/results/search_speed.json]

PYTHON is the interpreter of an environment with JoeyNMT (benchmarks/joeynmt_step.py says which), DIR a checkout of
commit 272a98e. All write texts of 120 tokens, which is forced, with a beam of 10 over 10,004 words and models of size
256, from sources of equal length; each takes the number of texts at once that suits it best. One core by processor
time, the three in turn, and the best of the rounds; two cores by the clock. The limit is the time of the Checklist's
matrix products, each the best of five into buffers that are there. Where the time goes is what PyTorch's profiler
says of each operation by itself.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import result_file
import torch
from matplotlib.figure import Figure
from matplotlib.patches import Patch

HERE = Path(__file__).resolve().parent
HIDDEN, WORDS, WIDTH, LENGTH, ITEMS = 256, 10_004, 10, 120, 10
SOURCE = 4 + 2 * ITEMS + 1  # words of a title, an agenda and an end, as JoeyNMT reads them
SIZES = (WORDS, 4_300, 5_000)
BATCHES, ROUNDS = (8, 16, 32), 3
PARTS = {
    "matrix products": ("mm", "addmm", "bmm", "mkldnn", "linear"),
    "log-softmax": ("_log_softmax", "exp", "amax", "logsumexp"),
    "top-k": ("topk", "sort", "take"),
    "masks and copies": ("copy_", "clone", "fill_", "masked_fill_", "zero_", "scatter", "sub", "add", "cat", "index"),
}


def made_up(texts: int, modules: Any) -> Any:
    chance = torch.Generator().manual_seed(2)

    def ids(below: int, count: int) -> list[int]:
        return torch.randint(4, below, (count,), generator=chance).tolist()

    agendas = [[ids(SIZES[2], 2) for _ in range(ITEMS)] for _ in range(texts)]
    names = [[ids(SIZES[0], 2) for _ in range(ITEMS)] for _ in range(texts)]
    return modules.make_prompts([ids(SIZES[1], 4) for _ in range(texts)], agendas, names)


def ours() -> tuple[Callable[[int], None], Any]:
    from training.config import SearchConfig
    from training.models.checklist import Checklist, Settings
    from training.search.beam import beam_search
    from training.tasks import agenda

    model = forced(Checklist(Settings(hidden=HIDDEN), SIZES))

    def search(texts: int) -> None:
        options = SearchConfig(width=WIDTH, max_tokens=LENGTH, search_batch=texts)
        check(beam_search(model, made_up(texts, agenda), options))

    return search, model


def before() -> Callable[[int], None]:
    """Run with the checkout of before on the path."""
    from training import data
    from training.config import ChecklistConfig, SearchConfig
    from training.decode import beam_search
    from training.models.checklist import Checklist

    model = forced(Checklist(ChecklistConfig(hidden=HIDDEN), SIZES))
    return lambda texts: check(
        beam_search(model, made_up(texts, data), SearchConfig(width=WIDTH, max_tokens=LENGTH, search_batch=texts))
    )


def forced(model: Any) -> Any:
    """A model whose texts don't end."""
    with torch.no_grad():
        model.w_o[3] = 0
    return model.eval()


def check(found: Any) -> None:
    if any(len(one.tokens) != LENGTH for hypotheses in found for one in hypotheses[:1]):
        raise SystemExit(f"A text has not the {LENGTH} tokens that are asked for.")


def timed(search: Callable[[int], None], texts: int) -> tuple[float, float]:
    """Processor seconds and seconds by the clock."""
    clock, processor = time.monotonic(), time.process_time()
    search(texts)
    return time.process_time() - processor, time.monotonic() - clock


def shares(search: Callable[[int], None]) -> dict[str, float]:
    """Parts of the processor time of a search of 16 texts; what is in no other part is the rest."""
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]) as profiler:
        search(16)
    spent = dict.fromkeys([*PARTS, "the rest"], 0.0)
    for one in profiler.key_averages():
        name = one.key.removeprefix("aten::")
        spent[next((part for part, names in PARTS.items() if name.startswith(names)), "the rest")] += (
            one.self_cpu_time_total
        )
    return {part: round(time / sum(spent.values()), 3) for part, time in spent.items()}


def limit(texts: int) -> float:
    """Texts a second of one core, were there nothing but the products of a Checklist's steps."""
    rows, k = texts * WIDTH, HIDDEN
    seconds = 0.0
    for columns, times in ((5 * k, 2), (k, 1), (WORDS, 1)):
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


def of_peer(python: str, batches: list[int], threads: int) -> list[list[float]]:
    given = {"hidden": HIDDEN, "words": WORDS, "source_words": SIZES[1], "source": SOURCE, "width": WIDTH}
    given |= {"length": LENGTH, "threads": threads, "batches": batches}
    return [
        list(map(float, line.split()))
        for line in elsewhere([python, str(HERE / "joeynmt_search.py")], given, "").splitlines()
    ]


def of_own(path: str, batches: list[int], threads: int, profile: bool = False) -> Any:
    command = [sys.executable, __file__, "--inside"]
    given = {"batches": batches, "threads": threads, "profile": profile, "before": path != str(HERE.parent)}
    return json.loads(elsewhere(command, given, path))


def inside() -> None:
    """One system in a process of its own: a JSON line of times and time shares."""
    given = json.load(sys.stdin)
    torch.set_num_threads(given["threads"])
    torch.manual_seed(1)
    search = before() if given["before"] else ours()[0]
    times = [[texts, *timed(search, texts)] for texts in given["batches"]]
    print(json.dumps({"times": times, "shares": shares(search) if given["profile"] else {}}))


def best(times: list[list[float]], column: int) -> tuple[float, int]:
    """Texts a second and the number of texts at once, of the best among equal numbers' medians."""
    rates: dict[int, list[float]] = {}
    for one in times:
        rates.setdefault(int(one[0]), []).append(one[0] / one[column])
    return max((statistics.median(each), texts) for texts, each in rates.items())


def run(peer: str, old: str) -> dict[str, Any]:
    systems: dict[str, Callable[[list[int], int], list[list[float]]]] = {
        "joeynmt": lambda batches, threads: of_peer(peer, batches, threads),
        "before": lambda batches, threads: of_own(old, batches, threads)["times"],
        "now": lambda batches, threads: of_own(str(HERE.parent), batches, threads)["times"],
    }
    one: dict[str, list[list[float]]] = {name: [] for name in systems}
    two: dict[str, list[list[float]]] = {name: [] for name in systems}
    limits = []
    for _ in range(ROUNDS):
        for name, measure in systems.items():
            one[name] += measure(list(BATCHES), 1)
        limits.append(max(limit(texts) for texts in BATCHES))
    for name, measure in systems.items():
        two[name] += measure([best(one[name], 1)[1]], 2)
    rates = {name: best(times, 1) for name, times in one.items()}
    bare = statistics.median(limits)
    return {
        "texts_per_second": {name: round(rate, 2) for name, (rate, _) in rates.items()},
        "texts_at_once": {name: texts for name, (_, texts) in rates.items()},
        "by_the_clock_on_two_cores": {name: round(best(times, 2)[0], 2) for name, times in two.items()},
        "limit": round(bare, 2),
        "of_limit": round(rates["now"][0] / bare, 3),
        "times_joeynmt": round(rates["now"][0] / rates["joeynmt"][0], 2),
        "times_before": round(rates["now"][0] / rates["before"][0], 2),
        "shares": {
            "before": of_own(old, [], 1, True)["shares"],
            "now": of_own(str(HERE.parent), [], 1, True)["shares"],
        },
        "sizes": {"hidden": HIDDEN, "words": WORDS, "width": WIDTH, "length": LENGTH, "source": SOURCE},
        "batches": BATCHES,
        "rounds": ROUNDS,
        "cores": os.cpu_count(),
        "load": round(os.getloadavg()[0], 1),
        "processor": platform.processor() or platform.machine(),
        "torch": torch.__version__,
    }


def draw(shares: dict[str, dict[str, float]], path: Path) -> None:
    """Two bars: where the time goes, before and now."""
    figure = Figure(figsize=(7, 1.8), layout="constrained")
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peer", help="the interpreter of an environment with JoeyNMT")
    parser.add_argument("--before", help="a checkout of commit 272a98e")
    parser.add_argument("--inside", action="store_true", help="measure one system; for this script's own use")
    parser.add_argument("--output", type=Path, default=HERE / "results" / "search_speed.json")
    given = parser.parse_args()
    torch.set_num_threads(1)
    if given.inside:
        return inside()
    result = run(given.peer, given.before)
    result_file.write(given.output, result)
    draw(result["shares"], HERE.parent / "docs" / "search_shares.png")
    print(json.dumps(result, indent=2))


if __name__ == "__main__":
    main()
