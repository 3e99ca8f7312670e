"""Acts of trades that no corpus at hand has: no value is lost, in training, in evaluation and in proof."""

from __future__ import annotations

import pytest
import small_trades

from allsaid.modeling.text.restore import Casing
from allsaid.proof.slots import add_up, slot_errors
from allsaid.proof.values.matching import measure_values
from allsaid.proof.values.seen import build_values
from batch_infer.rows import facts
from batch_infer.rows.inputs import Row
from batch_infer.rows.wording import publish
from evaluation.tasks import dialogue
from pipelines.linking.delex import items_of, relexicalise
from pipelines.source import KeptRecord, NoSettings
from pipelines.sources.dialogue_acts.source import DialogueActs
from schemas.act import Act
from schemas.example import Example

Rows = list[tuple[Example, Act]]
PLAIN = Casing({}, frozenset())


@pytest.fixture(scope="module", params=list(small_trades.SOLD))
def kept(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> list[KeptRecord]:
    (shard,) = DialogueActs().plan([small_trades.write(tmp_path_factory.mktemp("trades"), request.param)], NoSettings())
    found = [one for one in DialogueActs().read(shard, NoSettings()) if isinstance(one, KeptRecord)]
    assert len(found) == 150
    return found


@pytest.fixture
def rows(kept: list[KeptRecord]) -> Rows:
    return [(one.rows["examples"][0], one.rows["acts"][0]) for one in kept]


def test_training_finds_every_value_and_loses_none(kept: list[KeptRecord], rows: Rows) -> None:
    assert [one.figures["found values"] for one in kept] == [one.figures["given values"] for one in kept]
    for _, act in rows:
        assert relexicalise(act.tokens, act.slots, act.exceptions) == act.normalised


def test_rule_based_texts_have_no_slot_errors(rows: Rows) -> None:
    acts = [act for _, act in rows]
    generated = dialogue.of_texts([act.handcrafted for act in acts], acts)
    wanted = [[item.token for item in items_of(act.slots) if item.forms] for act in acts]
    errors = [slot_errors(one.tokens[0], items) for one, items in zip(generated, wanted, strict=True)]
    assert add_up(errors).rate == 0
    values = dialogue.Values(facts.inventory_of(build_values(acts), None), None, False, None)
    assert not [
        row
        for texts, (example, act) in zip(generated, rows, strict=True)
        if (row := dialogue.row(texts, example, act, values)).missing
    ]


def test_published_texts_differ_in_hyphens_only(rows: Rows) -> None:
    for example, act in rows:
        assert _letters(published(example)) == _letters(act.text)


def test_the_proof_finds_every_value_and_nothing_beyond(rows: Rows) -> None:
    known = facts.inventory_of(build_values(act for _, act in rows), None)
    for example, _ in rows:
        for text in (example.text, published(example)):
            found = measure_values(facts.text_of(text, None), facts.facts_of(example.agenda, None), known)
            assert (all(found.given), found.extra) == (True, []), text


def published(example: Example) -> str:
    row = Row(example.goal, example.agenda, example.goal_tokens, example.agenda_tokens)
    return publish(example.tokens, row, PLAIN)


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.lower()))
