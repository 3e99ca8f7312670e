"""Lists that say an item once, held against every text of a model so small that all can be written down."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from scripted_model import NO_NAMES, A, B, C, Scripted, every_text, prompts

from allsaid.decoding.beam import beam_search
from allsaid.decoding.step.request import Request, steps_of
from allsaid.modeling.config import SearchConfig
from allsaid.modeling.data.vocabulary import END, SPECIALS, START, Vocabulary
from allsaid.proof.coverage import Lexicon

ONION, MILK, STIR = A, B, C
WORDS = Vocabulary((*SPECIALS, "onion", "milk", "stir"))
ANY = {ONION: 0.4, MILK: 0.2, STIR: 0.3, END: 0.1}
TABLE = {START: {ONION: 0.4, MILK: 0.3, STIR: 0.3}, ONION: ANY, MILK: ANY, STIR: ANY}
LONGEST = 6


@dataclass(frozen=True)
class Line:
    agenda_tokens: list[list[str]]
    agenda: list[str] = field(default_factory=list)
    goal_tokens: list[str] = field(default_factory=list)


def texts(row: Line, options: SearchConfig) -> list[list[int]]:
    steps = steps_of([row], Request(WORDS, Lexicon({}), options))
    (found,) = beam_search(Scripted([TABLE], {}, NO_NAMES), prompts(1), options, steps)
    return [one.tokens for one in found if one.finished]


def most_in_a_list(tokens: list[int], word: int) -> int:
    """How often a word stands in one list of a text; three times "stir" end one."""
    lists: list[list[int]] = [[]]
    for place, token in enumerate(tokens):
        if token != STIR:
            lists[-1].append(token)
        elif tokens[max(place - 2, 0) : place + 1] == [STIR] * 3:
            lists.append([])
    return max(one.count(word) for one in lists)


@pytest.mark.parametrize(
    ("names", "onions"),
    [
        ([["milk"], ["onion"]], 1),
        ([["milk"], ["onion"], ["onion"]], 1),
        ([["milk"], ["green", "onion"], ["red", "onion"], ["onion", "soup"]], 3),
    ],
    ids=["one", "one that stands twice", "three names that hold the word"],
)
def test_a_list_says_an_item_as_often_as_names_hold_it(names: list[list[str]], onions: int) -> None:
    options = SearchConfig(width=1000, max_tokens=LONGEST, finished=2000, once_a_list=True)
    every = [one.tokens for one in every_text(Scripted([TABLE], {}, NO_NAMES), 0, LONGEST)]
    wanted = [one for one in every if most_in_a_list(one, ONION) <= onions and most_in_a_list(one, MILK) <= 1]
    assert sorted(texts(Line(names), options)) == sorted(wanted)
    assert len(wanted) < len(every) and [ONION, STIR, STIR, STIR, ONION] in wanted


def test_what_gives_no_item_may_come_again() -> None:
    options = SearchConfig(width=1000, max_tokens=LONGEST, finished=2000, once_a_list=True)
    found = texts(Line([["onion"]]), options)
    assert [MILK, MILK, ONION, MILK] in found and [ONION, MILK, ONION] not in found


def test_banks_keep_to_it() -> None:
    options = SearchConfig(width=100, max_tokens=LONGEST, finished=20, min_coverage=100, once_a_list=True)
    found = texts(Line([["onion"], ["milk"]]), options)
    assert found and all({ONION, MILK} <= set(one) for one in found)
    assert all(most_in_a_list(one, ONION) == most_in_a_list(one, MILK) == 1 for one in found)
