"""The models that copy against a slow version written from the equations, z and places summed one by one."""

from __future__ import annotations

import math
from typing import get_args, get_type_hints

import copying_texts
import pytest
import torch
from copying_texts import COPIED, SOURCES, TEXTS, V, batch, known, searched, stepped, words_of
from torch import Tensor
from torch.nn import functional as F
from weight_gradients import check_all_gradients, check_largest_gradients

from allsaid.decoding.beam import beam_search
from allsaid.modeling.config import SearchConfig
from allsaid.modeling.data.copying import Prompts
from allsaid.modeling.data.shapes import by_shape
from allsaid.modeling.data.vocabulary import END, PAD, SPECIALS, START, UNKNOWN
from allsaid.modeling.layers.attentive_lstm import AttentiveLstm
from allsaid.modeling.layers.gradients import ProjectedNll, TargetLogProbs
from allsaid.modeling.models.pointer import Pointer, Settings

SYSTEMS = get_args(get_type_hints(Settings)["system"])


def model_of(system: str, dtype: torch.dtype = torch.float64) -> Pointer:
    torch.manual_seed(6)
    model = Pointer(Settings(system=system, hidden=8, init=0.7), V, dtype)  # type: ignore[arg-type]
    return model.to(dtype).eval()


def lstm(weights: torch.nn.LSTM, x: Tensor, h: Tensor, c: Tensor) -> tuple[Tensor, Tensor]:
    """One step of an LSTM for one row."""
    of_input, of_state, *biases = weights.all_weights[0]
    i, f, g, o = (of_input @ x + of_state @ h + sum(biases)).chunk(4)
    c = f.sigmoid() * c + i.sigmoid() * g.tanh()
    return o.sigmoid() * c.tanh(), c


def slow(model: Pointer, row: int) -> list[tuple[Tensor, list[Tensor], Tensor]]:
    """After each word of a text: p(w) of V words, how much each place is pointed at, and p(z = 1)."""
    k, memory = 8, []
    start_h, start_c = torch.zeros(2, k, dtype=torch.float64)
    for item in SOURCES[row]:
        h, c = torch.zeros(2, k, dtype=torch.float64)
        for word in item:
            h, c = lstm(model.read, model.embedding[known(word)], h, c)
            memory.append(h)
        start_h, start_c = start_h + h, start_c + c
    h, c, d, found = start_h, start_c, torch.zeros(k, dtype=torch.float64), []
    for word in [START, *TEXTS[row]]:
        x = model.embedding[known(word)]
        h, c = lstm(model.write, torch.cat([x, d]) if model.reads else x, h, c)
        output, weights, z = h, [torch.zeros(())] * len(memory), torch.zeros(())
        if model.key is not None and model.mix is not None:
            scores = [(math.exp((model.key.weight @ place) @ h)) for place in memory]
            weights = [torch.tensor(score / sum(scores), dtype=torch.float64) for score in scores]
            d = sum(weight * place for weight, place in zip(weights, memory, strict=True))  # type: ignore[assignment]
            output = torch.tanh(model.mix.weight @ torch.cat([h, d]) + model.mix.bias)
        if model.switch is not None:
            z = torch.sigmoid(model.switch(torch.cat([h, d])))[0]
        found.append(((model.w_o @ output).softmax(0), weights, z))
    return found


@pytest.mark.parametrize("system", SYSTEMS)
@torch.no_grad()
def test_a_step_gives_each_word_what_enumeration_gives(system: str) -> None:
    copying_texts.check_steps(model_of(system), slow)


@pytest.mark.parametrize("system", ["latent", "pointer"])
@torch.no_grad()
def test_the_losses_are_of_what_enumeration_gives(system: str) -> None:
    """A word outside of the vocabulary is one unknown word in `nll`; `own` tells which, `switch` of where it came."""
    model = model_of(system)
    losses = model.loss(batch(0, 1))
    nll = own = switch = 0.0
    for row, text in enumerate(TEXTS):
        source, steps = words_of(row), slow(model, row)
        enumeration = copying_texts.enumerated(steps, row)
        for step, (target, copied) in enumerate(zip([*text, END], [*COPIED[row], False], strict=True)):
            words = enumeration[step]
            anything = words[UNKNOWN] + sum(p for word, p in words.items() if word >= V)
            seen_as = anything if target == UNKNOWN or target >= V else words[target]
            nll -= math.log(seen_as)
            own -= math.log(words[target] / seen_as)
            _, weights, z = steps[step]
            copy = z * sum(weight for word, weight in zip(source, weights, strict=True) if word == target)
            of_z = float(copy) if copied else words[target] - float(copy)
            switch -= math.log(of_z / words[target])
    found = {name: value.item() for name, value in losses.named.items()}
    assert found["nll"] == pytest.approx(nll) and found["own"] == pytest.approx(own)
    assert found.get("switch") == (pytest.approx(switch) if system == "pointer" else None)


