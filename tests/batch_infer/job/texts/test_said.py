"""Sentences of the mapping make up for what few training texts lack."""

from __future__ import annotations

import csv
from pathlib import Path

import yaml
from in_process import allsaid

from batch_infer.proof.texts import read_rows

CUT = 31  # rows, of which 27 are in the training part
SAMPLES = Path(__file__).parents[4] / "samples"
SAY = {
    "name": "Meet the {}, a {goal} for every day.",
    "colour": "It comes in {}.",
    "materials": "It is made of {}.",
    "weight_kg": "It weighs {}.",
    "price_eur": "It costs {}.",
    "made_in": "It was made in {}.",
    **{name: {"yes": f"It has {word}.", "no": f"It has no {word}."} for name, word in {
        "dishwasher_safe": "a place in the dishwasher",
        "microwave_safe": "a place in the microwave",
        "induction": "use on induction hobs",
        "waterproof": "a waterproof finish",
        "laptop_sleeve": "a laptop sleeve",
        "dimmable": "dimmable light",
        "rechargeable": "a rechargeable battery",
        "noise_cancelling": "noise cancelling",
        "insulated": "an insulated wall",
        "machine_washable": "machine washable wool",
        "lined": "lined pages",
        "whistle": "a whistle",
        "cordless": "a cordless base",
    }.items()},
}  # fmt: skip


def certified(folder: Path, mapping: dict[str, object], rows: list[dict[str, str]]) -> int:
    """How many rows without a text get a certified one from a model of the others."""
    folder.mkdir()
    for name, part in (("table.csv", rows[:CUT]), ("new.csv", [{**row, "description": ""} for row in rows[CUT:]])):
        with (folder / name).open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, rows[0].keys())
            writer.writeheader()
            writer.writerows(part)
    (folder / "mapping.yaml").write_text(yaml.safe_dump(mapping, allow_unicode=True), encoding="utf-8")
    given = ("--input", str(folder / "table.csv"), "--mapping", str(folder / "mapping.yaml"))
    place = ("--output", str(folder / "data"), "--direct_running_mode=in_memory")
    assert allsaid("ingest", "records", *given, *place) == 0
    place = ("--run-dir", str(folder / "run"), "--tracking", "offline")
    assert allsaid("train", "assemble", "--data", str(folder / "data"), *place) == 0
    model = ("--model", str(folder / "run" / "model"), "--input", str(folder / "new.csv"))
    allsaid("generate", *model, "--output", str(folder / "texts"), "--direct_running_mode=in_memory")
    return sum(bool(row.certified) for row in read_rows(str(folder / "texts")))


def test_a_sentence_per_column_certifies_more_rows(tmp_path: Path) -> None:
    with (SAMPLES / "products.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))[:90]
    plain = yaml.safe_load((SAMPLES / "products.yaml").read_text(encoding="utf-8"))
    columns = {name: one if isinstance(one, dict) else {"kind": one} for name, one in plain["columns"].items()}
    said = {name: one | ({"say": SAY[name]} if name in SAY else {}) for name, one in columns.items()}
    saying = plain | {"columns": said}
    without, having = certified(tmp_path / "plain", plain, rows), certified(tmp_path / "saying", saying, rows)
    assert having > 1.5 * without, (without, having)
