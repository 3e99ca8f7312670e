"""A user's own conversations, one row per turn, and the table of offers that they are about.

A record is a dialogue: adjacent rows with one name. Its references to the table are found by its words alone
(`linking.py`). A survey finds the tokens that only one fold has, and dialogues whose rows are not adjacent.

Borders: ``dialogues``, ``offers`` (the table).
"""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import ClassVar

from allsaid.settings import number
from allsaid.storage.streams import with_content
from pipelines.linking.folds import FoldTokens, fold_of
from pipelines.linking.offers import figures
from pipelines.linking.splits import content_hash, split_of
from pipelines.source import (
    BY_HASH,
    Findings,
    Handling,
    KeptRecord,
    RecordFault,
    Result,
    Shard,
    SharedRow,
    Source,
    Unreadable,
)
from pipelines.sources.dialogues.conversations import Conversation, conversations, turns_of
from pipelines.sources.dialogues.linking import Linker
from pipelines.sources.dialogues.mapping import DialogueMapping, load_mapping
from pipelines.sources.dialogues.report import mentions, report_of
from pipelines.sources.dialogues.table import OfferTable, load_offers
from pipelines.sources.records.tables.encoding import check_encoding
from pipelines.sources.records.tables.layout import Layout, Row, TableFault
from pipelines.sources.records.tables.rows import JSON_LINES, look, place_of, read_table
from schemas.dialogue import Dialogue
from schemas.errors import UserError
from schemas.runs.manifest import Manifest
from schemas.runs.rejected import HEAD_BYTES, Rejected

Surveyed = Counter[tuple[str, str, str]]  # ("dialogue", name, file) -> times, ("token", fold, token)


@dataclass(frozen=True)
class Settings:
    table: str = ""  # path of the table of offers
    mapping: str = ""  # path of the YAML file that names the columns; "" for the default names
    dev_share: float = number(0.1, 0, 0.5)
    test_share: float = number(0.1, 0, 0.5)
    encoding: str = ""  # of text files; "": found from their bytes


CONVERSATIONS = """\
dialogue,speaker,text
1,guest,"A room with a view of the sea, please."
1,machine,The Harbour Inn has 3 rooms with a sea view.
"""
TABLE = """\
hotel,view,rooms
Harbour Inn,sea,3
Alder House,garden,5
"""


class Dialogues(Source):
    """Read your own conversations with their table of offers.

    Both are CSV, Excel, JSON lines or Parquet; a row of conversations is a turn, with the columns dialogue, speaker
    and text.

    Example: allsaid ingest dialogues --input conversations.csv --table offers.csv --output data
    """

    borders = ("dialogues", "offers")
    is_table = True
    handling = Handling(
        "Cells of the columns that name a row of the table become one token each in the turns. Adjacent rows of one "
        "speaker are one turn; if the user begins, the machine's first turn is empty.",
        BY_HASH + " Five folds by the dialogue's name are in a column.",
    )
    settings = Settings
    options: ClassVar = {
        "table": "The table of offers, with any columns; required.",
        "mapping": "A YAML file that names the columns and the machine.",
        "encoding": "Encoding of text tables, such as cp1252. [default: found from their bytes]",
    }
    sample: ClassVar = {"conversations.csv": CONVERSATIONS, "table.csv": TABLE}

    def plan(self, paths: Sequence[str], settings: Settings) -> list[Shard]:
        """Return a shard for the table and for each file of conversations.

        Raises UserError if there is no table of offers, or if no file has the columns of conversations.
        """
        if not settings.table:
            raise UserError(
                "The option --table is missing, the table of offers that the dialogues are about. "
                "Usage: allsaid ingest dialogues --input FILES --table FILE --output FOLDER"
            )
        mapping = load_mapping(settings.mapping)
        encoding = _table(settings, mapping).encoding
        beside = (settings.table, settings.mapping) if settings.mapping else (settings.table,)
        paths = [path for path in paths if posixpath.normpath(path) not in map(posixpath.normpath, beside)]
        if not paths:
            raise UserError("--input names the table of offers alone. Give the file of conversations.")
        shards, faults = [Shard(beside, encoding=encoding)], []
        for path in with_content(paths, zips=True):
            shard = Shard((path, *beside))
            try:
                shard = replace(shard, encoding=_layout(shard, mapping, settings).encoding)
            except TableFault as fault:
                faults.append(str(fault))
            shards.append(shard)
        if len(faults) == len(shards) - 1:
            raise UserError(faults[0])
        return shards

    def survey(self, shard: Shard, settings: Settings) -> Surveyed:
        """Count the places of each dialogue and the tokens of each fold, also of dialogues that are rejected later."""
        found: Surveyed = Counter()
        if shard.file == settings.table:
            return found
        mapping = load_mapping(settings.mapping)
        linker = Linker(_table(settings, mapping))
        for row in _conversations(shard, mapping, settings):
            if isinstance(row, Conversation):
                found["dialogue", row.name, shard.file] += 1
                found.update(("token", str(fold_of(row.name)), token) for token in _tokens(row, mapping, linker))
        return found

    def read(self, shard: Shard, settings: Settings, surveyed: Surveyed | None = None) -> Iterator[Result]:
        """Yield the dialogues of a file; for the table, its offers."""
        mapping = load_mapping(settings.mapping)
        table = _table(settings, mapping)
        if shard.file == settings.table:
            yield from (SharedRow("offers", offer) for offer in table.offers)
            yield from map(Unreadable, table.losses)
            return
        corpus, linker = _Corpus.of(surveyed or Counter()), Linker(table)
        for row in _conversations(shard, mapping, settings):
            if isinstance(row, str):
                yield Unreadable(row)
            elif isinstance(row, Row):
                yield Rejected("read", row.reason, row.detail, "", shard.file, row.offset, row.head)
            else:
                try:
                    _check_place(row, corpus, mapping)
                    yield _kept(row, shard.file, mapping, settings, linker, corpus)
                except RecordFault as fault:
                    head = row.head[:HEAD_BYTES]
                    yield Rejected("read", fault.reason, fault.detail, row.name, shard.file, row.offset, head)

    def place_of(self, file: str, offset: int) -> str:
        return place_of(file, offset)

    def report(self, manifest: Manifest, folder: str) -> Findings:
        return report_of(manifest, folder)


