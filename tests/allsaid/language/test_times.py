"""Times of day in their usual forms; what is no time is none."""

from __future__ import annotations

import pytest

from allsaid.language.times import find_clocks, find_times, read_times


@pytest.mark.parametrize(
    ("text", "times"),
    [
        ("9:00 - 22:00", [(540, 1320)]),
        ("from 9 am to 10 pm", [(540, 1320)]),
        ("9am until 10pm", [(540, 1320)]),
        ("open at 9:00 and close at 22:00", [(540, 1320)]),
        ("von 9 uhr bis 22:00 uhr", [(540, 1320)]),
        ("9.30 a.m .", [(570,)]),
        ("12 am , 12 pm , noon", [(0,), (720,), (720,)]),
        ("at 8:15 and later", [(495,)]),
        ("it costs 4.50 , takes 3 h and holds 12 litres", []),
        ("a ratio of 16:9", []),
    ],
)
def test_times_are_found(text: str, times: list[tuple[int, ...]]) -> None:
    assert [one for _, _, one in find_times(text.split())] == times


def test_a_value_is_a_time_as_a_whole() -> None:
    assert read_times(("9:00", "-", "22:00")) == (540, 1320)
    assert read_times(("about", "9:00")) == ()


@pytest.mark.parametrize(
    ("text", "clocks"),
    [
        ("half past 6 until 8 in the evening", [{390, 1110}, {1200}]),
        ("from 6.15 to half past 7 p.m.", [{375, 1095}, {1170}]),
        ("a quarter to 12 in the morning", [{705}]),
        ("6 to 8 p.m.", [{360, 1080}, {1200}]),
        ("from 10 to noon", [{600, 1320}, {720}]),
        ("10:45 to 12:30", [{645}, {750}]),
        ("it ends at 11 .", [{660, 1380}]),
        ("at 10 to 11 .", [{650, 1370}]),
        ("at 10 to 11 degrees", [{600, 1320}, {660, 1380}]),
        ("at 11 euros , for 8 people and € 4.50", []),
    ],
)
def test_clocks_have_each_reading_of_a_time(text: str, clocks: list[set[int]]) -> None:
    assert [set(one.minutes) for one in find_clocks(text.split())] == clocks


def test_ten_to_eleven_may_be_a_range_of_the_record() -> None:
    words = ["at", "10", "to", "11", "."]
    assert [set(one.minutes) for one in find_clocks(words, [(600, 660)])] == [{600, 1320}, {660, 1380}]
    assert [set(one.minutes) for one in find_clocks(words, [(600, 720)])] == [{650, 1370}]
