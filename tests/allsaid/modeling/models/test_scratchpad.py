"""The models that keep notes against a slow version written from the equations, z and places summed one by one."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, get_args, get_type_hints

import copying_texts
import pytest
import torch
from copying_texts import TEXTS, V, batch, losses_of, searched, stepped, words_of
from slow_scratchpad import K, slow
from weight_gradients import check_all_gradients

from allsaid.decoding.beam import beam_search
from allsaid.modeling.config import SearchConfig
from allsaid.modeling.data.copying import Prompts
from allsaid.modeling.data.shapes import by_shape
from allsaid.modeling.data.vocabulary import PAD, SPECIALS, START
from allsaid.modeling.layers.packed import by_place, pack
from allsaid.modeling.models.scratchpad import NotesState, Scratchpad, Settings

SYSTEMS = get_args(get_type_hints(Settings)["system"])
COPYING = [system for system in SYSTEMS if system != "seq2seq"]
TRANSLATING: dict[str, Any] = {"cell": "lstm", "score": "general", "input_feeding": True, "residual": True, "layers": 3}
KINDS: list[tuple[str, dict[str, Any]]] = [(system, {}) for system in SYSTEMS]
KINDS += [(system, TRANSLATING) for system in ("scratchpad", "coverage", "coverage_gru")]
KINDS += [("scratchpad", {name: value}) for name, value in TRANSLATING.items()]


def model_of(system: str, dtype: torch.dtype = torch.float64, **settings: Any) -> Scratchpad:
    torch.manual_seed(6)
    model = Scratchpad(Settings(system=system, hidden=K, init=0.7, **settings), V, dtype)  # type: ignore[arg-type]
    for norm in model.norms:
        norm.weight.data.uniform_(0.5, 1.5)
        norm.bias.data.uniform_(-0.5, 0.5)
    if model.notes is not None:
        model.notes.gate.bias.data.zero_()
    return model.to(dtype).eval()


@torch.no_grad()
def test_attention_equals_that_of_rewritten_states() -> None:
    model = model_of("scratchpad", torch.float32)
    state = model.start(pack(batch(0, 1).prompts)).select(torch.tensor([0, 0, 1, 1]))
    for t in range(30):
        _, state = model.step(state, torch.tensor([4, 9, 6, 4 + t % 5]))
    assert isinstance(state, NotesState) and model.notes is not None
    assert torch.allclose(state.keys, model.attention.key(state.states), atol=1e-5)
    assert torch.allclose(state.gates, model.notes.of_place(state.states), atol=1e-5)
    assert not torch.allclose(state.states[0], state.states[1])  # each hypothesis has its own


@torch.no_grad()
def test_input_feeding_passes_the_last_output() -> None:
    """By hand: one layer, whose reset gates are shut and update gates open, so that s = tanh of what it is fed."""
    model = model_of("seq2seq", layers=1, input_feeding=True)
    for weight in (*model.write.parameters(), *model.mix.parameters()):
        weight.zero_()
    (cell,) = model.write
    cell.weight_ih[2 * K :, K:] = torch.eye(K)  # of what stands beside the word
    cell.bias_ih[K : 2 * K] = -1e6
    model.mix.bias.fill_(0.3)
    model.mix.weight[:, :K] = 2 * torch.eye(K)
    state, fed = model.start(pack(batch(0).prompts)), math.tanh(0.3)  # nothing was written before the first word
    for word in (START, 5, 7):
        _, state = model.step(state, torch.tensor([word]))
        s = math.tanh(fed)
        assert state.h[0, 0].tolist() == state.decoded[0, :K].tolist() == pytest.approx([s] * K)
        fed = math.tanh(2 * s + 0.3)


@pytest.mark.parametrize(("system", "settings"), KINDS)
@torch.no_grad()
def test_a_step_gives_each_word_what_enumeration_gives(system: str, settings: dict[str, Any]) -> None:
    copying_texts.check_steps(model_of(system, **settings), slow)


@pytest.mark.parametrize(("system", "weight"), [*((system, 1.0) for system in COPYING), ("coverage", 0.4)])
@torch.no_grad()
def test_the_losses_are_of_what_enumeration_gives(system: str, weight: float) -> None:
    """`coverage` is its weight times Σ min(attention, the sum of attention before) over places and words."""
    model = model_of(system, coverage_weight=weight)
    losses = model.loss(batch(0, 1))
    steps = [slow(model, row) for row in (0, 1)]
    nll, own = losses_of([copying_texts.enumerated(steps[row], row) for row in (0, 1)])
    twice = 0.0
    for row in (0, 1):
        seen = [0.0] * len(words_of(row))
        for _, shares, _ in steps[row]:
            weights = [one.item() for one in shares]
            twice += sum(map(min, weights, seen))
            seen = [sum(pair) for pair in zip(seen, weights, strict=True)]
    expected = {"nll": nll, "own": own} | ({"coverage": weight * twice} if system == "coverage" else {})
    assert {name: value.item() for name, value in losses.named.items()} == pytest.approx(expected)
    assert losses.counts["nll_source"] == 5 and losses.counts["nll_other"] == 4


@torch.no_grad()
def test_the_gates_of_a_scratchpad_are_reported() -> None:
    open_places = open_gates = 0
    for row in (0, 1):
        model = model_of("scratchpad")
        assert model.notes is not None
        model.notes.gate.bias.fill_(100.0)
        losses = model.loss(batch(row))
        assert losses.parts["gate"] == losses.counts["gate"] == losses.parts["gate_open"]
        assert losses.counts["gate"] == len(words_of(row)) * (len(TEXTS[row]) + 1)
        open_places += int(losses.counts["gate"])
        open_gates += int(losses.parts["gate_open"])
    both = model_of("scratchpad", gate_bias=-2.0).loss(batch(0, 1))
    assert both.counts["gate"] == open_places == open_gates
    assert 0 < both.parts["gate"] < open_places and both.parts["gate_open"] < open_places
    assert "gate" not in model_of("copynet").loss(batch(0, 1)).parts


def test_coverage_can_start_from_all_weights_of_copying() -> None:
    sizes = [{name: one.shape for name, one in model_of(system).state_dict().items()} for system in COPYING]
    copying, covering = sizes[COPYING.index("copynet")], sizes[COPYING.index("coverage")]
    assert covering.items() - copying.items() == {("attention.cover", torch.Size([1, K]))}
    assert copying.items() <= covering.items()


def test_coverage_without_its_loss_has_the_losses_of_copying() -> None:
    """Of as many weights and others: the vector of what was looked at still enters the scores."""
    without, copying = model_of("coverage", coverage_weight=0), model_of("copynet")
    losses = without.loss(batch(0, 1))
    assert losses.named.keys() == copying.loss(batch(0, 1)).named.keys()
    losses.total.backward()
    cover = without.attention.cover
    assert cover is not None and cover.grad is not None and cover.grad.abs().sum() > 0


@pytest.mark.parametrize(("system", "settings"), KINDS)
def test_the_gradients_of_all_weights_are_those_of_differences(system: str, settings: dict[str, Any]) -> None:
    model = model_of(system, **settings)
    check_all_gradients(model)


@pytest.mark.parametrize("system", SYSTEMS)
@torch.no_grad()
def test_padding_changes_nothing(system: str) -> None:
    """Neither a longer source beside a text's own, nor places that a search fills up, nor filling between items."""
    model = model_of(system)
    ((_, filled),) = by_shape([pack(batch(0).prompts)])
    assert filled.source.shape == (1, 16)
    together, alone = (
        stepped(model, batch(0, 1))[0],
        stepped(model, batch(0))[0],
    )
    state = model.start(filled)
    for t, word in enumerate(batch(0).inputs.unbind(1)):
        scores, state = model.step(state, word)
        shown = model.attention_of(state)["attention" if system == "seq2seq" else "pointer"]
        assert shown.sum().item() == pytest.approx(1)
        for other in (together[0, t], alone[0, t]):
            size = min(len(other), scores.log_probs.shape[1])
            assert torch.allclose(scores.log_probs[0, :size], other[:size])
            assert other[size:].isneginf().all() and scores.log_probs[0, size:].isneginf().all()


