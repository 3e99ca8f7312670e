"""Small valid inputs for `fuzzing` to damage: the sample of each source, and further formats and layouts."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from dumps import cookbook, dump
from fuzz_corpus import Corpus, sample_of
from small_coref import HARBOUR, long, short
from small_dstc2 import pack
from small_pairs import FLOORS, KEEPER, as_array, as_lines, entry, question
from small_stays import HEADER, OFFERS, as_csv

from pipelines import sources
from pipelines.sources.dstc2.table import COLUMNS

RECORDS = 12
NAMES = ("red door", "café zoë", "harbour inn", "mill house", "old oak", "north star")
FOODS = ("thai", "modern european", "turkish", "tapas")
AREAS = ("north", "centre", "west")
MAPPING = b"""id: sku
goal: kind
text: text
columns:
  name: value
  tags: {kind: list, separator: ";"}
  price: {kind: number, unit: EUR, also: [euros]}
  safe: {kind: yes/no, also: [dishwasher]}
missing: ["-"]
"""
TABLE_COLUMNS = ("sku", "kind", "name", "tags", "price", "safe", "text")


def corpora() -> list[Corpus]:
    return [
        *map(sample_of, sources.names()),
        *_mealmaster(),
        *_allrecipes(),
        *_dialogue_acts(),
        *_dstc2(),
        *_wikibio(),
        *_coref(),
        *_records(),
        *_dialogues(),
        *_pairs(),
    ]


def _one(source: str, layout: str, name: str, content: bytes, recovers: int | None) -> Corpus:
    return Corpus(source, layout, {name: content}, (name,), recovers, in_order=True)


def _mealmaster() -> list[Corpus]:
    recipes = [text.replace("Rinse", "Purée").replace("a lid", "½ a lid at 350°") for text in cookbook(range(RECORDS))]
    dashed = [
        text.replace("MMMMM----- Recipe via Meal-Master (tm) v8.05", "-----Recipe via Meal-Master (tm) v8.02").replace(
            "MMMMM", "-----"
        )
        for text in recipes
    ]
    return [
        _one("mealmaster", "columns", "a.mmf", dump(recipes), 1),
        _one("mealmaster", "dashes", "b.mmf", "".join(dashed).replace("\r", "").encode("latin-1"), 1),
    ]


def _recipe(number: int) -> dict[str, Any]:
    item = ("flour", "brown sugar", "chilli oil", "crème fraîche")[number % 4]
    return {
        "url": f"http://example.org/{number}",
        "title": f"Cake &amp; pie no. {number} ½",
        "ingredients": [f"{number + 1} cups {item}", "For the glaze:", "2 tablespoons butter, melted", "1 egg"],
        ("directions", "instructions")[number % 2]: [
            f"Beat the egg with the butter and {item} in a bowl for {number} minutes.",
            "Bake it at 350°F <br>until golden brown, then leave it to cool.",
        ],
        "tags": ["baking", "naïve"],
    }


def _allrecipes() -> list[Corpus]:
    recipes = [_recipe(number) for number in range(RECORDS)]
    lines = "".join(json.dumps(recipe, ensure_ascii=False) + "\n" for recipe in recipes).encode()
    folder = {f"{number}.json": json.dumps(recipe, indent=2).encode() for number, recipe in enumerate(recipes)}
    return [
        _one("allrecipes", "lines", "a.jsonl", lines, 1),
        _one("allrecipes", "array", "a.json", json.dumps(recipes, indent=1).encode(), 2),
        Corpus("allrecipes", "folder", folder, tuple(folder), apart=True),
    ]


def _dialogue_acts() -> list[Corpus]:
    entries = []
    for number in range(RECORDS):
        name, food, area = NAMES[number % 6], FOODS[number % 4], AREAS[number % 3]
        act, text = (
            (f"inform(name='{name}';food={food};kidsallowed=no)", f"{name} serves {food} food , no children ."),
            (f"?select(food='{food}';food=dontcare)", f"do you want {food} or don't you care ?"),
            (f'inform(count="{number}";area={area} or {AREAS[0]})', f"{number} places in the {AREAS[0]} or {area} ."),
            ("?request(near)", "what part of town ? [there]"),
        )[number % 4]
        entries.append([act, text, text.title()])
    head = b"# Dialogue acts\n# [act, text, handcrafted]\n"
    content = head + json.dumps(entries, indent=1, ensure_ascii=False).encode()
    return [
        _one("dialogue-acts", "array", "hotel/train.json", content, 2),
        Corpus(
            "dialogue-acts", "splits", {"train.json": content, "valid.json": content}, ("valid.json",), 2, apart=True
        ),
    ]


def _call(number: int) -> tuple[dict[str, Any], dict[str, Any]]:
    session, name, food = f"voip-{number:04}-20130401_1200{number:02}", NAMES[number % 6], FOODS[number % 4]

    def act(kind: str, *slots: list[str]) -> dict[str, Any]:
        return {"act": kind, "slots": list(slots)}

    def machine(text: str, *acts: dict[str, Any]) -> dict[str, Any]:
        heard = {"live": {"asr-hyps": [{"asr-hyp": "cheap food", "score": -0.5}, {"asr-hyp": "", "score": -3}]}}
        return {"output": {"transcript": text, "dialog-acts": list(acts)}, "input": heard}

    turns = [
        machine("Hello , which food ?", act("welcomemsg"), act("request", ["slot", "food"])),
        machine(f"{name} serves {food} food.", act("offer", ["name", name]), act("inform", ["food", food])),
        machine(f"The phone number of {name} is 01223 {number}00", act("inform", ["phone", f"01223 {number}00"])),
    ]
    said = [
        {"transcription": f"{food} please", "semantics": {"json": [act("inform", ["food", food])]}},
        {"transcription": "phone?", "semantics": {"json": [act("request", ["slot", "phone"])]}},
        {"transcription": "thank you good bye", "semantics": {"json": [act("thankyou"), act("bye")]}},
    ]
    goal = {"goal": {"text": f"Find {food} food."}}
    return {"session-id": session, "turns": turns}, {"session-id": session, "turns": said, "task-information": goal}


def _dstc2() -> list[Corpus]:
    rows = [
        (name, "cheap", FOODS[number % 4], AREAS[number % 3], f"{number} mill road", "c b 2 1 u f", f"01223 {number}00")
        for number, name in enumerate(NAMES)
    ]
    rows.append(("the ship", "moderate", "thai", "not available", "not available", "c b 5", "not available"))
    table = {"restaurants.json": json.dumps([dict(zip(COLUMNS, row, strict=True)) for row in rows]).encode()}
    calls: dict[str, bytes] = {}
    listed: dict[str, list[str]] = {"train": [], "dev": [], "test": []}
    for number in range(RECORDS):
        log, label = _call(number)
        folder = f"Mar13_S0A{number % 2}/{log['session-id']}"
        split = ("train", "train", "dev", "test")[number % 4]
        listed[split].append(folder)
        calls[f"data/{folder}/log.json"] = json.dumps(log).encode()
        if split != "test":
            calls[f"data/{folder}/label.json"] = json.dumps(label, ensure_ascii=False).encode()
    lists = {f"scripts/config/dstc2_{split}.flist": "\n".join(found).encode() for split, found in listed.items()}
    tree = calls | lists | table
    return [
        Corpus("dstc2", "tree", tree, tuple(calls), apart=True),
        Corpus("dstc2", "tree, lists and table", tree, (*lists, *table)),
        Corpus("dstc2", "archive", {"calls.tar": pack(calls | lists)} | table, ("calls.tar",)),
    ]


def _wikibio() -> list[Corpus]:
    lines: dict[str, list[str]] = {"box": [], "sent": [], "nb": [], "id": [], "title": []}
    for number in range(RECORDS):
        born = f"birth_date_1:{number}\tbirth_date_2:may\tbirth_date_3:19{number:02}"
        lines["box"].append(
            f"name_1:Ömer\tname_2:lee{number}\timage:<none>\t{born}\tteams_1:a\u00a0b\tgoals_1:1,{number}"
        )
        sentences = [f"ömer lee{number} -lrb- born {number} may 19{number:02} -rrb- scored 1,{number} goals ."]
        sentences += ["er starb 2001 .danach war ruhe ."] * (number % 3 == 0)
        lines["sent"] += sentences
        lines["nb"].append(str(len(sentences)))
        lines["id"].append(str(1000 + number))
        lines["title"].append(f"ömer lee{number}")
    content = {kind: "".join(f"{line}\n" for line in found).encode() for kind, found in lines.items()}
    plain = {f"{split}/{split}.{kind}": data for split in ("train", "valid") for kind, data in content.items()}
    return [
        Corpus("wikibio", "boxes", plain, ("train/train.box",), packable=False, apart=True),
        Corpus("wikibio", "other lines", plain, tuple(name for name in plain if ".box" not in name), packable=False),
        *(
            Corpus("wikibio", name, {f"{name}.zip": _zip(plain, method)}, (f"{name}.zip",), packable=False, binary=True)
            for name, method in (("deflated", zipfile.ZIP_DEFLATED), ("stored", zipfile.ZIP_STORED))
        ),
    ]


def _coref() -> list[Corpus]:
    texts = [HARBOUR.replace("harbour", f"café{number}") for number in range(RECORDS)]
    return [
        _one("coref", "columns of OntoGUM", "a.conll", b"".join(map(short, texts)), 1),
        _one("coref", "columns of CoNLL 2012", "b.conll", b"".join(map(long, texts)), 1),
    ]


def _zip(content: Mapping[str, bytes], method: int) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", method) as archive:
        for name, data in content.items():
            archive.writestr(name, data)
    return packed.getvalue()


def _rows() -> list[dict[str, Any]]:
    rows = []
    for number in range(RECORDS):
        name = f"Mug {NAMES[number % 6].title()}"
        rows.append(
            {
                "sku": f"M-{number:03}",
                "kind": ("mug", "cup")[number % 2],
                "name": name,
                "tags": f"stoneware; {AREAS[number % 3]} glaze",
                "price": f"{number + 1},299.50",
                "safe": ("yes", "no", "-")[number % 3],
                "text": f'The "{name}" is\nmade of stoneware, for {number + 1}299.50 euros. Not for the dishwasher!',
            }
        )
    return rows


def _csv(delimiter: str) -> str:
    def cell(text: str) -> str:
        quoted = any(mark in text for mark in ('"', "\n", delimiter))
        return '"' + text.replace('"', '""') + '"' if quoted else text

    rows = [TABLE_COLUMNS, *([row[name] for name in TABLE_COLUMNS] for row in _rows())]
    return "".join(delimiter.join(map(cell, row)) + "\r\n" for row in rows)


def _records() -> list[Corpus]:
    rows = _rows()
    lines = [json.dumps(row | {"price": number + 0.5, "tags": ["a", "b"]}) + "\n" for number, row in enumerate(rows)]
    stream = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(rows), stream, row_group_size=5)
    mapping = {"mapping.yaml": MAPPING}
    comma, semicolon = _csv(",").encode(), b"\xef\xbb\xbf" + _csv(";").encode()
    return [
        Corpus("records", "commas", {"a.csv": comma} | mapping, ("a.csv",), in_order=True),
        Corpus("records", "semicolons", {"b.csv": semicolon} | mapping, ("b.csv",), in_order=True),
        Corpus("records", "lines", {"a.jsonl": "".join(lines).encode()} | mapping, ("a.jsonl",), 0, in_order=True),
        Corpus(
            "records",
            "parquet",
            {"a.parquet": stream.getvalue()} | mapping,
            ("a.parquet",),
            packable=False,
            binary=True,
        ),
        Corpus("records", "mapping", {"a.csv": comma} | mapping, ("mapping.yaml",), packable=False),
    ]


def _dialogues() -> list[Corpus]:
    turns = [
        (f"call {number}", *turn)
        for number in range(RECORDS)
        for turn in (
            ("guest", f'Ein Zimmer für {number}, "bitte"?'),
            ("machine", f"Der {OFFERS[1][0]}\nhat {number} Zimmer."),
        )
    ]
    columns, table = ("dialogue", "speaker", "text"), as_csv(HEADER, OFFERS)
    lines = [json.dumps(dict(zip(columns, turn, strict=True))) + "\n" for turn in turns]
    semicolons = b"\xef\xbb\xbf" + as_csv(columns, turns, ";")
    return [
        Corpus("dialogues", "semicolons", {"a.csv": semicolons, "table.csv": table}, ("a.csv",)),
        Corpus("dialogues", "lines", {"a.jsonl": "".join(lines).encode(), "table.csv": table}, ("a.jsonl",)),
        Corpus("dialogues", "table", {"a.csv": as_csv(columns, turns), "table.csv": table}, ("table.csv",)),
    ]


def _pairs() -> list[Corpus]:
    keepers = [(f"Café {name} {number}", f'who keeps {number}, "{name}"?') for number, name in enumerate(NAMES * 2)]
    single = [entry(KEEPER, question(f"{text} {name}", var0=name), var0=name) for name, text in keepers]
    floors = [question(f"{number} of {name}?", "dev", var0=str(number), var1=name) for number, name in enumerate(NAMES)]
    asked = as_lines([(f"{text} [m.0{number}]", "a.b.c_d|e.f.g") for number, (_, text) in enumerate(keepers)])
    lines = {
        side: "".join(f"{row[place]} ½\n" for row in keepers).encode()
        for place, side in enumerate(("source", "target"))
    }
    return [
        _one("wikisql", "array", "a.json", as_array(single), 2),
        Corpus("wikisql", "several questions", {"a.json": as_array([entry(FLOORS, *floors)] * 2)}, ("a.json",)),
        _one("webqsp", "lines", "a.txt", asked, 1),
        Corpus("parallel", "lines", {f"a.{side}": text for side, text in lines.items()}, ("a.source", "a.target")),
    ]
