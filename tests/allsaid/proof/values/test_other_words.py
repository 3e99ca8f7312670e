"""Other words for a value: synonyms of the mapping, numbers in words, units, dates, and what a text says of a value."""

from __future__ import annotations

from typing import Any

import pytest

from allsaid.proof.coverage import Coverage
from allsaid.proof.values.matching import measure_values
from batch_infer.rows import facts
from pipelines.sources.records.mapping import parse_mapping
from schemas.texts.finding import LOOK, MISSING, WRONG

MAPPING: dict[str, Any] = {
    "goal": "kind",
    "text": "about",
    "columns": {
        "name": "value",
        "price_range": {"kind": "value", "said": {"cheap": ["inexpensive", "less than £20"], "high": "expensive"}},
        "rating": "value",
        "hours": "value",
        "genres": "list",
        "view": "list",
        "colour": "value",
        "strap colour": "value",
        "weight_kg": {"kind": "number", "unit": "kg", "also": ["weighs"], "within": "5%"},
        "width_cm": {"kind": "number", "unit": "cm"},
        "area": {"kind": "number"},
        "price": {"kind": "number", "unit": "€"},
        "beds": {"kind": "number"},
        "height_cm": {"kind": "number", "unit": "cm"},
        "released": "value",
        "waterproof": "yes/no",
        "family": {
            "kind": "yes/no",
            "also": ["family", "children"],
            "said": {"no": ["adults only"], "yes": ["all ages"]},
        },
    },
}
KNOWN = {
    "price_range": ["cheap", "high"],
    "rating": ["high", "average", "1 out of 5", "5 out of 5"],
    "genres": ["action", "puzzle"],
    "colour": ["red", "blue"],
    "strap colour": ["red", "blue"],
    "waterproof": ["no", "yes"],
    "family": ["no", "yes"],
}


def measured(record: list[str], text: str) -> Coverage:
    mapping = parse_mapping(MAPPING, "m")
    known = facts.inventory_of(KNOWN, mapping)
    return measure_values(facts.text_of(text, mapping), facts.facts_of(record, mapping), known)


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("price_range=cheap", "An inexpensive place."),
        ("area=92 m²", "It has ninety-two square metres."),
        ("area=92 m²", "A flat of 92 sqm."),
        ("beds=1", "It has one bed."),
        ("beds=1", "It has a single bed."),
        ("price_range=cheap", "It costs less than £20."),
        ("rating=5 out of 5", "It has five out of five."),
        ("rating=5 out of 5", "It has 5/5."),
        ("weight_kg=1.5 kg", "It weighs 1,500 g."),
        ("weight_kg=2.5 kg", "It weighs two and a half kilos."),
        ("weight_kg=1.94 kg", "It weighs about 2 kg."),
        ("weight_kg=2.3 kg", "It weighs 2 kg 300 g."),
        ("weight_kg=2.3 kg", "It weighs two kilos and 300 grams."),
        ("weight_kg=0.95 kg", "A tent for two weighs 950 g."),
        ("price=1875 €", "It costs €1,875 in all."),
        ("weight_kg=2.3 kg", "It weighs just under 2.5 kg, or 2.3 kg without its cover."),
        ("colour=grey", "It is gray."),
        ("name=Falk City 7", "The City 7 by Falk."),
        ("hours=9:00-22:00", "Open from 9 am to 10 pm."),
        ("hours=9:00-22:00", "It opens at 9:00 and closes at 22:00."),
        ("waterproof=no", "A waterproof cover is sold separately."),
        ("released=11 September 2018", "It came out on September 11th, 2018."),
        ("family=no", "It is for adults only."),
        ("family=yes", "All ages are welcome."),
        ("family=yes", "A family-run place."),
        ("waterproof=no", "It is canvas instead of waterproof nylon."),
        ("price_range=£20-25", "You pay between 20 and 25 pounds."),
        ("price_range=more than £30", "You pay 30 pounds or more."),
        ("price_range=cheap", "You pay under 20 pounds."),
        ("family=no", "It is not for all ages."),
        ("family=no", "Children, however, are not allowed."),
        ("family=no", "It is a family-free place."),
        ("colour=red", "A red-coloured tent."),
        ("family=no", "It is an adults only family place."),
        ("family=yes", "It is good for children and not too far from town."),
        ("waterproof=no", "It is not light, bright, or waterproof."),
        ("colour=red", "It is a red- or so they say."),
    ],
)
def test_a_value_in_other_words_is_given(line: str, text: str) -> None:
    found = measured([line], text)
    assert (found.given, found.extra, found.findings) == ([True], [], ())


