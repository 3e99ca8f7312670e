"""Banks and limits on models so small that the right texts can be written down."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

import pytest
import torch
from scripted_model import NO_NAMES, Scripted, every_text, prompts

from allsaid.decoding.beam import beam_search
from allsaid.decoding.hypothesis import Hypothesis
from allsaid.decoding.step import ban
from allsaid.decoding.step.banks import Needed, _turns
from allsaid.decoding.step.costs import Costs
from allsaid.decoding.step.items import unwritable
from allsaid.decoding.step.request import Request, steps_of
from allsaid.decoding.step.score_buffer import DEAD
from allsaid.modeling.config import SearchConfig
from allsaid.modeling.data.vocabulary import END, SPECIALS, START, Vocabulary
from allsaid.proof.coverage import Lexicon, measure
from allsaid.proof.known_foods import build_food_lexicon

SALT, OIL, STIR = 4, 5, 6
WORDS = Vocabulary((*SPECIALS, "salt", "olive_oil", "stir"))
CPU = torch.device("cpu")
# Likely texts say little: "stir" ends, and only the unlikely ones name both items.
TABLE = {
    START: {STIR: 0.9, SALT: 0.06, OIL: 0.04},
    STIR: {END: 0.9, STIR: 0.06, SALT: 0.03, OIL: 0.01},
    SALT: {END: 0.9, STIR: 0.1},
    OIL: {END: 0.95, STIR: 0.05},
}
BANKED = SearchConfig(width=5, max_tokens=7, finished=5, min_coverage=100, extra_penalty=0)


@dataclass(frozen=True)
class Line:
    agenda_tokens: list[list[str]]
    agenda: list[str] = field(default_factory=list)
    goal_tokens: list[str] = field(default_factory=list)


SALT_AND_OIL = Line([["sea", "salts"], ["oil"]], ["2 ts sea salts", "1 oil"])


def search(
    rows: list[Line], options: SearchConfig, banned: tuple[str, ...] = (), with_goal: bool = False
) -> list[list[Hypothesis]]:
    steps = steps_of(rows, Request(WORDS, Lexicon({}), options, banned, with_goal))
    items = max(len(row.agenda_tokens) for row in rows)
    return beam_search(Scripted([TABLE] * len(rows), {}, NO_NAMES), prompts(len(rows), items), options, steps)


def best(row: Line, bound: float) -> list[int]:
    """The likeliest text a word, among all that give so much, by the slow way."""
    texts = every_text(Scripted([TABLE], {}, NO_NAMES), 0, longest=6)
    given = [measure(WORDS.decode(one.tokens), row.agenda_tokens, Lexicon({})).percent_given for one in texts]
    return next(one.tokens for one, percent in zip(texts, given, strict=True) if percent >= bound)


def test_banked_texts_cover_every_item() -> None:
    plain_options = replace(BANKED, min_coverage=0, width=3, finished=3)
    (plain,) = beam_search(Scripted([TABLE], {}, NO_NAMES), prompts(1), plain_options)
    assert all(not {SALT, OIL} <= set(one.tokens) for one in plain)
    (found,) = search([SALT_AND_OIL], BANKED)
    assert found[0].tokens == best(SALT_AND_OIL, 100) == [STIR, SALT, STIR, OIL]
    assert found[0].log_probability == pytest.approx(math.log(0.9 * 0.03 * 0.1 * 0.01 * 0.95), abs=1e-4)
    for one in found:
        assert measure(WORDS.decode(one.tokens), SALT_AND_OIL.agenda_tokens, Lexicon({})).percent_given == 100


def test_each_row_has_its_own_bound_and_a_batch_changes_nothing() -> None:
    rows = [SALT_AND_OIL, Line([["salt"]], ["salt"]), Line([["smelts"], ["oil"]], ["smelts", "oil"])]
    together = search(rows, BANKED)
    wanted = [best(SALT_AND_OIL, 100), best(rows[1], 100), best(rows[2], 50)]  # no word says smelts
    assert [one[0].tokens for one in together] == wanted
    for row, found in zip(rows, together, strict=True):
        assert [one.tokens for one in search([row], BANKED)[0]] == [one.tokens for one in found]
    (half,) = search([SALT_AND_OIL], replace(BANKED, min_coverage=50))
    assert half[0].tokens == best(SALT_AND_OIL, 50)


def test_beam_places_rotate_over_banks_fullest_first() -> None:
    scores = torch.tensor([[9.0, 8.0, 7.0, 6.0, 5.0, 4.0, DEAD]])
    bank = torch.tensor([[0.0, 0, 1, 0, 2, 1, 3]])
    assert _turns(scores, bank).tolist() == [[4, 2, 0, 5, 1, 3, 6]]


def test_extra_names_cost_where_the_agenda_does_not_back_them() -> None:
    lexicon, row = Lexicon({"salt": 30, "olive oil": 30}), Line([["stir"]], ["stir"])
    options = replace(BANKED, extra_penalty=3)
    costs, _ = steps_of([row, SALT_AND_OIL], Request(WORDS, lexicon, options))
    assert isinstance(costs, Costs)
    assert costs.nats.tolist() == [[0, 0, 0, 0, 3, 3, 0], [0] * 7]


def test_a_general_word_for_an_item_costs_nothing() -> None:
    words = Vocabulary((*SPECIALS, "meat", "shrimp"))
    row, options = Line([["ground", "beef"]], ["ground beef"]), replace(BANKED, extra_penalty=3)
    costs, _ = steps_of([row], Request(words, build_food_lexicon([]), options))
    assert isinstance(costs, Costs)
    assert costs.nats[0, -2:].tolist() == [0, 3]


def test_banned_phrases_are_never_written_and_are_reported() -> None:
    free = replace(BANKED, min_coverage=0)
    (found,) = search([SALT_AND_OIL], free, ("stir", "Oil"))
    assert [one.tokens for one in found] == [[SALT]]
    (found,) = search([SALT_AND_OIL], BANKED, ("salt stir olive oil",))
    assert found[0].tokens == [STIR, SALT, STIR, STIR, OIL]
    assert search([SALT_AND_OIL], free, ("salt", "stir", "oil")) == [[]]
    rows = Line([["salt"], ["smelts"], ["oil"], ["SLOT_NAME"]], ["salt", "smelts", "oil", "name=The Oil Inn"])
    assert unwritable(rows, WORDS, ("oil",)) == {1: "unknown", 2: "banned", 3: "banned"}
    assert unwritable(rows, WORDS, ()) == {1: "unknown"}


def test_a_goal_is_an_item_more_and_told_as_a_whole() -> None:
    goal = replace(SALT_AND_OIL, agenda_tokens=[["oil"]], agenda=["1 oil"], goal_tokens=["salt"])
    request = Request(WORDS, Lexicon({}), BANKED, with_goal=True)
    (needed,) = steps_of([goal, Line([["stir"]], ["stir"])], request)
    assert isinstance(needed, Needed) and needed.least.tolist() == [2, 1]
    assert (needed.names[0].tolist(), needed.gives[0].nonzero().tolist()) == ([SALT, OIL], [[0, 1], [1, 0]])
    (found,) = search([goal], BANKED, with_goal=True)
    assert found[0].tokens == [STIR, SALT, STIR, OIL]
    assert unwritable(goal, WORDS, (), with_goal=True) == {}
    assert unwritable(goal, WORDS, ("salt",), with_goal=True) == {1: "banned"}
    lake = replace(goal, goal_tokens=["lake", "salt"])
    assert unwritable(lake, WORDS, (), with_goal=True) == {1: "unknown"}
    assert unwritable(lake, WORDS, ()) == {}


def test_no_number_is_written_that_the_agenda_lacks() -> None:
    words = Vocabulary((*SPECIALS, "350", "2", "1,000", "oven"))
    row = Line([["oven"]], ["2 ovens, 1000 W"])
    (costs,) = steps_of([row], Request(words, Lexicon({}), SearchConfig(supported_numbers_only=True)))
    assert isinstance(costs, Costs)
    assert [words.words[place] for place in costs.nats[0].isinf().nonzero().flatten().tolist()] == ["350"]
    assert steps_of([row], Request(words, Lexicon({}), SearchConfig())) == []


def test_a_watch_moves_with_its_device_and_keeps_its_states() -> None:
    watch = ban.watch(WORDS.words, ("salt stir",)).to(CPU)
    states = watch.after(torch.zeros(3, dtype=torch.long), torch.tensor([SALT, OIL, STIR]))
    assert (states > 0).tolist() == [True, False, False]
    assert [[word for word in row if word] for row in watch.forbidden(states).tolist()] == [[STIR], [], []]


def test_placeholders_are_the_agendas_and_unique_on_request() -> None:
    words = Vocabulary((*SPECIALS, "SLOT_NAME", "SLOT_AREA", "in"))
    name, area, within = 4, 5, 6
    table = {
        START: {area: 0.6, name: 0.4},
        name: {within: 0.9, END: 0.1},
        area: {END: 1.0},
        within: {name: 0.7, END: 0.3},
    }
    found = {}
    for once in (False, True):
        options = SearchConfig(width=3, max_tokens=5, finished=9, values_once=once)
        steps = steps_of([Line([["SLOT_NAME"]], ["name=red door"])], Request(words, Lexicon({}), options))
        (texts,) = beam_search(Scripted([table], {}, NO_NAMES), prompts(1), options, steps)
        found[once] = [one.tokens for one in texts if one.finished]
    assert not any(area in tokens for texts in found.values() for tokens in texts)
    assert [name, within, name, within] in found[False]
    assert sorted(found[True]) == [[name], [name, within]]