def test_items_are_concatenated_and_shown_in_place() -> None:
    packed = pack(batch(0, 1).prompts)
    assert packed.source.tolist() == [[4, 9, 5, 9, 0, 0], [6, 4, 10, 9, 6, 4]]
    values = torch.arange(12.0).view(2, 6) + 1
    values[0, 4:] = 0
    shown = by_place(packed.items, packed.words, values)
    assert shown[0, :2].tolist() == [[1, 2, 3, 0], [4, 0, 0, 0]]
    assert shown[1].tolist() == [[7, 0, 0, 0], [8, 9, 10, 11], [12, 0, 0, 0]]


@pytest.mark.parametrize("system", ["scratchpad", "coverage"])
@torch.no_grad()
def test_a_search_over_the_union_is_that_of_a_slow_one(system: str) -> None:
    """One hypothesis after the other, each word of vocabulary and source scored; own words are found and repeated."""
    model = model_of(system, torch.float32)
    assert model.switch is not None
    model.switch.bias.add_(1.5)
    options = SearchConfig(width=3, max_tokens=5, finished=3, search_batch=2, no_repeat_ngram=2)
    for row in (0, 1):
        ((_, packed),) = by_shape([pack(batch(row).prompts)])
        found = beam_search(model, packed, options)[0]
        expected = searched(model, packed, options)
        assert [one.tokens for one in found] == [tokens for tokens, _ in expected]
        assert [one.log_probability for one in found] == pytest.approx([score for _, score in expected], abs=1e-4)
        assert any(max(one.tokens, default=0) >= V for one in found)


