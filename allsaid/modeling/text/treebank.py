"""Brackets, quotation marks and dashes of treebanks, and of corpora tokenised like them, and their usual forms."""

from __future__ import annotations

SIGNS = {
    "-lrb-": "(",
    "-rrb-": ")",
    "-lsb-": "[",
    "-rsb-": "]",
    "-lcb-": "{",
    "-rcb-": "}",
    "``": '"',
    "''": '"',
    "„": '"',
    "--": "–",
}
BRACKETS = {sign: name for name, sign in SIGNS.items() if sign in "()[]{}"}
QUOTES = ("``", "''")  # opening and closing marks
DASH = "--"
