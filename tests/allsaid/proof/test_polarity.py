"""Yes and no told the right way round: the rule beside sentences that were judged by sense."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from allsaid.language.word_table import WORDS, normalise
from allsaid.proof.polarity import is_negated, says_little
from evaluation.measures.slots import binary, polarity
from pipelines.source import KeptRecord
from pipelines.sources.dialogue_acts.source import DialogueActs, NoSettings
from schemas.act import Slot

JUDGED: list[dict[str, Any]] = yaml.safe_load((Path(__file__).parent / "judged_polarity.yaml").read_text())
AGREEING = [case for case in JUDGED if "rule" not in case]


def told_wrongly(case: dict[str, Any]) -> list[str]:
    slots = [Slot(slot, value) for slot, value in case["slots"].items()]
    return polarity(normalise(case["text"], WORDS)[0], slots).wrong


@pytest.mark.parametrize("case", AGREEING, ids=lambda case: f"{case['text']} {case['slots']}")
def test_the_rule_agrees_with_the_judgement(case: dict[str, Any]) -> None:
    assert told_wrongly(case) == case["wrong"]


@pytest.mark.parametrize("case", [case for case in JUDGED if "rule" in case], ids=lambda case: case["text"])
def test_where_the_rule_is_known_to_be_wrong(case: dict[str, Any]) -> None:
    assert told_wrongly(case) == case["rule"] != case["wrong"]


@pytest.mark.parametrize(
    ("text", "spoken", "denied"),
    [
        ("die säge kommt ohne akku .", "akku", True),
        ("die säge hat einen akku und kein kabel .", "akku", False),
        ("mit akku ohne kabel", "akku", False),
        ("der akku liegt nicht bei .", "akku", True),
        ("nicht nur der akku liegt bei .", "akku", False),
        ("une maison sans jardin .", "jardin", True),
        ("il n'y a pas de jardin mais un garage .", "garage", False),
        ("una casa sin piscina .", "piscina", True),
        ("una casa senza giardino .", "giardino", True),
        ("een huis zonder tuin .", "tuin", True),
        ("non - stick and with a lid .", "lid", False),
    ],
)
def test_neighbours_of_english_deny_in_their_own_words(text: str, spoken: str, denied: bool) -> None:
    words = text.split()
    assert is_negated(words, {words.index(spoken)}) is denied


@pytest.mark.parametrize(
    ("text", "spoken", "denied"),
    [
        ("Radio, heater and hood? None of them, and you will not miss them.", "radio", True),
        ("Radio, heater and hood? None of them, and you will not miss them.", "hood", True),
        ("Radio, heater and hood? Yes, of course.", "heater", False),
        ("A stand is included, but you will have to bring your own lamps.", "lamps", True),
        ("A stand is included, but you will have to bring your own lamps.", "stand", False),
        ("You have your own terrace and bring your own towels.", "terrace", False),
        ("We are unable to engrave it.", "engrave", True),
        ("Guests unable to climb stairs may use the lift.", "lift", False),
        ("A barbecue has to wait for another trip.", "barbecue", True),
        ("Enjoy another swim in the pool.", "pool", False),
        ("Bring your own towel for the pool.", "pool", False),
        ("You are welcome to bring your own dog.", "dog", False),
        ("You can add your own engraving.", "engraving", False),
        ("No need to bring your own towels.", "towels", True),  # by its "no": a known fault
        ("We are unable to turn dogs away.", "dogs", False),
        ("If you are unable to pay by card, cash is fine.", "card", False),
        ("Raccoons are unable to open the lid.", "lid", False),
        ("You never have to wait for another turn at the barbecue.", "barbecue", True),  # by its "never": a known fault
        ("The padded case rules out scratches.", "case", False),
        ("The stairs rule out wheelchairs.", "wheelchairs", True),
        ("The breakfast leaves nothing to be desired.", "breakfast", False),
    ],
)
def test_what_readers_bring_or_nobody_can_do_is_denied(text: str, spoken: str, denied: bool) -> None:
    words = normalise(text, WORDS)[0]
    assert is_negated(words, {words.index(spoken)}) is denied


@pytest.mark.parametrize(
    ("text", "thing", "little"),
    [
        ("The odour is not strong.", "odour", True),
        ("There is not much odour.", "odour", True),
        ("The odour is strong.", "odour", False),
        ("This less expensive paint has a strong odour.", "odour", False),
        ("This high gloss paint is low-odour.", "low-odour", True),
        ("It has hardly any odour.", "odour", True),
        ("It has an odour of pine.", "odour", None),
    ],
)
def test_how_much_there_is_of_a_thing(text: str, thing: str, little: bool | None) -> None:
    words = normalise(text, WORDS)[0]
    assert says_little(words, range(len(words)), words.index(thing)) is little


@pytest.mark.corpus
@pytest.mark.parametrize(("domain", "wrong", "asked"), [("hotel", 3, 189), ("restaurant", 4, 147)])
def test_what_people_told_wrongly(data_root: Path, domain: str, wrong: int, asked: int) -> None:
    path = str(data_root / "rnnlg" / "original" / domain / "test.json")
    (shard,) = DialogueActs().plan([path], NoSettings())
    acts = [one.rows["acts"][0] for one in DialogueActs().read(shard, NoSettings()) if isinstance(one, KeptRecord)]
    found = [polarity(act.normalised.split(), act.slots).wrong for act in acts]
    assert sum(map(len, found)) == wrong
    assert sum(len(binary(act.slots)) for act in acts) == asked
