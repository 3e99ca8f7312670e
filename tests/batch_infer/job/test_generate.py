"""The batch job on a tiny untrained model: every row arrives once, whatever is wrong with it."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import torch
from batch_tables import read, write_lines
from small_agendas import AGENDAS, bytes_of, example, run
from small_manifest import EMPTY

from allsaid.gates import GateBroken
from allsaid.modeling.config import SearchConfig
from allsaid.modeling.text.restore import Casing, restore
from allsaid.proof.coverage import Lexicon, measure
from batch_infer.job import generate, preview
from batch_infer.options.generate import GenerateOptions
from batch_infer.options.job import TextGates
from batch_infer.options.texts import TextOptions
from schemas.checks.table import to_table
from schemas.errors import UserError
from schemas.example import EXAMPLE
from schemas.texts.generated import GENERATED


def test_json_lines_one_row_each_with_proof(model: Path, tmp_path: Path) -> None:
    given = write_lines(tmp_path / "agendas.jsonl", AGENDAS)
    summary, rows = run(model, given, tmp_path / "out", keep=["page"])
    assert [row["id"] for row in rows] == ["a", "7", "agendas.jsonl:3"]
    assert [row["page"] for row in rows] == [3, 4, None]
    assert [row["agenda"] for row in rows] == [row["agenda"] for row in AGENDAS]
    for row, names in zip(
        rows, [[["tomatoes"], ["olive", "oil"]], [["garlic"]], [["salt"], ["tomatoes"]]], strict=True
    ):
        covered = measure(row["tokens"], names, Lexicon({"garlic": 30, "olive oil": 25, "salt": 99}))
        assert row["used"] == [item for item, given in zip(row["agenda"], covered.given, strict=True) if given]
        assert sorted(row["used"] + row["missing"]) == sorted(row["agenda"])
        assert (row["percent_given"], row["extra"], row["error"]) == (covered.percent_given, covered.extra, None)
        assert row["text"] == restore(row["tokens"], Casing({"f": "F"}, frozenset()))
        assert len(row["ref_items"]) == len(row["tokens"]) and "<unk>" not in row["tokens"]
        assert row["log_probability"] == round(row["log_probability"], 4) < 0
    assert (summary.input_rows, summary.texts, summary.errors, summary.true) == (3, 3, 0, {})
    assert summary.percent_given == pytest.approx(sum(row["percent_given"] for row in rows) / 3, abs=1e-4)
    assert (summary.model_name, summary.model_version) == ("tiny", "")


def test_the_search_is_by_default_the_models_own(model: Path, tmp_path: Path) -> None:
    given = write_lines(tmp_path / "in.jsonl", AGENDAS)
    narrow = shutil.copytree(model, tmp_path / "narrow")
    config = (narrow / "config.yaml").read_text()
    config = re.sub("max_tokens: [0-9]+", "max_tokens: 9", re.sub("width: [0-9]+", "width: 2", config))
    (narrow / "config.yaml").write_text(config)
    (narrow / "hashes.json").unlink()
    generate.run(GenerateOptions(str(narrow), str(given), str(tmp_path / "own")))
    _, asked = run(model, given, tmp_path / "asked")
    assert [row["tokens"] for row in read(tmp_path / "own")] == [row["tokens"] for row in asked]
    generate.run(GenerateOptions(str(model), str(given), str(tmp_path / "other")))
    assert [row["tokens"] for row in read(tmp_path / "other")] != [row["tokens"] for row in asked]


def test_a_bad_row_costs_no_other_row(model: Path, tmp_path: Path) -> None:
    good = {"goal": "Salsa", "agenda": ["salt"]}
    bad: list[tuple[Any, str]] = [
        ('{"goal": "Salsa", "agenda": ["salt"', "Line 2 of a.jsonl is no JSON"),
        ('["Salsa"]', "Line 3 of a.jsonl is no JSON object"),
        ({"agenda": ["salt"]}, "The row has no goal"),
        ({"goal": "Salsa"}, "The row has no agenda"),
        ({"goal": "Salsa", "agenda": "salt"}, "The row has no agenda"),
        ({"goal": "Salsa", "agenda": []}, "The agenda has 0 items"),
        ({"goal": "Salsa", "agenda": ["salt"] * 500}, "The agenda has 500 items"),
        ({"goal": "Борщ", "agenda": ["свекла", "капуста"]}, "0% of the letters"),
        ({"goal": "!!", "agenda": ["salt"]}, "The goal '!!' has no word"),
        ({"goal": "Salsa", "agenda": ["salt", "***"]}, "Item 2 of the agenda, '***', names nothing"),
        ({"id": "x", **good}, "The id 'x' is in several rows"),
        ({"id": "x", **good}, "The id 'x' is in several rows"),
        ('{"goal": "\\ud800", "agenda": ["salt"]}', "Line 14 of a.jsonl is no UTF-8 text"),
    ]
    given = write_lines(tmp_path / "a.jsonl", [good, *(row for row, _ in bad), "", good])
    summary, rows = run(model, given, tmp_path / "out", gate=TextGates(errors=1))
    assert [row["error"] is None for row in rows] == [True, *[False] * len(bad), True]
    for row, (_, sentence) in zip(rows[1:-1], bad, strict=True):
        assert row["error"].startswith(sentence)
        assert (row["text"], row["tokens"], row["percent_given"]) == ("", [], None)
    assert [row["id"] for row in rows if row["id"] != "x"] == [f"a.jsonl:{n}" for n in (*range(1, 12), 14, 16)]
    assert (summary.errors, summary.texts) == (13, 2)
    assert rows[0]["text"] and rows[-1]["text"]
    with pytest.raises(GateBroken, match=r"86.7% of 15 rows could not become a text; the gate 'errors' allows 50.0%"):
        run(model, given, tmp_path / "out")


def test_parquet_ids_and_kept_columns_keep_their_types(model: Path, tmp_path: Path) -> None:
    table = pa.table(
        {
            "agenda": pa.array([["salt"], ["garlic"], ["salt"], ["salt"]], pa.large_list(pa.string())),
            "goal": ["Salsa", "Soup", "Soup", "Salsa"],
            "id": pa.array([5, 6, None, 6], pa.int32()),
            "when": pa.array([1, 2, 3, 4], pa.timestamp("ns")),
        }
    )
    pq.write_table(table, tmp_path / "in.parquet", row_group_size=3)
    _, rows = run(model, tmp_path / "in.parquet", tmp_path / "out", keep=["when"], gate=TextGates(errors=1))
    found = pq.read_table(tmp_path / "out" / "texts" / "part-00000.parquet")
    assert found.column("id").equals(table.column("id")) and found.column("when").equals(table.column("when"))
    assert [bool(row["error"]) for row in rows] == [False, True, True, True]
    assert (GENERATED.metadata or {}).items() <= found.schema.metadata.items()


def test_examples_bring_the_true_texts_figures(model: Path, tmp_path: Path) -> None:
    pq.write_table(to_table([example(number) for number in range(5)], EXAMPLE), tmp_path / "in.parquet")
    summary, rows = run(model, tmp_path / "in.parquet", tmp_path / "out", keep=["offset"])
    assert [(row["id"], row["offset"]) for row in rows] == [(f"{number:016x}", number) for number in range(5)]
    assert summary.true == {
        "percent_given": 100.0,
        "percent_given_full_name": 100.0,
        "percent_given_any_word": 100.0,
        "extra_items": 1.0,
        "tokens": 10.0,
    }


def test_a_published_data_set_is_read_split_by_split(model: Path, tmp_path: Path) -> None:
    data = tmp_path / "data"
    entries = []
    for name, numbers in (("dev/part-00000", range(2)), ("test/part-00000", range(2, 5)), ("test/part-00001", [7])):
        path = data / "runs" / "r1" / "examples" / f"split={name}.parquet"
        path.parent.mkdir(parents=True, exist_ok=True)
        pq.write_table(to_table([example(number) for number in numbers], EXAMPLE), path)
        entries.append({"path": f"examples/split={name}.parquet", "rows": len(numbers)})
    splits = {"train": 0, "dev": 2, "test": 4}
    manifest = replace(
        EMPTY, run="r1", files={"examples": entries}, read=6, kept=6, splits=splits, fingerprint="abc-def"
    )
    (data / "manifest.json").write_text(manifest.to_json())
    summary, rows = run(model, data, tmp_path / "out")
    assert [row["id"] for row in rows] == [f"{number:016x}" for number in (2, 3, 4, 7)]
    assert (summary.split, summary.input_fingerprint) == ("test", "abc-def")
    assert [row["id"] for row in run(model, data, tmp_path / "dev", split="dev", limit=1)[1]] == ["0" * 16]
    with pytest.raises(UserError, match="has no examples in split train"):
        run(model, data, tmp_path / "none", split="train")
    with pytest.raises(UserError, match="has the splits train, dev, test"):
        run(model, data, tmp_path / "none", split="valid")


@pytest.mark.slow
def test_several_processes_write_what_one_does(model: Path, tmp_path: Path) -> None:
    given = write_lines(
        tmp_path / "a.jsonl", [{"goal": "Soup", "agenda": ["salt", f"{n} tomatoes"]} for n in range(17)]
    )
    run(model, given, tmp_path / "one")
    options = ["--direct_num_workers", "2", "--direct_running_mode", "multi_processing"]
    run(model, given, tmp_path / "two", beam_args=options)
    assert bytes_of(tmp_path / "one") == bytes_of(tmp_path / "two")


def test_show_prints_ticked_items_and_what_to_expect(
    model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = write_lines(tmp_path / "a.jsonl", [*AGENDAS, '{"goal'])
    _, rows = run(model, given, tmp_path / "out", limit=2, show=True)
    printed = capsys.readouterr().out
    for row in rows:
        for item in row["agenda"]:
            assert f"  {'✓' if item in row['used'] else '✗'} {item}\n" in printed
        assert row["text"].split("\n")[0] in printed
    assert re.search(r"The whole input, 4 rows, would take about \d+ seconds? with 1 worker and", printed)


def test_show_says_where_the_other_texts_are(
    model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(preview, "SHOWN", 1)
    _, rows = run(model, write_lines(tmp_path / "a.jsonl", AGENDAS), tmp_path / "out", show=True)
    printed = capsys.readouterr().out
    assert f"These are the first rows; `allsaid report {tmp_path / 'out'}` shows all {len(rows)} texts." in printed
    assert "The whole input" not in printed


def test_precision_and_device_decide_batches(model: Path, tmp_path: Path) -> None:
    given = write_lines(tmp_path / "a.jsonl", AGENDAS)
    plain, low = tmp_path / "plain", tmp_path / "low"
    run(model, given, plain)
    run(model, given, low, precision="bfloat16")
    assert "precision" not in json.loads((plain / "job.json").read_text())
    assert json.loads((low / "job.json").read_text())["precision"] == "bfloat16"
    ours, theirs = ([row["log_probability"] for row in read(folder)] for folder in (plain, low))
    assert ours != theirs and ours == pytest.approx(theirs, rel=0.1)
    with pytest.raises(UserError, match="texts of a run that differs in precision"):
        run(model, given, low)
    with pytest.raises(UserError, match="Only a GPU multiplies in tf32"):
        run(model, given, tmp_path / "out", precision="tf32")
    own = SearchConfig(search_batch=20)
    sizes = [TextOptions().search(own, device).search_batch for device in ("cpu", "cuda")]
    assert sizes == [20, 256]


@pytest.mark.skipif(
    not torch.cuda.is_available(), reason="Needs a GPU, and PyTorch finds none here. docs/gpu.md says what runs on one."
)
def test_workers_of_a_gpu_write_what_the_cpu_writes(model: Path, tmp_path: Path) -> None:
    given = write_lines(tmp_path / "a.jsonl", AGENDAS)
    workers = ["--direct_running_mode=multi_processing", "--direct_num_workers=2"]
    run(model, given, tmp_path / "cpu")
    run(model, given, tmp_path / "gpu", device="cuda", precision="float32", beam_args=workers)
    ours, theirs = ([row["text"] for row in read(tmp_path / name)] for name in ("cpu", "gpu"))
    assert ours == theirs
