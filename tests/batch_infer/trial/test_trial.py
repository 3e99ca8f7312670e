"""What is typed into the page of a model: its form, the search's options, and the texts of `allsaid generate`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from batch_tables import write_lines
from in_process import allsaid
from small_documents import install_diary, lay_out_diary, untrained_diary
from tiny_trial import MAPPING, save_example, save_own, save_recipes, save_slots

from allsaid.decoding.write import EDIT_ONLY_SETTINGS, check_model
from allsaid.modeling import systems
from allsaid.modeling.config import SearchConfig
from batch_infer.proof.texts import read_rows
from batch_infer.report.heatmap import draw
from batch_infer.trial.options import ADVANCED, MOST, USUAL
from batch_infer.trial.trial import Answer, Trial, open_trial, write
from schemas.checks.table import from_table
from schemas.errors import UserError
from schemas.texts.attention import Attention

SALSA = {"row.goal": "Salsa", "row.agenda": "salt"}


@pytest.fixture(scope="module")
def recipes(tmp_path_factory: pytest.TempPathFactory) -> Trial:
    return open_trial(str(save_recipes(tmp_path_factory.mktemp("recipes"))), "", "cpu")


@pytest.fixture(scope="module")
def chairs(tmp_path_factory: pytest.TempPathFactory) -> Trial:
    return open_trial(str(save_slots(tmp_path_factory.mktemp("chairs"), MAPPING)), "", "cpu")


def typed(trial: Trial, row: Mapping[str, str], **search: str) -> Answer:
    """The answer to a row and to options, typed into the form as it stands at first."""
    given = {f"row.{name}": value for name, value in row.items()}
    return write(trial, trial.at_first | given | {f"search.{key}": value for key, value in search.items()})


def test_the_texts_are_those_of_generate(tmp_path: Path) -> None:
    model = save_recipes(tmp_path)
    given = write_lines(tmp_path / "rows.jsonl", [{"goal": "Salsa", "agenda": ["2 tomatoes, chopped", "1 tb salt"]}])
    asked = ("--texts", "2", "--min-coverage", "100", "--width", "4", "--max-tokens", "20", "--sentence-case")
    where = ("--model", str(model), "--input", str(given), "--output", str(tmp_path / "texts"), "--attention")
    (tmp_path / "ban.txt").write_text("stir  # never\n")
    assert allsaid("generate", *where, *asked, "--ban", str(tmp_path / "ban.txt")) == 0
    wanted = pq.read_table(tmp_path / "texts" / "texts").to_pylist()
    looked = from_table(pq.read_table(tmp_path / "texts" / "attention"), Attention)

    trial = open_trial(str(model), "", "cpu")
    search = {"texts": "2", "min_coverage": "100", "width": "4", "max_tokens": "20"}
    row = {"goal": " Salsa", "agenda": " 2 tomatoes, chopped \r\n\r\n1 tb salt\r\n"}
    answer = typed(trial, row, sentence_case="true", ban="stir # never", **search)
    assert answer.fault == "" and answer.wanted == 2 == len(answer.cards)
    columns = ("text", "used", "missing", "extra", "log_probability", "text_number", "texts_found")
    for card, row, seen in zip(answer.cards, wanted, looked, strict=True):
        assert [getattr(card.row, name) for name in columns] == [row[name] for name in columns]
        assert card.picture == draw(seen, card.row) and card.picture is not None
        assert [item.given for item in card.items] == [True, True]


def test_a_table_has_a_field_for_each_column(chairs: Trial) -> None:
    found = {field.name: (field.shape, field.hint, field.known) for field in chairs.fields}
    assert found == {
        "sort": ("text", "such as chair, bench", ("chair", "bench")),
        "name": ("text", "", ()),
        "main colour": ("text", "such as blue, sea green", ("blue", "sea green")),
        "width": ("text", "a number, in cm", ()),
        "foldable": ("choice", "", ("", "yes", "no")),
    }
    row = {"sort": "chair", "name": "Elm", "main colour": "sea green", "width": "44", "foldable": ""}
    answer = typed(chairs, row, min_coverage="100")
    assert answer.fault == ""
    (card,) = answer.cards
    assert [item.line for item in card.items][:3] == ["name=Elm", "main colour=sea green", "width=44 cm"]
    assert all(word in card.row.text for word in ("Elm", "sea green", "44 cm")) and not card.row.missing


def test_slots_of_an_act_are_read_as_those_of_training(tmp_path: Path) -> None:
    trial = open_trial(str(save_slots(tmp_path)), "", "cpu")
    assert trial.fields[1].hint.endswith("the slots are main colour, foldable, name")
    answer = typed(trial, {"goal": "inform", "agenda": "name = Red Door\nfoldable=no"}, min_coverage="100")
    (card,) = answer.cards
    assert card.row.agenda == ["name=Red Door", "foldable=no"] and "name=Red Door" in card.row.used
    assert "Red Door" in card.row.text
    assert typed(trial, {"goal": "inform", "agenda": "name=Elm\n=blue"}).fault == (
        "Item 2 of the agenda, '=blue', names no slot; write it as name=value."
    )
    assert typed(trial, {"goal": "goodbye", "agenda": ""}).fault == ""


OWN = {
    "pointer": ({"title": "Soup", "ingredients": "3 leeks\nsalt"}, ["3 leeks", "salt"]),
    "scratchpad": ({"source": "salt and leeks", "items": "leeks"}, ["leeks"]),
    "table_nlm": (
        {"fields": "name: Ada Lovelace\nborn: 10 December 1815"},
        ["name: Ada Lovelace", "born: 10 December 1815"],
    ),
}


@pytest.mark.parametrize("kind", OWN)
def test_rows_of_a_task_of_its_own(kind: str, tmp_path: Path) -> None:
    trial = open_trial(str(save_own(tmp_path, kind)), "", "cpu")
    row, lines = OWN[kind]
    assert [field.name for field in trial.fields] == [*row]
    answer = typed(trial, row)
    assert answer.fault == "" and answer.cards[0].row.agenda == lines
    assert typed(trial, {}).fault != ""  # nothing is typed
    assert not {"min_coverage", "variety", "ban", "banks"} & {option.key for option in trial.options}


EXAMPLES = {
    "recipes": ("Salsa", ["2 tomatoes, chopped", "1 tb salt"]),
    "acts": ("inform", ["name=Red Door", "foldable=no"]),
    "table": (
        "chair",
        ["name=Elm = oak", "main colour=sea green, grey", "main colour=blue", "width=44 cm", "foldable=no"],
    ),
    "pointer": ("Soup", ["3 leeks", "salt"]),
    "scratchpad": ("salt and leeks", ["leeks"]),
    "table_nlm": ("Ada Lovelace", ["name: Ada Lovelace", "born: 10 December 1815"]),
    "table_pointer": ("a thai place", ["", "food please", "which food ?"]),
}


@pytest.mark.parametrize("kind", EXAMPLES)
def test_the_form_opens_with_the_row_of_the_folder(kind: str, tmp_path: Path) -> None:
    (tmp_path / "offers.csv").write_text("name,food\nold oak,thai\n")
    lists = MAPPING.replace("main colour: value", "main colour: list")
    saved = {"recipes": save_recipes, "acts": save_slots, "table": lambda folder: save_slots(folder, lists)}
    model = saved[kind](tmp_path) if kind in saved else save_own(tmp_path, kind)
    table = str(tmp_path / "offers.csv") if kind == "table_pointer" else ""
    assert not any(field.example for field in open_trial(str(model), table, "cpu").fields)  # as folders before it
    trial = open_trial(str(save_example(model, *EXAMPLES[kind])), table, "cpu")
    answer = write(trial, trial.at_first)
    assert answer.fault == "" and (answer.cards[0].row.goal, answer.cards[0].row.agenda) == EXAMPLES[kind]


def test_a_dialogue_needs_its_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = save_own(tmp_path, "table_pointer")
    assert allsaid("try", str(model)) == 1
    assert "A model of dialogues answers out of a table. Give its file with --table.\n" in capsys.readouterr().err
    (tmp_path / "offers.csv").write_text("name,food\nold oak,thai\n")
    trial = open_trial(str(model), str(tmp_path / "offers.csv"), "cpu")
    answer = typed(trial, {"turns": "\nthai food please\n"})
    assert answer.fault == "" and answer.cards[0].row.goal == "thai food please"
    assert "The last of the 1 'turns' is the machine's" in typed(trial, {"turns": "thai food please"}).fault


def test_a_row_that_only_a_package_reads_is_typed_as_json(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    install_diary(tmp_path)
    untrained_diary(tmp_path / "model", lay_out_diary(tmp_path / "data"))
    try:
        trial = open_trial(str(tmp_path / "model"), "", "cpu")
        shown = write(trial, trial.at_first | {"row.": json.dumps({"day": "Monday"})})
        assert shown.cards[0].row.goal == "Monday"
        assert write(trial, {"row.": "{"}).fault.startswith("The row is no JSON (")
        assert write(trial, {"row.": "{}"}).fault == "The row has no day."
    finally:
        systems._find.cache_clear()


@pytest.mark.parametrize(
    ("more", "sentence", "field"),
    [
        ({"row.goal": ""}, "The row has no goal, a text such as 'pico de gallo'.", ""),
        ({"row.agenda": "\n"}, "The agenda has 0 items; a text can be asked for 1 to 40.", ""),
        ({"row.agenda": "salt\n1/2"}, "Item 2 of the agenda, '1/2', names nothing.", ""),
        ({"row.agenda": "salt\n" * 41}, "The agenda has 41 items; a text can be asked for 1 to 40.", ""),
        ({"search.width": "0"}, "'Width of the beam search' must be at least 1; 0 is not.", "search.width"),
        ({"search.width": "101"}, "'Width of the beam search' must be at most 100 here; 101 is not.", "search.width"),
        (
            {"search.texts": "two"},
            "'Number of distinct texts per row' must be a whole number; 'two' is not.",
            "search.texts",
        ),
        (
            {"search.min_coverage": "101"},
            "'% of its items that each text must give' must be between 0",
            "search.min_coverage",
        ),
        ({"row.colour": "blue"}, "The form of this model has no field 'row.colour'.", ""),
    ],
)
def test_what_can_not_be_written_is_told_in_a_sentence(
    recipes: Trial, more: dict[str, str], sentence: str, field: str
) -> None:
    answer = write(recipes, recipes.at_first | SALSA | more)
    assert (answer.fault[: len(sentence)], answer.field) == (sentence, field) and not answer.cards


def test_cells_are_named_as_in_the_mapping(chairs: Trial) -> None:
    empty = {"sort": "", "name": "Elm", "main colour": "", "width": "", "foldable": ""}
    assert typed(chairs, empty).fault == "The cell of 'sort', the goal, is empty."
    assert typed(chairs, empty | {"sort": "chair", "name": ""}).fault.startswith("The row has no value")


def test_every_setting_of_the_search_is_an_option(recipes: Trial, chairs: Trial) -> None:
    settings = [item.name for item in fields(SearchConfig) if item.name != "search_batch"]
    assert sorted([*USUAL, *ADVANCED]) == sorted(settings) and MOST.keys() <= set(settings)
    shown = {*settings, "sentence_case", "ban"} - {*EDIT_ONLY_SETTINGS}  # this model edits no recipe
    assert {option.key for option in recipes.options} == shown
    with pytest.raises(UserError, match="'max_copied' is for models that edit training recipes"):
        check_model(recipes.writer.bundle, SearchConfig(max_copied=0.6))
    at_first: dict[str, Any] = {key.removeprefix("search."): value for key, value in recipes.at_first.items()}
    own = recipes.writer.bundle.config.search
    assert (at_first["width"], at_first["rank_by_model_items"], at_first["length_power"]) == (
        str(own.width),
        "true",
        "1",
    )


def test_an_option_that_is_left_empty_is_the_models_own(recipes: Trial) -> None:
    whole = write(recipes, recipes.at_first | SALSA)
    empty = {name: "" for name in recipes.at_first if name not in ("search.rank_by_model_items",)}
    answer = write(recipes, recipes.at_first | empty | SALSA)
    assert [card.row.text for card in answer.cards] == [card.row.text for card in whole.cards]


def test_fewer_texts_than_wanted_are_counted(recipes: Trial) -> None:
    answer = write(recipes, recipes.at_first | SALSA | {"search.texts": "20", "search.max_tokens": "1"})
    assert 0 < len(answer.cards) < answer.wanted == 20


def test_raw_acts_are_read_as_training_data_by_generate_too(tmp_path: Path) -> None:
    model = save_slots(tmp_path)
    given = write_lines(tmp_path / "rows.jsonl", [{"goal": "inform", "agenda": ["name=Red Door", "main colour=blue"]}])
    where = ("--model", str(model), "--input", str(given), "--output", str(tmp_path / "texts"))
    assert allsaid("generate", *where, "--min-coverage", "100") == 0
    (row,) = read_rows(str(tmp_path / "texts"))
    assert row.used == ["name=Red Door", "main colour=blue"] and "Red Door" in row.text and "SLOT_NAME" in row.tokens
