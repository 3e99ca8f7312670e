"""Reasons of the findings about values, and the line that asks for a corrected text."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from schemas.act import parse_agenda_line
from schemas.texts.finding import MISSING, WRONG, Finding

# Reasons for `WRONG`.
OTHER_VALUE = "the row has another value"
NOT_IN_ROW = "the row has no such value"
OPPOSITE = "the row says the opposite"
DENIED = "the text denies the row's value"
OTHER_COLUMN = "the words next to it belong to another column"
FORBIDDEN_CLAIM = "the mapping forbids this claim"
# Reasons for `MISSING`.
NOT_STATED = "the text does not state it"
SOMETHING_ELSE = "the text says something else"
# Reasons for `LOOK`.
PARTLY = "only a part of it is there"
HEDGED = "it is only nearly so"
OF_ANOTHER = "the text says it of something else"
SEVERAL_COLUMNS = "it may belong to several columns"
UNKNOWN_NUMBER = "the row has no such number"
FOR_FREE = "no column says that it is free"

_OF_NO_COLUMN = (UNKNOWN_NUMBER, FOR_FREE)
# Kinds of findings whose line is a line of the row.
_OF_LINES = frozenset((NOT_STATED, SOMETHING_ELSE, PARTLY, DENIED, HEDGED, OF_ANOTHER))


def agreeing(
    found: Iterable[Finding], lines: Sequence[str], given: Sequence[bool], extra: Sequence[str], before: Sequence[bool]
) -> tuple[Finding, ...]:
    """Return the findings that agree with the final proof, after later checks changed it.

    lines: the L lines of the row; before, given: (L,) whether each was given before these checks, and is now; extra:
    lines that the row lacks. Missing and extra lines without a finding get one.
    """
    found = [*found]
    if not found and not extra and all(given):
        return ()
    now_given = {line for line, is_given, was_given in zip(lines, given, before, strict=True) if is_given > was_given}
    open_lines = {*lines} - now_given
    # Numbers of no column and offers are never in ``extra``.
    kept = [
        finding
        for finding in found
        if (
            finding.line in open_lines
            if finding.kind in _OF_LINES
            else finding.line in extra or finding.kind in _OF_NO_COLUMN
        )
    ]
    named = {finding.line for finding in kept}
    columns = {parse_agenda_line(line).slot for line in lines}
    for line in [line for line in extra if line not in named]:
        kept.append(_finding(OTHER_VALUE if parse_agenda_line(line).slot in columns else NOT_IN_ROW, WRONG, line))
    wrong = {finding.column for finding in kept if finding.grade == WRONG}
    for line, is_given in dict(zip(lines, given, strict=True)).items():
        is_answer = parse_agenda_line(line).value in ("yes", "no") and parse_agenda_line(line).slot in wrong
        if not is_given and line not in named and not is_answer:
            kept.append(_finding(NOT_STATED, MISSING, line))
    return tuple(kept)


def _finding(reason: str, grade: str, line: str) -> Finding:
    return Finding(reason, -1, -1, "", grade, parse_agenda_line(line).slot, line)


def retry_line(row_id: str, missing: Sequence[str], found: Iterable[Finding]) -> str:
    """Return a JSON line with the missing and the wrong values of a text, for another try; "" if there are none.

    missing: lines of the agenda.
    """
    wrong = [
        {"passage": finding.passage, "column": finding.column, "reason": finding.kind}
        for finding in found
        if finding.grade == WRONG
    ]
    if not missing and not wrong:
        return ""
    return json.dumps({"id": row_id, "missing": list(missing), "wrong": wrong}, ensure_ascii=False)
