"""DSTC2's source: calls, lists and table in, dialogues with their references out."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from lossless import is_lossless
from small_dstc2 import (
    ASK,
    HELLO,
    OFFER,
    RED,
    SETTINGS,
    SHIP,
    TWO,
    call,
    dialogues,
    ingest,
    listed,
    machine,
    one_turn,
    rejected,
    user,
    write_archive,
    write_tree,
)

from allsaid.modeling.data.dataset import DataSet
from pipelines.ingest.request import Request
from pipelines.ingest.run import run
from pipelines.linking.delex import relexicalise as relexicalise_act
from pipelines.linking.folds import fold_of
from pipelines.source import KeptRecord, SharedRow
from pipelines.sources.dstc2 import source as dstc2
from pipelines.sources.dstc2.archive import CallList, RawCall, scan
from pipelines.sources.dstc2.table import COLUMNS, words_of_cell
from schemas.checks.table import to_table
from schemas.dialogue import DIALOGUE, Turn


def turns_of(tmp_path: Path, *pairs: tuple[dict[str, Any], dict[str, Any]]) -> list[Turn]:
    """The turns of one training call; each of them gives its text back."""
    files = call("d/one", [pair[0] for pair in pairs], [pair[1] for pair in pairs])
    results = ingest(write_archive(tmp_path, files | listed(train=["d/one"])))
    turns = dialogues(results)["one"].turns
    offers = [result.row for result in results if isinstance(result, SharedRow)]
    assert all(is_lossless(turn, offers, words_of_cell) for turn in turns)
    return turns


def turn_of(tmp_path: Path, text: str, name: str, **told: str) -> Turn:
    """The machine's turn that offers a restaurant and tells something of it."""
    return turns_of(tmp_path, (machine(text, ("offer", {"name": name}), ("inform", told)), user("")))[0]


def cells(turn: Turn) -> dict[str, tuple[int, str]]:
    """Token -> row and column, of the tokens that refer to a cell."""
    found = zip(turn.tokens, turn.rows, turn.columns, strict=True)
    return {token: (row, COLUMNS[column]) for token, row, column in found if row >= 0}


@pytest.mark.slow
def test_real_counts(data_root: Path) -> None:
    folder = data_root / "dstc2"
    archive, table = str(folder / "dstc2_traindev.tar.gz"), str(folder / "restaurant-db.json")
    head, calls = dstc2.DSTC2().plan([archive, table], SETTINGS)
    surveyed: dstc2.Surveyed = Counter()  # without the tokens, which would cost as much as the reading
    for entry in scan([archive]):
        match entry:
            case CallList(split, folders):
                surveyed.update(("list", split, name) for name in folders)
            case RawCall():
                surveyed["call", entry.session, f"{entry.file} {entry.offset:020}"] += 1
    offers = [result.row for result in dstc2.DSTC2().read(head, SETTINGS, surveyed) if isinstance(result, SharedRow)]
    assert len(offers) == 109
    gaps = {name: sum(offer.written[column] is None for offer in offers) for column, name in enumerate(COLUMNS)}
    assert gaps == {"name": 0, "pricerange": 0, "food": 2, "area": 3, "addr": 6, "postcode": 30, "phone": 9}

    count: Counter[str] = Counter()
    for result in dstc2.DSTC2().read(calls, SETTINGS, surveyed):
        assert isinstance(result, KeptRecord)
        count[result.split] += 1
        count[f"{result.split} turns"] += result.figures["turns"]
        count.update({name: result.figures[name] for name in ("cells", "turns with unlisted restaurants")})
        for turn in result.rows["dialogues"][0].turns:
            count["lossless"] += is_lossless(turn, offers, words_of_cell)
        for act in result.rows["acts"]:
            count["lossless acts"] += relexicalise_act(act.tokens, act.slots, act.exceptions) == act.normalised
    assert count == {
        "train": 1612,
        "dev": 506,
        "train turns": 11_677,
        "dev turns": 3_934,
        "cells": 11_430,
        "turns with unlisted restaurants": 95,  # all of "nandos city centre"
        "lossless": 2 * 15_611,
        "lossless acts": 15_611,
    }


