"""Dialogue acts in the form of RNNLG (Wen et al. 2015): ``[act, text, handcrafted text]`` in one JSON array a file.

    inform(name='red door cafe';pricerange=moderate)    ?request(near)    goodbye()

Some lines with ``#`` stand before the array. The array is read record by record: a record is what stands between two
brackets, or begins where the next ``[`` stands, so that a damaged one costs itself only. The split is that of the
file's name. Entries that occur twice are legitimate: an id is made of the file's folder and name, the entry and how
often it stood in this file before.

Borders: ``examples`` (goal: the act type; agenda: the slots) and ``acts``.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import BinaryIO, ClassVar

from allsaid.language.code_pages import decode, without_c1
from allsaid.language.word_table import WORDS
from allsaid.storage.streams import open_dump, with_content
from pipelines.linking.acts import Told, figures, keywords, normalise_slots, parse_act, rows
from pipelines.linking.delex import items_of
from pipelines.linking.splits import split_named
from pipelines.source import AS_GIVEN, Handling, Kept, Lost, RecordFault, Result, Shard, Source
from schemas.act import agenda_line
from schemas.errors import UserError
from schemas.example import GIVEN_SPLIT_RULES
from schemas.runs.rejected import HEAD_BYTES, Rejected

MAX_RECORD = 1 << 16  # bytes; a longer one is rejected

_GAP = re.compile(rb"(?:[\s,\]]|#[^\n]*\n)*+")
# Between brackets only strings hold brackets; a line break ends a string whose quote is lost.
_RECORD = re.compile(rb'\[[^\[\]"]*(?:"(?:[^"\\\n]|\\.)*+"[^\[\]"]*)*+\]')
_BROKEN = re.compile(rb'.(?:"(?:[^"\\\n]|\\.)*+["\n]|[^\["]|"(?=[^"\n]*\Z))*+', re.DOTALL)


@dataclass(frozen=True)
class Settings:
    """This source has no settings: its files say all."""


def split_of_file(path: str) -> str:
    """The split that a file's name tells; raises UserError where it tells none, or two."""
    found = split_named(path)
    if not found:
        raise UserError(
            f"{path} does not tell the split of its dialogue acts. Its name should hold one of train, valid, dev, test."
        )
    return found


class DialogueActs(Source):
    """Read the dialogue acts of RNNLG: slots become placeholders.

    Example: allsaid ingest dialogue-acts --input 'hotel/*.json' --output data
    """

    borders = ("examples", "acts")
    rules: ClassVar = {"examples": GIVEN_SPLIT_RULES}
    handling = Handling(
        "Texts are put into lower case, single blanks and one spelling of the words that a table lists. Slot values "
        "become placeholders; what these do not determine is stored, so that the text can be given back exactly.",
        AS_GIVEN,
    )
    settings = Settings

    def plan(self, paths: Sequence[str], settings: Settings) -> list[Shard]:
        """One shard a file."""
        for path in paths:
            split_of_file(path)
        return [Shard((path,)) for path in with_content(paths)]

    def read(self, shard: Shard, settings: Settings) -> Iterator[Result]:
        """The records of one file: kept with their rows, or rejected with the reason."""
        split, name = split_of_file(shard.file), "/".join(shard.file.split("/")[-2:])
        seen: Counter[int] = Counter()
        dump, stream = open_dump(shard.file)
        with stream:
            for offset, data in cut(stream):
                if not data:
                    yield Lost(
                        f"{shard.file} ends at byte {offset:,} before its array does; what stood behind is lost."
                    )
                    continue
                try:
                    entry = parse(data)
                    identity = _identity(name, entry, seen)
                    told = tell(*entry, id=identity, file=shard.file, offset=offset)
                except RecordFault as fault:
                    yield Rejected("read", fault.reason, str(fault), "", shard.file, offset, data[:HEAD_BYTES])
                    continue
                example, act = rows(told, WORDS)
                words = {"text": example.tokens, "agenda": [item.token for item in told.items]}
                yield Kept(split, {"examples": [example], "acts": [act]}, figures(example, told.items), words)
        if dump.loss:
            yield Lost(dump.loss)


def cut(stream: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """The records of an array with their offsets; what else stands between them comes as one that won't parse.

    At the end comes, as a record of no bytes, that the array was not closed.
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
    """Act, text and handcrafted text of a record; raises RecordFault."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        text = decode(data)[0]
    try:
        entry = json.loads(text)
    except (ValueError, RecursionError) as fault:
        raise RecordFault("bad_json", f"The record is no JSON array: {fault}.") from fault
    if not (isinstance(entry, list) and len(entry) == 3 and all(isinstance(part, str) for part in entry)):
        raise RecordFault("not_three_texts", "The record should be an array of act, text and handcrafted text.")
    if not text.isascii() or "\\u" in text:
        entry = [without_c1(part.encode("utf-16", "surrogatepass").decode("utf-16", "replace")) for part in entry]
    act, said, handcrafted = entry
    return act, said, handcrafted


def _identity(name: str, entry: tuple[str, str, str], seen: Counter[int]) -> str:
    """16 hex digits of the file's folder and name, the entry, and how often it stood in the file before."""
    content = blake2b("\x1f".join((name, *entry)).encode(), digest_size=8)
    number = int.from_bytes(content.digest(), "big")
    seen[number] += 1
    content.update(b"\x1f%d" % seen[number])
    return content.hexdigest()


def tell(act: str, text: str, handcrafted: str, id: str, file: str, offset: int) -> Told:
    """The parts of an entry, ready for supervision; raises RecordFault where the act does not parse or no text is."""
    goal, written = parse_act(act)
    if not any(map(str.isalnum, text)):
        raise RecordFault("no_text", f"The act {act[:80]} has no text.")
    slots = normalise_slots(written, WORDS)
    return Told(
        id=id,
        goal=goal,
        goal_tokens=[goal],
        agenda=[agenda_line(slot) for slot in written],
        slots=slots,
        items=items_of(slots),
        spoken=[keywords(slot.slot) for slot in slots],
        text=text,
        file=file,
        offset=offset,
        handcrafted=handcrafted,
    )
