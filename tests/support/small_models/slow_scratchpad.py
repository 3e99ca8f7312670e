"""The models that keep notes, written from the equations: word by word, place by place."""

from __future__ import annotations

import math

import torch
from copying_texts import TEXTS, known, words_of
from torch import Tensor

from allsaid.modeling.data.vocabulary import START
from allsaid.modeling.models.scratchpad import Scratchpad

K = 8


def gru(weights: list[Tensor], x: Tensor, h: Tensor) -> Tensor:
    """One step of a GRU for one row (`torch.nn.GRU`, its equations)."""
    of_input, of_state, bias, other_bias = weights
    x_r, x_z, x_n = (of_input @ x + bias).chunk(3)
    h_r, h_z, h_n = (of_state @ h + other_bias).chunk(3)
    z = (x_z + h_z).sigmoid()
    return (1 - z) * (x_n + (x_r + h_r).sigmoid() * h_n).tanh() + z * h


def lstm(weights: list[Tensor], x: Tensor, h: Tensor, c: Tensor) -> tuple[Tensor, Tensor]:
    """The same of an LSTM, with its cells."""
    of_input, of_state, bias, other_bias = weights
    i, f, g, o = (of_input @ x + bias + of_state @ h + other_bias).chunk(4)
    c = f.sigmoid() * c + i.sigmoid() * g.tanh()
    return o.sigmoid() * c.tanh(), c


def run(model: Scratchpad, weights: list[Tensor], x: list[Tensor], k: int) -> list[Tensor]:
    """The states of a GRU or an LSTM over x."""
    h = c = torch.zeros(k, dtype=torch.float64)
    found = []
    for one in x:
        h, c = lstm(weights, one, h, c) if model.config.cell == "lstm" else (gru(weights, one, h), c)
        found.append(h)
    return found


def slow_reading(model: Scratchpad, words: list[int]) -> tuple[list[Tensor], list[Tensor]]:
    """The state of each place, and where each layer of the writing GRUs begins."""
    x = [model.embedding[known(word)] for word in words]
    ends = []
    for ahead, back in zip(model.read.ahead, model.read.back, strict=True):
        forward = run(model, ahead.all_weights[0], x, K - K // 2)
        backward = run(model, back.all_weights[0], x[::-1], K // 2)
        ends.append(torch.cat([forward[-1], backward[-1]]))
        x = [torch.cat(pair) for pair in zip(forward, reversed(backward), strict=True)]
    return x, ends


def slow(model: Scratchpad, row: int) -> list[tuple[Tensor, list[Tensor], Tensor]]:
    """After each word of a text: p(w) of V words, how much each place is looked at, and p(z = 1)."""
    memory, h = slow_reading(model, words_of(row))
    attention, notes = model.attention, model.notes
    size = 0 if attention.cover is None else len(attention.cover)
    seen = [torch.zeros(size, dtype=torch.float64)] * len(memory)
    cells = [torch.zeros(K, dtype=torch.float64) for _ in h]
    both, found = torch.zeros(2 * K, dtype=torch.float64), []
    for word in [START, *TEXTS[row]]:
        fed = torch.tanh(model.mix(both)) if model.config.input_feeding else both[K:]
        s = torch.cat([model.embedding[known(word)], fed])
        for layer, cell in enumerate(model.write):
            cell_weights = [cell.weight_ih, cell.weight_hh, cell.bias_ih, cell.bias_hh]
            if model.config.cell == "lstm":
                h[layer], cells[layer] = lstm(cell_weights, s, h[layer], cells[layer])
            else:
                h[layer] = gru(cell_weights, s, h[layer])
            s = model.norms[layer - 1](s + h[layer]) if model.config.residual and layer else h[layer]
        exps = []
        for place, before in zip(memory, seen, strict=True):
            inner = attention.key(place)
            inner = inner if attention.cover is None else inner + before @ attention.cover
            if attention.query is None:
                exps.append(math.exp(s @ inner))
            else:
                exps.append(math.exp(attention.score @ (attention.query(s) + inner).tanh()))
        weights = [torch.tensor(one / sum(exps), dtype=torch.float64) for one in exps]
        if model.coverage is None:
            seen = [before + weight for before, weight in zip(seen, weights, strict=True)]
        else:
            read = [torch.cat([weight.view(1), place, s]) for weight, place in zip(weights, memory, strict=True)]
            covering = [*model.coverage.cell.parameters()]
            seen = [gru(covering, one, before) for one, before in zip(read, seen, strict=True)]
        c = sum(weight * place for weight, place in zip(weights, memory, strict=True))  # type: ignore[assignment]
        both = torch.cat([s, c])
        z = torch.zeros(()) if model.switch is None else torch.sigmoid(model.switch(both))[0]
        found.append(((model.w_o @ torch.tanh(model.mix(both))).softmax(0), weights, z))
        if notes is not None:
            of_note, of_gate = notes.of_step(both)[:K], notes.of_step(both)[K:]
            u = notes.note(of_note.tanh()).tanh()
            shares = [notes.gate((of_gate + notes.of_place(one)).relu()).sigmoid() for one in memory]
            memory = [share * u + (1 - share) * one for share, one in zip(shares, memory, strict=True)]
    return found
