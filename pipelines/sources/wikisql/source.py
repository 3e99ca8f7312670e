"""WikiSQL (Zhong et al. 2017) in the form of text2sql-data: logical forms -> the questions that people asked.

The file is one JSON array. An entry is a query with all questions that differ in its values alone; a record is a
question. The corpus's own files name columns by numbers, and can't be read without their tables.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from allsaid.storage.json_stream import Element, Values
from allsaid.storage.streams import head_of, open_dump, with_content
from pipelines.linking.pairs import PairSource, keep, readable
from pipelines.source import (
    AS_GIVEN,
    FILES_ALONE,
    Handling,
    KeptRecord,
    RecordFault,
    Result,
    Shard,
    Unreadable,
    shards_of,
)
from pipelines.sources.wikisql.forms import Form, form_of
from schemas.errors import UserError
from schemas.example import SPLITS
from schemas.runs.rejected import Rejected

PEEK = 1 << 16  # bytes in which a file must show a query

_ENTRY = re.compile(rb'"(?:question-split|sql-original|query-split)"\s*:')
_OFFICIAL = re.compile(rb'"sql"\s*:\s*\{\s*"(?:sel|agg|conds)"\s*:')


@dataclass(frozen=True)
class Settings:
    """This source has no settings: its file says all."""


class WikiSQL(PairSource):
    """Read the questions of WikiSQL.

    The file of text2sql-data; logical forms become pairs with their questions.

    Example: allsaid ingest wikisql --input wikisql.json.bz2 --output data
    """

    handling = Handling(
        "Logical forms are written out: names of columns are parted into words, and values stand between quotation "
        "marks. The values are what a question has to name. Tokens of both sides are put into lower case, since many "
        "values stand in the question in another case.",
        AS_GIVEN,
    )
    settings = Settings

    def plan(self, paths: Sequence[str], settings: Settings) -> list[Shard]:
        """A shard for each file; raises UserError for the corpus's own files, and for what is no such file."""
        paths = with_content(paths)
        heads = {path: head_of(path, PEEK)[0] for path in paths[:FILES_ALONE]}
        for path, head in heads.items():
            if _OFFICIAL.search(head):
                raise UserError(
                    f"{path} is a file of WikiSQL itself, where columns are numbers: their names stand in tables that "
                    "are missing here. Give the file of text2sql-data, which has the names, plain or compressed, as "
                    "--input; `allsaid fetch wikisql` gets it."
                )
        if not any(map(_ENTRY.search, heads.values())):
            raise UserError(
                f"{paths[0]} holds no queries of text2sql-data: nothing in its beginning is an entry with questions. "
                "Give its wikisql.json, plain or compressed, as --input; `allsaid fetch wikisql` gets it."
            )
        return shards_of(paths)

    def read(self, shard: Shard, settings: Settings) -> Iterator[Result]:
        """Every question of the shard's files, in their order."""
        for path in shard.files:
            dump, stream = open_dump(path)
            with stream:
                values = Values(stream)
                for element in values:
                    yield from _results(element, path)
            if dump.loss:
                yield Unreadable(dump.loss)
            elif values.unclosed:
                yield Unreadable(f"{path} ends before its JSON array does; any entries after that are lost.")


def _results(element: Element, path: str) -> Iterator[KeptRecord | Rejected]:
    """The questions of an entry; one that can't be read at all is one record."""

    def rejected(fault: RecordFault, where: str = "") -> Rejected:
        return Rejected("read", fault.reason, where + fault.detail, "", path, element.offset, element.head)

    try:
        questions = _questions(element)
    except RecordFault as fault:
        yield rejected(fault)
        return
    for number, question in enumerate(questions):
        try:
            form = form_of(_query(element.value))
            yield _kept(form, question, _values(element.value, question, len(questions)), path, element.offset, number)
        except RecordFault as fault:
            yield rejected(fault, f"Question {number + 1} of the entry. ")


def _questions(element: Element) -> list[Any]:
    """The questions of an entry, at least one; raises RecordFault."""
    if element.fault:
        raise RecordFault(element.fault, element.detail)
    found = element.value.get("sentences") if isinstance(element.value, dict) else None
    if not isinstance(found, list) or not found:
        raise RecordFault("no_questions", "The entry has no list of questions ('sentences').")
    return found


def _query(entry: Mapping[str, Any]) -> str:
    found = entry.get("sql")
    if not isinstance(found, list) or not found or not isinstance(found[0], str):
        raise RecordFault("no_query", "The entry has no list of queries ('sql').")
    return readable(found[0])


def _values(entry: Mapping[str, Any], question: Any, questions: int) -> dict[str, str]:
    """The values of a question by their variables.

    An entry's own values are those of its first question, so they say what a question lacks only where it is the only
    one. A question lacks values that text2sql-data did not find in it.
    """
    own = question.get("variables") if isinstance(question, dict) else None
    found = dict(own) if isinstance(own, dict) else {}
    examples = entry.get("variables")
    for one in examples if questions == 1 and isinstance(examples, list) else ():
        if isinstance(one, dict) and isinstance(one.get("name"), str):
            found.setdefault(one["name"], one.get("example"))
    written = {name: " ".join(readable(value).split()) for name, value in found.items() if isinstance(value, str)}
    return {name: value for name, value in written.items() if value}


def _kept(form: Form, question: Any, values: Mapping[str, str], path: str, offset: int, number: int) -> KeptRecord:
    if not isinstance(question, dict) or not isinstance(question.get("original"), str):
        raise RecordFault("no_text", "It has no text ('original').")
    split = question.get("question-split")
    if split not in SPLITS:
        raise RecordFault("unknown_split", f"Its 'question-split' is none of {', '.join(SPLITS)}.")
    lacking = [one.variable for one in form.conditions if one.variable not in values]
    if lacking:
        raise RecordFault("unknown_value", f"Its value of {lacking[0]} is not known.")
    items = [values[one.variable] for one in form.conditions]
    return keep(split, form.written(values), items, readable(question["original"]), path, offset, number)
