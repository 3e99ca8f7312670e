"""Tables whose texts are not English: nothing that is English only is done to them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from small_table import as_csv, ingest, kept

from allsaid.modeling.text.restore import learn_casing, learn_writing
from allsaid.proof.values import matching
from batch_infer.rows import facts
from batch_infer.rows.inputs import Row
from batch_infer.rows.wording import publish
from pipelines.linking.delex import relexicalise
from pipelines.sources.records.mapping import parse_mapping
from schemas.act import Unrestored
from schemas.errors import UserError

MAPPING: dict[str, Any] = {
    "goal": "kind",
    "text": "about",
    "columns": {
        "name": "value",
        "price": {"kind": "number", "unit": "EUR", "also": ["Euro", "euros"]},
        "made of": "value",
        "is_waterproof": {"kind": "yes/no", "also": ["wasserdicht", "impermeable"]},
    },
}
GERMAN = {"kind": "Zelt", "name": "Kranich", "price": "129,90", "made of": "Nylon", "is_waterproof": "yes"}
GERMAN["about"] = "Kranich kostet 129,90 Euro, ist wasserdicht und hat an Nylon nicht gespart."
SPANISH = {"kind": "tienda", "name": "Grulla", "price": "1.299,90", "made of": "metal", "is_waterproof": "no"}
SPANISH["about"] = "La Grulla cuesta 1.299,90 euros y no es impermeable. Los metals son de hoy."


@pytest.mark.parametrize(
    ("language", "row", "tokens"),
    [
        (
            "de",
            GERMAN,
            "SLOT_NAME kostet SLOT_PRICE , ist wasserdicht und hat an SLOT_MADE_OF nicht gespart .",
        ),
        ("es", SPANISH, "la SLOT_NAME cuesta SLOT_PRICE y no es impermeable . los metals son de hoy ."),
    ],
)
def test_texts_of_another_language_are_compared_as_written(
    language: str, row: dict[str, str], tokens: str, tmp_path: Path
) -> None:
    for mapping in (MAPPING, MAPPING | {"language": language}):
        ((example, act, _),) = kept(ingest(tmp_path, as_csv([row]), mapping))
        assert " ".join(example.tokens) == tokens
        assert all(isinstance(one, Unrestored) and one.written != "" for one in act.exceptions)


def test_the_mapping_overrules_detected_languages(tmp_path: Path) -> None:
    row = GERMAN | {"about": "Kranich: 129,90 Euro, an Nylon."}
    assert "a/an" in kept(ingest(tmp_path, as_csv([row]), MAPPING))[0][0].tokens
    assert "an" in kept(ingest(tmp_path, as_csv([row]), MAPPING | {"language": "de"}))[0][0].tokens
    assert facts.text_of("an Nylon", parse_mapping(MAPPING, "m")).inflects


@pytest.mark.parametrize(
    ("language", "value", "text", "tokens"),
    [
        ("de", "grün", "Ein grünes Zelt namens Kranich.", "ein SLOT_MADE_OF zelt namens SLOT_NAME ."),
        ("de", "dunkel", "Das dunkle Zelt Kranich.", "das SLOT_MADE_OF zelt SLOT_NAME ."),
        ("fr", "blanc", "La tente Kranich est blanche.", "la tente SLOT_NAME est SLOT_MADE_OF ."),
        ("es", "rojo", "Las tiendas rojas Kranich.", "las tiendas SLOT_MADE_OF SLOT_NAME ."),
    ],
)
def test_values_agree_in_a_language_that_the_mapping_names(
    language: str, value: str, text: str, tokens: str, tmp_path: Path
) -> None:
    row = {"kind": "Zelt", "name": "Kranich", "made of": value, "about": text}
    mapping = MAPPING | {"language": language}
    ((example, act, _),) = kept(ingest(tmp_path, as_csv([row]), mapping))
    assert " ".join(example.tokens) == tokens
    assert relexicalise(act.tokens, act.slots, act.exceptions) == act.normalised
    (fact,) = facts.facts_of([f"made of={value}"], parse_mapping(mapping, "m"))
    said = facts.text_of(text, parse_mapping(mapping, "m"))
    assert matching.measure_values(said, [fact], matching.Inventory()).given == [True]


FRENCH_TEXTS = [
    ("Grue", "acier", "L’Orion Grue, en stock aujourd’hui, est d’acier et n’a qu’un tiroir."),
    ("Épure", "étain", "La table d’étain, c’est l’Épure : est-elle jolie ? Oui."),
    ("Iris", "bois", "L’Iris, où l’on s’assied jusqu’à trois, est en bois."),
]


def test_french_texts_are_split_after_apostrophes(tmp_path: Path) -> None:
    rows = [{"kind": "table", "name": name, "made of": of, "about": text} for name, of, text in FRENCH_TEXTS]
    mapping = parse_mapping(MAPPING | {"language": "fr"}, "m")
    found = kept(ingest(tmp_path, as_csv(rows), MAPPING | {"language": "fr"}))
    examples = [example for example, _, _ in found]
    casing = learn_writing(learn_casing(examples), lambda: examples * 5, "fr")
    for (example, act, _), (_, _, text) in zip(found, FRENCH_TEXTS, strict=True):
        assert {*example.ref_items} > {0, 1}
        assert relexicalise(act.tokens, act.slots, act.exceptions) == act.normalised
        row = Row(example.goal, example.agenda, example.goal_tokens, example.agenda_tokens)
        assert publish(example.tokens, row, casing) == text
        said = matching.measure_values(
            facts.text_of(text, mapping), facts.facts_of(example.agenda, mapping), matching.Inventory()
        )
        assert said.given == [True, True]


def test_quotes_of_german_are_one_with_others(tmp_path: Path) -> None:
    row = GERMAN | {"about": "Das Zelt „Kranich“."}
    ((example, _, _),) = kept(ingest(tmp_path, as_csv([row]), MAPPING))
    assert " ".join(example.tokens) == 'das zelt " SLOT_NAME " .'


def test_a_language_is_named_by_its_code() -> None:
    assert parse_mapping(MAPPING | {"language": False}, "m").language == "no"
    with pytest.raises(UserError, match="the code of a language, such as en or de; 'German' is none"):
        parse_mapping(MAPPING | {"language": "German"}, "m")