@pytest.mark.parametrize(
    ("record", "text", "findings"),
    [
        (["weight_kg=2 kg"], "It weighs three kilos.", [(WRONG, "weight_kg"), (MISSING, "weight_kg")]),
        (["weight_kg=2 kg"], "It weighs 2 g.", [(WRONG, "weight_kg"), (MISSING, "weight_kg")]),
        (["rating=5 out of 5"], "It has one out of five.", [(WRONG, "rating"), (MISSING, "rating")]),
        (["colour=red"], "It is not red.", [(WRONG, "colour")]),
        (["colour=red"], "Unlike the red one, it shines.", [(LOOK, "colour")]),
        (["colour=red"], "Unlike the blue one, it is red.", []),
        (["colour=red"], "It is lighter than the blue one, and red.", []),
        (["colour=red"], "It is lighter than the red one.", [(LOOK, "colour")]),
        (["rating=average"], "Its rating is above average.", [(LOOK, "rating")]),
        (["colour=red"], "No tent is more so than the Red.", []),
        (["colour=red"], "It would not be complete without red.", []),
        (["colour=red"], "It is red and high.", [(LOOK, "price_range")]),
        (["colour=red"], "It is red, and its rating is high.", [(WRONG, "rating")]),
        (["colour=red"], "A red tent next to the blue.", [(LOOK, "colour")]),
        (["rating=5 out of 5"], "Rated 1 out of 5 out of 5.", [(WRONG, "rating"), (MISSING, "rating")]),
        (["hours=9:00-22:00"], "Open from 9 am to 9 pm.", [(WRONG, "hours"), (MISSING, "hours")]),
        (["weight_kg=2 kg"], "It weighs 2 kg 300 g.", [(WRONG, "weight_kg"), (MISSING, "weight_kg")]),
        (["weight_kg=2 kg"], "It weighs 2 lb.", [(WRONG, "weight_kg"), (MISSING, "weight_kg")]),
        (["genres=puzzle"], "A puzzle-action game.", [(WRONG, "genres")]),
        (["genres=action"], "An action-packed game.", [(MISSING, "genres")]),
        (["waterproof=yes"], "It is almost waterproof.", [(LOOK, "waterproof")]),
        (["waterproof=yes"], "It is not waterproof.", [(WRONG, "waterproof")]),
        (["family=yes"], "It is for adults only.", [(WRONG, "family")]),
        (["width_cm=110 cm", "height_cm=93 cm"], "It is 110 cm wide and 93 cm high.", []),
        (
            ["width_cm=110 cm", "height_cm=93 cm"],
            "It is 93 cm wide and 110 cm high.",
            [(WRONG, "width_cm"), (WRONG, "height_cm"), (MISSING, "width_cm"), (MISSING, "height_cm")],
        ),
        (["height_cm=93 cm"], "It is 60 cm wide by 93 cm.", [(LOOK, "")]),
        (["height_cm=93 cm"], "It is 93 cm wide.", [(LOOK, ""), (MISSING, "height_cm")]),
        (["height_cm=93 cm"], "It is 93 cm high and 93 cm wide.", [(LOOK, "")]),
        (["name=The Golden Heron Palace"], "Meet the Golden Heron.", [(LOOK, "name")]),
        (["colour=red"], "It is red and ready in 3 steps.", [(LOOK, "")]),
        (["colour=red"], "It is almost red.", [(LOOK, "colour")]),
        (["colour=red"], "Supposedly it is red.", [(LOOK, "colour")]),
        (["weight_kg=2 kg"], "It is said to weigh 2 kg.", [(LOOK, "weight_kg")]),
        (["view=sea view"], "It would have a sea view if the trees were lower.", [(LOOK, "view")]),
        (["view=sea view"], "The sea view is planned.", [(LOOK, "view")]),
    ],
)
def test_findings_have_a_grade_and_a_column(record: list[str], text: str, findings: list[tuple[str, str]]) -> None:
    found = measured(record, text)
    assert sorted((one.grade, one.column) for one in found.findings) == sorted(findings)


@pytest.mark.parametrize(
    ("language", "text", "column"),
    [
        ("en", "It is 93 cm tall.", "height"),
        ("en", "A 93-cm-wide shelf.", "width"),
        ("en", "A shelf of 93 cm in width.", "width"),
        ("en", "A length of 93 cm.", "length"),
        ("en", "It is 0.93 m deep.", "depth"),
        ("de", "Ein Regal, 93 cm breit.", "width"),
        ("de", "Ein 93 cm breites Regal.", "width"),
        ("de", "Ein 93 cm hohes Regal.", "height"),
        ("de", "Es ist 93 cm lang.", "length"),
        ("de", "Mit einer Tiefe von 93 cm.", "depth"),
        ("fr", "Un meuble de 93 cm de large.", "width"),
        ("fr", "Une table longue de 93 cm.", "length"),
        ("es", "Tiene 93 cm de ancho.", "width"),
    ],
)
def test_a_number_of_another_dimension_is_not_the_value(language: str, text: str, column: str) -> None:
    names = ("width", "height", "length", "depth")
    columns = {name: {"kind": "number", "unit": "cm"} for name in names}
    mapping = parse_mapping({"goal": "kind", "text": "about", "language": language, "columns": columns}, "m")
    for name in names:
        record = facts.facts_of([f"{name}=93 cm"], mapping)
        found = measure_values(facts.text_of(text, mapping), record, facts.inventory_of({}, mapping))
        assert found.given == [name == column]
        assert (not found.findings) is (name == column)