def _table(settings: Settings, mapping: DialogueMapping) -> OfferTable:
    return load_offers(settings.table, mapping, check_encoding(settings.encoding))


def _layout(shard: Shard, mapping: DialogueMapping, settings: Settings) -> Layout:
    """Return the layout of a file of conversations; raise TableFault for another file."""
    path = shard.file
    layout = look(path, encoding=shard.encoding or check_encoding(settings.encoding))
    lacking = [name for name in mapping.columns if name not in layout.columns]
    if lacking:
        key = next(key for key in ("dialogue", "speaker", "text") if getattr(mapping, key) == lacking[0])
        raise TableFault(
            f"{path} lacks the column '{lacking[0]}'. Its columns are: {', '.join(layout.columns)}. "
            f"Write `{key}: NAME` with the right one into a YAML file, and give it with --mapping."
        )
    if layout.kind != JSON_LINES and next(iter(read_table(path, layout)), None) is None:
        raise TableFault(f"{path} has a header, but no row. Give a file that has rows.")
    return layout


def _conversations(shard: Shard, mapping: DialogueMapping, settings: Settings) -> Iterator[Conversation | Row | str]:
    try:
        layout = _layout(shard, mapping, settings)
    except TableFault as fault:
        yield str(fault)
    else:
        yield from conversations(read_table(shard.file, layout), mapping)


def _tokens(conversation: Conversation, mapping: DialogueMapping, linker: Linker) -> set[str]:
    try:
        turns = turns_of(conversation, mapping)
    except RecordFault:
        return set()
    return {token for linked in linker.link(turns) for token in linked.tokens}


@dataclass(frozen=True)
class _Corpus:
    """The survey of all shards."""

    places: dict[str, Counter[str]] = field(default_factory=dict)  # dialogue -> file -> times
    tokens: FoldTokens = field(default_factory=FoldTokens)

    @classmethod
    def of(cls, surveyed: Surveyed) -> _Corpus:
        corpus = cls()
        for entry, times in surveyed.items():
            match entry:
                case "token", fold, token:
                    corpus.tokens.add(int(fold), token)
                case _, dialogue, file:
                    corpus.places.setdefault(dialogue, Counter())[file] += times
        return corpus


def _check_place(conversation: Conversation, corpus: _Corpus, mapping: DialogueMapping) -> None:
    """Raise RecordFault if rows of the dialogue are in another place, too."""
    places = corpus.places[conversation.name]
    if places.total() > 1:
        raise RecordFault(
            "rows_apart",
            f"The rows of the dialogue '{conversation.name[:80]}' are not adjacent, but in {places.total()} places of "
            f"{', '.join(sorted(places))}. Sort them by '{mapping.dialogue}', and give dialogues of different files "
            "different names.",
        )


def _kept(
    conversation: Conversation, file: str, mapping: DialogueMapping, settings: Settings, linker: Linker, corpus: _Corpus
) -> KeptRecord:
    """Return the row of a dialogue; raises RecordFault."""
    fold, spoken = fold_of(conversation.name), turns_of(conversation, mapping)
    is_new = partial(corpus.tokens.is_new, fold)
    linked = linker.link(spoken)
    content = content_hash("".join(filter(str.isalnum, "".join(turn.text for turn in linked))))
    turns = [
        replace(turn.turn(speaker, is_new), text=text) for (speaker, text), turn in zip(spoken, linked, strict=True)
    ]
    row = Dialogue(conversation.name, content, fold, "", turns, file, conversation.offset)
    tokens = [token for turn in turns for token in turn.tokens]
    return KeptRecord(
        split_of(content, settings.dev_share, settings.test_share),
        {"dialogues": [row]},
        figures(turns, linker.table.naming) | mentions(turns, linker.table.offers),
        {"dialogue": tokens},
    )
