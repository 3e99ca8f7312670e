"""What is between the records of a Meal-Master dump: every byte is in a record, in a passage, or blank."""

from __future__ import annotations

import gzip
import io
import json
from pathlib import Path

import pytest
from dumps import HEADER, recipe
from hypothesis import given, settings
from hypothesis import strategies as st

from pipelines.source import ParsedRow, RejectedFigures, Unreadable
from pipelines.sources.mealmaster.dump import RawRecord, split_dump, split_records
from pipelines.sources.mealmaster.passages import Passage
from pipelines.sources.mealmaster.source import OUTSIDE, WITHOUT_END, MealMaster
from schemas.recipe import Recipe
from schemas.runs.rejected import Rejected

V7 = "---------- Recipe via Meal-Master (tm) v7.04"
BODY = """
      Title: Leek Soup
 Categories: Soups
      Yield: 4 Servings

      3 lg Leeks
      1 qt Stock
      1 ts Salt

  Simmer the leeks in the stock for an hour, then add the salt.

"""
LETTER = "Greetings from the owner of this list, who sends\nyou one recipe today.\n"
MASTERCOOK = """
                     *  Exported from  MasterCook  *

                             Bean Stew

  Amount  Measure       Ingredient -- Preparation Method
--------  ------------  --------------------------------
       2  cups          white beans
       1  medium        onion -- chopped
     1/2  teaspoon      salt

Simmer the beans with the onion and the salt.
"""
REZKONV = """
========== REZKONV-Rezept - RezkonvSuite v1.4
     Titel: Lauchsuppe

      2 Stangen  Lauch
      1 Liter    Wasser

Den Lauch im Wasser kochen.

=====
"""


PIECES = [
    *(
        HEADER,
        V7,
        f"> {HEADER}",
        "MM--- Recipe via Meal-Master",
        "MMMMM",
        "-----",
        "  -----",
        "MM",
        "----------",
        "> MMMMM",
    ),
    *(
        BODY,
        BODY.replace("\n", "\n> "),
        LETTER,
        MASTERCOOK,
        REZKONV,
        "Title: Leeks",
        "Yield: 4",
        "MMMMM-----NOTES-----",
    ),
    *("x" * 99, "\n", "\x1a", "1 c  Rice\n2 c  Milk\n3    Eggs"),
]


def parts(text: str | bytes) -> list[RawRecord | Passage]:
    return list(split_dump(io.BytesIO(text if isinstance(text, bytes) else text.encode())))


def assert_nothing_is_lost(data: bytes) -> None:
    """Check that bytes = records + passages + blank lines."""
    place = 0
    for part in parts(data):
        assert part.offset >= place and not data[place : part.offset].strip()
        place = part.offset + part.size
    assert place <= len(data) and not data[place:].strip()


@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.sampled_from(PIECES),
        max_size=14,
    ),
    st.binary(max_size=5),
)
def test_every_byte_is_accounted_for(pieces: list[str], noise: bytes) -> None:
    assert_nothing_is_lost("\n".join(pieces).encode() + noise)


@pytest.mark.corpus
def test_every_byte_of_real_dumps_is_accounted_for(data_root: Path) -> None:
    for file in sorted((data_root / "mealmaster").rglob("*.gz")):
        assert_nothing_is_lost(gzip.decompress(file.read_bytes()))


@pytest.mark.parametrize(
    ("header", "end"),
    [
        (HEADER, "MMMMM"),
        (HEADER.lower(), "mmmmm"),
        (f":{HEADER}", "MMMMM"),
        (f"-- {HEADER}", "MMMMM"),
        (f"| {HEADER}", "| MMMMM"),
        ("MM--- Recipe via Meal-Master (tm) v8.05", "MM"),
        ("MMMM----- Recipe via Meal-Master (tm) v8.05", "MMMM"),
        ("MMMMM----- Recipe via Meal Master (tm) v8.05", "MMMMM"),
        (f"- {V7}", "- -----"),
        (V7, "----------"),
        (HEADER, "-----"),
        ("----- Meal-Master -----------------------", "-----"),
        ("", "-----"),
        ("", "MMMMM"),
    ],
)
def test_forms_of_headers_and_ends(header: str, end: str) -> None:
    record = f"{header}\n{BODY}{end}\n".lstrip("\n")
    found = parts(f"{LETTER}\n{record}\n{LETTER}\n{record}")
    assert [type(part) for part in found] == [Passage, RawRecord, Passage, RawRecord]
    for part in found[1::2]:
        assert isinstance(part, RawRecord) and part.has_end
        assert part.body.decode().strip("\n") == BODY.strip("\n") and part.header.decode() == header


def test_a_quoted_record_is_read_without_its_marks() -> None:
    text = f"{HEADER}\n{BODY}MMMMM\n"
    (record,) = parts("".join(f"> {line}\n" if line else ">\n" for line in text.splitlines()))
    assert isinstance(record, RawRecord) and record.body.decode() == BODY and record.has_end


def test_a_rule_in_indented_directions_is_no_end() -> None:
    (record,) = parts(f"{V7}\n{BODY}  -----\n\n  For the sauce melt the butter.\n\n-----\n")
    assert isinstance(record, RawRecord) and record.body.endswith(b"melt the butter.\n\n")