@pytest.mark.parametrize("text", ["A 93 cm large shelf.", "It is 93 cm, wide open.", "93 cm in deep pine.", "93 cm in"])
def test_other_words_beside_a_number_are_no_dimension(text: str) -> None:
    assert measured(["height_cm=93 cm"], text).findings == ()


def test_the_nearest_word_tells_the_column() -> None:
    record = ["colour=blue", "strap colour=red"]
    assert measured(record, "It is blue and its strap is red.").findings == ()
    swapped = measured(record, "It is red and its strap is blue.")
    assert (WRONG, "strap colour") in [(one.grade, one.column) for one in swapped.findings]


@pytest.mark.parametrize(
    ("text", "given", "columns"),
    [
        ("It is half an inch thick and three-quarters of an inch wide.", [True, True], []),
        ("It is three-quarters of an inch thick and half an inch wide.", [False, False], ["thickness", "width"]),
        ("It is 3/4 inch thick and 1/2 inch wide.", [False, False], ["thickness", "width"]),
        ("A half-inch board.", [True, False], []),
    ],
)
def test_a_swapped_value_is_found_in_any_words(text: str, given: list[bool], columns: list[str]) -> None:
    sizes = ["1/2 inch", "3/4 inch"]
    mapping = parse_mapping({"goal": "kind", "columns": {"thickness": "value", "width": "value"}}, "m")
    known = facts.inventory_of({"thickness": sizes, "width": sizes}, mapping)
    record = facts.facts_of(["thickness=1/2 inch", "width=3/4 inch"], mapping)
    found = measure_values(facts.text_of(text, mapping), record, known)
    assert (found.given, [finding.column for finding in found.findings if finding.grade == WRONG]) == (given, columns)


def test_a_finding_has_its_place() -> None:
    (wrong, _) = measured(["weight_kg=2 kg"], "It weighs three kilos.").findings
    assert (wrong.passage, wrong.start, wrong.end) == ("three kilos", 2, 4)


@pytest.mark.parametrize("text", ["£20 - £25", "£20-£25", "20-25 pounds", "from £20 to £25", "twenty to 25 pounds"])
def test_a_range_in_any_form(text: str) -> None:
    assert measured(["price_range=£20-25"], f"You pay {text}.").findings == ()


@pytest.mark.parametrize("text", ["a non-family place", "a non-family friendly place", "a non kids family place"])
def test_a_syllable_denies(text: str) -> None:
    assert measured(["family=no"], f"It is {text}.").findings == ()


def test_words_of_one_stem_name_a_column() -> None:
    assert measured(["rating=high", "price_range=high"], "It is highly priced, and rated high.").given == [True, True]


def test_a_hyphen_joins_values() -> None:
    assert measured(["genres=action", "genres=puzzle"], "A puzzle-action game.").given == [True, True]


@pytest.mark.parametrize("text", ["first or third person", "first and third persons", "first, or third person"])
def test_values_share_their_last_word(text: str) -> None:
    assert measured(["view=first person", "view=third person"], f"It is {text}.").findings == ()


def test_a_part_that_no_other_value_shares_is_not_given() -> None:
    assert measured(["view=first person"], "It is first or late.").given == [False]


def test_an_unknown_value_behind_the_column_is_named() -> None:
    mapping = parse_mapping({"goal": "kind", "text": "about", "columns": {"made_in": "value"}}, "m")
    row, known = facts.facts_of(["made_in=Sweden"], mapping), facts.inventory_of({"made_in": ["sweden"]}, mapping)
    (found,) = measure_values(facts.text_of("It is made in Norway, by hand.", mapping), row, known).findings
    assert (found.grade, found.kind, found.passage) == (MISSING, "the text says something else", "norway")
    (found,) = measure_values(facts.text_of("It is made in a workshop.", mapping), row, known).findings
    assert (found.grade, found.passage) == (MISSING, "")


@pytest.mark.parametrize(
    ("text", "passages"),
    [
        ("It comes with a free trial lesson.", ["free trial"]),
        ("Enjoy a complimentary drink.", ["complimentary drink"]),
        ("It is free of lactose, and you are free to roam.", []),
        ("It has two free days.", []),
    ],
)
def test_an_offer_of_no_column_is_to_be_looked_at(text: str, passages: list[str]) -> None:
    found = measured([], text).findings
    assert [one.passage for one in found] == passages
    assert all(one.grade == LOOK for one in found)
