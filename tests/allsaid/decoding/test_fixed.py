"""A search whose tensors stay where they are, as one that a GPU has recorded: here on the CPU, without a recording."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from host_questions import NoQuestions
from random_models import MODELS, random_prompts
from torch import Tensor

from allsaid.decoding import beam
from allsaid.decoding.beam import beam_search
from allsaid.decoding.fixed import FixedSteps
from allsaid.decoding.step.ban import watch
from allsaid.decoding.step.banks import Needed
from allsaid.decoding.step.contract import Step
from allsaid.decoding.step.costs import Costs
from allsaid.decoding.step.lists import Listed
from allsaid.decoding.step.once import Once
from allsaid.decoding.step.phrases import Phrases
from allsaid.modeling.config import SearchConfig
from allsaid.modeling.data.agenda_arrays import Prompts
from allsaid.modeling.data.shapes import by_shape
from allsaid.modeling.layers import projection

SEARCHES = (
    SearchConfig(width=4, max_tokens=20, search_batch=8),
    SearchConfig(width=3, max_tokens=11, search_batch=2, no_repeat_ngram=2, item_bonus=0.5),
    SearchConfig(width=4, max_tokens=15, search_batch=8, banks=True),
)
WORDS = 37


@pytest.fixture(autouse=True)
def _as_on_a_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(projection.LOOKS, "cpu", False)


@pytest.fixture
def fixed(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """Searches take fixed steps and ask the host nothing within them; how often each of them was done."""
    begin, done = beam._Beam.__init__, []

    def started(self: Any, *given: Any) -> None:
        begin(self, *given)
        steps = self.fixed()

        def go() -> None:
            done.append(1)
            with NoQuestions():
                steps()

        self._advance = go

    with monkeypatch.context() as patch:
        patch.setattr(beam._Beam, "__init__", started)
        yield done


def steps_of(prompts: Prompts) -> list[Step]:
    """Steps of every kind: a forbidden word, costs, items to be given, a phrase, words once in a text or a list."""
    chance = torch.Generator().manual_seed(5)
    cost = torch.rand(len(prompts.goal), WORDS, generator=chance)
    cost[:, 9] = float("inf")
    names = prompts.names[:, :3, 0].clone()
    gives = torch.eye(3, dtype=torch.bool).expand(len(names), 3, 3) & (names > 0).unsqueeze(2)
    words = tuple(f"word{number}" for number in range(WORDS))
    needed, listed = gives.any(1).sum(1).clamp(max=2), Listed(names, torch.ones_like(names))
    phrases = Phrases(watch(words, ("word12 word13",)))
    return [Once(torch.arange(10, 20)), Costs(cost), phrases, Needed(names, gives, needed), listed]


@pytest.mark.parametrize("options", SEARCHES, ids=["plain", "repeats", "banked"])
@pytest.mark.parametrize("model", MODELS, ids=lambda model: type(model).__name__)
def test_fixed_steps_find_the_same_texts(model: Any, options: SearchConfig, request: pytest.FixtureRequest) -> None:
    groups = [(prompts, steps_of(prompts) if options.banks else []) for _, prompts in by_shape(random_prompts(30))]
    plain = [beam_search(model, prompts, options, steps) for prompts, steps in groups]
    done = request.getfixturevalue("fixed")
    assert [beam_search(model, prompts, options, steps) for prompts, steps in groups] == plain
    assert len(done) > len(groups) and any(one.tokens for found in plain for texts in found for one in texts)


def test_values_stay_in_place_whatever_they_were_made_of() -> None:
    one = SimpleNamespace(a=torch.zeros(2), b=torch.ones(2), same=torch.zeros(2), written=torch.zeros(2), name="x")
    one.same = one.a

    def turn() -> None:
        one.a, one.b = one.b, one.a + 1  # the new a is the old b
        one.same = one.a.view(2)
        one.written += 1

    steps = FixedSteps(turn, lambda: [one], torch.device("cpu"))
    steps()
    places: dict[str, Tensor] = {name: getattr(one, name) for name in ("a", "b", "same", "written")}
    for values in ([1, 2, 1, 2], [2, 2, 2, 3], [2, 3, 2, 4]):
        steps()
        assert [getattr(one, name)[0].item() for name in places] == values
        assert all(getattr(one, name) is place for name, place in places.items())
        assert len({place.data_ptr() for place in places.values()}) == 4


def test_what_asks_the_host_is_seen() -> None:
    values = torch.ones(3)
    for asks in (lambda: values.sum().item(), lambda: values[values > 0], lambda: torch.tensor([1, 2]), values.nonzero):
        with pytest.raises(AssertionError, match="a step"), NoQuestions():
            asks()
