"""Made-up examples and a small published data set of them, for the tests of training."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from small_manifest import EMPTY

from pipelines.sources.wikibio.box import build_table, describe
from schemas.box import BOX, Box
from schemas.checks.table import to_table
from schemas.copy import COPY, NO_COPY, CopyExample
from schemas.dialogue import DIALOGUE
from schemas.example import EXAMPLE, NEW, NO_ITEM, NONE, SPLITS, USED, Example
from schemas.offer import OFFER, Offer
from schemas.pair import PAIR, Pair
from schemas.phrase import PHRASE, Phrase
from schemas.runs.manifest import MANIFEST_NAME

FOODS = ["flour", "butter", "sugar", "milk", "olive_oil", "salt", "rice", "lime", "tomatoes", "onion", "basil"]


def make_example(number: int) -> Example:
    """A recipe of two to four items: each is mixed in, and the first is mentioned again."""
    chance = random.Random(number)
    foods = chance.sample(FOODS, chance.randint(2, 4))
    words: list[tuple[str, int, int]] = []
    for position, food in enumerate(foods):
        verb = chance.choice(["mix", "add", "stir"])
        words += [(verb, NONE, NO_ITEM), ("the", NONE, NO_ITEM), (food, NEW, position), (".", NONE, NO_ITEM)]
        words += [("<br>", NONE, NO_ITEM)]
    words += [("bake", NONE, NO_ITEM), ("the", NONE, NO_ITEM), (foods[0], USED, 0), (".", NONE, NO_ITEM)]
    tokens = [word for word, _, _ in words]
    return Example(
        id=f"{number:016x}",
        content_hash=f"{number:016x}",
        goal=f"Baked {foods[0]}",
        goal_tokens=["baked", *foods[0].split("_")],
        agenda=[f"{position + 1} cups {food}" for position, food in enumerate(foods)],
        agenda_tokens=[[food] for food in foods],
        text=" ".join(tokens).replace(" <br> ", "\n").replace("_", " "),
        tokens=tokens,
        surface=[word.replace("_", " ") for word in tokens],
        ref_types=[kind for _, kind, _ in words],
        ref_items=[item for _, _, item in words],
        file="made up",
        offset=number,
    )


def as_copy(example: Example) -> CopyExample:
    """The same recipe as a text that copies words of its ingredients' lines."""
    names = [[part for word in item for part in word.split("_")] for item in example.agenda_tokens]
    lines = [[str(place + 1), "cups", *name] for place, name in enumerate(names)]
    tokens: list[str] = []
    items: list[int] = []
    places: list[int] = []
    for word, item in zip(example.tokens, example.ref_items, strict=True):
        parts = word.split("_")
        tokens += parts
        items += [item] * len(parts)
        places += [NO_COPY if item == NO_ITEM else 2 + place for place in range(len(parts))]
    return CopyExample(
        id=example.id,
        content_hash=example.content_hash,
        title=example.goal,
        url="",
        ingredients=list(map(" ".join, lines)),
        groups=[""] * len(lines),
        ingredient_tokens=lines,
        text=example.text,
        tokens=tokens,
        copy_items=items,
        copy_tokens=places,
        file=example.file,
        offset=example.offset,
    )


def as_box(example: Example) -> Box:
    """The same recipe as a table: its dish and one field for each item; the text holds a year and a number."""
    words = {"dish": example.goal.split(), "year": ["1954"]}
    words |= {f"item{place + 1}": [str(place + 1), *item] for place, item in enumerate(example.agenda_tokens)}
    places = [(name, place, word) for name, value in words.items() for place, word in enumerate(value, 1)]
    names, positions, originals = (list(column) for column in zip(*places, strict=True))
    table = build_table(names, positions, originals)
    text = [*example.goal.split(), "of", "1954", "takes", "2", *example.tokens[:-1], "in", "1990", "."]
    return Box(
        id=example.id,
        source_id="",
        title=example.goal,
        url="",
        contributors="",
        fields=table.fields,
        positions=table.positions,
        ends=table.ends,
        tokens=table.tokens,
        originals=table.originals,
        empty_fields=[],
        sentences=[describe(text, table)],
        file=example.file,
        offset=example.offset,
    )


def as_pair(example: Example) -> Pair:
    """The same recipe as a text that its dish and its foods became, whose names it has to name."""
    names = [[part for word in item for part in word.split("_")] for item in example.agenda_tokens]
    source = [*example.goal_tokens, "of", *(word for name in names for word in name)]
    return Pair(
        id=example.id,
        source=" ".join(source).capitalize(),
        source_tokens=source,
        items=list(map(" ".join, names)),
        item_tokens=names,
        text=example.text,
        tokens=[part for word in example.tokens for part in word.split("_")],
        file=example.file,
        offset=example.offset,
    )


def publish(
    folder: Path,
    splits: Mapping[str, Sequence[Example]],
    files: int = 2,
    copies: Mapping[str, Any] | None = None,
    dialogues: Mapping[str, Any] | None = None,
    offers: Sequence[Offer] = (),
    boxes: Mapping[str, Any] | None = None,
    pairs: Mapping[str, Any] | None = None,
) -> Path:
    """Write a data set as ``allsaid ingest`` does, each split in ``files`` files."""
    run = folder / "runs" / "1"
    counts = {split: len(splits.get(split, (copies or pairs or {}).get(split, []))) for split in SPLITS}
    named = _write(run, "examples", EXAMPLE, splits, files)
    more = {} if copies is None else {"copies": _write(run, "copies", COPY, copies, files)}
    if boxes is not None:
        more["boxes"] = _write(run, "boxes", BOX, boxes, files)
    if pairs is not None:
        more["pairs"] = _write(run, "pairs", PAIR, pairs, files)
    if dialogues is not None:
        more["dialogues"] = _write(run, "dialogues", DIALOGUE, dialogues, files)
        (run / "offers").mkdir()
        pq.write_table(to_table(offers, OFFER), run / "offers" / "0.parquet")
        more["offers"] = [{"path": "offers/0.parquet", "rows": len(offers)}]
    phrases = [Phrase(1, "olive", "oil", 9, 10, 11, 100, 5.5)]
    pq.write_table(to_table(phrases, PHRASE), run / "phrases.parquet")
    found = {"examples": named, **more, "phrases": [{"path": "phrases.parquet", "rows": 1}]}
    manifest = replace(EMPTY, source="made up", files=found, splits=counts)
    (folder / MANIFEST_NAME).write_text(manifest.to_json())
    return folder


def _write(run: Path, border: str, schema: pa.Schema, splits: Mapping[str, Any], files: int) -> list[dict[str, Any]]:
    """The entries in the manifest of what is written."""
    named = []
    for split in SPLITS:
        for part in range(files):
            path = run / border / f"split={split}" / f"{part}.parquet"
            path.parent.mkdir(parents=True, exist_ok=True)
            rows = list(splits.get(split, []))[part::files]
            pq.write_table(to_table(rows, schema), path)
            named.append({"path": str(path.relative_to(run)), "rows": len(rows)})
    return named
