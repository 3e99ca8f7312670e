"""Tables as Markdown."""

from __future__ import annotations

from allsaid.markdown import table


def test_a_cell_stays_in_its_line_and_its_column() -> None:
    written = table(["name", "what"], [["a|b", "two\n  lines"], ["", "c"]])
    assert written == "| name | what |\n| --- | --- |\n| a\\|b | two lines |\n|  | c |"
