"""Findings agree with the proof that later checks changed, and ask for another try in one line."""

from __future__ import annotations

import json

from allsaid.proof.findings import DENIED, NOT_IN_ROW, NOT_STATED, UNKNOWN_NUMBER, agreeing, retry_line
from schemas.texts.finding import LOOK, MISSING, WRONG, Finding

LINES = ["colour=red", "waterproof=yes"]
MISSED = Finding(NOT_STATED, -1, -1, "", MISSING, "colour", "colour=red")
BLUE = Finding(NOT_IN_ROW, 2, 3, "blue", WRONG, "strap", "strap=blue")
NUMBER = Finding(UNKNOWN_NUMBER, 4, 6, "two days", LOOK, "", "two days")


def test_findings_of_what_is_given_or_denied_later_are_left_out() -> None:
    assert agreeing([MISSED, BLUE, NUMBER], LINES, [True, True], [], [False, True]) == (NUMBER,)


def test_findings_of_an_unchanged_proof_are_kept() -> None:
    assert agreeing([MISSED, BLUE], LINES, [False, True], ["strap=blue"], [False, True]) == (MISSED, BLUE)
    denied = Finding(DENIED, 2, 3, "red", WRONG, "colour", "colour=red")
    assert agreeing([denied], LINES, [True, True], [], [True, True]) == (denied,)


def test_what_later_checks_find_gets_a_finding() -> None:
    found = agreeing([], LINES, [False, False], ["waterproof=no"], [True, True])
    assert [(one.grade, one.line) for one in found] == [(WRONG, "waterproof=no"), (MISSING, "colour=red")]


def test_one_line_asks_for_another_try() -> None:
    line = retry_line("é1", ["colour=red"], [MISSED, BLUE, NUMBER])
    assert "\n" not in line
    assert json.loads(line) == {
        "id": "é1",
        "missing": ["colour=red"],
        "wrong": [{"passage": "blue", "column": "strap", "reason": NOT_IN_ROW}],
    }
    assert retry_line("1", [], [NUMBER]) == ""
