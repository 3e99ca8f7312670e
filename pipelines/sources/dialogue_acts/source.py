"""Dialogue acts with their texts, in the form of RNNLG or as pairs of a meaning representation and a text.

RNNLG (Wen et al. 2015) has one JSON array of ``[act, text, handcrafted text]`` per file, after some lines with ``#``:

    inform(name='red door cafe';pricerange=moderate)    ?request(near)    goodbye()

A record is the text between two brackets; a damaged one ends at the next ``[``, so that no other record is lost. Files
whose name ends with ``.csv`` are pairs (`pairs.py`). The name of a file contains its split. Repeated entries are legal:
an id is a hash of the file's folder and name, the entry, and the number of equal entries before it in the file.

Borders: ``examples`` (goal: the act type; agenda: the slots) and ``acts``.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import PurePosixPath
from typing import BinaryIO, ClassVar

from allsaid.language.code_pages import decode, readable
from allsaid.language.word_table import WORDS
from allsaid.storage.streams import open_dump, with_content
from pipelines.linking.acts import ActText, figures, keywords, normalise_slots, parse_act, rows
from pipelines.linking.delex import items_of
from pipelines.linking.splits import split_named
from pipelines.source import AS_GIVEN, Handling, KeptRecord, NoSettings, RecordFault, Result, Shard, Source, Unreadable
from pipelines.sources.dialogue_acts import pairs
from schemas.act import Slot, agenda_line
from schemas.errors import UserError
from schemas.example import GIVEN_SPLIT_RULES
from schemas.runs.rejected import HEAD_BYTES, Rejected

MAX_RECORD = 1 << 16  # bytes; a longer one is rejected

_GAP = re.compile(rb"(?:[\s,\]]|#[^\n]*\n)*+")
# Between brackets only strings hold brackets; a line break ends a string whose quote is lost.
_RECORD = re.compile(rb'\[[^\[\]"]*(?:"(?:[^"\\\n]|\\.)*+"[^\[\]"]*)*+\]')
_BROKEN = re.compile(rb'.(?:"(?:[^"\\\n]|\\.)*+["\n]|[^\["]|"(?=[^"\n]*\Z))*+', re.DOTALL)


def split_of_file(path: str) -> str:
    """Return the split that a file's name contains; raise UserError if it contains none, or two."""
    found = split_named(path)
    if not found:
        raise UserError(
            f"{path} does not show the split of its acts. Its name should contain one of train, valid, dev, test."
        )
    return found


SAMPLE = """\
# [act, text, the text of a system with rules]
[["inform(name='red door';food=thai)", "red door serves thai food .", "red door is a thai place ."],
 ["?request(area)", "what part of town ?", "which area ?"]]
"""


class DialogueActs(Source):
    """Read dialogue acts with their texts (RNNLG, ViGGO, E2E).

    Example: allsaid ingest dialogue-acts --input 'hotel/*.json' --output data
    """

    borders = ("examples", "acts")
    rules: ClassVar = {"examples": GIVEN_SPLIT_RULES}
    handling = Handling(
        "Texts are put into lower case, single blanks and one spelling of the words that a table lists. Slot values "
        "become placeholders; what these do not determine is stored, so that the text can be given back exactly.",
        AS_GIVEN,
    )
    sample: ClassVar = {"train.json": SAMPLE}

    def plan(self, paths: Sequence[str], settings: NoSettings) -> list[Shard]:
        """Return one shard for each file; raise UserError if the name of one does not contain its split."""
        paths = with_content(paths)
        for path in paths:
            split_of_file(path)
        return [Shard((path,)) for path in paths]

    def survey(self, shard: Shard, settings: NoSettings) -> Counter[tuple[str, str]]:
        """Count the values of the slots of pairs; they decide which slots hold lists."""
        if not _is_of_pairs(shard.file):
            return Counter()
        entries = (entry for _, _, entry in _pairs(shard.file) if isinstance(entry, Entry))
        return Counter((slot.slot, slot.value) for entry in entries for slot in entry.slots)

    def read(
        self, shard: Shard, settings: NoSettings, surveyed: Counter[tuple[str, str]] | None = None
    ) -> Iterator[Result]:
        """Yield the records of one file: kept with their rows, or rejected with the reason."""
        split, name = split_of_file(shard.file), "/".join(shard.file.split("/")[-2:])
        seen: Counter[int] = Counter()
        lists = pairs.list_slots(surveyed or Counter())
        for offset, head, entry in (_pairs if _is_of_pairs(shard.file) else _arrays)(shard.file):
            if isinstance(entry, str):
                yield Unreadable(entry)
                continue
            try:
                if isinstance(entry, RecordFault):
                    raise entry
                identity = _identity(name, entry, seen)
                act_text = act_text_of(
                    replace(entry, slots=pairs.split_lists(entry.slots, lists)), identity, shard.file, offset
                )
            except RecordFault as fault:
                yield Rejected("read", fault.reason, str(fault), "", shard.file, offset, head[:HEAD_BYTES])
                continue
            example, act = rows(act_text, WORDS)
            words = {"text": example.tokens, "agenda": [item.token for item in act_text.items]}
            yield KeptRecord(split, {"examples": [example], "acts": [act]}, figures(example, act_text.items), words)


