"""What the searches reach with one model: `python -m benchmarks.quality.search.searches --model FOLDER --data DIR`.

Plain beam (the paper's), the model's own search, Checklist+ (the same, written again) and the banked search that must
give every item, on the same rows in one run. Writes benchmarks/results/search.json.
"""

from __future__ import annotations

import os
import platform
import time
from dataclasses import asdict, replace

import torch

from allsaid.modeling.config import SearchConfig
from allsaid.proof.scores import score
from benchmarks.quality.search import model_rows
from benchmarks.result_file import RESULTS, write
from training.fitting.scores import fingerprint, generate

RESULT = RESULTS / "search.json"


def searches(own: SearchConfig) -> dict[str, SearchConfig]:
    return {
        "plain beam, ten finished texts": replace(own, finished=10, item_bonus=0.0, no_repeat_ngram=0, rewrites=0),
        "the model's own search": replace(own, rewrites=0),
        "Checklist+": replace(own, rewrites=5),
        "banked, --min-coverage 100": replace(own, min_coverage=100.0),
    }


def main() -> None:
    split, bundle, examples = model_rows.read(__doc__, 365)
    rows = {}
    for name, search in searches(bundle.config.search).items():
        # The reader of a text waits for the wall clock; a busy machine is told apart by the processor's time.
        wall, processor = time.monotonic(), time.process_time()
        found = generate(bundle, examples, search)
        wall, processor = time.monotonic() - wall, time.process_time() - processor
        texts = [bundle.words(one.tokens, example) for one, example in zip(found, examples, strict=True)]
        scores = score(texts, examples, bundle.lexicon)
        figures = {key: round(value, 3) for key, value in asdict(scores).items()}
        speed = {"texts_per_second": round(len(found) / wall, 2), "processor_seconds": round(processor, 1)}
        rows[name] = figures | speed
        print(name, rows[name], flush=True)
    for row in rows.values():
        for against in ("plain beam, ten finished texts", "the model's own search"):
            row[f"times {against}"] = round(row["processor_seconds"] / rows[against]["processor_seconds"], 2)
    result = {
        "command": "python -m benchmarks.quality.search.searches --model FOLDER --data DIR",
        "split": split,
        "examples_fingerprint": fingerprint(examples),
        "cores_used": 1,
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "torch": torch.__version__,
        "searches": rows,
    }
    write(RESULT, result)


if __name__ == "__main__":
    main()
