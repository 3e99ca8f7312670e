"""Dialogue acts: files in RNNLG's form, their acts, supervision, and what is wrong with some of them."""

from __future__ import annotations

import gzip
import io
import json
from collections import Counter
from pathlib import Path

import pytest

from pipelines.linking.acts import keywords, link, parse_act
from pipelines.linking.delex import delexicalise, items_of, relexicalise
from pipelines.source import KeptRecord, RecordFault, Result, Shard, Unreadable
from pipelines.sources.dialogue_acts.source import DialogueActs, NoSettings, cut, split_of_file
from schemas.act import ACT, Act, Slot
from schemas.checks.table import to_table
from schemas.errors import UserError
from schemas.example import EXAMPLE, NEW, NO_ITEM, NONE, USED, Example
from schemas.runs.rejected import Rejected

HEAD = "####\n#  A licence, [perhaps]  #\n####\n"
ENTRIES = [
    [
        "inform(name='the lantern inn';pricerange=cheap;dogsallowed='no')",
        "the lantern inn is  cheap -ly priced and does not allow dogs , dogs no . try the lantern inn ",
        "the lantern inn is a nice place it is cheap",
    ],
    ["?request(near)", "what part of town is it near to", "where"],
    ["goodbye()", "goodbye", "goodbye"],
    ["goodbye()", "goodbye", "goodbye"],
    ["?select(goodformeal=dont_care;goodformeal=dinner')", "for dinner or any [meal] \u00e9", ""],
]


def write(folder: Path, text: str, name: str = "train.json") -> str:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def results(path: str) -> list[Result]:
    (shard,) = DialogueActs().plan([path], NoSettings())
    return list(DialogueActs().read(shard, NoSettings()))


def kept(results: list[Result]) -> list[tuple[Example, Act]]:
    return [(*one.rows["examples"], *one.rows["acts"]) for one in results if isinstance(one, KeptRecord)]


def test_examples_and_acts(tmp_path: Path) -> None:
    text = HEAD + json.dumps(ENTRIES, indent=4)
    path = write(tmp_path, text, "valid.json")
    found = results(path)
    assert {one.split for one in found if isinstance(one, KeptRecord)} == {"dev"}
    rows = kept(found)
    assert len(rows) == len(ENTRIES)
    example, act = rows[0]
    assert (example.goal, example.goal_tokens) == ("inform", ["inform"])
    assert example.agenda == ["name=the lantern inn", "pricerange=cheap", "dogsallowed=no"]
    assert example.agenda_tokens == [["SLOT_NAME"], ["SLOT_PRICERANGE"], ["SLOT_DOGSALLOWED_NO"]]
    told = "SLOT_NAME is SLOT_PRICERANGE -ly priced and does not allow dogs , dogs no . try SLOT_NAME"
    assert example.tokens == told.split()
    assert example.ref_items == [0, -1, 1, -1, -1, -1, -1, -1, -1, 2, -1, 2, -1, -1, -1, 0]
    assert [example.ref_types[position] for position in (0, 2, 9, 11, 15)] == [NEW, NEW, NEW, USED, USED]
    assert example.text == ("the lantern inn is cheaply priced and does not allow dogs , dogs no . try the lantern inn")
    assert (act.text, act.handcrafted) == (ENTRIES[0][1], ENTRIES[0][2])
    assert act.slots == [Slot("name", "the lantern inn"), Slot("pricerange", "cheap"), Slot("dogsallowed", "no")]
    for example, act in rows:
        assert text[example.offset] == "["
        assert (example.id, example.file, example.offset) == (act.id, path, act.offset)
        assert relexicalise(act.tokens, act.slots, act.exceptions) == act.normalised
    assert len({example.id for example, _ in rows}) == len(ENTRIES)
    assert rows[4][1].normalised == "for dinner or any [ meal ] é"
    assert to_table([row[0] for row in rows], EXAMPLE).num_rows == to_table([row[1] for row in rows], ACT).num_rows == 5


def test_figures_and_words(tmp_path: Path) -> None:
    first = results(write(tmp_path, json.dumps(ENTRIES)))[0]
    assert isinstance(first, KeptRecord)
    assert first.figures == {"tokens": 16, "items": 3, "given values": 2, "found values": 2}
    assert first.words["agenda"] == ["SLOT_NAME", "SLOT_PRICERANGE", "SLOT_DOGSALLOWED_NO"]


