"""Proof of texts by a trained model: the same as that of `generate`, and texts that it replaces."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from batch_tables import read
from in_process import allsaid
from small_inn import make
from small_proof import HERE, write

from batch_infer.job import generate, prove
from batch_infer.options.generate import GenerateOptions
from batch_infer.options.prove import ProveOptions
from batch_infer.proof import summary
from training.options import TrainOptions
from training.runs import start

SAMPLES = Path(__file__).parents[4] / "samples"
# Columns that a proof of the same texts by the same model can't have.
OF_SEARCH = {"origin", "log_probability", "is_assembled", "ref_items"}


@pytest.fixture(scope="module")
def trained(assembled: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a model of the sample table, and two texts for each of some rows."""
    folder = Path(shutil.copytree(assembled, tmp_path_factory.mktemp("trained") / "shop", symlinks=True))
    rows = (SAMPLES / "products.csv").read_text(encoding="utf-8").splitlines(keepends=True)[:60]
    (folder / "table.csv").write_text("".join(rows), encoding="utf-8")
    given = ("--model", str(folder / "run" / "model"), "--input", str(folder / "table.csv"), "--texts", "2")
    assert allsaid("generate", *given, "--output", str(folder / "texts"), HERE) == 0
    return folder


def test_the_proof_of_own_texts_is_that_of_generate(trained: Path) -> None:
    given = ("--model", str(trained / "run" / "model"), "--input", str(trained / "table.csv"))
    texts = str(trained / "texts" / "texts" / "*.parquet")
    assert allsaid("prove", texts, *given, "--output", str(trained / "proof"), HERE) == 0
    for proven, generated in zip(read(trained / "proof"), read(trained / "texts"), strict=True):
        assert {name for name in generated if proven[name] != generated[name]} <= OF_SEARCH
    assert allsaid("validate", str(trained / "proof")) == 0


