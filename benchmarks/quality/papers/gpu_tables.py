"""Scores texts that benchmarks/scale/gpu_texts.py wrote on a GPU, next to a paper's figures.

    python -m benchmarks.quality.papers.gpu_tables --table allrecipes --data DIR --texts FOLDER [--named attn=attention]

FOLDER has SYSTEM.json.gz for systems of the table; `--named` says what a file of another name holds. Perplexities are
those that the GPU measured on the whole split; texts are scored as `allsaid compare` scores them, as many as were
written. Writes benchmarks/results/TABLE.json; the learning curve is the perplexity of dev after each pass.
"""

from __future__ import annotations

import argparse
import gzip
import json
from pathlib import Path
from typing import Any

import yaml

from allsaid.modeling.data.dataset import DataSet
from allsaid.modeling.tasks.sequence import TASK
from allsaid.proof.known_foods import build_food_lexicon
from benchmarks.result_file import RESULTS, ROOT, write
from evaluation.tasks.recipes import score
from evaluation.tasks.sequences import recipe_of

TABLES = ROOT / "evaluation" / "tables"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--table", required=True, choices=["allrecipes"])
    parser.add_argument("--data", required=True, help="a data set's folder")
    parser.add_argument("--texts", required=True, type=Path)
    parser.add_argument("--named", action="append", default=[], help="FILE=SYSTEM")
    given = parser.parse_args()
    table = yaml.safe_load((TABLES / f"{given.table}.yaml").read_text(encoding="utf-8"))
    files = {name: name for name in table["systems"]} | {
        system: file for file, _, system in (one.partition("=") for one in given.named)
    }
    data = DataSet(given.data)
    lexicon = build_food_lexicon(map(recipe_of, TASK.examples(data, "train")))
    systems = {}
    for name, entry in table["systems"].items():
        path = given.texts / f"{files[name]}.json.gz"
        if path.exists():
            with gzip.open(path, "rt", encoding="utf-8") as file:
                systems[name] = figures(json.load(file), data, lexicon, entry["paper"])
    result = {
        "command": f"python -m benchmarks.quality.papers.gpu_tables --table {given.table} --data DIR --texts FOLDER",
        "hardware": "NVIDIA H200, shared by ten trainings at a time",
        "data": {"fingerprint": data.manifest.fingerprint, "splits": data.manifest.splits},
        "systems": systems,
    }
    write(RESULTS / f"{given.table}.json", result)
    print(json.dumps(result, indent=2))


def figures(found: dict[str, Any], data: DataSet, lexicon: Any, paper: dict[str, float]) -> dict[str, Any]:
    """Perplexities, scores of the texts, and what the training was."""
    if found["origin"]["data_fingerprint"] != data.manifest.fingerprint:
        raise SystemExit("The texts are of another data set.")
    texts = found["searches"]["own"]["texts"]
    rows = [row for row in TASK.examples(data, found["split"]) if row.id in texts]
    scored = score([texts[row.id] for row in rows], [*map(recipe_of, rows)], lexicon, set(), slow=False)
    wanted = ("bleu", "percent_given", "extra_items", "doubled_items")
    own = found["perplexities"] | {key: scored[key] for key in wanted}
    fit, losses = found["config"]["fit"], found["epochs"]
    return {
        **{key: {"ours": round(value, 3), "paper": paper.get(key)} for key, value in own.items()},
        "training": {
            "epochs": fit["epochs"],
            "hidden": found["config"]["model"]["hidden"],
            "batch_size": found["config"]["data"]["batch_size"],
            "parameters": found["parameters"],
            "hours": round(losses[-1]["seconds"] / 3600, 3),
            "texts": len(texts),
            "texts_per_second": round(len(texts) / found["searches"]["own"]["seconds"], 1),
            "curve": {str(epoch): round(one["dev_perplexity"], 3) for epoch, one in enumerate(losses, 1)},
        },
    }


if __name__ == "__main__":
    main()
