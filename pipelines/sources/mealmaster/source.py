"""Source of Meal-Master dumps (Kiddon et al. 2016, section 5).

Two recipes are duplicates if their cleaned directions have the same letters and digits. A training recipe is dropped if
its title has the same words as the title of a dev or test recipe, or shares three words with it. Both rules, and the
phrases, need the whole corpus.

Borders: ``examples``; ``records`` holds each recipe that parses, ``phrases`` the table of word2phrase.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from typing import BinaryIO, ClassVar

from allsaid.console import counted
from allsaid.language.text import is_word
from allsaid.settings import number
from allsaid.storage.json_stream import Element
from allsaid.storage.streams import head_of, open_dump, with_content
from pipelines.datasets.statistics import REJECTED
from pipelines.linking.phrases import Pass
from pipelines.recipes import examples
from pipelines.recipes.examples import Prepared, prepare
from pipelines.source import (
    BY_HASH,
    DedupReasons,
    Findings,
    Handling,
    KeptRecord,
    ParsedRow,
    RecordFault,
    RejectedFigures,
    Result,
    Shard,
    Source,
    Steps,
    Unreadable,
)
from pipelines.sources.allrecipes.record import parse as json_recipe
from pipelines.sources.cuts import SHARD_BYTES, cut
from pipelines.sources.json_dumps import OBJECTS, read_values
from pipelines.sources.json_dumps import offsets as json_offsets
from pipelines.sources.mealmaster.dump import RawRecord, split_dump, split_records
from pipelines.sources.mealmaster.passages import Passage
from pipelines.sources.mealmaster.record import ParseFault, parse
from schemas.errors import UserError
from schemas.example import NEW, NO_ITEM, RECIPE_RULES, UNSUPERVISED, USED, Example
from schemas.recipe import Recipe
from schemas.runs.deferred import Deferred
from schemas.runs.manifest import Manifest
from schemas.runs.rejected import HEAD_BYTES, Rejected

SNIFFED = 1 << 16  # bytes of a dump that are read to recognise its kind
MAX_CONTROL = 0.05  # share of control bytes above which a file without a record is binary
OTHER_FORMAT = "other_format"  # reason to reject a recipe between records, written by another program
WITHOUT_END, OUTSIDE = "records without an end line", "bytes outside records"  # figures of the run's report
MAX_PLACES = 3  # places of unread recipes that the warning lists
_CONTROL = bytes({*range(32)} - {*b"\t\n\x0b\x0c\r\x14\x1a"})  # without those that intact dumps contain


@dataclass(frozen=True)
class Settings:
    dev_share: float = number(0.1, 0, 0.5)
    test_share: float = number(0.1, 0, 0.5)
    # Joins "cream cheese" (14.7), not "cold butter" (1); word2phrase's own default is 100.
    phrase_threshold: float = number(12.0, 0)
    phrase_min_count: int = number(5, 0)
    phrase_passes: int = number(2, 0, 5)
    shard_bytes: int = number(SHARD_BYTES, 1)  # least size of a shard of an uncompressed file


SAMPLE = """\
MMMMM----- Recipe via Meal-Master (tm) v8.05

      Title: Braised Leeks
 Categories: Vegetables
      Yield: 4 Servings

      2 tb Olive oil
      1 lb Leeks, sliced

  Warm the olive oil in a wide pan, then stir in the leeks
  and cook them for ten minutes.

