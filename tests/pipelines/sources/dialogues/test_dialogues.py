"""A user's own conversations: which turns they become, and what these refer to in the table."""

from __future__ import annotations

import json
import unicodedata
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from lossless import is_lossless
from small_stays import (
    ALPENROSE,
    HARBOUR,
    HEADER,
    NAMING,
    OFFERS,
    SEEBLICK,
    TRAUBE,
    TURNS,
    as_csv,
    ingest,
    kept,
    offers,
    write,
)

from allsaid.modeling.data.dataset import DataSet
from allsaid.storage.run_store import run_folder
from pipelines.datasets.snapshot import published
from pipelines.ingest.request import Request
from pipelines.ingest.run import run
from pipelines.linking.folds import fold_of
from pipelines.linking.offers import words_of
from pipelines.source import KeptRecord
from pipelines.sources.dialogues import source as dialogues
from pipelines.validation import validate
from schemas.dialogue import Turn

GUEST, MACHINE = "guest", "machine"


def turns_of(folder: Path, *said: tuple[str, str], table: object = OFFERS, mapping: str = "") -> list[Turn]:
    """The turns of one dialogue; each of them gives its text back but for letter case and blanks."""
    results = ingest(write(folder, [("d", *one) for one in said], table), mapping)  # type: ignore[arg-type]
    turns = kept(results)["d"].turns
    assert all(is_lossless(replace(turn, text=" ".join(words_of(turn.text))), offers(results)) for turn in turns)
    return turns


def cells(turn: Turn) -> list[tuple[str, int, str]]:
    """Token, row and column of the tokens that refer to a cell."""
    found = zip(turn.tokens, turn.rows, turn.columns, strict=True)
    return [(token, row, HEADER[column]) for token, row, column in found if row >= 0]


def test_turns_alternate_and_refer_to_the_table(tmp_path: Path) -> None:
    found = kept(ingest(write(tmp_path)))
    one, two = found["1"].turns, found["2"].turns
    assert [turn.speaker for turn in one] == ["machine", "user", "machine", "user", "machine"]
    assert (one[0].text, one[0].tokens) == ("", [])  # the guest began
    assert cells(one[1]) == []  # what a user asks for is no cell
    assert " ".join(one[2].tokens) == "das _HOTEL_0 liegt am see und hat 4 zimmer ."
    assert cells(one[2]) == [
        ("_HOTEL_0", SEEBLICK, "hotel"),
        ("am", SEEBLICK, "view"),
        ("see", SEEBLICK, "view"),
        ("4", SEEBLICK, "rooms"),
    ]
    assert cells(one[3]) == [("_HOTEL_0", SEEBLICK, "hotel")]
    assert list(zip(one[4].tokens, one[4].written, strict=True))[2] == ("_PHONE_0", "07531 / 100200")
    assert [turn.speaker for turn in two] == ["machine", "user", "machine", "user"]
    assert two[2].text == "The Harbour Inn in Whitby has 3 rooms, each with a sea view, for 120."
    assert [token for token, row, _ in cells(two[2]) if row == HARBOUR] == [
        "_HOTEL_3", "_TOWN_3", "3", "sea", "120",
    ]  # fmt: skip


def test_the_cells_tell_which_columns_name_a_row(tmp_path: Path) -> None:
    found = offers(ingest(write(tmp_path)))
    assert found[ALPENROSE].written == ["Alpenrose", "Chur", "75", "2", None, "im Zentrum"]
    assert found[ALPENROSE].cells == [["_HOTEL_2"], ["_TOWN_2"], ["75"], ["2"], ["_EMPTY"], ["im", "zentrum"]]
    assert [offer.row for offer in found] == [SEEBLICK, TRAUBE, ALPENROSE, HARBOUR]
    named = offers(ingest(write(tmp_path), "names: [view]\n"))
    assert named[ALPENROSE].cells[0] == ["alpenrose"]
    assert named[ALPENROSE].cells[-1] == ["_VIEW_2"]
    assert offers(ingest(write(tmp_path), "names: []\n"))[SEEBLICK].cells[0] == ["hotel", "seeblick"]


def test_other_names_of_columns_and_of_the_machine(tmp_path: Path) -> None:
    paths = write(tmp_path)
    renamed = [(one, "Agent" if speaker == MACHINE else speaker, text) for one, speaker, text in TURNS]
    (tmp_path / "calls.csv").write_bytes(as_csv(("session", "author", "message"), renamed))
    mapping = "dialogue: session\nspeaker: author\ntext: message\nmachine: agent\n"
    found = {name: row.turns for name, row in kept(ingest(paths, mapping)).items()}
    assert found == {name: row.turns for name, row in kept(ingest(write(tmp_path))).items()}


