"""What a scratchpad writes, by the bias that its gates start from.

    python -m benchmarks.quality.papers.gates --input FILE --work DIR

FILE is text2sql's file of WikiSQL. A part of its entries is learned by small models: plain copying, and scratchpads
with each initial bias of the write gate (Benmalek et al. 2019, equation 5). Writes benchmarks/results/gates.json: of
the dev part the mean of the gates, the share of them above one half, the perplexity, and the entropy of the attention.
What is trained in DIR already is not trained again, and a training that was cut off goes on.
"""

from __future__ import annotations

import argparse
import bz2
import json
import math
import subprocess
import sys
from pathlib import Path
from typing import Any

from allsaid.modeling.data.dataset import DataSet
from allsaid.modeling.saved import model_folder
from benchmarks.result_file import RESULTS, machine, write
from evaluation.measures.attention import entropies

RESULT = RESULTS / "gates.json"
EVERY = 12  # of so many entries one is learned
SIZES = ("hidden=64", "text_cutoff=4", "epochs=3", "batch_size=32", "score_texts=1", "sample_texts=0")
BIASES = (-6, -4, -2, 0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--input", required=True, type=Path, help="text2sql-wikisql.json.bz2")
    parser.add_argument("--work", required=True, type=Path, help="a folder to keep")
    given = parser.parse_args()
    data = part(given.input, given.work)
    systems = {"copynet": ("system=copynet",)} | {str(bias): (f"gate_bias={bias}",) for bias in BIASES}
    found = {name: figures(data, given.work / name, settings) for name, settings in systems.items()}
    splits = DataSet(str(data)).manifest.splits
    write(RESULT, {"machine": machine(), "settings": SIZES, "splits": splits, "systems": found})


def part(path: Path, work: Path) -> Path:
    """Ingest a part of the entries of the corpus, unless that is done."""
    output = work / "data"
    if not (output / "manifest.json").exists():
        work.mkdir(parents=True, exist_ok=True)
        shorter = work / path.name
        with bz2.open(path) as entries:
            shorter.write_bytes(bz2.compress(json.dumps(json.load(entries)[::EVERY]).encode()))
        run("allsaid", "ingest", "wikisql", "--input", shorter, "--output", output)
    return output


def figures(data: Path, folder: Path, settings: tuple[str, ...]) -> dict[str, Any]:
    """Train a model, unless that is done, and return its figures on dev."""
    if not (folder / "model" / "model.safetensors").exists():
        chosen = [option for setting in (*SIZES, *settings) for option in ("--set", setting)]
        begun = ["--resume"] if (folder / "config.yaml").exists() else []
        options = ["--run-dir", folder, "--name", "gates", "--tracking", "offline", *begun]
        run("training", "scratchpad", "--data", data, *chosen, *options)
    logged: dict[str, float] = {}
    for line in (folder / "spool.jsonl").read_text(encoding="utf-8").splitlines():
        event = json.loads(line)
        logged |= event["values"] if event["event"] == "metrics" else {}  # the last value of each figure stays
    nats = entropies(model_folder.load(folder / "model"), DataSet(str(data)), "dev")
    names = {"gate": "dev_gate", "gate_open": "dev_gate_open", "perplexity": "dev_perplexity"}
    known = {key: logged[name] for key, name in names.items() if name in logged}
    return {key: round(value, 6) for key, value in (known | {"entropy": math.fsum(nats) / len(nats)}).items()}


def run(module: str, *arguments: object) -> None:
    subprocess.run([sys.executable, "-m", module, *map(str, arguments)], check=True)


if __name__ == "__main__":
    main()
