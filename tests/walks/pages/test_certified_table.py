"""A table of one's own: ingested, learned by assembly, written and certified."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import yaml
from batch_tables import read
from in_process import allsaid

from allsaid.modeling.saved.folder_files import PHRASEBOOK
from batch_infer.proof import summary as summary_file
from batch_infer.proof.texts import read_rows

PAGE = Path(__file__).resolve().parents[3] / "docs" / "commands.md"
MAPPING = {
    "id": "nr",
    "goal": "kind",
    "text": "about",
    "columns": {"name": "value", "colour": "value", "weight": {"kind": "number", "unit": "kg"}, "waterproof": "yes/no"},
}
NAMES = ("Alder", "Birch", "Cedar", "Elm", "Fir", "Gorse", "Hazel", "Iris")
COLOURS = ("blue", "red", "green", "grey")


def about(number: int, kind: str, colour: str, is_dry: bool) -> str:
    name, weight = NAMES[number % len(NAMES)], 1 + number % 9
    dry = "It is waterproof." if is_dry else "It is not waterproof."
    if number % 3:
        return f"The {name} is a {colour} {kind}. {dry} It weighs {weight} kg."
    return f"Meet the {name}, a {kind} in {colour}. It weighs {weight} kg. {dry}"


def write_table(path: Path, numbers: range, with_texts: bool = True) -> None:
    lines = ["nr,kind,name,colour,weight,waterproof" + (",about" if with_texts else "")]
    for number in numbers:
        kind, colour, is_dry = ("tent", "bag")[number % 2], COLOURS[number % 4], number % 5 < 3
        cells = [str(number), kind, NAMES[number % 8], colour, str(1 + number % 9), "yes" if is_dry else "no"]
        lines.append(",".join([*cells, *([f'"{about(number, kind, colour, is_dry)}"'] if with_texts else [])]))
    path.write_text("\n".join(lines) + "\n")


def test_a_small_table_is_learned_written_and_certified(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)
    write_table(Path("shop.csv"), range(96))
    write_table(Path("new.csv"), range(96, 108), with_texts=False)
    Path("shop.yaml").write_text(yaml.safe_dump(MAPPING, sort_keys=False))
    table = ("--input", "shop.csv", "--mapping", "shop.yaml", "--output", "data")
    assert allsaid("ingest", "records", *table) == 0
    assert allsaid("train", "assemble", "--data", "data", "--run-dir", "run", "--tracking", "offline") == 0
    assert json.loads(Path("run", "model", PHRASEBOOK).read_text())["subject"] == "SLOT_NAME"

    asked = ("--model", "run/model", "--input", "new.csv", "--output", "texts")
    assert allsaid("generate", *asked, "--gate", "uncertified=0") == 0
    rows = list(read_rows("texts"))
    assert len(rows) == 12 and all(row.certified and row.is_assembled for row in rows)
    assert not [row for row in rows if row.missing or row.extra or row.unattested]
    assert all(row.agenda[0].removeprefix("name=") in row.text for row in rows)
    found = summary_file.read("texts")
    assert (found.percent_certified, found.provable_texts, found.assembled_texts) == (100, 12, 12)

    assert allsaid("generate", *asked[:-1], "varied", "--variety", "--texts", "2") == 0
    varied = read(Path("varied"))
    assert len(varied) == 24 and all(row["certified"] for row in varied)
    assert all(one["text"] != other["text"] for one, other in zip(varied[::2], varied[1::2], strict=True))
    assert allsaid("validate", "texts") == 0
    assert allsaid("report", "texts") == 0

    ((code, output),) = re.findall(r"```python\n(.*?)```\n```\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    capsys.readouterr()
    exec(code, {})
    assert capsys.readouterr().out == output
