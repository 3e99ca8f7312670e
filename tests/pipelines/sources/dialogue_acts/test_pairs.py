"""Pairs of a meaning representation and a text: lists, values with commas, damaged rows."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from pipelines.source import KeptRecord, RecordFault
from pipelines.sources.dialogue_acts.pairs import MAX_ROW, cells_of, list_slots, parse
from pipelines.sources.dialogue_acts.source import DialogueActs, NoSettings
from schemas.act import Act, Slot
from schemas.errors import UserError
from schemas.runs.rejected import Rejected

ROWS = '''mr,ref,fixed
"inform(name[Tide, The], platforms[Alto, Bex], has_map[no])","""Tide, The"" is for Alto and Bex.
There is no map.",0
"confirm(name[Oar], platforms[Bex], out[June 9, 2031])","Do you mean Oar for the Bex, out June 9, 2031?",1
"request(platforms[Alto], out[])",When is it out for the Alto?,0
"name[Oar], out[2031]",Oar is of 2031.,0
'''


def read(path: Path) -> tuple[list[Act], list[Rejected]]:
    source, settings = DialogueActs(), NoSettings()
    (shard,) = source.plan([str(path)], settings)
    results = list(source.read(shard, settings, source.survey(shard, settings)))
    acts = [act for result in results if isinstance(result, KeptRecord) for act in result.rows["acts"]]
    return acts, [result for result in results if isinstance(result, Rejected)]


def test_lists_become_slots_and_other_commas_stay(tmp_path: Path) -> None:
    path = tmp_path / "train.csv"
    path.write_text(ROWS, encoding="utf-8")
    acts, rejected = read(path)
    assert not rejected
    assert [(act.act_type, [(slot.slot, slot.value) for slot in act.slots]) for act in acts] == [
        ("inform", [("name", "tide , the"), ("platforms", "alto"), ("platforms", "bex"), ("has_map", "no")]),
        ("confirm", [("name", "oar"), ("platforms", "bex"), ("out", "june 9 , 2031")]),
        ("request", [("platforms", "alto"), ("out", "")]),
        ("inform", [("name", "oar"), ("out", "2031")]),
    ]
    assert acts[0].text == '"Tide, The" is for Alto and Bex.\nThere is no map.'
    assert path.read_bytes()[acts[1].offset :].startswith(b'"confirm(')


def test_one_damaged_row_costs_only_itself(tmp_path: Path) -> None:
    path = tmp_path / "test.csv"
    bad = ["inform(name[Oar,Oar.,0", "inform(name[Oar]),Oar.", "inform(name[Oar]), ,0", '"inform(name[Oar]),Oar.,0']
    for row, reason in zip(bad, ["bad_act", "cell_count", "no_text", "open_quote"], strict=True):
        path.write_text(f"mr,ref,fixed\ninform(name[Oar]),Oar is here.,0\n\n{row}", encoding="utf-8")
        acts, rejected = read(path)
        assert len(acts) == 1 and [fault.reason for fault in rejected] == [reason], row


def test_other_tables_are_refused_with_a_remedy(tmp_path: Path) -> None:
    (tmp_path / "train.csv").write_text("name,price\nOar,3\n")
    with pytest.raises(UserError, match=r"has no columns 'mr' and 'ref'.* use `allsaid ingest records`"):
        read(tmp_path / "train.csv")


def test_an_open_quote_ends_at_the_limit() -> None:
    with pytest.raises(RecordFault, match="a quote is not closed"):
        cells_of(b'"' + b"x" * MAX_ROW)


def test_the_majority_of_values_decides_on_lists() -> None:
    values = Counter({("a", "x, y"): 1, ("a", "x"): 1, ("a", "y"): 1, ("a", "x, z"): 1, ("a", "y, x"): 1})
    assert list_slots(values) == {"a"}
    assert list_slots(Counter({("a", "Inc, Ltd"): 5, ("a", "Oar"): 1})) == frozenset()


def test_parse_has_values_as_written() -> None:
    assert parse("inform( name[A (b), c] ,x[])") == ("inform", [Slot("name", "A (b), c"), Slot("x", "")])
    with pytest.raises(RecordFault, match="is not a slot"):
        parse("inform(name)")
