"""Retrieval with slot filling: where two sources differ, the neighbour's text is written anew."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from small_data import as_pair, make_example, publish

from allsaid.modeling.data.dataset import DataSet
from allsaid.modeling.tasks import pair
from allsaid.modeling.tasks.pair import Example
from schemas.pair import Pair
from training.baselines import slot_filling
from training.baselines.slot_filling import Slot, fill, slots


def example(source: str, text: str) -> Example:
    return Example("0", source, source.split(), [], [], text, text.split())


def test_slots_are_the_runs_in_which_sources_differ() -> None:
    theirs, ours = "select keeper where light = long pier", "select keeper where light = white cape horn"
    assert slots(theirs.split(), ours.split()) == [Slot(("long", "pier"), ("white", "cape", "horn"))]
    assert slots(["a", "b"], ["a", "b", "c"]) == [Slot((), ("c",))]
    assert slots(["a"], ["a"]) == []


def test_a_slot_is_filled_wherever_the_text_holds_it() -> None:
    neighbour = example("mill old ; floors 3", "the old mill has 3 floors ; is it old ?")
    assert fill(neighbour, ["mill", "stone", ";", "floors", "12"]) == (
        ["the", "stone", "mill", "has", "12", "floors", ";", "is", "it", "stone", "?"],
        0,
    )


def test_words_that_no_slot_of_the_text_takes_are_counted() -> None:
    neighbour = example("floors style gothic", "how many floors are there ?")
    assert fill(neighbour, ["floors", "style", "art", "deco"]) == (neighbour.tokens, 3)
    assert fill(neighbour, ["floors", "style", "gothic", "owner"]) == (neighbour.tokens, 1)


def test_longer_slots_are_filled_first() -> None:
    neighbour = example("a : pier | b : long pier", "the long pier beside a pier")
    text, unfilled = fill(neighbour, ["a", ":", "cape", "|", "b", ":", "white", "tower"])
    assert (text, unfilled) == (["the", "white", "tower", "beside", "a", "cape"], 0)


def test_the_neighbour_with_the_fewest_unfilled_words_is_taken(tmp_path: Path) -> None:
    known = [
        ("select keeper where light = cape horn", "who is there ?"),
        ("select keeper where light = north isle", "who keeps north isle ?"),
        ("count mills", "how many mills are there ?"),
    ]
    asked = [("select keeper where light = cape white", "-"), ("count mills", "-"), ("nothing known", "-")]
    data = DataSet(str(publish(tmp_path, {}, pairs={"train": [*map(row, known)], "test": [*map(row, asked)]})))
    texts = slot_filling.texts(data, [*pair.TASK.examples(data, "test")])
    assert texts[:2] == [["who", "keeps", "cape", "white", "?"], ["how", "many", "mills", "are", "there", "?"]]
    assert texts[2] in [text.split() for _, text in known]


def row(written: tuple[str, str]) -> Pair:
    source, text = written
    return replace(as_pair(make_example(len(source))), source_tokens=source.split(), tokens=text.split())