def test_german_words_in_any_spelling_of_their_accents(tmp_path: Path) -> None:
    said = unicodedata.normalize("NFD", "Der gasthof zur süßen TRAUBE hat 2 Zimmer im Zentrum.")
    turn = turns_of(tmp_path, (MACHINE, said), (GUEST, "Gut"))[0]
    assert turn.text == "Der gasthof zur süßen TRAUBE hat 2 Zimmer im Zentrum."
    assert cells(turn)[0] == ("_HOTEL_1", TRAUBE, "hotel")
    assert [token for token, _, _ in cells(turn)[1:]] == ["2", "im", "zentrum"]


def test_numbers_count_while_their_row_is_spoken_of(tmp_path: Path) -> None:
    turns = turns_of(
        tmp_path,
        (GUEST, "call 07531 100200"),
        (MACHINE, "Whose is 07531 100200? The Alpenrose has no phone. The Seeblick?"),
        (GUEST, "Yes, Konstanz, 07531 100200"),
        (MACHINE, "75 is not the price"),
    )
    assert cells(turns[1]) == []
    assert cells(turns[2]) == [("_HOTEL_2", ALPENROSE, "hotel")]  # "the Seeblick" lacks a word of "Hotel Seeblick"
    assert [token for token, _, _ in cells(turns[3])] == ["_TOWN_0", "_PHONE_0"]
    assert cells(turns[4]) == []  # the machine names no row here


def test_shared_names_resolve_to_the_best_supported_row(tmp_path: Path) -> None:
    table = [("Hotel Post", "Bern", "1", "", "", ""), ("Hotel Post", "Chur", "2", "", "", ""), *OFFERS[:2], OFFERS[3]]
    mapping = "names: [hotel, town]\n"
    in_turn = turns_of(tmp_path, (MACHINE, "Hotel Post in Chur"), (GUEST, "no"), table=table, mapping=mapping)
    assert in_turn[0].tokens == ["_HOTEL_1", "in", "_TOWN_1"]
    before = turns_of(tmp_path, (GUEST, "in Chur?"), (MACHINE, "The Hotel Post"), table=table, mapping=mapping)
    assert before[2].tokens == ["the", "_HOTEL_1"]
    neither = turns_of(tmp_path, (MACHINE, "The Hotel Post"), (GUEST, "why"), table=table, mapping=mapping)
    assert neither[0].tokens == ["the", "_HOTEL_0"]


def test_the_longest_cell_counts(tmp_path: Path) -> None:
    table = [*OFFERS, ("Inn", "Harbour", "1", "1", "1", "1")]
    turn = turns_of(tmp_path, (MACHINE, "the inn, or the Harbour-Inn"), (GUEST, "no"), table=table)[0]
    assert turn.tokens == ["the", "_HOTEL_4", ",", "or", "the", "_HOTEL_3"]
    assert turn.written[-1] == "harbour-inn"


def test_table_oov_by_fold(tmp_path: Path) -> None:
    names: dict[int, list[str]] = {}
    for number in range(40):
        names.setdefault(fold_of(f"s{number}"), []).append(f"s{number}")
    once, again, other = names[0][0], names[0][1], names[1][0]
    said = {once: "the Alpenrose", again: "the Alpenrose, or the Harbour Inn", other: "the Harbour Inn"}
    found = kept(
        ingest(write(tmp_path, [row for name in said for row in ((name, MACHINE, said[name]), (name, GUEST, "ok"))]))
    )
    assert (found[once].fold, found[again].fold, found[other].fold) == (0, 0, 1)
    assert found[once].turns[0].table_oov == [False, True]  # twice, but in fold 0 only
    assert found[again].turns[0].table_oov == [False, True, False, False, False, False]
    assert found[other].turns[0].table_oov == [False, False]


