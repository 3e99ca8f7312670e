"""Recipes of allrecipes.com as JSON: objects -> recipes with the pointers from their text into the ingredients.

Yang et al. 2016, sections 2.2 and 4.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from allsaid.settings import number
from allsaid.storage.json_stream import Element
from pipelines.linking.splits import split_of
from pipelines.recipes.examples import goal_words
from pipelines.source import (
    BY_HASH,
    FILES_ALONE,
    DedupReasons,
    Handling,
    KeptRecord,
    RecordFault,
    Result,
    Shard,
    Source,
    Steps,
    defer,
    shards_of,
)
from pipelines.sources.allrecipes.record import parse, with_pointers
from pipelines.sources.cuts import SHARD_BYTES, cut
from pipelines.sources.dumps import check_beginnings
from pipelines.sources.json_dumps import OBJECTS, offsets, read_values
from schemas.copy import NO_COPY
from schemas.runs.rejected import Rejected


@dataclass(frozen=True)
class Settings:
    dev_share: float = number(0.1, 0, 0.5)
    test_share: float = number(0.1, 0, 0.5)
    duplicates: bool = False  # whether only one of the recipes with the same letters in their directions is kept
    guard: bool = False  # whether training recipes are dropped that share a title, or three words, with dev or test
    shard_bytes: int = number(SHARD_BYTES, 1)  # approximate bytes of plain JSON lines that one process reads at a time


SAMPLE = """\
{"title": "Oat cakes", "ingredients": ["2 cups oats", "1 egg"], "tags": ["baking"],
 "instructions": ["Beat the egg with the oats.", "Bake the cakes for 20 minutes, until they are golden."]}
"""


class AllRecipes(Source):
    """Read recipes from allrecipes' JSON.

    Their texts copy words of the ingredients.

    Example: allsaid ingest allrecipes --input 'allrecipes-*.jsonl.gz' --output data
    """

    borders = ("copies", "records")
    dedup_reasons = DedupReasons(duplicate="same_directions", title="same_title")
    handling = Handling(
        "HTML entities and fractions are made uniform, and headers of ingredient groups are separated from "
        "ingredients. Recipes under 10 or over 500 tokens are left out, as in Yang et al. 2017. Each token of a recipe "
        "has a pointer to the ingredient token that it copies, or none. If the settings say so, duplicates are left "
        "out, and so are training recipes that are similar to one of dev or test.",
        BY_HASH,
    )
    settings = Settings
    options: ClassVar = {"shard_bytes": "Approximate bytes of a plain file that one process reads at a time."}
    sample: ClassVar = {"recipes.json": SAMPLE}

    def plan(self, paths: Sequence[str], settings: Settings) -> list[Shard]:
        """Return the shards of the files; raise UserError if the first ones have no object."""
        paths = check_beginnings(
            paths,
            OBJECTS,
            "has no recipes as JSON: no object is near its beginning. Give JSON lines, a JSON array or a folder "
            "of JSON files, plain or compressed, as --input.",
        )
        if len(paths) > FILES_ALONE:
            return shards_of(paths)
        return [shard for path in paths for shard in cut(path, settings.shard_bytes, offsets)]

    def read(self, shard: Shard, settings: Settings) -> Iterator[Result]:
        """Yield every record of the shard's files, in their order."""
        is_deferred = self.steps(settings) is not None
        return read_values(shard, lambda element, path: [_result(element, path, settings, is_deferred)])

    def steps(self, settings: Settings) -> Steps | None:
        if not (settings.duplicates or settings.guard):
            return None
        return Steps(settings.dev_share, settings.test_share, settings.duplicates, settings.guard)


def _result(element: Element, path: str, settings: Settings, is_deferred: bool) -> Result:
    if element.fault:
        return Rejected("read", element.fault, element.detail, "", path, element.offset, element.head)
    try:
        parsed = parse(element.value, path, element.offset)
    except RecordFault as fault:
        return Rejected("read", fault.reason, fault.detail, "", path, element.offset, element.head)
    try:
        copied = with_pointers(parsed)
    except RecordFault as fault:
        return Rejected("clean", fault.reason, fault.detail, parsed.recipe.id, path, element.offset, element.head)
    kept = KeptRecord(
        split_of(copied.content_hash, settings.dev_share, settings.test_share),
        {"copies": [copied], "records": [parsed.recipe]},
        figures={
            "tokens": len(copied.tokens),
            "copied_tokens": len(copied.tokens) - copied.copy_items.count(NO_COPY),
            "ingredients": len(parsed.lines),
            "group_headers": parsed.headers,
            "steps": len(parsed.recipe.steps),
            "one_step": int(len(parsed.recipe.steps) == 1),
        },
        words={
            "text": copied.tokens,
            "ingredients": [token for tokens in copied.ingredient_tokens for token in tokens],
        },
    )
    return defer(kept, copied.content_hash, goal_words(copied.title), element.head) if is_deferred else kept
