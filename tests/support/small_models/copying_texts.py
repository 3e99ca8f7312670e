"""Two small texts that copy words of their sources, and a search written out, for the tests of models that copy."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

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
    prompts = model.pack(given.prompts) if isinstance(model, PacksPrompts) else given.prompts
    return follow(model, prompts, given.inputs)


def follow(model: Any, prompts: Any, inputs: Tensor) -> tuple[Tensor, Any]:
    """The same from what `start` reads."""
    state, found = model.start(prompts), []
    for words in inputs.unbind(1):
        scores, state = model.step(state, words)
        found.append(scores.log_probs.clone())
    return torch.stack(found, dim=1), state


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
