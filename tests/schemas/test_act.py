"""The agenda line of an act's slot."""

from __future__ import annotations

import pytest

from schemas.act import Slot, agenda_line, parse_agenda_line


@pytest.mark.parametrize(
    ("slot", "line"), [(Slot("food", "thai"), "food=thai"), (Slot("near", ""), "near"), (Slot("sum", "1=1"), "sum=1=1")]
)
def test_an_agenda_line_is_read_as_it_was_written(slot: Slot, line: str) -> None:
    assert (agenda_line(slot), parse_agenda_line(line)) == (line, slot)
