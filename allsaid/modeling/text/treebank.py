"""How treebanks, and corpora that are cut like them, write brackets, quotation marks and dashes; and how people do."""

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
QUOTES = ("``", "''")  # that open a quotation, and close it
DASH = "--"
