"""Words for a value that the submitted texts use themselves."""

from __future__ import annotations

from dataclasses import replace

import pytest

from allsaid.proof.usage.learn import Observed, learn, observe
from allsaid.proof.values.facts import Usage
from allsaid.proof.values.matching import measure_values, read_values
from batch_infer.rows import facts
from pipelines.sources.records.mapping import parse_mapping
from pipelines.sources.records.values import spoken_of

MAPPING = parse_mapping(
    {"goal": "kind", "text": "text", "language": "en", "columns": {"name": "value", "second_hand": "yes/no"}}, "mapping"
)
KNOWN = facts.inventory_of({"second_hand": ["no", "yes"]}, MAPPING)
# Rows without a second owner are "new" in their texts, and half of the texts say the column's own word.
ROWS = [
    *(
        ("no", f"Take it home, new and shiny, {mood}.")
        for mood in ("today", "soon", "now", "tomorrow", "at once", "then")
    ),
    *(
        ("yes", f"It is second-hand, {mood}.")
        for mood in ("but bright", "and neat", "and fine", "yet quick", "and dear")
    ),
    *(
        ("no", f"It is not second-hand, {mood}.")
        for mood in ("nor dull", "nor cheap", "nor small", "nor big", "nor old")
    ),
]


def observed(rows: list[tuple[str, str]]) -> list[Observed]:
    return [
        observe(
            read_values(facts.text_of(text, MAPPING), facts.facts_of([f"second_hand={answer}"], MAPPING), KNOWN), ""
        )
        for answer, text in rows
    ]


def is_flagged(answer: str, text: str, usage: Usage) -> bool:
    own = facts.facts_of([f"second_hand={answer}"], MAPPING)
    return bool(measure_values(facts.text_of(text, MAPPING), own, replace(KNOWN, usage=usage)).findings)


def test_a_word_in_place_of_a_column_is_learned() -> None:
    usage = learn(observed(ROWS))
    assert ("new", False) in usage["second_hand=no"]
    assert set(usage) == {"second_hand=no"}
    assert not is_flagged("no", "It comes brand-new.", usage)
    assert is_flagged("yes", "It comes brand-new.", usage)
    assert is_flagged("no", "It comes to your door.", usage)
    assert is_flagged("no", "It is almost new.", usage)


def test_a_column_that_texts_omit_teaches_no_word() -> None:
    omitting = [
        (answer, f"Take it home {mood}.") for answer in ("no", "yes") for mood in ("now", "soon", "then", "later")
    ]
    assert learn(observed(omitting)) == {}


def test_a_word_that_another_value_explains_is_not_learned() -> None:
    explained = [
        replace(one, lines=one.lines | {"kind=box"}) if ("new", False) in one.signs else one for one in observed(ROWS)
    ]
    assert learn(explained) == {}


def test_a_value_of_other_rows_is_no_word_for_this_one() -> None:
    known = facts.inventory_of({"second_hand": ["no", "yes"], "name": ["new"]}, MAPPING)
    texts = [
        observe(
            read_values(facts.text_of(text, MAPPING), facts.facts_of([f"second_hand={answer}"], MAPPING), known), ""
        )
        for answer, text in ROWS
    ]
    assert ("new", False) not in learn(texts).get("second_hand=no", ())


def test_few_texts_teach_no_word() -> None:
    assert learn(observed(ROWS[:2] + ROWS[6:])) == {}


def test_a_word_that_the_mapping_refuses_is_not_learned() -> None:
    column = parse_mapping(
        {"goal": "kind", "columns": {"second_hand": {"kind": "yes/no", "never": "New"}}}, "mapping"
    ).columns[0]
    assert ("new", False) not in learn(observed(ROWS), {"second_hand": column.refused}).get("second_hand=no", ())


@pytest.mark.parametrize(
    ("row", "text", "never"),
    [
        ("assembly_done=yes", "Everything is done for you.", "done"),  # a word of the name
        ("certified=yes", "You get a certificate.", "certificate"),  # a related word
        ("colour=gold", "Golden memories are made here.", "golden"),  # a derived word
    ],
)
def test_a_word_that_the_mapping_refuses_states_nothing(row: str, text: str, never: str) -> None:
    name, _, value = row.partition("=")
    for refused, is_given in (([], True), ([never], False)):
        column = {"kind": "yes/no" if value == "yes" else "value", "never": refused}
        mapping = parse_mapping({"goal": "kind", "language": "en", "columns": {name: column}}, "mapping")
        known = facts.inventory_of({name: [value]}, mapping)
        found = measure_values(facts.text_of(text, mapping), facts.facts_of([row], mapping), known)
        assert found.given == [is_given]


@pytest.mark.parametrize(
    ("row", "text", "never"),
    [
        ("dogs=yes", "Hot dogs are sold here.", "hot dog"),
        ("dogs=yes", "It is a dog's dinner.", "dog's dinner"),
        ("roast=light", "A bag that is light to carry.", "light to carry"),
    ],
)
def test_a_phrase_that_the_mapping_refuses_is_no_mention(row: str, text: str, never: str) -> None:
    name, _, value = row.partition("=")
    column = {"kind": "yes/no" if value == "yes" else "value", "never": never}
    mapping = parse_mapping({"goal": "kind", "language": "en", "columns": {name: column}}, "mapping")
    other = "no" if value == "yes" else "dark"
    known = facts.inventory_of({name: [value, other]}, mapping)
    for cell, told, given, extra in (
        (value, text, False, []),
        (value, f"{text} {value_told(name, value)}", True, []),  # its words alone still state it
        (other, text, False, []),  # nor is the phrase another row's value
    ):
        line = f"{name}={cell}"
        found = measure_values(facts.text_of(told, mapping), facts.facts_of([line], mapping), known)
        assert (found.given, found.extra) == ([given], extra)


def value_told(name: str, value: str) -> str:
    return f"Bring your {name}." if value == "yes" else f"It is a {value} {name}."


@pytest.mark.parametrize(
    ("also", "refused", "stems"),
    [
        (["assembly", "needs tools"], "needs", {"assembl", "tool"}),
        (["fitted lid"], "fits", {"lid"}),  # another form of the word
        (["turning leaves"], "leaf", {"turning"}),
    ],
)
def test_linking_mentions_no_column_by_a_refused_word(also: list[str], refused: str, stems: set[str]) -> None:
    given = {"kind": "yes/no", "also": also, "never": [refused]}
    column = parse_mapping({"goal": "kind", "columns": {"assembly_needed": given}}, "mapping").columns[0]
    assert spoken_of(column) == stems
