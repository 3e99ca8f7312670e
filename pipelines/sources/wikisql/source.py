"""WikiSQL (Zhong et al. 2017) in the format of text2sql-data: logical forms -> the questions that people asked.

The file is one JSON array. An entry is a query with all questions that differ only in its values; a record is a
question. The corpus's own files name columns by numbers, and can't be read without their tables.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from allsaid.language.code_pages import readable
from allsaid.storage.json_stream import Element
from allsaid.storage.streams import with_content
from pipelines.linking.pairs import PairSource, keep
from pipelines.source import AS_GIVEN, Handling, KeptRecord, NoSettings, RecordFault, Result, Shard, shards_of
from pipelines.sources.dumps import heads
from pipelines.sources.json_dumps import read_values
from pipelines.sources.wikisql.forms import Form, form_of
from schemas.errors import UserError
from schemas.example import SPLITS
from schemas.runs.rejected import Rejected

_ENTRY = re.compile(rb'"(?:question-split|sql-original|query-split)"\s*:')
_OFFICIAL = re.compile(rb'"sql"\s*:\s*\{\s*"(?:sel|agg|conds)"\s*:')


SAMPLE = """\
[{"sql": ["SELECT KEEPER_FIELD FROM table WHERE LIGHT_FIELD = \\"var0\\" ;"],
  "variables": [{"name": "var0", "example": "Long Point", "location": "both"}],
  "sentences": [{"original": "Who keeps Long Point?", "text": "Who keeps var0?",
                 "question-split": "train", "table-id": "1-1", "variables": {"var0": "Long Point"}}]}]
"""


class WikiSQL(PairSource):
    """Read the questions of WikiSQL.

    The file of text2sql-data; logical forms become pairs with their questions.

    Example: allsaid ingest wikisql --input wikisql.json.bz2 --output data
    """

    handling = Handling(
        "Logical forms are written in words: names of columns are split into words, and values are in quotation marks. "
        "The values are the items that a question must name. Tokens of both sides are in lower case, since many values "
        "have another case in the question.",
        AS_GIVEN,
    )
    sample: ClassVar = {"queries.json": SAMPLE}

    def plan(self, paths: Sequence[str], settings: NoSettings) -> list[Shard]:
        """Return the shards of the files; raise UserError for the corpus's own files, and for other files."""
        paths = with_content(paths)
        first = dict(heads(paths))
        for path, head in first.items():
            if _OFFICIAL.search(head):
                raise UserError(
                    f"{path} is a file of WikiSQL itself, where columns are numbers: their names are in tables that "
                    "are missing here. Give the file of text2sql-data, which has the names, plain or compressed, as "
                    "--input; `allsaid fetch wikisql` gets it."
                )
        if not any(map(_ENTRY.search, first.values())):
            raise UserError(
                f"{paths[0]} has no queries of text2sql-data: no entry with questions is near its beginning. "
                "Give its wikisql.json, plain or compressed, as --input; `allsaid fetch wikisql` gets it."
            )
        return shards_of(paths)

    def read(self, shard: Shard, settings: NoSettings) -> Iterator[Result]:
        """Yield every question of the shard's files, in their order."""
        return read_values(shard, _results)


def _results(element: Element, path: str) -> Iterator[KeptRecord | Rejected]:
    """Yield the questions of an entry; an entry that can't be read is one rejected record."""

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


def _questions(element: Element) -> list[object]:
    """Return the questions of an entry, at least one; raises RecordFault."""
    if element.fault:
        raise RecordFault(element.fault, element.detail)
    found = element.value.get("sentences") if isinstance(element.value, dict) else None
    if not isinstance(found, list) or not found:
        raise RecordFault("no_questions", "The entry has no list of questions ('sentences').")
    return found


def _query(entry: Mapping[str, object]) -> str:
    found = entry.get("sql")
    if not isinstance(found, list) or not found or not isinstance(found[0], str):
        raise RecordFault("no_query", "The entry has no list of queries ('sql').")
    return readable(found[0])


def _values(entry: Mapping[str, object], question: object, questions: int) -> dict[str, str]:
    """Return the values of a question by their variables.

    A question lacks the values that text2sql-data did not find in it. An entry's own values are those of its first
    question, so that they complete a question only if it is the only one.
    """
    own = question.get("variables") if isinstance(question, dict) else None
    found = dict(own) if isinstance(own, dict) else {}
    examples = entry.get("variables")
    for example in examples if questions == 1 and isinstance(examples, list) else ():
        if isinstance(example, dict) and isinstance(example.get("name"), str):
            found.setdefault(example["name"], example.get("example"))
    written = {name: " ".join(readable(value).split()) for name, value in found.items() if isinstance(value, str)}
    return {name: value for name, value in written.items() if value}


def _kept(form: Form, question: object, values: Mapping[str, str], path: str, offset: int, number: int) -> KeptRecord:
    if not isinstance(question, dict) or not isinstance(question.get("original"), str):
        raise RecordFault("no_text", "It has no text ('original').")
    split = question.get("question-split")
    if split not in SPLITS:
        raise RecordFault("unknown_split", f"Its 'question-split' is none of {', '.join(SPLITS)}.")
    variables = [condition.variable for condition in form.conditions]
    lacking = [variable for variable in variables if variable not in values]
    if lacking:
        raise RecordFault("unknown_value", f"Its value of {lacking[0]} is not known.")
    items = [values[variable] for variable in variables]
    return keep(split, form.written(values), items, readable(question["original"]), path, offset, number)
