"""A trained model's texts and perplexities of a test part, searched on a GPU, as one file for scoring elsewhere.

    python -m benchmarks.scale.gpu_texts --run DIR --data DIR --output FILE [--split test] [--limit N]
        [--search NAME=key=value,key=value …] [--device cuda]

DIR is the folder of a training run (`allsaid train --run-dir`), and Allsaid need not be installed. Each `--search` is a
search to write by, under its name; its settings replace the model's own. FILE is gzipped JSON: the run's settings and
losses by epoch, the perplexities of the split, and of each search the words of each text, by id, and its seconds.
benchmarks/quality/papers/gpu_tables.py scores such files where Allsaid and Java are.
"""

from __future__ import annotations

import argparse
import gzip
import json
import time
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from allsaid.decoding.hypothesis import NOTHING
from allsaid.decoding.write import write
from allsaid.modeling.config import SearchConfig
from allsaid.modeling.data.dataset import DataSet, fixed_sample
from allsaid.modeling.saved.model_folder import Bundle, load
from allsaid.settings import parse_value
from training.fitting.scores import perplexities

AT_ONCE = 256  # texts searched at once


def search_of(bundle: Bundle, settings: str) -> SearchConfig:
    given = dict(one.split("=", 1) for one in settings.split(",") if one)
    values = {key: parse_value(SearchConfig, key, value, f"'{key}'") for key, value in given.items()}
    return replace(bundle.config.search, **{"search_batch": AT_ONCE} | values)


def history(run: Path) -> list[dict[str, Any]]:
    """The dev figures after each epoch, with the seconds since the run began."""
    events = [json.loads(line) for line in (run / "spool.jsonl").read_text(encoding="utf-8").splitlines()]
    metrics = [event for event in events if event["event"] == "metrics"]
    begun = events[0]["time"]
    ended = [event for event in metrics if "dev_nll" in event["values"]]
    return [
        {"step": event["step"], "seconds": round((event["time"] - begun) / 1000), **event["values"]} for event in ended
    ]


def texts_of(bundle: Bundle, rows: list[Any], search: SearchConfig) -> dict[str, Any]:
    begun = time.monotonic()
    found = [texts[0] if texts else NOTHING for texts in write(bundle, rows, search)]
    seconds = time.monotonic() - begun
    return {
        "search": asdict(search),
        "seconds": round(seconds, 1),
        "unfinished": sum(not one.finished for one in found),
        "texts": {row.id: bundle.words(one.tokens, row) for row, one in zip(rows, found, strict=True)},
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--run", required=True, type=Path)
    parser.add_argument("--data", required=True)
    parser.add_argument("--output", required=True, type=Path)
    parser.add_argument("--split", default="test")
    parser.add_argument("--limit", type=int)
    parser.add_argument("--search", action="append", default=[])
    parser.add_argument("--device", default="cuda", choices=["cpu", "cuda"])
    given = parser.parse_args()
    data, bundle = DataSet(given.data), load(given.run / "model", given.device)
    rows = fixed_sample(bundle.task.examples(data, given.split), given.limit)
    result = {
        "config": asdict(bundle.config),
        "parameters": sum(parameter.numel() for parameter in bundle.model.parameters()),
        "origin": bundle.origin,
        "split": given.split,
        "rows": len(rows),
        "epochs": history(given.run),
        "perplexities": perplexities(bundle, data, given.split),
        "searches": {},
    }
    for one in given.search:
        name, _, settings = one.partition("=")
        result["searches"][name] = texts_of(bundle, rows, search_of(bundle, settings))
        print(f"{given.run.name}, {name}: {result['searches'][name]['seconds']} s", flush=True)
        with gzip.open(given.output, "wt", encoding="utf-8") as file:
            json.dump(result, file)


if __name__ == "__main__":
    main()
