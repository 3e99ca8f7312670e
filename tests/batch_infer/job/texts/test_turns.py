"""The machine's next turn, out of a table that the model has never seen: what it says and where it took that from."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from in_process import allsaid, generate
from small_data import publish
from small_dialogues import DIALOGUES, OFFERS
from tiny_model import save_untrained

from allsaid.modeling.config import parse_config
from allsaid.modeling.data.dataset import DataSet
from allsaid.modeling.tasks import table_dialogue
from batch_infer.proof import summary as summary_file
from batch_infer.proof.texts import read_rows
from schemas.checks.table import from_table
from schemas.texts.attention import Attention
from schemas.texts.generated import CELLS

CONFIG = """{model: {kind: table_pointer, hidden: 8}, data: {text_cutoff: 1, batch_size: 4}, search: {width: 2,
  max_tokens: 6, finished: 2}}"""
TABLE = "name,area,food,phone number\nold oak,harbour,thai,99 77\nship inn,south,nordic,99 88\n"
ROWS = [
    {"id": "a", "turns": ["Hello, how may I help you?", "nordic food please"]},
    {"id": "b", "turns": []},
    {"id": "c", "turns": ["Hello!"]},
    {"id": "d", "turns": "nordic food"},
]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    splits = {"train": DIALOGUES[:12], "dev": DIALOGUES[12:16], "test": DIALOGUES[16:]}
    return publish(folder, {}, dialogues=splits, offers=OFFERS)


@pytest.fixture(scope="module")
def pointer(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An untrained model that copies each word."""
    folder = tmp_path_factory.mktemp("model") / "pointer"
    return save_untrained(folder, data, parse_config(CONFIG, "pointer.yaml"), table_dialogue.TASK, copies=True)


def written(folder: Path, rows: list[dict[str, Any]], table: str = TABLE) -> tuple[Path, Path]:
    (folder / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (folder / "offers.csv").write_text(table)
    return folder / "rows.jsonl", folder / "offers.csv"


def test_new_offers_are_named_and_words_show_cells(pointer: Path, tmp_path: Path) -> None:
    rows, table = written(tmp_path, ROWS[:2])
    assert generate(pointer, rows, tmp_path / "texts", "--table", str(table), "--attention") == 0
    found = {row.id: row for row in read_rows(str(tmp_path / "texts"))}
    cells = {row["id"]: row[CELLS] for row in pq.read_table(tmp_path / "texts" / "texts").to_pylist()}
    of_row = [line.split(",") for line in TABLE.splitlines()]
    for one in found.values():
        assert one.tokens and one.ref_items == [-1] * len(one.tokens) and one.text == " ".join(one.tokens)
        for token, cell in zip(one.tokens, cells[one.id], strict=True):
            row, _, column = cell.removeprefix("row ").partition(", ")
            assert token == of_row[int(row)][of_row[0].index(column)]
    assert found["a"].agenda == ["hello , how may i help you ?"] and found["a"].goal == "nordic food please"
    pictures = from_table(pq.read_table(tmp_path / "texts" / "attention"), Attention)
    assert {one.map for picture in pictures for one in picture.weights} == {"p(z = 1)", "pointer"}
    assert allsaid("report", str(tmp_path / "texts")) == 0


def test_table_words_keep_their_spelling(pointer: Path, tmp_path: Path) -> None:
    """ "Thai" is a word of training, which has it in lower case."""
    rows, table = written(tmp_path, ROWS[:2], TABLE.replace("harbour", "Old Harbour").replace("thai", "Thai"))
    assert generate(pointer, rows, tmp_path / "texts", "--table", str(table)) == 0
    words = {"old": "Old", "harbour": "Harbour"}
    for one in read_rows(str(tmp_path / "texts")):
        assert one.text == " ".join(words.get(token, token) for token in one.tokens)


def test_what_a_turn_says_of_other_rows_is_extra(pointer: Path, tmp_path: Path) -> None:
    rows, table = written(tmp_path, [{"id": str(number), "turns": ["", "food"] * number} for number in range(8)])
    assert generate(pointer, rows, tmp_path / "texts", "--table", str(table)) == 0
    found = read_rows(str(tmp_path / "texts"))
    of_row = [set(line.split(",")) for line in TABLE.splitlines()[1:]]
    for one in found:
        rows_said = [row for row in of_row if row & {"old oak", "ship inn", "99 77", "99 88"} & {*one.tokens}]
        foreign = [token for token in one.tokens if len(rows_said) == 1 and token not in rows_said[0]]
        assert len(rows_said) != 1 or one.extra == foreign
        assert len(rows_said) < 2 or one.extra
    assert summary_file.read(str(tmp_path / "texts")).measured == ["extra_items", "tokens"]


def test_dialogues_without_an_open_turn_are_error_rows(pointer: Path, tmp_path: Path) -> None:
    rows, table = written(tmp_path, ROWS)
    assert generate(pointer, rows, tmp_path / "texts", "--table", str(table)) == 0
    reasons = {one.first_rows[0]: one.example for one in summary_file.read(str(tmp_path / "texts")).reasons}
    assert "The last of the 1 'turns' is the machine's" in reasons["c"]
    assert "no 'turns', a list of texts" in reasons["d"]


@pytest.mark.parametrize(
    ("more", "table", "sentence"),
    [
        ((), TABLE, "Give its file with --table"),
        (("--table", "offers.csv"), "area,food\nsouth,thai\n", "lacks the column 'name'"),
        (("--table", "offers.csv"), TABLE.splitlines()[0], "no offer"),
        (("--table", "nowhere.csv"), TABLE, "nowhere.csv"),
    ],
)
def test_a_table_that_can_not_serve_is_told_before_the_job(
    more: tuple[str, ...],
    table: str,
    sentence: str,
    pointer: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    rows, _ = written(tmp_path, ROWS, table)
    monkeypatch.chdir(tmp_path)
    assert generate(pointer, rows, tmp_path / "texts", *more) == 1
    assert sentence in " ".join(capsys.readouterr().err.split())
    assert not (tmp_path / "texts").exists()


def test_a_data_set_has_its_own_table(pointer: Path, data: Path, tmp_path: Path) -> None:
    assert generate(pointer, data, tmp_path / "texts") == 0
    found = read_rows(str(tmp_path / "texts"))
    assert len(found) == sum(1 for _ in table_dialogue.TASK.examples(DataSet(str(data)), "test"))
    _, table = written(tmp_path, [])
    assert generate(pointer, data, tmp_path / "again", "--table", str(table)) == 1