def test_generate_prefers_texts_that_meet_the_requirements(trained: Path) -> None:
    """A bound that the best texts of some rows exceed; a text is never cut."""
    plain = [row["text"] for row in read(trained / "texts") if row["text_number"] == 0]
    bound = sorted(map(len, plain))[len(plain) // 2]
    given = ("--model", str(trained / "run" / "model"), "--input", str(trained / "table.csv"), "--texts", "2")
    output = trained / "short"
    assert allsaid("generate", *given, "--max-characters", str(bound), "--output", str(output), HERE) == 0
    rows = read(output)
    assert all((len(row["text"]) > bound) == (row["unfitted"] == [f"max_characters={bound}"]) for row in rows)
    firsts = [row["text"] for row in rows if row["text_number"] == 0]
    assert sum(len(text) <= bound for text in firsts) > sum(len(text) <= bound for text in plain)


def test_reference_texts_are_proven_by_the_model(trained: Path) -> None:
    """The table has its reference texts in the column that the mapping names; most have a forbidden claim or more."""
    given = ("--model", str(trained / "run" / "model"), "--input", str(trained / "table.csv"))
    table = str(trained / "table.csv")
    assert allsaid("prove", table, *given, "--output", str(trained / "people"), HERE) == 0
    found = read(trained / "people")
    claimed = [row for row in found if "easy to carry" in row["text"]]
    assert claimed and all("claim=easy to carry" in row["extra"] and not row["certified"] for row in claimed)
    assert any(row["certified"] for row in found)


def test_a_model_knows_which_values_are_names(trained: Path) -> None:
    values = json.loads((trained / "run" / "model" / "lexicon.json").read_text(encoding="utf-8"))["values"]
    assert "Finland" in values["made_in"] and {"ivory", "sky blue"} <= {*values["colour"]}


def test_texts_that_are_not_certified_are_replaced(trained: Path) -> None:
    """Of four rows: a certified text, a wrong one, none, and two of which one is certified."""
    good = {row["id"]: row["text"] for row in read(trained / "texts")}
    first, second, third, fourth = list(good)[:4]
    texts = write(
        trained / "mixed.csv",
        [
            {"id": first, "text": good[first]},
            {"id": second, "text": "It is a thing."},
            {"id": fourth, "text": "It is a thing."},
            {"id": fourth, "text": good[fourth]},
            {"id": "nobody", "text": "It is a thing."},
        ],
    )
    given = ("--model", str(trained / "run" / "model"), "--input", str(trained / "table.csv"), "--mend")
    assert allsaid("prove", texts, *given, "--output", str(trained / "mended"), HERE) == 0
    rows = {row["id"]: row for row in read(trained / "mended") if row["text_number"] == 0}
    assert all(row["certified"] for row in rows.values() if row["id"] != fourth)
    assert [rows[name]["origin"] for name in (first, second, third, fourth)] == [
        "submitted",
        "model",
        "model",
        "submitted",
    ]
    assert (rows[second]["replaced"], rows[first]["replaced"]) == (["It is a thing."], [])
    found = summary.read(str(trained / "mended"))
    assert (found.submitted_texts, found.replaced_texts, found.rejected_texts) == (5, 1, 1)
    assert found.texts - found.mended_rows == 3 and found.mended_rows == len(rows) - 2
    assert allsaid("validate", str(trained / "mended")) == allsaid("report", str(trained / "mended")) == 0


def test_unchanged_rows_with_unchanged_texts_are_reused(trained: Path) -> None:
    """Of 59 rows, one without a text: a text and a row change, a text comes, one goes, and rows are reversed."""
    good = {row["id"]: row["text"] for row in read(trained / "texts") if row["text_number"] == 0}
    first, second, third, fourth = list(good)[:4]
    lines = (trained / "table.csv").read_text(encoding="utf-8").splitlines()
    header, rows = lines[0], lines[1:]

    def prove_with(name: str, texts: Mapping[str, str], table: Sequence[str], *more: str) -> summary.Summary:
        (trained / "today.csv").write_text("\n".join([header, *table]) + "\n", encoding="utf-8")
        path = write(trained / "today_texts.csv", [{"id": row, "text": text} for row, text in texts.items()])
        given = ("--model", str(trained / "run" / "model"), "--input", str(trained / "today.csv"), "--mend", HERE)
        assert allsaid("prove", path, *given, "--output", str(trained / name), *more) == 0
        return summary.read(str(trained / name))

    texts = {row: text for row, text in good.items() if row != first}
    prove_with("night", texts, rows)
    del texts[third]
    texts |= {first: good[first], second: "It is a thing.", "nobody": "It is a thing."}
    assert rows[3].startswith(fourth)
    table = [rows[3].replace(rows[3].split(",")[1], "sofa", 1), *reversed(rows[:3]), *rows[4:]]
    whole = prove_with("whole", texts, table)
    fast = prove_with("fast", texts, table, "--previous", str(trained / "night"))
    assert (fast.taken_over, whole.taken_over) == (len(rows) - 4, 0)
    timed = {"taken_over": 0, "search_seconds": 0, "seconds": 0, "texts_per_second": 0}
    assert replace(fast, **timed) == replace(whole, **timed)
    assert read(trained / "fast") == read(trained / "whole")


def test_the_proof_of_own_texts_of_acts_is_that_of_generate(tmp_path: Path) -> None:
    data = str(make(tmp_path))
    asked = ("epochs=15", "hidden=24", "batch_size=3", "learning_rate=0.02", "optimiser=adam", "max_tokens=12")
    folder = tmp_path / "run"
    start.train(TrainOptions(config="dialogue", data=data, set=asked, run_dir=folder, tracking="offline"))
    model = str(folder / "model")
    generate.run(GenerateOptions(model, data, str(tmp_path / "texts"), beam_args=(HERE,)))
    texts = str(tmp_path / "texts" / "texts" / "*.parquet")
    prove.run(ProveOptions(data, str(tmp_path / "proof"), texts=texts, model=model, beam_args=(HERE,)))
    for proven, generated in zip(read(tmp_path / "proof"), read(tmp_path / "texts"), strict=True):
        assert {name for name in generated if proven[name] != generated[name]} <= OF_SEARCH