def test_cells_of_the_offer(tmp_path: Path) -> None:
    said = machine(
        "The phone number of the ship is 01223 200200 and it is on 1 High Street , C.B 5, 8 P.A and it is cheap",
        ("offer", {"name": "the ship"}),
        ("inform", {"phone": "01223 200200"}),
        ("offer", {"name": "the ship"}),
    )
    turn = turns_of(tmp_path, (said, user("is red door two cheap")))[0]
    assert " ".join(turn.tokens) == (
        "the phone number of _NAME_3 is _PHONE_3 and it is on _ADDR_3 , _POSTCODE_3 and it is cheap"
    )
    assert cells(turn) == {
        "_NAME_3": (SHIP, "name"),
        "_PHONE_3": (SHIP, "phone"),  # the phone and address of row 1, too
        "_ADDR_3": (SHIP, "addr"),
        "_POSTCODE_3": (SHIP, "postcode"),
        "cheap": (SHIP, "pricerange"),
    }
    assert set(turn.written) == {""}
    assert turn.acts[:2] == ["offer(name='the ship')", "inform(phone='01223 200200')"]


def test_what_the_cell_does_not_say_is_kept(tmp_path: Path) -> None:
    turn = turn_of(tmp_path, "Ask is at C.B 5, 8 W.R , 1 High-Street", name="ask", postcode="c.b 5")
    assert list(zip(turn.tokens, turn.written, strict=True)) == [
        ("_NAME_1", ""),
        ("is", ""),
        ("at", ""),
        ("_POSTCODE_1", "c.b 5 , 8 w.r"),
        (",", ""),
        ("_ADDR_1", "1 high-street"),
    ]


def test_a_name_that_is_a_word(tmp_path: Path) -> None:
    turns = turns_of(tmp_path, (HELLO, user("may i ask for the red door")), (OFFER, user("i meant the red door two")))
    assert cells(turns[0]) == {}  # "you can ask for"
    assert cells(turns[1]) == {"_NAME_0": (RED, "name")}
    assert cells(turns[2]) == {"_NAME_1": (ASK, "name"), "modern": (ASK, "food"), "european": (ASK, "food")}
    assert cells(turns[3]) == {"_NAME_2": (TWO, "name")}  # the longest name


def test_words_refer_only_where_it_is_clear(tmp_path: Path) -> None:
    no_help = machine(
        "Sorry there is no other thai place in the centre", ("canthelp", {"food": "thai", "area": "centre"})
    )
    asked = user("is it in the centre with modern european food", ("confirm", {"area": "centre"}))
    turns = turns_of(
        tmp_path, (OFFER, asked), (no_help, user("thai food in the centre", ("inform", {"area": "centre"})))
    )
    assert cells(turns[1]) == {"centre": (ASK, "area")}
    assert cells(turns[2]) == cells(turns[3]) == {}


def test_an_empty_cell(tmp_path: Path) -> None:
    turn = turn_of(tmp_path, "The phone number of red door two is dontcare .", name="red door two", phone="dontcare")
    assert cells(turn)["_EMPTY"] == (TWO, "phone")
    assert turn.written[turn.tokens.index("_EMPTY")] == "dontcare"


def test_a_restaurant_that_the_table_lacks(tmp_path: Path) -> None:
    said = machine("red door city is on 1 high street", ("offer", {"name": "red door city"}))
    turns = turns_of(tmp_path, (OFFER, user("")), (said, user("what about 1 high street")))
    assert turns[2].unlisted == ["red door city"]
    assert turns[2].tokens == ["red", "door", "city", "is", "on", "1", "high", "street"]
    assert cells(turns[2]) == cells(turns[3]) == {}  # no longer Ask's


def test_unlisted_restaurants_are_counted(tmp_path: Path) -> None:
    said = machine("red door city is cheap", ("offer", {"name": "red door city"}))
    (kept,) = [
        x
        for x in ingest(write_archive(tmp_path, one_turn("d/one", said) | listed(dev=["d/one"])))
        if isinstance(x, KeptRecord)
    ]
    assert (kept.split, kept.figures["turns with unlisted restaurants"], kept.figures["unlisted tokens"]) == (
        "dev",
        1,
        3,
    )


def test_table_oov_by_fold(tmp_path: Path) -> None:
    folds: dict[int, list[str]] = {}
    for number in range(40):
        folds.setdefault(fold_of(f"s{number}"), []).append(f"s{number}")
    assert set(folds) == set(range(5))
    once, again, other = folds[0][0], folds[0][1], folds[1][0]
    ship = machine("the ship is nice", ("offer", {"name": "the ship"}))
    red = machine("red door is nice", ("offer", {"name": "red door"}))
    files = (
        one_turn(f"d/{once}", ship)
        | call(f"d/{again}", [ship, red], [user(""), user("")])
        | one_turn(f"d/{other}", red)
    )
    found = dialogues(
        ingest(write_archive(tmp_path, files | listed(train=[f"d/{once}", f"d/{again}"], dev=[f"d/{other}"])))
    )
    assert found[once].fold == found[again].fold == 0
    assert found[once].turns[0].table_oov == [True, False, False]  # _NAME_3 twice, but in fold 0 only
    assert found[again].turns[2].table_oov == found[other].turns[0].table_oov == [False] * 3


