"""WebQSP (Yih et al. 2016) as questions with the relations that lead to their answers: a line for each.

    what country is the grand bahama island in [m.03st9j]	location.location.containedby

The relations are names of Freebase, separated by ``|``. They name no entity, so that there is nothing that a question
must name. The entity's id after the question is removed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import PurePosixPath
from typing import BinaryIO, ClassVar

from allsaid.settings import number
from allsaid.storage.streams import with_content
from pipelines.lines import Lines
from pipelines.linking.pairs import PairSource, keep
from pipelines.linking.splits import content_hash, split_named, split_of
from pipelines.source import Handling, KeptRecord, RecordFault, Result, Shard, shards_of
from pipelines.sources.dumps import heads, read_each
from schemas.errors import UserError
from schemas.runs.rejected import HEAD_BYTES, Rejected

_RELATION = r"[a-z]\w*(?:\.[a-z]\w*)+"
_LINE = re.compile(rf"(?P<question>[^\t]*?)\s*(?:\[\w\.\w+\])?\s*\t(?P<relations>{_RELATION}(?:\|{_RELATION})*)")


@dataclass(frozen=True)
class Settings:
    dev_share: float = number(0.1, 0, 0.5)  # of the questions in files that are neither dev nor test


class WebQSP(PairSource):
    """Read the questions of WebQSP.

    Chains of relations become pairs with their questions.

    Example: allsaid ingest webqsp --input 'pruning_*.txt' --output data
    """

    handling = Handling(
        "The names of relations are split into words, and the id of the entity after a question is removed. Tokens of "
        "both sides are in lower case. The relations name no entity, so that there are no items.",
        "As the file's name says. Files that are neither dev nor test are divided into train and dev by a hash of the "
        "question.",
    )
    settings = Settings
    sample: ClassVar = {"questions.txt": "what country is the long pier in [m.03aa9j]\tlocation.location.containedby\n"}

    def plan(self, paths: Sequence[str], settings: Settings) -> list[Shard]:
        """Return the shards of the files; raise UserError if none shows a question with relations."""
        paths = with_content(paths)
        lines = (line for _, head in heads(paths) for line in head.decode(errors="replace").splitlines())
        if not any(map(_LINE.fullmatch, lines)):
            raise UserError(
                f"{paths[0]} has no questions of WebQSP: no line near its beginning is a question, a tab and relations "
                "such as people.person.place_of_birth. Give pruning_train.txt and pruning_test.txt as --input."
            )
        return shards_of(paths)

    def read(self, shard: Shard, settings: Settings) -> Iterator[Result]:
        """Yield the pair of every line of the shard's files, in their order."""
        return read_each(shard.files, partial(_read, dev_share=settings.dev_share))


def _read(stream: BinaryIO, path: str, dev_share: float) -> Iterator[Result]:
    lines = Lines(stream, PurePosixPath(path).name, 0, 0)
    offset = lines.offset
    while line := lines.next():
        if line.strip():
            yield _result(lines, line, path, offset, dev_share)
        offset = lines.offset


def _result(lines: Lines, line: bytes, path: str, offset: int, dev_share: float) -> KeptRecord | Rejected:
    try:
        found = _LINE.fullmatch(lines.text(line))
        if found is None:
            raise RecordFault("no_relations", f"{lines.where} is not a question, a tab and relations.")
        question = found["question"]
        return keep(_split(path, question, dev_share), _words(found["relations"]), [], question, path, offset)
    except RecordFault as fault:
        return Rejected("read", fault.reason, fault.detail, "", path, offset, line[:HEAD_BYTES])


def _words(relations: str) -> str:
    """Return the words of relations: "people person place of birth" for people.person.place_of_birth."""
    return relations.replace("|", " | ").replace(".", " ").replace("_", " ")


def _split(path: str, question: str, dev_share: float) -> str:
    named = split_named(path)
    return named if named in ("dev", "test") else split_of(content_hash(question.lower()), dev_share, 0)
