"""What commands print."""

from __future__ import annotations

import threading

import pytest

from allsaid.console import show_table, watched
from schemas.errors import UserError


def test_figures_stand_right_and_words_left(capsys: pytest.CaptureFixture[str]) -> None:
    show_table("Systems", ("system", "BLEU", "from"), [("NN", "4.5 [4.1, 5.0]", "data"), ("1", "–", "a longer folder")])
    lines = capsys.readouterr().out.splitlines()
    assert "│ NN     │ 4.5 [4.1, 5.0] │ data            │" in lines
    assert "│ 1      │              – │ a longer folder │" in lines


@pytest.mark.parametrize("fault", [UserError("The store has not answered for a minute."), OSError("gone")])
def test_a_store_that_is_down_ends_progress_without_traceback(
    fault: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    uncaught: list[object] = []
    monkeypatch.setattr(threading, "excepthook", uncaught.append)

    def watch(ended: threading.Event) -> None:
        ended.wait(0.01)
        raise fault

    with watched(watch):
        done = True
    assert done and not uncaught