@pytest.mark.parametrize("layout", ["semicolons", "lines", "parquet", "UTF-16"])
def test_exports_of_every_layout_say_the_same(layout: str, tmp_path: Path) -> None:
    expected = ingest(write(tmp_path))
    columns = ("dialogue", "speaker", "text")
    named = [dict(zip(columns, row, strict=True)) for row in TURNS]
    table = [{**dict(zip(HEADER, row, strict=True)), "rooms": int(row[3])} for row in OFFERS]
    calls, hotels = tmp_path / "calls.x", tmp_path / "hotels.x"
    if layout == "parquet":
        pq.write_table(pa.Table.from_pylist(named), calls)
        pq.write_table(pa.Table.from_pylist([row | {"price": float(row["price"])} for row in table]), hotels)  # type: ignore[arg-type]
    elif layout == "lines":
        for path, rows in ((calls, named), (hotels, table)):
            path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    else:
        for path, header, rows in ((calls, columns, TURNS), (hotels, HEADER, OFFERS)):
            content = as_csv(header, rows, ";").decode()
            path.write_bytes(content.encode("utf-8-sig" if layout == "semicolons" else "utf-16"))
    found = ingest([str(calls), str(hotels)])
    assert offers(found) == offers(expected)
    assert {name: row.turns for name, row in kept(found).items()} == {
        name: row.turns for name, row in kept(expected).items()
    }


def test_a_published_data_set_is_valid_and_tells_of_its_columns(tmp_path: Path) -> None:
    calls, hotels = write(tmp_path)
    run(Request("dialogues", [str(tmp_path / "*.csv")], str(tmp_path / "data"), dialogues.Settings(table=hotels)))
    manifest = published(str(tmp_path / "data"))
    assert manifest is not None
    assert (manifest.read, manifest.kept, [entry["file"] for entry in manifest.shards]) == (2, 2, [hotels, calls])
    assert all(outcome.passed for outcome in validate.run(str(tmp_path / "data")))
    assert [offer.written[0] for offer in DataSet(str(tmp_path / "data")).offers()] == [row[0] for row in OFFERS]
    report = dialogues.Dialogues().report(manifest, run_folder(str(tmp_path / "data"), manifest.run))
    assert [told["names a row"] for told in report.figures["columns"].values()] == [
        place in NAMING for place in range(len(HEADER))
    ]
    assert dict(report.lines)["column town"] == "names a row, 4 filled, 1 token of turns"
    assert list(report.sentences) == []


def test_what_looks_wrong_is_told(tmp_path: Path) -> None:
    twice = [*OFFERS, OFFERS[0]]
    calls, hotels = write(tmp_path, [("1", MACHINE, "Hello"), ("1", GUEST, "Hi")], twice)
    Path(hotels).write_bytes(Path(hotels).read_bytes().decode().encode("cp1252"))
    run(Request("dialogues", [calls], str(tmp_path / "data"), dialogues.Settings(table=hotels)))
    manifest = published(str(tmp_path / "data"))
    assert manifest is not None
    report = dialogues.Dialogues().report(manifest, run_folder(str(tmp_path / "data"), manifest.run))
    unsaid, *alike, encoding = report.sentences
    assert encoding == f"Read as cp1252: {hotels}. If characters are wrong, give another --encoding."
    assert unsaid.startswith("No turn mentions a cell that names a row of the table. Is it the right table for")
    assert alike[0].startswith(
        "Several rows have the same cell of 'hotel': 1 cell, such as 'Hotel Seeblick' in 2 rows."
    )


def test_ten_thousand_offers_are_told_apart(tmp_path: Path) -> None:
    table = [(f"Hotel Nr. {row} am Platz", f"Ort {row % 70}", str(row), "2", "", "sea") for row in range(10_000)]
    turn = turns_of(
        tmp_path, (MACHINE, "Das Hotel Nr. 9876 am Platz in Ort 6 hat 2 Zimmer"), (GUEST, "ja"), table=table
    )[0]
    assert [token for token, row, _ in cells(turn) if row == 9876] == ["_HOTEL_9876", "ort", "6", "2"]


def test_a_cell_of_sixty_words(tmp_path: Path) -> None:
    words = " ".join(f"word{number}" for number in range(60))
    table = [*OFFERS, (words, "York", "1", "1", "1", words)]
    turn = turns_of(tmp_path, (MACHINE, f"It is {words.title()}!"), (GUEST, "ok"), table=table)[0]
    assert turn.tokens == ["it", "is", "_HOTEL_4", "!"]


def test_figures_count_cells(tmp_path: Path) -> None:
    (kept_one,) = [one for one in ingest(write(tmp_path, TURNS[:4])) if isinstance(one, KeptRecord)]
    assert {name: kept_one.figures[name] for name in ("turns", "cells", "cells by their words", "mentions phone")} == {
        "turns": 3, "cells": 3, "cells by their words": 3, "mentions phone": 1,
    }  # fmt: skip