def test_archive_and_tree_say_the_same(tmp_path: Path) -> None:
    files = one_turn("a/one", OFFER) | one_turn("b/two") | call("b/three", [HELLO], None)
    files |= listed(train=["a/one"], dev=["b/two"], test=["b/three"]) | {"scripts/config/ontology_dstc2.json": b"{}"}
    (tmp_path / "1").mkdir()
    packed, loose = ingest(write_archive(tmp_path / "1", files)), ingest(write_tree(tmp_path / "2", files))
    assert {result.split for result in packed if isinstance(result, KeptRecord)} == {"train", "dev", "test"}
    assert not rejected(packed)
    for name, dialogue in dialogues(packed).items():
        other = dialogues(loose)[name]
        assert {**vars(other), "file": "", "offset": 0} == {**vars(dialogue), "file": "", "offset": 0}
        assert other.file.endswith(f"{name}/log.json")
    assert to_table(list(dialogues(packed).values()), DIALOGUE).num_rows == 3


def test_a_data_set_gives_its_table_by_row(tmp_path: Path) -> None:
    files = one_turn("d/one") | listed(train=["d/one"])
    run(Request("dstc2", write_archive(tmp_path, files), str(tmp_path / "data"), SETTINGS))
    offers = DataSet(str(tmp_path / "data")).offers()
    assert [offer.row for offer in offers] == [RED, ASK, TWO, SHIP]
    assert all(tuple(offer.columns) == COLUMNS for offer in offers)
    assert offers[TWO].written == ["red door two", "expensive", "thai", None, None, None, None]
    assert offers[TWO].cells == [["_NAME_2"], ["expensive"], ["thai"], ["_EMPTY"], ["_EMPTY"], ["_EMPTY"], ["_EMPTY"]]
    assert offers[ASK].cells[2] == ["modern", "european"]


def test_test_calls_need_no_label(tmp_path: Path) -> None:
    files = call("d/one", [HELLO, OFFER], None) | listed(test=["d/one"])
    dialogue = dialogues(ingest(write_archive(tmp_path, files)))["one"]
    assert dialogue.goal == ""
    assert [(turn.speaker, turn.transcribed) for turn in dialogue.turns] == [("machine", True), ("user", False)] * 2
    assert dialogue.turns[1].text == "heard words"


def test_machine_turns_are_examples(tmp_path: Path) -> None:
    said = machine(
        "Red door is on St. Anne's Walk 12 - 14 Mill Road , C.B 2, 1 U.F",
        ("offer", {"name": "red door"}),
        ("inform", {"addr": "st. anne's walk 12 - 14 mill road", "postcode": "c.b 2"}),
        ("offer", {"name": "red door"}),
    )
    asked = machine("What kind of food would you like?", ("request", {"slot": "food"}))
    none = machine(
        "Sorry there is no other thai place", ("canthelp", {"food": "thai"}), ("canthelp.exception", {"name": "ask"})
    )
    silent = machine("  ", ("repeat", {}))
    said_turns = [said, asked, none, silent]
    files = call("d/one", said_turns, [user("")] * 4) | listed(train=["d/one"])
    (kept,) = [result for result in ingest(write_archive(tmp_path, files)) if isinstance(result, KeptRecord)]
    offer, request, canthelp = kept.rows["examples"]
    assert offer.goal == "offer inform"
    assert offer.agenda == ["name=red door", "addr=st. anne's walk 12 - 14 mill road", "postcode=c.b 2 , 1 u.f"]
    assert offer.agenda_tokens == [["SLOT_NAME"], ["SLOT_ADDR"], ["SLOT_POSTCODE"]]
    assert offer.tokens == ["SLOT_NAME", "is", "on", "SLOT_ADDR", ",", "SLOT_POSTCODE"]
    assert offer.ref_items == [0, -1, -1, 1, -1, 2]
    assert request.agenda == ["food"]
    assert set(request.ref_items) == {-1, 0}  # "kind of", "food"
    assert canthelp.agenda == ["food=thai"]
    assert [row.id for row in kept.rows["acts"]] == ["one-000", "one-001", "one-002"]
