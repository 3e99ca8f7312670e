"""Two small texts that copy words of their sources, and a search written out, for the tests of models that copy."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import pytest
import torch
from torch import Tensor

from allsaid.modeling.config import SearchConfig
from allsaid.modeling.data.copying import Batch, Prompts
from allsaid.modeling.data.vocabulary import END, PAD, START, UNKNOWN
from allsaid.modeling.models.base.contract import PacksPrompts

V = 9
# Two items, then three: known words 4 to 8, 9 and 10 are the example's own; some words stand in several places.
SOURCES = [[[4, 9, 5], [9]], [[6], [4, 10, 9, 6], [4]]]
TEXTS = [[5, 9, 4, 8], [10, UNKNOWN, 6]]  # 5 and 8: of the source and not; UNKNOWN is no source word
COPIED = [[False, True, True, False], [True, False, True]]


def batch(*rows: int) -> Batch:
    items = torch.stack([_padded([*SOURCES[row], [], []][:3], 4) for row in rows])
    targets = _padded([[*TEXTS[row], END] for row in rows], 5)
    copied = torch.tensor([[*COPIED[row], *[False] * (5 - len(COPIED[row]))] for row in rows])
    inputs = torch.cat([torch.full_like(targets[:, :1], START), targets[:, :-1]], dim=1)
    return Batch(Prompts(items), inputs, targets, copied)


def _padded(rows: list[list[int]], size: int) -> Tensor:
    return torch.tensor([[*row, *[PAD] * (size - len(row))] for row in rows])


def words_of(row: int) -> list[int]:
    return [word for item in SOURCES[row] for word in item]


def known(word: int) -> int:
    return word if word < V else UNKNOWN


def stepped(model: Any, given: Batch) -> tuple[Tensor, Any]:
    """Log-probabilities (B, T, V + C) word by word, and the last state."""
    return follow(model, _prompts_of(model, given), given.inputs)


def _prompts_of(model: Any, given: Batch) -> Any:
    return model.pack(given.prompts) if isinstance(model, PacksPrompts) else given.prompts


def follow(model: Any, prompts: Any, inputs: Tensor) -> tuple[Tensor, Any]:
    """The same from what `start` reads."""
    state, found = model.start(prompts), []
    for words in inputs.unbind(1):
        scores, state = model.step(state, words)
        found.append(scores.log_probs.clone())
    return torch.stack(found, dim=1), state


# After each word of a text: p(w) of V words, how much each place is pointed at, and p(z = 1).
Steps = Sequence[tuple[Tensor, Sequence[Tensor], Tensor]]


def enumerated(steps: Steps, row: int) -> list[dict[int, float]]:
    """p(w) of every word at each step, summed over z and the places."""
    found = []
    for words, weights, z in steps:
        of_step = {word: ((1 - z) * p).item() for word, p in enumerate(words)}
        for word, weight in zip(words_of(row), weights, strict=True):
            of_step[word] = of_step.get(word, 0) + (z * weight).item()
        found.append(of_step)
    return found


def check_steps(model: Any, slow: Callable[[Any, int], Steps], rel: float = 1e-9) -> None:
    """A step gives each word what enumeration gives."""
    logs, _ = stepped(model, batch(0, 1))
    assert torch.allclose(logs.exp().sum(2), torch.ones((), dtype=torch.float64))
    for row in (0, 1):
        for step, words in enumerate(enumerated(slow(model, row), row)):
            for word in range(logs.shape[2]):
                assert logs[row, step, word].exp().item() == pytest.approx(words.get(word, 0.0), rel=rel), (word, step)


def check_origins(model: Any, slow: Callable[[Any, int], Steps]) -> None:
    """A place has p(z = 1) times the pointer's weight there, over all ways to write the word."""
    given, steps, n = batch(0, 1), [slow(model, row) for row in (0, 1)], 2
    state = model.start(_prompts_of(model, given)).select(torch.tensor([0, 0, 1, 1]))
    for t in range(3):
        scores, state = model.step(state, given.inputs[:, t].repeat_interleave(n))
        words = torch.tensor([TEXTS[0][t], 9, TEXTS[1][t], 4])
        found, maps = model.copied_from(state, scores, words), model.attention_of(state)
        for hypothesis, word in enumerate(words.tolist()):
            row = hypothesis // n
            _, weights, z = steps[row][t]
            whole = enumerated(steps[row], row)[t].get(word, 1.0)
            assert maps["p(z = 1)"][hypothesis].item() == pytest.approx(z.item())
            places = iter(weights)
            for item, held in enumerate(SOURCES[row]):
                for place, there in enumerate(held):
                    weight = next(places).item()
                    assert maps["pointer"][hypothesis, item, place].item() == pytest.approx(weight)
                    expected = z.item() * weight / whole if there == word else 0.0
                    assert found[hypothesis, item, place].item() == pytest.approx(expected)
            assert maps["pointer"][hypothesis].sum().item() == pytest.approx(1)


def losses_of(distributions: list[list[dict[int, float]]]) -> tuple[float, float]:
    """`nll` and `own` of both texts, by what each step gives to every word."""
    nll = own = 0.0
    for text, steps in zip(TEXTS, distributions, strict=True):
        for target, words in zip([*text, END], steps, strict=True):
            anything = words[UNKNOWN] + sum(p for word, p in words.items() if word >= V)
            seen_as = anything if target == UNKNOWN or target >= V else words[target]
            nll -= math.log(seen_as)
            own -= math.log(words[target] / seen_as)
    return nll, own


def searched(model: Any, prompts: Any, options: SearchConfig) -> list[tuple[list[int], float]]:
    """Texts of one prompt, best first by their log-probability a word, and that of the whole text."""
    live: list[tuple[list[int], float]] = [([], 0.0)]
    done: list[tuple[list[int], float, bool]] = []
    while live and len(done) < options.finished and len(live[0][0]) < options.max_tokens:
        following = []
        for tokens, score in live:
            logs, _ = follow(model, prompts, torch.tensor([[START, *tokens]]))
            pairs = {*pairwise(tokens)}
            for word, log_prob in enumerate(logs[0, -1].tolist()):
                allowed = word not in (PAD, START, UNKNOWN) and (not tokens or (tokens[-1], word) not in pairs)
                if allowed and log_prob > -math.inf:
                    following.append(([*tokens, word], score + log_prob))
        following.sort(key=lambda one: -one[1])
        done += [(tokens[:-1], score, True) for tokens, score in following[: options.width] if tokens[-1] == END]
        live = [one for one in following if one[0][-1] != END][: options.width]
    done = done or [(tokens, score, False) for tokens, score in live]
    ranked = sorted(done, key=lambda one: -one[1] / (len(one[0]) + one[2]))
    return [(tokens, score) for tokens, score, _ in ranked]