@dataclass(frozen=True)
class Entry:
    """An act with its text, as a file has it."""

    act: str
    goal: str
    slots: Sequence[Slot]  # values as written
    text: str
    handcrafted: str = ""


# A record as offset, bytes and entry; or a fault of the record; or a sentence about lost input.
Record = tuple[int, bytes, Entry | RecordFault | str]


def _is_of_pairs(path: str) -> bool:
    return PurePosixPath(path).name.lower().endswith((".csv", ".csv.gz", ".csv.bz2", ".csv.zst"))


def _arrays(path: str) -> Iterator[Record]:
    """Yield the records of a file of RNNLG."""
    dump, stream = open_dump(path)
    with stream:
        for offset, data in cut(stream):
            if not data:
                yield offset, data, f"{path} ends at byte {offset:,} before its array does; the rest is lost."
                continue
            try:
                act, text, handcrafted = parse(data)
                yield offset, data, Entry(act, *parse_act(act), text, handcrafted)
            except RecordFault as fault:
                yield offset, data, fault
    if dump.loss:
        yield 0, b"", dump.loss


def _pairs(path: str) -> Iterator[Record]:
    """Yield the records of a file of pairs; raise UserError if its header lacks a column."""
    dump, stream = open_dump(path)
    with stream:
        columns: dict[str, int] = {}
        for offset, data in pairs.cut_rows(stream):
            try:
                cells = pairs.cells_of(data)
                if not columns:
                    columns = {name.strip(): place for place, name in enumerate(cells)}
                    if not {pairs.MR, pairs.REF} <= columns.keys():
                        raise UserError(
                            f"{path} has no columns '{pairs.MR}' and '{pairs.REF}' in line 1. If it is your own "
                            "table, use `allsaid ingest records`."
                        )
                    continue
                act, text = pairs.pair_of(cells, columns)
                yield offset, data, Entry(act, *pairs.parse(act), text)
            except RecordFault as fault:
                yield offset, data, fault
    if dump.loss:
        yield 0, b"", dump.loss


def cut(stream: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """Yield the records of an array with their offsets; anything else between them is a record that can't be parsed.

    If the array is not closed, the last record has no bytes.
    """
    data, offset, ended, closed = b"", 0, False, False  # offset of data[0]
    position = 0
    while True:
        gap = _GAP.match(data, position)
        start = position = gap.end() if gap else position
        closed = closed or (gap is not None and b"]" in gap[0])
        record = _RECORD.match(data, start)
        if record is None and not ended and len(data) - start < MAX_RECORD:
            chunk = stream.read(MAX_RECORD)
            ended = not chunk
            data, offset, position = data[start:] + chunk, offset + start, 0
            continue
        found = record or _BROKEN.match(data, start)
        if found is None:
            if not closed:
                yield offset + start, b""
            return
        closed, position = False, found.end()
        if found[0].strip(b"[ \t\r\n,"):  # not the bracket that opens the array
            yield offset + start, found[0]


def parse(data: bytes) -> tuple[str, str, str]:
    """Return act, text and handcrafted text of a record; raises RecordFault."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        text = decode(data)[0]
    try:
        entry = json.loads(text)
    except (ValueError, RecursionError) as fault:
        raise RecordFault("bad_json", f"The record is not a JSON array: {fault}.") from fault
    if not (isinstance(entry, list) and len(entry) == 3 and all(isinstance(part, str) for part in entry)):
        raise RecordFault("not_three_texts", "The record should be an array of act, text and handcrafted text.")
    act, reference, handcrafted = map(readable, entry)
    return act, reference, handcrafted


def _identity(name: str, entry: Entry, seen: Counter[int]) -> str:
    """Return 16 hex digits: the hash of the file's folder and name, the entry, and the number of equal ones before."""
    content = blake2b("\x1f".join((name, entry.act, entry.text, entry.handcrafted)).encode(), digest_size=8)
    number = int.from_bytes(content.digest(), "big")
    seen[number] += 1
    content.update(b"\x1f%d" % seen[number])
    return content.hexdigest()


def act_text_of(entry: Entry, id: str, file: str, offset: int) -> ActText:
    """Return an entry's act and text, ready to be linked; raise RecordFault if there is no text."""
    if not any(map(str.isalnum, entry.text)):
        raise RecordFault("no_text", f"The act {entry.act[:80]} has no text.")
    slots = normalise_slots(entry.slots, WORDS)
    return ActText(
        id=id,
        goal=entry.goal,
        goal_tokens=[entry.goal],
        agenda=[agenda_line(slot) for slot in entry.slots],
        slots=slots,
        items=items_of(slots),
        keywords=[keywords(slot.slot) for slot in slots],
        text=entry.text,
        file=file,
        offset=offset,
        handcrafted=entry.handcrafted,
    )