@torch.no_grad()
def test_search_does_not_depend_on_the_batch() -> None:
    model = model_of("scratchpad", torch.float32)
    options = SearchConfig(width=3, max_tokens=6, finished=3, search_batch=2)
    ((_, both),) = by_shape([pack(batch(row).prompts) for row in (0, 1)])
    together = beam_search(model, both, options)
    for row in (0, 1):
        ((_, alone),) = by_shape([pack(batch(row).prompts)])
        assert beam_search(model, alone, options)[0] == together[row]


@pytest.mark.parametrize("system", COPYING)
@torch.no_grad()
def test_where_a_word_comes_from_is_what_enumeration_gives(system: str) -> None:
    copying_texts.check_origins(model_of(system), slow)


@pytest.mark.parametrize("system", SYSTEMS)
@torch.no_grad()
def test_sources_of_no_word_and_one_word_work(system: str) -> None:
    model = model_of(system)
    items = torch.tensor([[[PAD, PAD]], [[9, PAD]]])
    given = replace(batch(0, 1), prompts=Prompts(items))
    logs, state = stepped(model, given)
    assert torch.allclose(logs.exp().sum(2), torch.ones((), dtype=torch.float64))
    assert logs[0, :, : len(SPECIALS)].isfinite().all() and logs[0, :, V:].isneginf().all()  # nothing to copy
    shown = model.attention_of(state)["attention" if system == "seq2seq" else "pointer"]
    assert shown.flatten(1)[0].tolist() == [0] * shown[0].numel()
    assert shown.flatten(1)[1].tolist() == pytest.approx([1.0, *[0.0] * (shown[0].numel() - 1)])
    losses = model.loss(replace(given, targets=given.targets.masked_fill(given.targets >= V, 5)))
    assert all(value.isfinite() for value in losses.named.values())