def test_an_id_comes_from_the_content_and_the_file(tmp_path: Path) -> None:
    def ids(text: str, name: str) -> list[str]:
        return [example.id for example, _ in kept(results(write(tmp_path, text, name)))]

    compact, laid_out = json.dumps(ENTRIES), HEAD + json.dumps(ENTRIES, indent=1)
    assert ids(compact, "train.json") == ids(laid_out, "train.json")
    assert not set(ids(compact, "train.json")) & set(ids(compact, "test.json"))


@pytest.mark.parametrize(
    ("text", "act_type", "slots"),
    [
        ("goodbye()", "goodbye", []),
        ("?request(near)", "?request", [("near", "")]),
        ("inform(name='red cat';price=5)", "inform", [("name", "red cat"), ("price", "5")]),
        ("inform( name = 'a;b (c)' ; near=none;)", "inform", [("name", "a;b (c)"), ("near", "none")]),
        ("inform(name='joe's place';name=\"x\")", "inform", [("name", "joe's place"), ("name", "x")]),
        ("?select(meal=dont_care;meal=dinner')", "?select", [("meal", "dont_care"), ("meal", "dinner")]),
        ("inform(dogs allowed='')", "inform", [("dogs allowed", "")]),
    ],
)
def test_acts(text: str, act_type: str, slots: list[tuple[str, str]]) -> None:
    assert parse_act(text) == (act_type, [Slot(*slot) for slot in slots])


@pytest.mark.parametrize(
    "text", ["", "inform", "inform(", "(name=x)", "inform(=x)", "inform(;)", "inform(a=b)c(d=e)", "inform(a=b=c)"]
)
def test_what_is_no_act(text: str) -> None:
    with pytest.raises(RecordFault) as fault:
        parse_act(text)
    assert fault.value.reason == "bad_act"


def test_too_many_slots() -> None:
    with pytest.raises(RecordFault) as fault:
        parse_act(f"inform({';'.join(['a'] * 101)})")
    assert fault.value.reason == "too_many_slots"


def refs(text: str, *slots: Slot) -> list[tuple[int, int]]:
    items = items_of(slots)
    done = delexicalise(text.split(), text.split(), items)
    return list(zip(*link(done, items, [keywords(slot.slot) for slot in slots]), strict=True))


def test_words_that_speak_of_a_slot() -> None:
    found = refs("they take credit card -s , a card is fine", Slot("acceptscreditcards", "yes"))
    no = (NONE, NO_ITEM)
    assert found == [no, no, (NEW, 0), (NEW, 0), no, no, no, (USED, 0), no, no]
    # A value with a placeholder needs no words; a slot of no list is spoken of by its own name's words.
    assert refs("area is old", Slot("area", "old")) == [no, no, (NEW, 0)]
    assert refs("is it waterproof", Slot("is_waterproof", "no")) == [no, no, (NEW, 0)]
    assert refs("dogs and pets", Slot("dogsallowed", "yes"), Slot("dogsallowed", "no")) == [(NEW, 0), no, (NEW, 1)]


def damaged(tmp_path: Path, text: str, name: str = "test.json") -> tuple[int, list[str]]:
    found = results(write(tmp_path, text, name))
    assert all(isinstance(one, KeptRecord | Rejected) for one in found)
    faults = [one for one in found if isinstance(one, Rejected)]
    assert all(text.encode()[one.offset :].startswith(one.head) and one.detail for one in faults)
    return len(found) - len(faults), [one.reason for one in faults]


GOOD = '["goodbye()", "bye", "bye"]'


@pytest.mark.parametrize(
    ("bad", "reasons"),
    [
        ('["inform(name=x", "x", "x"]', ["bad_act"]),
        ('["goodbye()", " ", "x"]', ["no_text"]),
        ('["goodbye()", "x"]', ["not_three_texts"]),
        ('["goodbye()", "x", 3]', ["not_three_texts"]),
        ('["goodbye()", "x\\q", "x"]', ["bad_json"]),
        ('["goodbye()", "x, "x"]', ["bad_json"]),
        ('["goodbye()",\n"x,\n"x"]', ["bad_json"]),
        ('["goodbye()", "x", "x"', ["bad_json"]),
        ('"goodbye()", "x", "x"]', ["bad_json"]),
        ('{"act": "goodbye()"}', ["bad_json"]),
        ('[["goodbye()", "x", "x"]]', []),
        ("nonsense", ["bad_json"]),
    ],
)
def test_a_damaged_record_costs_itself_only(tmp_path: Path, bad: str, reasons: list[str]) -> None:
    text = f"{HEAD}[\n{GOOD},\n{bad},\n{GOOD}\n]\n"
    found = damaged(tmp_path, text)
    assert found == (3 if bad.startswith("[[") else 2, reasons)


