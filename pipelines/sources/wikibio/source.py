"""WikiBio (Lebret et al. 2016): infoboxes and the sentences that begin their articles, pure Python and streaming.

``train``, ``valid`` and ``test`` each have ``.box``, ``.sent`` and ``.nb`` files, in a folder or in the zip archive. If
``.nb`` and ``.sent`` disagree, the wrong box is unknown: sentences are assigned from the beginning, boxes without any
left are rejected, and the disagreement is reported as a loss. A bad number counts as one sentence if the files then
agree; if not, the boxes after it are rejected.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import ClassVar

from allsaid.settings import number
from allsaid.storage.archives import Archive
from pipelines.lines import Lines
from pipelines.source import AS_GIVEN, Handling, KeptRecord, RecordFault, Result, Shard, Source, Unreadable
from pipelines.sources.wikibio.box import MAX_OCCURRENCES, describe, inner_stops, parse_table, table_words
from pipelines.sources.wikibio.lines import open_at, sentences_of
from pipelines.sources.wikibio.plan import FURTHER, Slice, slices
from schemas.box import Box
from schemas.runs.rejected import HEAD_BYTES, Rejected

MAX_SENTENCES = 1 << 20  # bytes of all sentences of a box


@dataclass(frozen=True)
class Settings:
    boxes_per_shard: int = number(10_000, 1)  # boxes that one process reads at a time


class WikiBio(Source):
    """Read the biographies of WikiBio.

    They become boxes with positions and the sentences' table occurrences.

    Example: allsaid ingest wikibio --input wikipedia-biography-dataset.zip --output data
    """

    borders = ("boxes",)
    handling = Handling(
        "Tokens are the corpus's own. Numbers and years are mapped to one token each; the originals are in a column of "
        "their own.",
        AS_GIVEN,
    )
    settings = Settings
    sample: ClassVar = {
        "train/train.box": "name_1:mary\tname_2:alder\tbirth_date_1:1850\tteams:<none>\n",
        "train/train.sent": "mary alder was born in 1850 .\n",
        "train/train.nb": "1\n",
        "train/train.id": "1000\n",
        "train/train.title": "mary alder\n",
    }

    def plan(self, paths: Sequence[str], settings: Settings) -> list[Shard]:
        """Cut the corpus into ranges of boxes; raise UserError for another corpus."""
        return [*slices(paths, settings.boxes_per_shard)]

    def read(self, shard: Shard, settings: Settings) -> Iterator[Result]:
        """Yield each box of a slice, kept or rejected."""
        assert isinstance(shard, Slice)
        yield from map(Unreadable, shard.losses)
        with ExitStack() as opened:
            archive = opened.enter_context(Archive(shard.files)) if shard.packed else None
            lines = {}
            for kind, name, start in zip(shard.kinds, shard.names, shard.starts, strict=True):
                first = shard.sentence if kind == "sent" else shard.first
                stream = opened.enter_context(open_at(archive, name, start)[0])
                lines[kind] = Lines(stream, PurePosixPath(name).name, start, first)
            file = f"{shard.file}/{shard.names[0]}" if shard.packed else shard.file
            for place in range(shard.first, shard.last or 0):
                yield _next(lines, file, shard, place)


def _next(lines: dict[str, Lines], file: str, shard: Slice, place: int) -> KeptRecord | Rejected:
    """Return the next box; its lines are read from every file, whether it is kept or not."""
    offset = lines["box"].offset
    line = lines["box"].next() or b""
    further = {kind: lines[kind].next() or b"" for kind in FURTHER if kind in lines}
    taken = _take_sentences(lines, place, shard.aligned)
    try:
        if isinstance(taken, RecordFault):
            raise taken
        columns = {kind: lines[kind].text(value).strip() for kind, value in further.items()}
        return _keep(lines["box"], line, taken, columns, shard.split, file, offset)
    except RecordFault as fault:
        return Rejected("read", fault.reason, fault.detail, "", file, offset, line[:HEAD_BYTES])


def _take_sentences(lines: dict[str, Lines], place: int, aligned: int) -> list[str] | RecordFault:
    """Return the sentences of the next box, at least one and none empty, or the fault."""
    numbers, sentences = lines["nb"], lines["sent"]
    line = numbers.next()
    if place > aligned:
        detail = f"The sentences of box {place + 1:,} are unknown: line {aligned + 1:,} of {numbers.name} is no number."
        return RecordFault("unaligned", detail)
    if line is None:
        return RecordFault("no_number", f"{numbers.name} has no line {numbers.number:,}.")
    count = sentences_of(line)
    fault = None
    if count is None:
        fault = RecordFault("bad_number", f"{numbers.where} is no number of sentences: {line[:40]!r}.")
    elif not count:
        fault = RecordFault("no_sentences", f"{numbers.where} is 0.")
    texts: list[str] = []
    size = 0
    for _ in range(1 if count is None else count):
        raw = sentences.next()
        if raw is None:
            return fault or RecordFault("sentences_missing", f"{sentences.name} has no line {sentences.number:,}.")
        size += len(raw)
        if fault is None:
            fault = _check_sentence(sentences, raw, size, texts)
    return fault or texts


def _check_sentence(sentences: Lines, raw: bytes, size: int, texts: list[str]) -> RecordFault | None:
    """Append the text of a line of ``.sent``, or return its fault."""
    if size > MAX_SENTENCES:
        return RecordFault("too_large", f"The sentences up to {sentences.where} have over {MAX_SENTENCES:,} bytes.")
    try:
        texts.append(sentences.text(raw))
    except RecordFault as fault:
        return fault
    return None if texts[-1].strip() else RecordFault("empty_sentence", f"{sentences.where} is empty.")


def _keep(
    lines: Lines, line: bytes, texts: list[str], columns: dict[str, str], split: str, file: str, offset: int
) -> KeptRecord:
    text = lines.text(line)
    table = parse_table(text, lines.where)
    sentences = [describe([token for token in written.split(" ") if token], table) for written in texts]
    if sum(len(places) for sentence in sentences for places in sentence.occurrences) > MAX_OCCURRENCES:
        raise RecordFault("too_large", f"{lines.where} has more than {MAX_OCCURRENCES:,} occurrences in its sentences.")
    source_id = columns.get("id", "")
    content = "\x1f".join((source_id, text, *texts))
    box = Box(
        id=hashlib.blake2b(content.encode(), digest_size=8).hexdigest(),
        source_id=source_id,
        title=columns.get("title", ""),
        url=columns.get("url", ""),
        contributors=columns.get("contributors", ""),
        fields=table.fields,
        positions=table.positions,
        ends=table.ends,
        tokens=table.tokens,
        originals=table.originals,
        empty_fields=table.empty_fields,
        sentences=sentences,
        file=file,
        offset=offset,
    )
    return KeptRecord(split, {"boxes": (box,)}, _figures(box, texts))


def _figures(box: Box, texts: list[str]) -> dict[str, int]:
    """Return the figures of the paper's table 2, which counts the first sentence, and ``<none>`` as a token."""
    return {
        "tokens of the first sentence": len(box.sentences[0].tokens),
        "tokens of the table": len(box.tokens) + len(box.empty_fields),
        "words of the first sentence in the table": table_words(box.sentences[0]),
        "fields": len(set(box.fields)) + len(box.empty_fields),
        "sentences": len(texts),
        "lines with several sentences": sum(1 for text in texts if inner_stops(text)),
    }
