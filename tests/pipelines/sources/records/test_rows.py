"""What a table's rows become: example, act and box, the same from every kind of file."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from small_table import MAPPING, ROWS, as_csv, ingest, kept

from pipelines.linking.delex import relexicalise
from pipelines.source import KeptRecord, Result
from schemas.act import ACT, Slot
from schemas.box import BOX
from schemas.checks.table import to_table
from schemas.example import EXAMPLE, NEW, USED


def test_a_row_becomes_example_act_and_box(tmp_path: Path) -> None:
    data = as_csv(ROWS)
    (example, act, box), (second, second_act, _) = kept(ingest(tmp_path, data))
    assert (example.id, example.goal, example.goal_tokens) == ("7", "Tent", ["tent"])
    assert example.agenda == [
        "name=The Heron", "price=1299.90 EUR", "made of=nylon", "made of=steel", "is_waterproof=yes",
    ]  # fmt: skip
    told = "waterproof , and made of SLOT_MADE_OF_2 and SLOT_MADE_OF : SLOT_NAME costs SLOT_PRICE . waterproof to 2 m !"
    assert example.tokens == told.split()
    assert [(kind, item) for kind, item in zip(example.ref_types, example.ref_items, strict=True) if kind] == [
        (NEW, 4), (NEW, 3), (NEW, 2), (NEW, 0), (NEW, 1), (USED, 4),
    ]  # fmt: skip
    assert example.surface[5:12] == ["steel", "and", "Nylon", ":", "the Heron", "costs", "€ 1,299.90"]
    assert example.text == "Waterproof, and made of steel and Nylon: the Heron costs €1,299.90. Waterproof to 2 m!"
    assert [(one.position, one.written) for one in act.exceptions] == [(11, "€ 1,299.90")]
    assert act.slots[1] == Slot("price", "1299.90 eur")
    assert relexicalise(act.tokens, act.slots, act.exceptions) == act.normalised
    assert data[example.offset :].startswith(b"7,Tent")
    assert data[second.offset :].startswith(b'8,"Lamp')
    assert second.agenda == ['name=Glow "II"', "is_waterproof=no"]
    assert second_act.tokens[3:9] == ["SLOT_NAME", "—", '"', "waterproof", '"', "?"]

    assert box is not None
    assert (box.source_id, box.fields) == ("7", ["name"] * 2 + ["price"] * 2 + ["made of"] * 2 + ["is_waterproof"])
    assert (box.positions, box.ends) == ([1, 2, 1, 2, 1, 2, 1], [2, 1, 2, 1, 2, 1, 1])
    assert box.originals == ["The", "Heron", "1299.90", "EUR", "nylon", "steel", "yes"]
    assert [sentence.originals[0] for sentence in box.sentences] == ["Waterproof", "Waterproof"]
    tables = (to_table([example, second], EXAMPLE), to_table([act, second_act], ACT), to_table([box], BOX))
    assert [table.num_rows for table in tables] == [2, 2, 1]


def test_found_and_given_values_are_counted(tmp_path: Path) -> None:
    first, second = ingest(tmp_path, as_csv(ROWS))
    assert isinstance(first, KeptRecord) and isinstance(second, KeptRecord)
    assert {name: count for name, count in first.figures.items() if " " in name} == {
        "given name": 1, "found name": 1, "given price": 1, "found price": 1, "given made of": 2, "found made of": 2,
        "given is_waterproof": 1, "found is_waterproof": 1, "not_a_number price": 0, "not_yes_or_no is_waterproof": 0,
    }  # fmt: skip
    assert second.figures["given price"] == second.figures["found price"] == 0
    assert first.words["goal"] == ["tent"]


def content(results: list[Result]) -> list[Any]:
    return [(row.tokens, row.ref_types, row.ref_items, row.agenda, row.goal, row.id) for row, _, _ in kept(results)]


def test_every_kind_of_file_tells_the_same(tmp_path: Path) -> None:
    wanted = content(ingest(tmp_path, as_csv(ROWS)))
    for delimiter in ";\t|":
        assert content(ingest(tmp_path, as_csv(ROWS, delimiter, bom=True))) == wanted
    assert content(ingest(tmp_path, as_csv(ROWS, "#"), {**MAPPING, "delimiter": "#"})) == wanted
    assert content(ingest(tmp_path, gzip.compress(as_csv(ROWS)), name="table.csv.gz")) == wanted
    typed = [
        {**ROWS[0], "nr": 7, "price": 1299.9, "made of": ["nylon", "steel"], "is_waterproof": True},
        {**ROWS[1], "nr": 8, "price": None, "made of": [], "is_waterproof": False},
    ]
    lines = "\ufeff" + "".join(f"{json.dumps(row)}\n\n" for row in typed).replace("1299.9,", "1299.90,")
    assert content(ingest(tmp_path, lines.encode())) == wanted
    columns = [{**row, "price": str(row["price"] or "") and "1299.90"} for row in typed]
    pq.write_table(pa.Table.from_pylist(columns), tmp_path / "t.parquet")
    results = ingest(tmp_path, (tmp_path / "t.parquet").read_bytes())
    assert content(results) == wanted
    assert [row.offset for row, _, _ in kept(results)] == [0, 1]


def test_a_table_without_ids(tmp_path: Path) -> None:
    mapping = {key: value for key, value in MAPPING.items() if key != "id"}
    ids = [row.id for row, _, _ in kept(ingest(tmp_path, as_csv([*ROWS, ROWS[0]]), mapping))]
    assert len(set(ids)) == 3 and all(len(one) == 16 for one in ids)
    assert ids == [row.id for row, _, _ in kept(ingest(tmp_path, as_csv([*ROWS, ROWS[0]], "|"), mapping))]


def test_other_bytes_are_read_by_evidence(tmp_path: Path) -> None:
    data = as_csv([{**ROWS[0], "name": "Café Größe"}]).decode().encode("cp1252")
    ((example, _, _),) = kept(ingest(tmp_path, data))
    assert example.agenda[0] == "name=Café Größe"


def test_text_that_looks_like_a_placeholder_or_a_mark_is_text(tmp_path: Path) -> None:
    row = {**ROWS[0], "kind": "SLOT_PRICE", "about": "SLOT_NAME <unk> <pad> </text> SLOT_PRICE x<br>y SLOT_NAME_2"}
    ((example, act, _),) = kept(ingest(tmp_path, as_csv([row])))
    assert not any(token.startswith("SLOT_") for token in example.tokens + example.goal_tokens)
    assert not {"<unk>", "<pad>", "<text>", "</text>", "<none>"}.intersection(example.tokens)
    assert relexicalise(act.tokens, act.slots, act.exceptions) == act.normalised == " ".join(example.tokens)
