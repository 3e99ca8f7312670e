"""Plans of jobs: what is counted, and that nothing is written."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from as_process import json_lines

SAMPLES = Path(__file__).parents[3] / "samples"


def test_a_plan_of_a_proof_counts_texts_and_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copy(SAMPLES / "new_texts.csv", "texts.csv")
    with Path("texts.csv").open("a", encoding="utf-8") as file:
        file.write("nobody,A text without a row.\n")
    rows = (SAMPLES / "new_products.csv").read_text(encoding="utf-8").splitlines()
    Path("table.csv").write_text("\n".join([*rows, rows[-1].replace(rows[-1].split(",")[0], "more", 1)]) + "\n")
    asked = ("--input", "table.csv", "--mapping", str(SAMPLES / "products.yaml"), "--output", "proof", "--plan")
    code, (figures,), _ = json_lines("--log-format", "json", "prove", "texts.csv", *asked)
    assert code == 0 and {path.name for path in Path().iterdir()} == {"texts.csv", "table.csv"}
    counts = {name: figures["plan"][name] for name in ("rows", "searched", "errors", "rejected", "reused", "files")}
    assert counts == {"rows": 7, "searched": 6, "errors": 1, "rejected": 1, "reused": 0, "files": 1}
