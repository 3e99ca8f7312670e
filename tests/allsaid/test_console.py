"""What commands print."""

from __future__ import annotations

import pytest

from allsaid.console import show_table


def test_figures_stand_right_and_words_left(capsys: pytest.CaptureFixture[str]) -> None:
    show_table("Systems", ("system", "BLEU", "from"), [("NN", "4.5 [4.1, 5.0]", "data"), ("1", "–", "a longer folder")])
    lines = capsys.readouterr().out.splitlines()
    assert "│ NN     │ 4.5 [4.1, 5.0] │ data            │" in lines
    assert "│ 1      │              – │ a longer folder │" in lines