def test_a_rule_below_the_fields_is_no_end() -> None:
    (record,) = parts(f"{V7}\n{BODY.replace('Servings', 'Servings' + chr(10) + '-----')}-----\n")
    assert isinstance(record, RawRecord) and b"Simmer" in record.body


def test_a_rule_is_an_end_unless_the_record_has_its_own() -> None:
    flat = "Title: Leek Soup\nYield: 4\n3    Leeks\n2 c  Milk\nSimmer them.\n-----\nServe.\n"
    (record,) = parts(f"{HEADER}\n{flat}MMMMM\n")
    assert isinstance(record, RawRecord) and record.body.endswith(b"Serve.\n")
    record, rest = parts(f"{HEADER}\n{flat}")
    assert isinstance(record, RawRecord) and record.body.endswith(b"Simmer them.\n")
    assert isinstance(rest, Passage) and (rest.begin, rest.is_recipe) == ("Serve.", False)


def test_a_title_alone_needs_a_field() -> None:
    (passage,) = parts("From: Ada\nTitle: a letter\n\nDear cooks,\nhow are you?\n\n\n\n\nYield: 4\n")
    assert isinstance(passage, Passage) and not passage.is_recipe


def test_a_record_without_an_end_stops_at_another_format() -> None:
    record, foreign = parts(f"{HEADER}\n{BODY}{MASTERCOOK}")
    assert isinstance(record, RawRecord) and not record.has_end and record.body.decode().strip() == BODY.strip()
    assert isinstance(foreign, Passage) and foreign.is_recipe


def results(tmp_path: Path, content: bytes, name: str = "a.mmf") -> list[object]:
    path = tmp_path / name
    path.write_bytes(content)
    source = MealMaster()
    chosen = source.settings()
    return [result for shard in source.plan([str(path)], chosen) for result in source.read(shard, chosen)]


def test_recipes_in_other_formats_are_reported_with_their_bytes(tmp_path: Path) -> None:
    text = f"{HEADER}\n{BODY}MMMMM\n{MASTERCOOK}{REZKONV}{HEADER}\n{BODY}MMMMM\n"
    found = results(tmp_path, text.encode())
    places = [text.index("*  Exported") - 21, text.index("===== REZ") - 5]
    rejected = [result for result in found if isinstance(result, Rejected)]
    assert [(one.stage, one.reason, one.offset) for one in rejected] == [("read", "other_format", at) for at in places]
    assert all(text[one.offset :].encode().startswith(one.head[:40]) for one in rejected)
    (lost,) = [result.sentence for result in found if isinstance(result, Unreadable)]
    assert "looks like 2 recipes in another format" in lost
    assert f"byte {places[0]:,} ('* Exported from MasterCook *'), {places[1]:,} ('====" in lost


def test_text_that_looks_like_a_recipe_is_reported(tmp_path: Path) -> None:
    (lost,) = [
        result.sentence
        for result in results(tmp_path, f"{HEADER}\n{BODY}MMMMM\nPancakes\n2 cups flour\n3 eggs\n1 cup milk\n".encode())
        if isinstance(result, Unreadable)
    ]
    assert "looks like 1 recipe in another format" in lost and "('Pancakes')" in lost


def test_other_text_and_missing_ends_are_counted(tmp_path: Path) -> None:
    text = f"{LETTER}{HEADER}\n{BODY}{HEADER}\n{BODY}MMMMM\n\n{LETTER}"
    found = [result.figures for result in results(tmp_path, text.encode()) if isinstance(result, RejectedFigures)]
    assert found == [{OUTSIDE: len(LETTER) - 1}, {WITHOUT_END: 1}, {OUTSIDE: len(LETTER) - 1}]


def test_only_the_record_in_which_a_file_ends_is_cut_off(tmp_path: Path) -> None:
    text = recipe("Leek Soup", ["3|lg|Leeks", "1|qt|Stock", "1|ts|Salt"], "Simmer the leeks in the stock.") * 2
    for end, reasons in ((-60, ["cut_off"]), (None, [])):
        data = gzip.compress(text[:end].encode())[:-8]  # without the sum of its bytes
        found = results(tmp_path, data, "a.mmf.gz")
        assert [one.reason for one in found if isinstance(one, Rejected) and one.stage == "read"] == reasons


def test_records_alone_can_be_asked_for() -> None:
    text = f"{LETTER}{HEADER}\n{BODY}MMMMM\n{LETTER}".encode()
    assert [record.offset for record in split_records(io.BytesIO(text))] == [len(LETTER)]


def test_recipes_as_json_stand_beside_those_of_a_dump(tmp_path: Path) -> None:
    values = [
        {"title": "Leek Stew", "ingredients": ["3 large leeks", "1 quart stock"], "directions": ["Stew the leeks."]},
        {"title": "Nothing"},
    ]
    lines = "".join(json.dumps(value) + "\n" for value in values)
    found = results(tmp_path, gzip.compress(lines.encode()), "a.jsonl.gz")
    (row,) = [one.row for one in found if isinstance(one, ParsedRow)]
    assert isinstance(row, Recipe) and [(one.amount, one.name) for one in row.ingredients] == [
        ("3", "leeks"),
        ("1", "stock"),
    ]
    rejected = [(one.reason, one.offset) for one in found if isinstance(one, Rejected) and one.stage == "read"]
    assert rejected == [("no_ingredients", lines.index('{"title": "Nothing"'))]
