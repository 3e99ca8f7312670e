"""Made-up examples and a small published data set of them, for the tests of training."""

from __future__ import annotations

import random
from collections.abc import Iterable
from pathlib import Path

import pyarrow.parquet as pq

from schemas.example import EXAMPLE, NEW, NO_ITEM, NONE, SPLITS, USED, Example
from schemas.manifest import MANIFEST_NAME, Manifest
from schemas.phrase import PHRASE, Phrase
from schemas.table import to_table

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


def publish(folder: Path, splits: dict[str, Iterable[Example]], files: int = 2) -> Path:
    """Write a data set as ``allsaid ingest`` does, each split in ``files`` files."""
    run = folder / "runs" / "1"
    named, counts = [], {}
    for split in SPLITS:
        examples = list(splits.get(split, []))
        counts[split] = len(examples)
        for part in range(files):
            path = run / "examples" / f"split={split}" / f"{part}.parquet"
            path.parent.mkdir(parents=True, exist_ok=True)
            rows = examples[part::files]
            pq.write_table(to_table(rows, EXAMPLE), path)
            named.append({"path": str(path.relative_to(run)), "rows": len(rows)})
    phrases = [Phrase(1, "olive", "oil", 9, 10, 11, 100, 5.5)]
    pq.write_table(to_table(phrases, PHRASE), run / "phrases.parquet")
    manifest = Manifest(
        run="1",
        source="made up",
        created="2016-11-01T00:00:00Z",
        settings={},
        unit="examples",
        shares=[],
        inputs=[],
        files={"examples": named, "phrases": [{"path": "phrases.parquet", "rows": 1}]},
        read=0,
        kept=0,
        rejected={},
        splits=counts,
        statistics={},
        losses=[],
        fingerprint="f1",
    )
    (folder / MANIFEST_NAME).write_text(manifest.to_json())
    return folder
