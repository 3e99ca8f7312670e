"""Documents with coreference chains in CoNLL columns -> parts of documents whose tokens mention entities.

Yang et al. 2017, sections 2.3 and 4. A record is a part of a document, or a whole document that can't be read, whose
tokens are counted as well. Duplicates are parts of documents with the same tokens.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import PurePosixPath
from typing import BinaryIO, ClassVar

from allsaid.settings import number
from pipelines.lines import Lines
from pipelines.linking.splits import content_hash
from pipelines.source import (
    DedupReasons,
    Findings,
    Handling,
    KeptRecord,
    RecordFault,
    RejectedFigures,
    Result,
    Shard,
    Source,
    Steps,
    defer,
    shards_of,
    sum_figures,
)
from pipelines.sources.coref.columns import Annotated, Mention, annotated
from pipelines.sources.coref.documents import BEGIN, Raw, raw_documents
from pipelines.sources.coref.parts import parts, reduce
from pipelines.sources.dumps import check_beginnings, read_each
from schemas.document import Document
from schemas.runs.manifest import Manifest
from schemas.runs.rejected import HEAD_BYTES, Rejected

FIGURES = ("documents", "tokens", "chains", "mentions", "entities", "entity tokens")


@dataclass(frozen=True)
class Settings:
    max_tokens: int = number(500, 10, 10_000)  # of a part
    dev_share: float = number(0.1, 0, 0.5)
    test_share: float = number(0.1, 0, 0.5)


SAMPLE = """\
# begin document
0\tThe\t(1
1\tharbour\t1)
2\tslept\t_
3\t,\t_
4\tfor\t_
5\tit\t(1)
6\tfroze\t_
7\t.\t_
# end document
"""


class Coref(Source):
    """Read documents with coreference chains in CoNLL columns.

    They become parts whose tokens mention entities.

    Example: allsaid ingest coref --input 'litbank/*.conll' --output data
    """

    borders = ("documents",)
    dedup_reasons = DedupReasons(duplicate="same_document", title="")  # nothing is guarded
    handling = Handling(
        "Tokens are in lower case; the originals are in a column of their own. Long documents are cut into parts. In "
        "each part a mention is one token, the one most frequent over the entity's mentions there. Entities with one "
        "mention in the part are ignored, and so are mentions that a cut divides.",
        "By a hash of the whole document's tokens: all its parts are in the same split, and no document moves to "
        "another one because a further file is read.",
    )
    settings = Settings
    sample: ClassVar = {"harbour.conll": SAMPLE}

    def plan(self, paths: Sequence[str], settings: Settings) -> list[Shard]:
        """Return the shards of the files; raise UserError if no document begins in the first ones."""
        found = check_beginnings(
            paths,
            BEGIN,
            "has no documents in CoNLL columns: no line there begins with '#begin document'. Give files of CoNLL "
            "columns with coreference, plain or compressed, as --input.",
        )
        return shards_of(found)

    def read(self, shard: Shard, settings: Settings) -> Iterator[Result]:
        """Yield the parts of every document of the shard's files, in their order."""
        return read_each(shard.files, partial(_read, settings=settings))

    def steps(self, settings: Settings) -> Steps:
        return Steps(settings.dev_share, settings.test_share, guard=False)

    def report(self, manifest: Manifest, folder: str) -> Findings:
        return sum_figures(manifest, FIGURES)


def _read(stream: BinaryIO, path: str, settings: Settings) -> Iterator[Result]:
    for raw in raw_documents(Lines(stream, PurePosixPath(path).name, 0, 0)):
        yield from _results(raw, path, settings)


def _results(raw: Raw, path: str, settings: Settings) -> Iterator[Result]:
    file = PurePosixPath(path).name
    try:
        document = annotated(raw, file)
    except RecordFault as fault:
        yield Rejected("read", fault.reason, fault.detail, "", path, raw.offset, raw.head)
        yield RejectedFigures({"tokens": raw.tokens})
        return
    lines = {offset: text for offset, _, text in raw.rows}
    for row, figures in _rows(document, raw.name or file.partition(".conll")[0], path, settings.max_tokens):
        kept = KeptRecord("", {"documents": [row]}, figures, {"text": row.tokens})  # `finish` sets the split
        yield defer(kept, row.id, [], lines[row.offset].encode()[:HEAD_BYTES], {"tokens": len(row.tokens)})


def _rows(document: Annotated, name: str, path: str, most: int) -> Iterator[tuple[Document, dict[str, int]]]:
    """Yield the row of each part of a document, with its figures."""
    tokens = [word.lower() for word in document.words]
    content = content_hash("\n".join(tokens))
    begun = _first_mentions(document.mentions)
    for part, (first, end) in enumerate(parts(document, most)):
        here = [mention for mention in document.mentions if first <= mention.first < end]
        whole = [Mention(it.first - first, it.last - first, it.chain) for it in here if it.last < end]
        reduced = reduce(tokens[first:end], whole)
        row = Document(
            id=content_hash(f"{content} {part}"),
            content_hash=content,
            name=name,
            part_number=part,
            first=first,
            tokens=tokens[first:end],
            originals=document.words[first:end],
            entities=reduced.entities,
            chains=reduced.chains,
            file=path,
            offset=document.offsets[first],
        )
        figures = {
            "documents": int(part == 0),
            "without entities": int(not reduced.chains),
            "tokens": end - first,
            "chains": sum(first <= place < end for place in begun),
            "mentions": len(here),
            "cut mentions": len(here) - len(whole),
            "single mentions": reduced.single,
            "covered mentions": reduced.covered,
            "entities": len(reduced.chains),
            "entity tokens": len(whole) - reduced.single - reduced.covered,
        }
        yield row, figures


def _first_mentions(mentions: Sequence[Mention]) -> Iterable[int]:
    """Return the position of the first mention of each chain."""
    found: dict[str, int] = {}
    for mention in mentions:
        found[mention.chain] = min(mention.first, found.get(mention.chain, mention.first))
    return found.values()