MMMMM
"""


class MealMaster(Source):
    """Read recipes from Meal-Master dumps and allrecipes' JSON.

    They are parsed, cleaned, split and linked; phrases are merged.

    Example: allsaid ingest mealmaster --input 'dumps/*.mmf.gz' --output data --direct_num_workers 2
    --direct_running_mode multi_processing
    """

    borders = ("examples",)
    rules: ClassVar = {"examples": RECIPE_RULES}
    dedup_reasons = DedupReasons(duplicate="same_directions", title="same_title")
    handling = Handling(
        "Each record is decoded by the evidence of its bytes. Two-column lists and continued lines are put together "
        "again; amounts, units and preparation are separated from the names of ingredients; signatures, notes and "
        "other lines that are not steps are removed. Duplicates are dropped, and so are training recipes with a title "
        "like that of a dev or test recipe. Words of ingredient names that often follow each other become one token.",
        BY_HASH,
    )
    settings = Settings
    options: ClassVar = {
        "shard_bytes": "About how many bytes of a plain file one process reads at a time.",
    }
    sample: ClassVar = {"recipes.mmf": SAMPLE}

    def plan(self, paths: Sequence[str], settings: Settings) -> list[Shard]:
        """Return one shard per file, several for a large one; raise UserError for a binary file."""
        paths = with_content(paths)
        for path in paths:
            if _share_of_control(path) > MAX_CONTROL and not _has_record(path):
                raise UserError(f"{path} is a binary file, not a dump of recipes. Leave it out of --input.")
        return [
            shard
            for path in paths
            for shard in cut(path, settings.shard_bytes, json_offsets if _is_json(path) else _record_offsets)
        ]

    def read(self, shard: Shard, settings: Settings) -> Iterator[Result]:
        """Yield for each record its parsed recipe, if any, and its result; also report text between the records."""
        if _is_json(shard.file):
            yield from read_values(shard, _json_results)
            return
        dump, stream = open_dump(shard.file, shard.first, shard.last)
        foreign: list[Passage] = []
        records = 0
        with stream:
            parts = split_dump(stream, shard.first)
            part = next(parts, None)
            while part is not None:
                following = next(parts, None)
                if isinstance(part, Passage):
                    foreign += [part] if part.is_recipe else []
                    yield from _passage_results(part, shard.file)
                else:
                    records += 1
                    yield from _results(
                        part, shard.file, is_cut_off=following is None and dump.loss != "" and not part.has_end
                    )
                part = following
        if foreign:
            yield Unreadable(_loss(foreign, shard.file))
        if dump.loss or not (records or foreign):
            yield Unreadable(dump.loss or f"{shard.file} holds no mealmaster recipe.")

    def report(self, manifest: Manifest, folder: str) -> Findings:
        """Return how many records have no end line, and how much text is in no record."""
        figures = manifest.statistics["figures"].get(REJECTED, {})
        found = {name: figures[name]["sum"] for name in (WITHOUT_END, OUTSIDE) if name in figures}
        return Findings(found, [*found.items()], ())

    def steps(self, settings: Settings) -> Steps:
        return Steps(**{name: value for name, value in asdict(settings).items() if name != "shard_bytes"})

    def finish(self, deferred: Deferred, split: str, phrases: Sequence[Pass]) -> KeptRecord:
        """Return the recipe with its phrases joined and linked; raise RecordFault if too few tokens are left."""
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


def _record_offsets(stream: BinaryIO) -> Iterator[int]:
    return (raw.offset for raw in islice(split_records(stream), 1, None))


def _results(raw: RawRecord, file: str, is_cut_off: bool) -> Iterator[Result]:
    head = (raw.header + b"\n" + raw.body)[:HEAD_BYTES]
    if not raw.has_end:
        yield RejectedFigures({WITHOUT_END: 1})
    try:
        if is_cut_off:
            raise ParseFault("cut_off", "The file ends in this record.")
        recipe = parse(raw, file)
    except ParseFault as fault:
        yield Rejected("read", fault.reason, fault.detail, "", file, raw.offset, head)
    else:
        yield ParsedRow("records", recipe)
        yield _cleaned(recipe, head)


def _json_results(element: Element, file: str) -> Iterator[Result]:
    try:
        if element.fault:
            raise RecordFault(element.fault, element.detail)
        recipe = json_recipe(element.value, file, element.offset).recipe
    except RecordFault as fault:
        yield Rejected("read", fault.reason, fault.detail, "", file, element.offset, element.head)
    else:
        yield ParsedRow("records", recipe)
        yield _cleaned(recipe, element.head)


def _passage_results(passage: Passage, file: str) -> Iterator[Result]:
    if passage.is_recipe:
        detail = f"The text between two records looks like a recipe in another format; it begins '{passage.begin}'."
        yield Rejected("read", OTHER_FORMAT, detail, "", file, passage.offset, passage.head)
    else:
        yield RejectedFigures({OUTSIDE: passage.size})


def _loss(passages: Sequence[Passage], file: str) -> str:
    """Return a sentence about recipes in another format."""
    places = ", ".join(f"{passage.offset:,} ('{passage.begin}')" for passage in passages[:MAX_PLACES])
    more = f", and {len(passages) - MAX_PLACES:,} more" if len(passages) > MAX_PLACES else ""
    return (
        f"Text outside the records of {file} looks like {counted(len(passages), 'recipe')} in another format: "
        f"byte {places}{more}. Convert it to Meal-Master's format, or remove it."
    )


def _share_of_control(path: str) -> float:
    head, _ = head_of(path, SNIFFED)
    return (len(head) - len(head.translate(None, _CONTROL))) / max(len(head), 1)


def _is_json(path: str) -> bool:
    return OBJECTS.match(head_of(path, SNIFFED)[0]) is not None


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
    """Return an example's figures: those of Kiddon et al. 2016, section 5, and the number of references by type."""
    return {
        "tokens": len(example.tokens),
        "words": sum(map(is_word, example.tokens)),  # neither punctuation nor line break
        "items": len(example.agenda),
        "linked items": len(set(example.ref_items) - {NO_ITEM}),  # those that a token refers to
        "new": example.ref_types.count(NEW),
        "used": example.ref_types.count(USED),
        "unsupervised": example.ref_types.count(UNSUPERVISED),
    }
