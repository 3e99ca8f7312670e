"""Meal-Master records: found in the stream, read with columns and flattened, never an exception but ParseFault."""

from __future__ import annotations

import gzip
import io
import struct
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mealmaster_records import V8, lines, read

from pipelines.recipes.steps import clean_steps
from pipelines.sources.mealmaster import dump as mealmaster
from pipelines.sources.mealmaster.dump import MAX_RECORD, RawRecord, split_records
from pipelines.sources.mealmaster.record import FAULTS, ParseFault, parse

V7 = "---------- Recipe via Meal-Master (tm) v7.04"
EXTRACTED = "------------- Recipe Extracted from Meal-Master (tm) Database --------------"
KRECIPES = "----- Exported by Krecipes v0.4 [Meal-Master Export Format] -----"

SOUP = """
      Title: Leek Soup
 Categories: Soups, Winter
      Yield: 4 Servings

      3 lg Leeks
      2 tb Butter; softened
  1 1/2 c  Chicken or vegetable stock,
           -hot
           Salt and pepper

  Slice the leeks. Melt the butter in a deep pot and cook the leeks in it
  until they are soft.

  Pour in the stock and simmer for 20 minutes.
"""

TWO_COLUMNS = """
      Title: Rice Salad
 Categories: Salads
      Yield: 6 Servings

      2 c  Long grain rice; cooked           1/2 c  Raisins, soaked in
      1 md Red onion; chopped                       -warm water
    1/4 c  Almonds, slivered                   3 tb Olive oil
           -and toasted                             Parsley sprigs
                                               1 ts Curry powder

  Mix everything in a wide bowl and chill it for an hour before serving.
                                                    Ada Example
"""

# The same block as an earlier tool flattened it: the right column first, so that it opens with what
# follows the last line of the left one.
FLATTENED = """
Title: Bean Pot
Categories: Beans
Yield: 5 Servings
-soaked overnight
1 lg Onion; chopped
2    Garlic cloves
MMMMM---------------------------SAUCE--------------------------------
2 tb Olive oil
1 cn Tomatoes (14 oz)
Salt
1 lb Dried white beans;
Cover the beans with water and bring them to a boil. Turn down the
heat, add onion, garlic and tomatoes, and simmer for 2 hours.
5    minutes before serving stir in the oil.
"""


def dump(*records: str, end: str = "MMMMM") -> bytes:
    return "".join(f"{record}\n{end}\n\n" for record in records).encode("cp437")


def records(data: bytes) -> list[RawRecord]:
    return list(split_records(io.BytesIO(data)))


@pytest.mark.parametrize("header", [V8, V7, f" {V7}", EXTRACTED, KRECIPES, "[Meal-Master Export Format]"])
@pytest.mark.parametrize("end", ["MMMMM", "-----", ""])
def test_header_and_end_styles(header: str, end: str) -> None:
    if header == V8:  # what MMMMM opened, only MMMMM closes
        end = end.replace("-----", "MMMMM")
    data = dump(*[header + SOUP] * 3, end=end)
    found = records(data)
    assert [data[record.offset :].startswith(header.encode()) for record in found] == [True] * 3
    assert [parse(record, "f").title for record in found] == ["Leek Soup"] * 3
    assert len({parse(record, "f").id for record in found}) == 1


def test_a_header_counts_where_a_title_follows() -> None:
    data = dump(f"{V8}\n{V8}{SOUP}", f"{V8}\nSome chatter only.", f"{V8}{SOUP}\n{V7}\nno recipe follows here")
    assert [record.offset for record in records(data)] == [len(V8) + 1, data.rindex(V8.encode())]
    assert parse(records(data)[1], "f").steps[-1].endswith("no recipe follows here")


def test_recipes_within_a_record_stand_for_themselves() -> None:
    data = dump(f"{V8}\n \n{V7}{SOUP}\n{V7}{TWO_COLUMNS}\n{V7}{SOUP}")
    assert [parse(record, "f").title for record in records(data)] == ["Leek Soup", "Rice Salad", "Leek Soup"]
    assert [data[record.offset : record.offset + 10] for record in records(data)] == [b"----------"] * 3


def test_text_outside_records_is_none() -> None:
    data = b"From: someone\nTitle: a mail\n\n" + dump(V8 + SOUP) + b"Title: a signature\n" + dump(V8 + SOUP)
    assert [record.body.count(b"Title:") for record in records(data)] == [1, 1]


