"""Other words for a value: synonyms of the mapping, numbers in words, units, dates, and what a text says of a value."""

from __future__ import annotations

from typing import Any

import pytest
from cases import cases

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


@cases
def test_a_value_in_other_words_is_given(line: str, text: str) -> None:
    found = measured([line], text)
    assert (found.given, found.extra, found.findings) == ([True], [], ())


@cases
def test_findings_have_a_grade_and_a_column(record: list[str], text: str, findings: list[list[str]]) -> None:
    found = measured(record, text)
    assert sorted([one.grade, one.column] for one in found.findings) == sorted(findings)


@cases
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


@cases
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


@cases
def test_an_offer_of_no_column_is_to_be_looked_at(text: str, passages: list[str]) -> None:
    found = measured([], text).findings
    assert [one.passage for one in found] == passages
    assert all(one.grade == LOOK for one in found)


@pytest.mark.parametrize(
    ("text", "extra"),
    [
        ("Dong Ding is a Japanese tea. It comes from Taiwan.", ["made_in=japan"]),
        ("Dong Ding is a South African tea. It comes from Taiwan.", ["made_in=south africa"]),
        ("Dong Ding: a fine Japanese tea. It comes from Taiwan.", ["made_in=japan"]),
        ("A Taiwanese tea, this is Dong Ding.", []),
        ("Dong Ding comes from Taiwan. Brew the tea in a Japanese pot.", []),
    ],
)
def test_the_country_before_the_goal_is_the_rows(text: str, extra: list[str]) -> None:
    mapping = parse_mapping({"goal": "kind", "text": "about", "columns": {"name": "value", "made_in": "value"}}, "m")
    known = facts.inventory_of({"made_in": ["Japan", "South Africa", "Taiwan"]}, mapping)
    own = facts.facts_of(["name=Dong Ding", "made_in=Taiwan"], mapping)
    found = measure_values(facts.text_of(text, mapping), own, known, ("tea",))
    assert (found.extra, all(found.given)) == (extra, True)


@pytest.mark.parametrize(
    ("made_in", "text"),
    [
        ("Uji, Japan", "A Japanese tea from Uji, Japan."),
        ("Kyoto", "This is a Japanese tea from Kyoto."),
        ("Scotland", "A British tea from Scotland."),
        ("Northern Ireland", "This is an Irish tea from Northern Ireland."),
        ("Brazil", "It is a South American tea from Brazil."),
        ("Taiwan", "It comes from Taiwan and looks like a Japanese tea."),
        ("Taiwan", "This tea from Taiwan is as good as any Japanese tea."),
        ("Taiwan", "Taiwan is famous. A Japanese tea is greener."),
        ("Taiwan", "It comes from Taiwan. A pot for Japanese tea is enough."),
    ],
)
def test_a_country_before_the_goal_may_be_right(made_in: str, text: str) -> None:
    mapping = parse_mapping({"goal": "kind", "text": "about", "columns": {"made_in": "value"}}, "m")
    countries = ["Japan", "United Kingdom", "Ireland", "United States", made_in]
    known = facts.inventory_of({"made_in": countries}, mapping)
    found = measure_values(
        facts.text_of(text, mapping), facts.facts_of([f"made_in={made_in}"], mapping), known, ("tea",)
    )
    assert (found.extra, all(found.given)) == ([], True)
