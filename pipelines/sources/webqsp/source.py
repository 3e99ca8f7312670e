"""WebQSP (Yih et al. 2016) as questions with the relations that lead to their answers: a line for each.

    what country is the grand bahama island in [m.03st9j]	location.location.containedby

The relations stand in the form of Freebase, parted by ``|``. They name no entity, so nothing is there that a question
has to name; the entity's id behind the question is cut off.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from allsaid.settings import number
from allsaid.storage.streams import head_of, open_dump, with_content
from pipelines.lines import Lines
from pipelines.linking.pairs import PairSource, keep
from pipelines.linking.splits import content_hash, split_named, split_of
from pipelines.source import FILES_ALONE, Handling, KeptRecord, RecordFault, Result, Shard, Unreadable, shards_of
from schemas.errors import UserError
from schemas.runs.rejected import HEAD_BYTES, Rejected

PEEK = 1 << 16  # bytes in which a file must show a question

_RELATION = r"[a-z]\w*(?:\.[a-z]\w*)+"
_LINE = re.compile(rf"(?P<question>[^\t]*?)\s*(?:\[\w\.\w+\])?\s*\t(?P<relations>{_RELATION}(?:\|{_RELATION})*)")


@dataclass(frozen=True)
class Settings:
    dev_share: float = number(0.1, 0, 0.5)  # of the questions that are no dev or test part


class WebQSP(PairSource):
    """Read the questions of WebQSP.

    Chains of relations become pairs with their questions.

    Example: allsaid ingest webqsp --input 'pruning_*.txt' --output data
    """

    handling = Handling(
        "The names of relations are parted into words, and the id of the entity behind a question is cut off. Tokens "
        "of both sides are put into lower case. No entity is named beside a question, so there are no items.",
        "As the file's name says. What is no dev or test part is parted into train and dev by a hash of the question.",
    )
    settings = Settings

    def plan(self, paths: Sequence[str], settings: Settings) -> list[Shard]:
        """A shard for each file; raises UserError where none shows a question with relations."""
        paths = with_content(paths)
        if not any(map(_shows_a_question, paths[:FILES_ALONE])):
            raise UserError(
                f"{paths[0]} holds no questions of WebQSP: no line in its beginning is a question, a tab and relations "
                "such as people.person.place_of_birth. Give pruning_train.txt and pruning_test.txt as --input."
            )
        return shards_of(paths)

    def read(self, shard: Shard, settings: Settings) -> Iterator[Result]:
        """Every line of the shard's files, in their order."""
        for path in shard.files:
            dump, stream = open_dump(path)
            with stream:
                lines = Lines(stream, PurePosixPath(path).name, 0, 0)
                offset = lines.offset
                while line := lines.next():
                    if line.strip():
                        yield _result(lines, line, path, offset, settings.dev_share)
                    offset = lines.offset
            if dump.loss:
                yield Unreadable(dump.loss)


def _shows_a_question(path: str) -> bool:
    return any(map(_LINE.fullmatch, head_of(path, PEEK)[0].decode(errors="replace").splitlines()))


def _result(lines: Lines, line: bytes, path: str, offset: int, dev_share: float) -> KeptRecord | Rejected:
    try:
        found = _LINE.fullmatch(lines.text(line))
        if found is None:
            raise RecordFault("no_relations", f"{lines.where} is no question, a tab and relations.")
        question = found["question"]
        return keep(_split(path, question, dev_share), _words(found["relations"]), [], question, path, offset)
    except RecordFault as fault:
        return Rejected("read", fault.reason, fault.detail, "", path, offset, line[:HEAD_BYTES])


def _words(relations: str) -> str:
    """people.person.place_of_birth|... -> people person place of birth | ..."""
    return relations.replace("|", " | ").replace(".", " ").replace("_", " ")


def _split(path: str, question: str, dev_share: float) -> str:
    named = split_named(path)
    return named if named in ("dev", "test") else split_of(content_hash(question.lower()), dev_share, 0)
