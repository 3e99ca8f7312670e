"""Fluent texts of several trades, a third of them with one planted error: what `allsaid prove` finds in them.

    python -m benchmarks.quality.tables.fluent

Each folder of benchmarks/corpora/fluent/SET/ has a table, its mapping, a text for each row, and a key that names the
planted error. All were written for this measurement, in the style of language models, by models that had not seen the
proof. A planted error is *found* if its text has a finding of any grade; a right text is *flagged* if it has one. Next
to the proof stands what a search for the cells as they are written finds: a text that lacks a cell is flagged. Rules
were made after each set had been read; `first_count.json` has what a set gave before that.

From the tenth set on, `owner.yaml` is the mapping after a model in the part of a shop's owner had worked on it
for at most 20 minutes, with the first half of the texts and their proof, and without the key. It is counted on the
second half.
Writes benchmarks/results/fluent.json.
"""

from __future__ import annotations

import csv
import json
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from batch_infer.job import prove
from batch_infer.options.prove import ProveOptions
from benchmarks.result_file import RESULTS, ROOT, write

HERE = ROOT / "benchmarks" / "corpora" / "fluent"
NAMES = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"
SETS = [HERE / name for name in NAMES.split()]
FIRST, OWNER = "mapping.yaml", "owner.yaml"


def main() -> None:
    """Prove the texts of each trade and write the counts."""
    sets = {}
    for one in SETS:
        folders = [folder for folder in sorted(one.iterdir()) if folder.is_dir()]
        sets[one.name] = summed({folder.name: count(folder) for folder in folders})
        if all((folder / OWNER).exists() for folder in folders):
            for mapping in (FIRST, OWNER):
                held = {folder.name: count(folder, mapping, is_held=True) for folder in folders}
                sets[f"{one.name}, second half, {mapping}"] = summed(held)
    counts = [path for one in SETS if (path := one / "first_count.json").exists()]
    unseen = {f"{path.parent.name}, unseen": json.loads(path.read_text(encoding="utf-8")) for path in counts}
    write(RESULTS / "fluent.json", {"sets": sets, **unseen})
    print(json.dumps(sets, indent=2))


def summed(trades: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """Return the counts of a set's trades with their sums and shares."""
    total: Counter[str] = Counter()
    for found in trades.values():
        total.update({name: value for name, value in found.items() if isinstance(value, int)})
    percent = {
        f"% {what}": round(100 * total[part] / total[whole], 1)
        for what, part, whole in (
            ("planted errors found", "found", "planted"),
            ("right texts flagged", "flagged", "right"),
            ("planted errors found by string search", "found by string search", "planted"),
            ("right texts flagged by string search", "flagged by string search", "right"),
        )
    }
    return {**percent, "all": dict(total), "trades": trades}


def count(folder: Path, mapping: str = FIRST, is_held: bool = False) -> dict[str, Any]:
    """Return the counts of a trade, the planted errors that were not found, and the right texts that were flagged.

    is_held: count the second half of the texts only; all are proven.
    """
    lines = (folder / "key.jsonl").read_text(encoding="utf-8").splitlines()
    lines = lines[len(lines) // 2 :] if is_held else lines
    planted = {one["id"]: one["planted"] for one in map(json.loads, lines)}
    with tempfile.TemporaryDirectory() as name:
        output = Path(name) / "proof"
        prove.run(
            ProveOptions(
                texts=str(folder / "texts.csv"),
                input=str(folder / "table.csv"),
                mapping=str(folder / mapping),
                output=str(output),
            )
        )
        rows = pq.ParquetDataset(output / "texts").read(["id", "findings"]).to_pylist()
    is_flagged = {row["id"]: bool(row["findings"]) for row in rows}
    lacks_cell = search(folder)
    errors = {row: kind for row, kind in planted.items() if kind}
    right = [row for row, kind in planted.items() if not kind]
    return {
        "planted": len(errors),
        "found": sum(is_flagged[row] for row in errors),
        "right": len(right),
        "flagged": sum(is_flagged[row] for row in right),
        "found by string search": sum(lacks_cell[row] for row in errors),
        "flagged by string search": sum(lacks_cell[row] for row in right),
        "not found": {row: kind for row, kind in errors.items() if not is_flagged[row]},
        "flagged though right": [row for row in right if is_flagged[row]],
    }


def search(folder: Path) -> dict[str, bool]:
    """Return for each text whether it lacks a cell of its row in any letter case; yes/no columns are left out."""
    with (folder / "table.csv").open(encoding="utf-8", newline="") as file:
        table = {row.pop("id"): ";".join(row.values()).lower().split(";") for row in csv.DictReader(file)}
    with (folder / "texts.csv").open(encoding="utf-8", newline="") as file:
        texts = {row["id"]: row["text"].lower() for row in csv.DictReader(file)}
    told = {number: [cell for cell in cells if cell not in ("", "yes", "no")] for number, cells in table.items()}
    return {number: any(cell not in text for cell in told[number]) for number, text in texts.items()}


if __name__ == "__main__":
    main()