@pytest.mark.parametrize("system", SYSTEMS)
@torch.no_grad()
def test_source_words_and_others_have_own_perplexities(system: str) -> None:
    model = model_of(system)
    losses = model.loss(batch(0, 1))
    assert losses.counts["nll_source"] == 5 and losses.counts["nll_other"] == 4
    copied = batch(0, 1).copied.sum()
    assert losses.counts["nll_copied"] == copied and losses.counts["nll_uncopied"] == 9 - copied
    for one, other in (("nll_source", "nll_other"), ("nll_copied", "nll_uncopied")):
        both = losses.parts[one] + losses.parts[other]
        assert both.item() == pytest.approx(losses.named["nll"].item())
    own = losses.named.get("own", torch.zeros(()))
    logs = stepped(model, batch(0, 1))[0][0, :4]  # of the first text 5, 9 and 4 stand in the source
    if model.copies:
        alone = model.loss(batch(0)).parts["nll_source"] + model.loss(batch(0)).named["own"]
        assert alone.item() == pytest.approx(-sum(logs[step, TEXTS[0][step]].item() for step in range(3)))
    assert own.isfinite()


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_gradients_of_all_weights_are_those_of_differences(system: str) -> None:
    model = model_of(system)
    check_all_gradients(model)
    check_largest_gradients(model, batch(0, 1))


def test_handwritten_gradients_equal_differences() -> None:
    torch.manual_seed(2)
    texts, steps, places, k = 2, 3, 4, 3
    shapes = [(steps, texts, 4 * k), (texts, places, k), (texts, places, k), (4 * k, 2 * k), (texts, k), (texts, k)]
    x, memory, keys, u, h, c = (torch.randn(shape, dtype=torch.float64, requires_grad=True) for shape in shapes)
    is_place = torch.tensor([[True, True, True, False], [False, True, True, True]])

    def run(*given: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        s, d, e = AttentiveLstm.apply(*given[:3], is_place, *given[3:])
        return s, d, e.transpose(0, 1)[is_place.unsqueeze(1).expand(-1, steps, -1)]

    assert torch.autograd.gradcheck(run, (x, memory, keys, u, h, c))


@pytest.mark.parametrize("rows", [1, 2, 5])
def test_block_gradients_equal_differences(rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    torch.manual_seed(2)
    outputs, weight = (torch.randn(5, 3, dtype=torch.float64, requires_grad=True) for _ in range(2))
    targets = torch.tensor([0, 4, 4, 2, 1])
    monkeypatch.setattr("allsaid.modeling.layers.gradients.BLOCK", {"cpu": rows * len(weight)})
    assert torch.autograd.gradcheck(lambda *given: TargetLogProbs.apply(*given, targets), (outputs, weight))
    alone = TargetLogProbs.apply(outputs, weight, targets)
    assert torch.allclose(alone, F.log_softmax(outputs @ weight.t(), 1).gather(1, targets.unsqueeze(1)).squeeze(1))
    assert torch.allclose(-alone.sum(), ProjectedNll.apply(outputs, weight, targets))
    first, second = (torch.autograd.grad(alone.sum(), (outputs, weight), retain_graph=True) for _ in range(2))
    assert all(torch.allclose(one, other) for one, other in zip(first, second, strict=True))


@torch.no_grad()
def test_a_search_over_the_union_is_that_of_a_slow_one() -> None:
    """One hypothesis after the other, each word of vocabulary and source scored; own words are found and repeated."""
    model = model_of("latent", torch.float32)
    assert model.switch is not None
    model.switch.bias.add_(1.5)
    options = SearchConfig(width=3, max_tokens=5, finished=3, search_batch=2, no_repeat_ngram=2)
    for row in (0, 1):
        ((_, prompts),) = by_shape([batch(row).prompts])
        found = beam_search(model, prompts, options)[0]
        expected = searched(model, prompts, options)
        assert [one.tokens for one in found] == [tokens for tokens, _ in expected]
        assert [one.log_probability for one in found] == pytest.approx([score for _, score in expected], abs=1e-4)
        assert any(max(one.tokens, default=0) >= V for one in found)


@pytest.mark.parametrize("system", ["latent", "pointer"])
@torch.no_grad()
def test_where_a_word_comes_from_is_what_enumeration_gives(system: str) -> None:
    copying_texts.check_origins(model_of(system), slow)


@torch.no_grad()
def test_attention_is_shown_only_where_there_is_any() -> None:
    shown = {}
    for system in SYSTEMS:
        model = model_of(system)
        _, state = model.step(model.start(batch(0, 1).prompts), torch.tensor([START, START]))
        shown[system] = {title: list(values.shape) for title, values in model.attention_of(state).items()}
    copying = {"p(z = 1)": [2], "pointer": [2, 3, 4]}
    assert shown == {"latent": copying, "pointer": copying, "attention": {"attention": [2, 3, 4]}, "seq2seq": {}}


def test_a_source_without_a_word_in_an_item_reads_as_nothing() -> None:
    model = model_of("latent")
    prompts = Prompts(torch.full((1, 2, 3), PAD))
    scores, _ = model.step(model.start(prompts), torch.tensor([START]))
    assert scores.log_probs[:, : len(SPECIALS)].isfinite().all()
