"""What a training part has seen: closed columns and open ones, goals, and model folders that don't tell."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from allsaid.proof.values import seen
from allsaid.proof.values.seen import Seen, build_seen, goals_mentioned
from schemas.act import Act, Slot


def act(goal: str, *slots: tuple[str, str], text: str = "a") -> Act:
    return Act("1", goal, [Slot(*slot) for slot in slots], text, text, text.split(), [], "", "a.csv", 0)


def boats() -> list[Act]:
    """Each with a name of its own, a rig of three, a length, and whether it has an engine, which is always so."""
    rigs = ["sloop", "ketch", "gaff cutter"]
    return [
        act("boat", ("name", f"mary {n}a"), ("rig", rigs[n % 3]), ("length", f"{7 + n} m"), ("engine", "yes"))
        for n in range(9)
    ]


def test_a_new_value_is_unfamiliar_in_a_closed_column_only() -> None:
    found = build_seen(["boat"] * 9, boats())
    assert found.columns == {
        "engine": ("yes",),
        "length": None,
        "name": None,
        "rig": ("gaff cutter", "ketch", "sloop"),
    }
    assert found.has_value("rig", "ketch") and not found.has_value("rig", "lateen")
    assert found.has_value("rig", "12 ft"), "a number is always new"
    assert found.has_value("length", "7 m") and found.has_value("name", "argo")
    assert found.has_value("engine", "yes") and not found.has_value("engine", "no")
    assert not found.has_value("berths", "4"), "no row has the column"


@pytest.mark.parametrize(
    ("makers", "closed"),
    [
        ("aabbccdde", True),
        ("aabcdaab", True),
        ("aabbcdef", True),
        ("aabbcdefg", False),
        ("abcdefgh", False),
        ("a", False),
    ],
)
def test_half_of_the_rows_must_share_their_value(makers: str, closed: bool) -> None:
    found = build_seen(makers, [act("boat", ("maker", maker)) for maker in makers])
    assert found.has_value("maker", "z") is not closed
    assert found.has_goal("z") is not closed


def test_numbers_count_as_new_values() -> None:
    drafts = ["shallow", "shallow", "deep", "deep", "2 m", "3 m", "4 m", "5 m"]
    acts = [act("boat", ("draft", draft)) for draft in drafts]
    assert not build_seen([], acts).has_value("draft", "very deep")
    assert build_seen([], [*acts, act("boat", ("draft", "6 m"))]).has_value("draft", "very deep")


def test_a_value_twice_in_one_row_is_no_shared_one() -> None:
    found = build_seen([], [act("boat", ("flag", str(n) * 3 + "x"), ("flag", str(n) * 3 + "x")) for n in range(4)])
    assert found.columns == {"flag": None}


def test_several_texts_of_a_record_count_once() -> None:
    told = [replace(one, text=f"text {n}") for n in range(3) for one in boats()]
    assert build_seen(["boat"] * 27, told).columns == build_seen(["boat"] * 9, boats()).columns


def test_goals_are_compared_without_case_and_blanks() -> None:
    found = build_seen(["Motor  boat", "motor boat", "Straße"] * 2, [])
    assert found.goals == ("motor boat", "straße")
    assert found.has_goal(" MOTOR\tBOAT ") and found.has_goal("straße") and not found.has_goal("motorboat")


def test_a_column_of_too_many_values_is_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seen, "MAX_KEPT", 2)
    assert build_seen("aabb", []).goals == ("a", "b")
    assert build_seen("aabbcc", []).goals is None


@pytest.mark.parametrize("goals", [["boat"] * 3, ["a", "b"], []])
def test_it_survives_json(goals: list[str]) -> None:
    found = replace(build_seen(goals, boats()), mentioned_goals=("boat",), asks_goal=True)
    assert Seen.from_json(json.loads(json.dumps(found.to_json()))) == found


def test_goals_are_asked_where_half_of_the_texts_say_theirs() -> None:
    told = [act("boat", text="mary is a boat ."), act("Motor Boat", text="ann is one of two motor boats .")]
    silent = [act("boat", text="mary sails ."), act("motor boat", text="ann is a boat .")]
    goals = [one.act_type for one in told + silent]
    assert goals_mentioned(goals, told + silent) == (("boat", "motor boat"), True)
    assert goals_mentioned(goals, [*told, *silent, act("boat", text="it floats")]) == (("boat", "motor boat"), False)
    assert goals_mentioned(goals, []) == ((), False)


def test_a_goal_inside_a_value_is_not_said() -> None:
    named = replace(act("boat", ("name", "boat eliza"), text="the boat eliza"), tokens=["the", "SLOT_NAME"])
    assert goals_mentioned(["boat"], [named]) == ((), False)


def test_goals_that_records_hold_as_a_value_count_there() -> None:
    acts = [act("boat", ("sort", "boat"), text="a boat"), act("raft", ("sort", "raft"), text="a raft")]
    assert goals_mentioned(["boat", "raft"], acts) == ((), False)
    without = [act(one.act_type, text=one.text) for one in acts]
    assert goals_mentioned(["boat", "raft"], without) == (("boat", "raft"), True)


def test_a_goal_that_more_texts_say_without_it_is_none() -> None:
    texts = [f"a boat with a {thing}" for thing in ("mast", "mast", "sail")]
    acts = [*(act("boat", text=text) for text in texts), act("mast", text="a mast")]
    assert goals_mentioned([one.act_type for one in acts], acts) == (("boat",), True)