def test_a_stream_without_line_ends_stays_small() -> None:
    assert records(b"x" * (3 << 20)) == []
    (record,) = records(dump(V8 + SOUP)[:-8] + b"y" * (MAX_RECORD + 70_000))
    assert len(record.body) <= MAX_RECORD + mealmaster.MAX_LINE
    with pytest.raises(ParseFault) as fault:
        parse(record, "f")
    assert fault.value.reason == "too_long"


def test_columns() -> None:
    recipe = read(SOUP)
    assert (recipe.title, recipe.categories, recipe.recipe_yield) == ("Leek Soup", ["Soups", "Winter"], "4 Servings")
    assert lines(recipe) == [
        "3 lg Leeks",
        "2 tb Butter; softened",
        "1 1/2 c Chicken or vegetable stock, hot",
        "Salt and pepper",
    ]
    assert recipe.steps == [
        "Slice the leeks. Melt the butter in a deep pot and cook the leeks in it until they are soft.",
        "Pour in the stock and simmer for 20 minutes.",
    ]
    assert (recipe.encoding, len(recipe.id)) == ("ascii", 16)


def test_two_columns_and_a_signature_that_is_none() -> None:
    recipe = read(TWO_COLUMNS)
    assert lines(recipe) == [
        "2 c Long grain rice; cooked",
        "1 md Red onion; chopped",
        "1/4 c Almonds, slivered and toasted",
        "1/2 c Raisins, soaked in warm water",
        "3 tb Olive oil",
        "Parsley sprigs",
        "1 ts Curry powder",
    ]
    assert recipe.steps == [
        "Mix everything in a wide bowl and chill it for an hour before serving. Ada Example",
    ]


def test_flattened() -> None:
    recipe = read(FLATTENED)
    assert lines(recipe) == [
        "1 lg Onion; chopped",
        "2 Garlic cloves soaked overnight",
        "2 tb Olive oil",
        "1 cn Tomatoes (14 oz)",
        "Salt",
        "1 lb Dried white beans;",
    ]
    assert [item.section for item in recipe.ingredients] == ["", "", "SAUCE", "SAUCE", "SAUCE", "SAUCE"]
    assert recipe.steps[0].startswith("Cover the beans") and recipe.steps[0].endswith("stir in the oil.")


def test_a_dash_above_the_first_ingredient_carries_on_nothing() -> None:
    block = "           -Olive oil\n      1 lb Leeks\n      1 c  Water\n"
    assert lines(read(SOUP.replace("      3 lg Leeks\n", block)))[:3] == ["Olive oil", "1 lb Leeks", "1 c Water"]


def test_the_temperature_of_the_oven_is_a_step() -> None:
    labels = "Serves: 6-8\n  Oven temperature: 180 C (350 F)\n  Cooking time: 2 hours\n\n  Slice the"
    recipe = read(SOUP.replace("Slice the", labels, 1))
    assert recipe.recipe_yield == "4 Servings; serves: 6-8"
    assert clean_steps(recipe.steps)[0] == "Oven temperature: 180 C (350 F) Cooking time: 2 hours"
    recipe = read(SOUP.replace("20 minutes.", "20 minutes. Makes 9 cups. a 1945 Leek Mag. favorite"))
    assert recipe.recipe_yield == "4 Servings; makes 9 cups"


@pytest.mark.parametrize("tail", [" - XBRG76A", " (XBRG76A) 1I29", " A.B.Xbrg76a", " *** ADA/", " **", "~"])
def test_titles_end_before_signatures(tail: str) -> None:
    assert read(SOUP.replace("Leek Soup", f"Leek Soup{tail}")).title == "Leek Soup"


def test_the_title_again_is_no_step() -> None:
    assert read(SOUP.replace("  Slice the", "  LEEK SOUP\n\n  Slice the")).steps == read(SOUP).steps


def test_a_word_that_a_line_cut_at_its_hyphen_is_whole() -> None:
    text = "Stir the mixture over medium-\nhigh heat. Cut the mix-\nture into 1-\ninch squares, two-\nor three-sided."
    recipe = read(f"{SOUP}{text}")
    expected = "Stir the mixture over medium-high heat. Cut the mixture into 1-inch squares, two- or three-sided."
    assert recipe.steps[-1].endswith(expected)


