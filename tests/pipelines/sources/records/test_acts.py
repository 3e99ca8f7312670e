"""Acts written out as a table give what the acts give; the sample's table, and what its manifest counts."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
import yaml
from small_table import ingest, kept

from allsaid.language.word_table import RNNLG_WORDS
from pipelines.ingest.request import Request
from pipelines.ingest.run import run
from pipelines.linking.delex import relexicalise
from pipelines.source import KeptRecord, Result
from pipelines.sources.dialogue_acts import source as dialogue_acts
from pipelines.sources.records.findings.guess import guess
from pipelines.sources.records.mapping import parse_mapping
from pipelines.sources.records.source import Records, Settings
from pipelines.sources.records.supervision import item_of
from schemas.act import SPECIAL, Act, Slot
from schemas.example import Example

ROOT = Path(__file__).resolve().parents[4]


def test_the_sample() -> None:
    settings = Settings(mapping=str(ROOT / "samples" / "products.yaml"))
    (shard,) = Records().plan([str(ROOT / "samples" / "products.csv")], settings)
    results = list(Records().read(shard, settings))
    figures: Counter[str] = Counter()
    for one, (_, act, _) in zip(results, kept(results), strict=True):
        assert isinstance(one, KeptRecord)
        figures.update(one.figures)
        assert relexicalise(act.tokens, act.slots, act.exceptions) == act.normalised
    assert len(results) == 336
    assert figures["found name"] == figures["given name"] == 336
    assert figures["found price_eur"] == 336
    found = sum(count for name, count in figures.items() if name.startswith("found "))
    given = sum(count for name, count in figures.items() if name.startswith("given "))
    assert found / given > 0.95  # the texts leave something out now and then
    columns = guess([str(ROOT / "samples" / "products.csv")])
    assert (columns["id"], columns["goal"], columns["text"]) == ("sku", "category", "description")


def test_the_german_sample(tmp_path: Path) -> None:
    settings = Settings(mapping=str(ROOT / "samples" / "moebel.yaml"))
    manifest = run(Request("records", [str(ROOT / "samples" / "moebel.csv")], str(tmp_path / "out"), settings))
    assert (manifest.read, manifest.kept) == (340, 340)
    shares = manifest.statistics["shares found"]
    assert (shares["name"], shares["preis_eur"]) == (1, 1)
    assert min(shares.values()) >= 0.92  # the texts leave something out now and then


@pytest.mark.parametrize(("language", "is_found"), [("en", True), ("", True), ("de", False)])
def test_amounts_are_found_in_english_words(language: str, is_found: bool) -> None:
    mapping = parse_mapping({"goal": "a", "text": "b", "columns": {"steeping": "value"}}, "m")
    item = item_of("SLOT_STEEPING", mapping.columns[0], Slot("steeping", "3 - 4 min"), language)
    assert item.forms[0] == ("3", "-", "4", "min")
    assert (("three", "to", "four", "minutes") in item.forms) is is_found


HOTEL = [
    [
        "inform(name='the lantern inn';address='5 high street';dogsallowed='no')",
        "the lantern inn , 5 high st , no dogs",
    ],
    ["?select(dogsallowed='yes';dogsallowed='no')", "should they take dogs"],
    ["?request(near)", "near what"],
    ["goodbye()", "goodbye"],
    [
        "inform_count(type='hotel';count='2';area='soma or noma';dogsallowed=dont_care)",
        "2 hotel -s , noma and soma , dogs",
    ],
]


def as_table(acts: Iterable[Act]) -> tuple[bytes, dict[str, Any]]:
    """Acts as a CSV with a column for each slot, repeated values parted by ``|``, and its mapping."""
    acts = list(acts)
    names = list(dict.fromkeys(slot.slot for act in acts for slot in act.slots))
    with_words = worded(acts)
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(["act", *names, "text"])
    for act in acts:
        cells: dict[str, list[str]] = {}
        for slot in act.slots:
            cells.setdefault(slot.slot, []).append(slot.value or "?")
        writer.writerow([act.act_type, *("|".join(cells.get(name, [])) for name in names), act.text])
    columns = {name: {"kind": "list", "separator": "|"} if name in with_words else "yes/no" for name in names}
    keys = {"goal": "act", "text": "text", "columns": columns, "missing": [], "rewrite": dict(RNNLG_WORDS)}
    return out.getvalue().encode(), keys


def worded(acts: Iterable[Act]) -> set[str]:
    """The slots that have a value with words of its own; a table has special ones in other columns only."""
    return {slot.slot for act in acts for slot in act.slots if slot.value and slot.value not in SPECIAL}


def fits_a_table(act: Act, with_words: set[str]) -> bool:
    special = [slot.slot for slot in act.slots if not slot.value or slot.value in SPECIAL]
    return len(set(special)) == len(special) and with_words.isdisjoint(special)


def supervised(example: Example, act: Act) -> list[tuple[str, int, str]]:
    """Tokens with their reference types and what they refer to, whatever the agenda's order."""
    names = [f"{slot.slot}={slot.value or '?'}" for slot in act.slots] + [""]
    refs = [names[item] for item in example.ref_items]
    return list(zip(example.tokens, example.ref_types, refs, strict=True))


def compare(tmp_path: Path, paths: Iterable[Path]) -> int:
    """Check that a table of the acts gives what the acts give; the number of acts."""
    first: list[Result] = []
    for path in paths:
        (shard,) = dialogue_acts.DialogueActs().plan([str(path)], dialogue_acts.NoSettings())
        first += dialogue_acts.DialogueActs().read(shard, dialogue_acts.NoSettings())
    pairs = [(*one.rows["examples"], *one.rows["acts"]) for one in first if isinstance(one, KeptRecord)]
    with_words = worded(act for _, act in pairs)
    pairs = [(example, act) for example, act in pairs if fits_a_table(act, with_words)]
    data, mapping = as_table(act for _, act in pairs)
    found = kept(ingest(tmp_path, data, mapping))
    for (example, act), (row, row_act, _) in zip(pairs, found, strict=True):
        assert row.tokens == example.tokens
        assert supervised(row, row_act) == supervised(example, act)
        assert sorted(row.agenda_tokens) == sorted(example.agenda_tokens)
        assert row_act.exceptions == act.exceptions
    return len(found)


def test_acts_as_a_table_give_the_same(tmp_path: Path) -> None:
    (tmp_path / "train.json").write_text(json.dumps([[act, text, ""] for act, text in HOTEL]))
    assert compare(tmp_path, [tmp_path / "train.json"]) == 4


@pytest.mark.slow
@pytest.mark.corpus
def test_the_hotel_acts_as_a_table_give_the_same(tmp_path: Path, data_root: Path) -> None:
    folder = data_root / "rnnlg" / "original" / "hotel"
    assert compare(tmp_path, sorted(folder.glob("*.json"))) == 4328


def test_the_manifest_has_found_values_per_column(tmp_path: Path) -> None:
    settings = Settings(mapping=str(ROOT / "samples" / "products.yaml"))
    manifest = run(Request("records", [str(ROOT / "samples" / "products.csv")], str(tmp_path / "out"), settings))
    shares = manifest.statistics["shares found"]
    columns = parse_mapping(yaml.safe_load((ROOT / "samples" / "products.yaml").read_text()), "products.yaml").columns
    assert shares.keys() == {column.name for column in columns}
    assert (shares["name"], shares["price_eur"]) == (1, 1)
    assert shares["colour"] == round(322 / 336, 6) and shares["made_in"] == round(245 / 255, 6)