def test_half_a_surrogate_pair(tmp_path: Path) -> None:
    ((example, act),) = kept(results(write(tmp_path, '[["goodbye()", "bye \\ud800 \\u00e9", ""]]')))
    assert act.text == "bye \ufffd é"
    assert to_table([example], EXAMPLE).num_rows == 1


def test_other_bytes_are_read_by_evidence(tmp_path: Path) -> None:
    path = tmp_path / "train.json"
    path.write_bytes('[["goodbye()", "bye fiancé", ""]]'.encode("latin-1"))
    ((_, act),) = kept(results(str(path)))
    assert act.text == "bye fiancé"


def test_a_file_that_is_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "train.json.gz"
    # Entries that don't compress to nothing.
    entries = [["goodbye()", f"bye {position**9}", "bye"] for position in range(2000)]
    packed = gzip.compress(json.dumps(entries, indent=1).encode())
    path.write_bytes(packed[: len(packed) // 2])
    found = results(str(path))
    assert isinstance(found[-1], Unreadable) and "cut off" in found[-1].sentence
    assert 500 < sum(isinstance(one, KeptRecord) for one in found) < 1500
    assert sum(isinstance(one, Rejected) for one in found) <= 1


def test_an_array_that_is_not_closed_is_told(tmp_path: Path) -> None:
    whole = json.dumps(
        [["goodbye()", f"bye {number}", "bye"] for number in range(9)],
    )
    path = tmp_path / "valid.json"
    for end, kept in ((whole.rindex("]"), 9), (whole.index('["goodbye()", "bye 5"'), 5)):
        path.write_text(whole[:end])
        found = results(str(path))
        assert [type(one) for one in found] == [KeptRecord] * kept + [Unreadable]
        assert found[-1].sentence.startswith(f"{path} ends at byte")
    path.write_text(whole + "\n # the end\n")
    assert len(results(str(path))) == 9


@pytest.mark.parametrize("name", ["latest.json", "trainer.json", "train-test.json"])
def test_a_split_is_a_word_of_the_name(name: str) -> None:
    with pytest.raises(UserError, match="does not show the split"):
        split_of_file(f"hotel/{name}")


def test_a_stream_without_records_stays_small() -> None:
    sizes = [len(data) for _, data in cut(io.BytesIO(b"x" * 500_000 + GOOD.encode() + b"]"))]
    assert sizes[-1] == len(GOOD) and max(sizes) <= 1 << 18


def test_a_name_without_a_split(tmp_path: Path) -> None:
    for name in ("hotel.json", "train-test.json"):
        (tmp_path / name).write_text("[]")
        with pytest.raises(UserError, match="does not show the split"):
            DialogueActs().plan([str(tmp_path / name)], NoSettings())
    paths = [str(tmp_path / name) for name in ("train.json", "valid.json")]
    for path in paths:
        Path(path).write_text("[]")
    assert DialogueActs().plan(paths, NoSettings()) == [Shard((path,)) for path in paths]


@pytest.mark.corpus
def test_the_real_corpus(data_root: Path) -> None:
    counts: Counter[tuple[str, str]] = Counter()
    vocabulary: dict[str, set[str]] = {"hotel": set(), "restaurant": set()}
    figures: Counter[str] = Counter()
    ids: set[str] = set()
    folder = data_root / "rnnlg" / "original"
    for path in sorted(path for domain in vocabulary for path in (folder / domain).glob("*.json")):
        domain = path.parent.name
        for one in results(str(path)):
            assert isinstance(one, KeptRecord)
            counts[domain, one.split] += 1
            figures.update(one.figures)
            (example,), (act,) = one.rows["examples"], one.rows["acts"]
            assert relexicalise(act.tokens, act.slots, act.exceptions) == act.normalised
            ids.add(example.id)
            if one.split == "train":
                vocabulary[domain].update(example.tokens)
    assert counts == {
        ("hotel", "train"): 3223,
        ("hotel", "dev"): 1075,
        ("hotel", "test"): 1075,
        ("restaurant", "train"): 3114,
        ("restaurant", "dev"): 1039,
        ("restaurant", "test"): 1039,
    }
    assert len(ids) == counts.total()
    # Kiddon et al. 2016 count 445 and 365: which words they part or join they do not say.
    assert {domain: len(words) for domain, words in vocabulary.items()} == {"hotel": 433, "restaurant": 356}
    assert (figures["given values"], figures["found values"]) == (14339, 14314)