def test_directions_typed_into_the_block_are_steps() -> None:
    recipe = read(
        "Title: T\nCategories: C\nYield: 1\nMix milk and eggs well. Pour\n-over the bread.\n1 c  Milk\n"
        "2    Eggs\n5 sl Bread\n"
        "Bake the bread in a buttered dish for half an hour or until it is golden."
    )
    assert lines(recipe) == ["1 c Milk", "2 Eggs", "5 sl Bread"]
    assert recipe.steps[0] == "Mix milk and eggs well. Pour over the bread."


def test_lines_between_the_fields_are_the_first_of_the_block() -> None:
    recipe = read(
        "Title: T\nCategories: C\n1 c  rice -- cooked\nYield: 4 Servings\n2    eggs\nMix and serve at once, please."
    )
    assert lines(recipe)[0] == "1 c rice -- cooked"
    assert recipe.recipe_yield == "4 Servings"


def test_ingredients_in_running_text() -> None:
    recipe = read(
        "Title: Chili\nCategories: Beef\nYield: 7 Servings  3 lbs beef 2 cans red kidney beans (14 oz) 1 cup of\n"
        "ketchup 2 large green peppers Cut the beef into cubes and brown it.\n\nAdd the rest."
    )
    assert lines(recipe) == [
        "3 lbs beef",
        "2 cans red kidney beans (14 oz)",
        "1 cup of ketchup",
        "2 large green peppers",
    ]
    assert recipe.steps == ["Cut the beef into cubes and brown it.", "Add the rest."]


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("Title: \nYield: 1\n1 c  Rice\nCook the rice until it is done and serve it hot.", "no_title"),
        (
            "Title: A text\nYield: 1\nText Only\nThis is all about rice and how it came to these shores.",
            "no_ingredients",
        ),
        ("Title: A list\nYield: 1\n1 c  Rice\n2    Eggs\n", "no_directions"),
    ],
)
def test_faults_have_their_reason(body: str, reason: str) -> None:
    with pytest.raises(ParseFault) as fault:
        read(body)
    assert fault.value.reason == reason
    assert str(fault.value) == FAULTS[reason]


def test_identity_is_content() -> None:
    raw = RawRecord(0, SOUP.encode(), V8.encode())
    elsewhere = parse(RawRecord(7, SOUP.replace("\n", "\r\n").encode(), V7.encode()), "other.mmf")
    assert parse(raw, "f").id == elsewhere.id
    assert parse(raw, "f").id != read(SOUP.replace("3 lg", "4 lg")).id


def test_files_that_are_no_dump() -> None:
    png = b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sII", 13, b"IHDR", 3, 5) + bytes(range(256)) * 70
    assert records(b"") == records(png) == records(gzip.compress(dump(V8 + SOUP))) == []


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.sampled_from([SOUP, TWO_COLUMNS, FLATTENED]),
    st.lists(st.tuples(st.floats(0, 1), st.integers(0, 40), st.binary(max_size=30)), max_size=7),
)
def test_mutated_dumps_raise_nothing_but_parse_faults(body: str, cuts: list[tuple[float, int, bytes]]) -> None:
    data = dump(V8 + body, EXTRACTED + SOUP)
    for where, removed, added in cuts:
        place = int(where * len(data))
        data = data[:place] + added + data[place + removed :]
    for record in records(data):
        try:
            recipe = parse(record, "f")
        except ParseFault as fault:
            assert fault.reason in FAULTS
        else:
            assert recipe.title and recipe.ingredients and recipe.steps
            assert "\ufffd" not in "".join([recipe.title, *recipe.steps, *lines(recipe)])


@pytest.mark.corpus
def test_the_raw_dumps_are_read_whole(data_root: Path) -> None:
    counts = {}
    for file in sorted((data_root / "mealmaster" / "raw").glob("*.gz")):
        with gzip.open(file, "rb") as stream:
            counts[file.name] = sum(1 for _ in split_records(stream))  # type: ignore[arg-type]
    assert counts == {"mm-1024-extracted.mmf.gz": 1024, "mm-3000-v805.mmf.gz": 3000}


def test_a_first_heading_may_lack_the_colon_of_the_others() -> None:
    block = "Pastry\n1 c  Rice flour\n2    Eggs\nFilling:\n1 lb Leeks\n"
    recipe = read(f"Title: T\nYield: 1\n{block}\nCook all this in a pan from end to end.")
    assert [item.section for item in recipe.ingredients] == ["Pastry", "Pastry", "Filling"]
    recipe = read(f"Title: T\nYield: 1\n{block.replace('Filling:', 'Salt')}\nCook all this in a pan from end to end.")
    assert {item.section for item in recipe.ingredients} == {""}
