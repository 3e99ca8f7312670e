"""Meal-Master dumps: recipes whose duplicates, guard and phrases need the whole corpus (Kiddon et al. 2016, section 5).

A duplicate has the same letters and digits in its cleaned directions. A training recipe is guarded against whose title
has the same words as one of dev or test, or three of its words.

Borders: ``examples``; ``records`` holds each recipe that parses, ``phrases`` the table of word2phrase.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from typing import BinaryIO, ClassVar

from allsaid.language.text import is_word
from allsaid.settings import number
from allsaid.storage.streams import head_of, open_dump, with_content
from pipelines.linking.phrases import Pass
from pipelines.recipes import examples
from pipelines.recipes.examples import Prepared, prepare
from pipelines.source import (
    BY_HASH,
    DedupReasons,
    Handling,
    KeptRecord,
    ParsedRow,
    RecordFault,
    Result,
    Shard,
    Source,
    Steps,
    Unreadable,
)
from pipelines.sources.cuts import SHARD_BYTES, cut
from pipelines.sources.mealmaster.dump import ParseFault, parse, split_records
from schemas.errors import UserError
from schemas.example import NEW, NO_ITEM, RECIPE_RULES, UNSUPERVISED, USED, Example
from schemas.recipe import Recipe
from schemas.runs.deferred import Deferred
from schemas.runs.rejected import HEAD_BYTES, Rejected

SNIFFED = 1 << 16  # bytes of a dump that are looked at before the run
MAX_CONTROL = 0.05  # share of control bytes above which a file without a record is binary
_TEXT_CONTROL = frozenset(b"\t\n\x0b\x0c\r\x14\x1a")  # control bytes that dumps of the time use


@dataclass(frozen=True)
class Settings:
    dev_share: float = number(0.1, 0, 0.5)
    test_share: float = number(0.1, 0, 0.5)
    # Joins "cream cheese" (14.7), not "cold butter" (1); word2phrase's own default is 100.
    phrase_threshold: float = number(12.0, 0)
    phrase_min_count: int = number(5, 0)
    phrase_passes: int = number(2, 0, 5)
    shard_bytes: int = number(SHARD_BYTES, 1)  # of a plain file, about what one process reads at a time


class MealMaster(Source):
    """Read recipes from Meal-Master dumps.

    They are parsed, cleaned, split and linked; phrases are merged.

    Example: allsaid ingest mealmaster --input 'dumps/*.mmf.gz' --output data --direct_num_workers 2
    --direct_running_mode multi_processing
    """

    borders = ("examples",)
    rules: ClassVar = {"examples": RECIPE_RULES}
    dedup_reasons = DedupReasons(duplicate="same_directions", title="same_title")
    handling = Handling(
        "Each record is decoded by the evidence of its bytes. Two-column lists and continued lines are put together "
        "again; amounts, units and preparation are taken off the names of ingredients; signatures, notes and other "
        "lines that are no step go. Duplicates are left out, and so are training recipes that look like one of dev or "
        "test. Words of ingredient names that often stand side by side become one token.",
        BY_HASH,
    )
    settings = Settings
    options: ClassVar = {
        "shard_bytes": "About how many bytes of a plain file one process reads at a time.",
    }

    def plan(self, paths: Sequence[str], settings: Settings) -> list[Shard]:
        """One shard a file, or several of a large one; refuses binary files before any work is done."""
        paths = with_content(paths)
        for path in paths:
            if _share_of_control(path) > MAX_CONTROL and not _has_record(path):
                raise UserError(f"{path} is a binary file, not a dump of recipes. Leave it out of --input.")
        return [shard for path in paths for shard in cut(path, settings.shard_bytes, _borders)]

    def read(self, shard: Shard, settings: Settings) -> Iterator[Result]:
        """For each record its recipe, if it parses, then what became of it."""
        dump, stream = open_dump(shard.file, shard.first, shard.last)
        with stream:
            raws = split_records(stream, shard.first)
            is_empty = (raw := next(raws, None)) is None
            while raw is not None:
                following = next(raws, None)
                head = (raw.header + b"\n" + raw.body)[:HEAD_BYTES]
                try:
                    if following is None and dump.loss:
                        raise ParseFault("cut_off", "The file ends in this record.")
                    recipe = parse(raw, shard.file)
                except ParseFault as fault:
                    yield Rejected("read", fault.reason, fault.detail, "", shard.file, raw.offset, head)
                else:
                    yield ParsedRow("records", recipe)
                    yield _cleaned(recipe, head)
                raw = following
        if dump.loss or is_empty:
            yield Unreadable(dump.loss or f"{shard.file} holds no mealmaster recipe.")

    def steps(self, settings: Settings) -> Steps:
        return Steps(**{name: value for name, value in asdict(settings).items() if name != "shard_bytes"})

    def finish(self, deferred: Deferred, split: str, phrases: Sequence[Pass]) -> KeptRecord:
        """The recipe with its phrases joined and linked; raises RecordFault where joining leaves too few tokens."""
        goal, agenda, text, surface = json.loads(deferred.record)
        prepared = Prepared(
            id=deferred.id,
            content_hash=deferred.content_hash,
            goal=goal,
            goal_tokens=deferred.title,
            agenda=agenda,
            agenda_words=deferred.names,
            text=text,
            surface=surface,
            file=deferred.file,
            offset=deferred.offset,
        )
        example = examples.finish(prepared, phrases)
        words = {"text": example.tokens, "title": example.goal_tokens}
        return KeptRecord(split, {"examples": [example]}, _figures(example), words)


def _borders(stream: BinaryIO) -> Iterator[int]:
    return (raw.offset for raw in islice(split_records(stream), 1, None) if raw.is_apart)


def _share_of_control(path: str) -> float:
    head, _ = head_of(path, SNIFFED)
    return sum(byte < 32 and byte not in _TEXT_CONTROL for byte in head) / max(len(head), 1)


def _has_record(path: str) -> bool:
    _, stream = open_dump(path)
    with stream:
        return next(split_records(stream), None) is not None


def _cleaned(recipe: Recipe, head: bytes) -> Deferred | Rejected:
    try:
        prepared = prepare(recipe)
    except RecordFault as fault:
        return Rejected("clean", fault.reason, fault.detail, recipe.id, recipe.file, recipe.offset, head)
    return Deferred(
        id=prepared.id,
        content_hash=prepared.content_hash,
        same=prepared.content_hash,
        title=prepared.goal_tokens,
        names=prepared.agenda_words,
        record=json.dumps((prepared.goal, prepared.agenda, prepared.text, prepared.surface)),
        file=recipe.file,
        offset=recipe.offset,
        head=head,
    )


def _figures(example: Example) -> dict[str, int]:
    """The figures of section 5 of Kiddon et al. 2016 for one example, and how many references each type has."""
    return {
        "tokens": len(example.tokens),
        "words": sum(map(is_word, example.tokens)),  # neither punctuation nor line break
        "items": len(example.agenda),
        "linked items": len(set(example.ref_items) - {NO_ITEM}),  # those that a token refers to
        "new": example.ref_types.count(NEW),
        "used": example.ref_types.count(USED),
        "unsupervised": example.ref_types.count(UNSUPERVISED),
    }
