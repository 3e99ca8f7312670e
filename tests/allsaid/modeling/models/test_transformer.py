"""The Transformer that copies against a slow version written from the equations, head by head and place by place."""

from __future__ import annotations

import math
from dataclasses import replace

import copying_texts
import pytest
import torch
from copying_texts import TEXTS, V, batch, known, losses_of, searched, stepped, words_of
from torch import Tensor
from weight_gradients import check_all_gradients

from allsaid.decoding.beam import beam_search
from allsaid.modeling.config import SearchConfig
from allsaid.modeling.data.copying import Prompts
from allsaid.modeling.data.shapes import by_shape
from allsaid.modeling.data.vocabulary import PAD, SPECIALS, START
from allsaid.modeling.layers.packed import pack
from allsaid.modeling.layers.transformer import Attention, Layer, at_places
from allsaid.modeling.models.transformer import Settings, Transformer

K, HEADS, WINDOW = 8, 2, 3  # texts have up to five words, so that some are out of the window


def model_of(dtype: torch.dtype = torch.float64) -> Transformer:
    torch.manual_seed(7)
    model = Transformer(Settings(hidden=K, heads=HEADS, window=WINDOW), V, dtype)
    for parameter in model.parameters():
        parameter.data.add_(torch.randn_like(parameter) * 0.3)
    return model.to(dtype).eval()


def looked(attention: Attention, x: Tensor, held: list[Tensor]) -> Tensor:
    """What one word (k,) reads of others, head by head."""
    query, width = attention.query(x), K // HEADS
    found = []
    for head in range(HEADS):
        part = slice(head * width, (head + 1) * width)
        keys = [attention.held(one)[:K][part] for one in held]
        exps = [math.exp(query[part] @ key / math.sqrt(width)) for key in keys]
        values = [attention.held(one)[K:][part] for one in held]
        found.append(sum(weight / sum(exps) * value for weight, value in zip(exps, values, strict=True)))
    return attention.out(torch.cat(found))  # type: ignore[arg-type]


def layered(layer: Layer, xs: list[Tensor], sees: list[list[int]], memory: list[Tensor] | None = None) -> list[Tensor]:
    """Every word after a layer; sees: the places that each looks at."""
    normed, found = [layer.own_norm(x) for x in xs], []
    for x, own, places in zip(xs, normed, sees, strict=True):
        x = x + looked(layer.own, own, [normed[place] for place in places])
        if layer.source is not None and layer.source_norm is not None and memory is not None:
            x = x + looked(layer.source, layer.source_norm(x), memory)
        found.append(x + layer.inner(x))
    return found


def embedded(model: Transformer, words: list[int]) -> list[Tensor]:
    places = at_places(torch.arange(len(words)), K).double()
    return [model.embedding[known(word)] * math.sqrt(K) + place for word, place in zip(words, places, strict=True)]


def slow(model: Transformer, row: int) -> list[tuple[Tensor, list[Tensor], Tensor]]:
    """After each word of a text: p(w) of V words, where the pointer is, and p(z = 1)."""
    xs = embedded(model, words_of(row))
    for layer in model.read:
        xs = layered(layer, xs, [[*range(len(xs))]] * len(xs))
    memory = [model.read_norm(x) for x in xs]
    xs = embedded(model, [START, *TEXTS[row]])
    for layer in model.write:
        xs = layered(layer, xs, [[*range(max(0, t + 1 - WINDOW), t + 1)] for t in range(len(xs))], memory)
    found = []
    for s in map(model.write_norm, xs):
        exps = [math.exp(model.query(s) @ model.key(place) / math.sqrt(K)) for place in memory]
        weights = [torch.tensor(one / sum(exps), dtype=torch.float64) for one in exps]
        both = torch.cat([s, sum(weight * place for weight, place in zip(weights, memory, strict=True))])  # type: ignore
        found.append(((model.w_o @ model.mix(both).tanh()).softmax(0), weights, model.switch(both).sigmoid()))
    return found


@torch.no_grad()
def test_steps_and_losses_are_what_enumeration_gives() -> None:
    """Step by step and all at once, with words that are out of the window."""
    model = model_of()
    copying_texts.check_steps(model, slow, rel=1e-6)
    nll, own = losses_of([copying_texts.enumerated(slow(model, row), row) for row in (0, 1)])
    assert {name: value.item() for name, value in model.loss(batch(0, 1)).named.items()} == pytest.approx(
        {"nll": nll, "own": own}
    )


@torch.no_grad()
def test_where_a_word_comes_from_is_what_enumeration_gives() -> None:
    copying_texts.check_origins(model_of(), slow)


@torch.no_grad()
def test_padding_changes_nothing() -> None:
    model = model_of()
    ((_, filled),) = by_shape([pack(batch(0).prompts)])
    state, others = model.start(filled), (stepped(model, batch(0, 1))[0], stepped(model, batch(0))[0])
    for t, word in enumerate(batch(0).inputs.unbind(1)):
        scores, state = model.step(state, word)
        for other in others:
            size = min(other.shape[2], scores.log_probs.shape[1])
            assert torch.allclose(scores.log_probs[0, :size], other[0, t, :size])
            assert other[0, t, size:].isneginf().all() and scores.log_probs[0, size:].isneginf().all()


@torch.no_grad()
def test_a_search_is_that_of_a_slow_one_alone_and_among_others() -> None:
    model = model_of(torch.float32)
    model.switch.bias.add_(1.5)
    options = SearchConfig(width=3, max_tokens=6, finished=3, search_batch=2, no_repeat_ngram=2)
    ((_, both),) = by_shape([pack(batch(row).prompts) for row in (0, 1)])
    together = beam_search(model, both, options)
    for row in (0, 1):
        ((_, packed),) = by_shape([pack(batch(row).prompts)])
        found, expected = beam_search(model, packed, options)[0], searched(model, packed, options)
        assert found == together[row]
        assert [one.tokens for one in found] == [tokens for tokens, _ in expected]
        assert [one.log_probability for one in found] == pytest.approx([score for _, score in expected], abs=1e-4)


@torch.no_grad()
def test_sources_of_no_word_and_one_word_work() -> None:
    model = model_of()
    given = replace(batch(0, 1), prompts=Prompts(torch.tensor([[[PAD, PAD]], [[9, PAD]]])))
    logs, state = stepped(model, given)
    assert torch.allclose(logs.exp().sum(2), torch.ones((), dtype=torch.float64))
    assert logs[0, :, : len(SPECIALS)].isfinite().all() and logs[0, :, V:].isneginf().all()  # nothing to copy
    assert model.attention_of(state)["pointer"].flatten(1)[:, 0].tolist() == [0, 1]
    losses = model.loss(replace(given, targets=given.targets.masked_fill(given.targets >= V, 5)))
    assert all(value.isfinite() for value in losses.named.values())


def test_the_gradients_of_all_weights_are_those_of_differences() -> None:
    model = model_of()
    check_all_gradients(model)


def test_places_are_told_apart_by_sines_and_cosines() -> None:
    found = at_places(torch.tensor([0, 3]), 5)
    expected = [
        math.sin(3),
        math.cos(3),
        math.sin(3 / 10_000**0.4),
        math.cos(3 / 10_000**0.4),
        math.sin(3 / 10_000**0.8),
    ]
    assert torch.allclose(found, torch.tensor([[0.0, 1, 0, 1, 0], expected]))
