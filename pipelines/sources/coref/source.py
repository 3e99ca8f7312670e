"""Documents with coreference chains in CoNLL columns -> parts of documents whose tokens mention entities.

Yang et al. 2017, sections 2.3 and 4. A record is a part of a document, or a whole document that can't be read; its
tokens are counted, too. Duplicates are parts of documents with the same tokens.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from allsaid.settings import number
from allsaid.storage.streams import head_of, open_dump, with_content
from pipelines.lines import Lines
from pipelines.linking.phrases import Pass
from pipelines.linking.splits import content_hash
from pipelines.source import (
    FILES_ALONE,
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
    Unreadable,
    defer,
    resume,
    shards_of,
)
from pipelines.sources.coref.columns import Annotated, Mention, annotated
from pipelines.sources.coref.documents import BEGIN, Raw, raw_documents
from pipelines.sources.coref.parts import parts, reduce
from schemas.document import Document
from schemas.errors import UserError
from schemas.runs.deferred import Deferred
from schemas.runs.manifest import Manifest
from schemas.runs.rejected import HEAD_BYTES, Rejected

PEEK = 1 << 16  # bytes in which a file must show that a document begins
FIGURES = ("documents", "tokens", "chains", "mentions", "entities", "entity tokens")


@dataclass(frozen=True)
class Settings:
    max_tokens: int = number(500, 10, 10_000)  # of a part
    dev_share: float = number(0.1, 0, 0.5)
    test_share: float = number(0.1, 0, 0.5)


class Coref(Source):
    """Read documents with coreference chains in CoNLL columns.

    They become parts whose tokens mention entities.

    Example: allsaid ingest coref --input 'litbank/*.conll' --output data
    """

    borders = ("documents",)
    dedup_reasons = DedupReasons(duplicate="same_document", title="")  # nothing is guarded
    handling = Handling(
        "Tokens are put into lower case; the originals stand in a column of their own. Long documents are cut into "
        "parts. In each part a mention is one token, the one most frequent over the entity's mentions there; entities "
        "with one mention in the part are ignored, and so are mentions that a cut parts.",
        "By a hash of the whole document's tokens: all its parts fall into the same split, and no document moves to "
        "another one because a further file is read.",
    )
    settings = Settings

    def plan(self, paths: Sequence[str], settings: Settings) -> list[Shard]:
        """The shards of the files; raises UserError where no document begins in the first ones."""
        paths = with_content(paths)
        if not any(BEGIN.search(head_of(path, PEEK)[0]) for path in paths[:FILES_ALONE]):
            raise UserError(
                f"{paths[0]} holds no documents in CoNLL columns: no line there begins with '#begin document'. "
                "Give files of CoNLL columns with coreference, plain or compressed, as --input."
            )
        return shards_of(paths)

    def read(self, shard: Shard, settings: Settings) -> Iterator[Result]:
        """Every document of the shard's files, in their order."""
        for path in shard.files:
            dump, stream = open_dump(path)
            with stream:
                for raw in raw_documents(Lines(stream, PurePosixPath(path).name, 0, 0)):
                    yield from _results(raw, path, settings)
            if dump.loss:
                yield Unreadable(dump.loss)

    def steps(self, settings: Settings) -> Steps:
        return Steps(settings.dev_share, settings.test_share, guard=False)

    def finish(self, deferred: Deferred, split: str, phrases: Sequence[Pass]) -> KeptRecord:
        return resume(deferred, split)

    def place_of(self, file: str, offset: int) -> str:
        return f"{file}, byte {offset:,}"

    def report(self, manifest: Manifest, folder: str) -> Findings:
        """What the parts kept hold together."""
        kept = [manifest.statistics["figures"][split] for split in manifest.splits]
        sums = {name: sum(figures[name]["sum"] for figures in kept) for name in FIGURES}
        return Findings(sums, [*sums.items()], ())


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
        kept = KeptRecord(
            "", {"documents": [row]}, figures, {"text": row.tokens}
        )  # its split is known when it is finished
        yield defer(kept, row.id, [], lines[row.offset].encode()[:HEAD_BYTES], {"tokens": len(row.tokens)})


def _rows(document: Annotated, name: str, path: str, most: int) -> Iterator[tuple[Document, dict[str, int]]]:
    """The rows of a document's parts, each with its figures."""
    tokens = [word.lower() for word in document.words]
    content = content_hash("\n".join(tokens))
    begun = _first_mentions(document.mentions)
    for part, (first, end) in enumerate(parts(document, most)):
        here = [mention for mention in document.mentions if first <= mention.first < end]
        whole = [Mention(one.first - first, one.last - first, one.chain) for one in here if one.last < end]
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
        yield (
            row,
            {
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
            },
        )


def _first_mentions(mentions: Sequence[Mention]) -> Iterable[int]:
    """Where the first mention of each chain begins."""
    found: dict[str, int] = {}
    for mention in mentions:
        found[mention.chain] = min(mention.first, found.get(mention.chain, mention.first))
    return found.values()
