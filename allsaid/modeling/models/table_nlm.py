"""The language models of Lebret et al. 2016: a feed-forward network over the last words and their places in a table.

Section 4, Table 1. With ``copy: false`` there are no copy actions. ``local``, ``global_fields`` and ``global_words``
are the conditioning on the table. A word has an embedding of size d. Each of its places in the table has one for field
and position from the start, and one for field and position from the end; the maximum over the places is used (equation
15). Ten words and the table's global vectors give h(x) (equation 19). A word's score is that of the vocabulary (20)
plus, if the table holds the word, h(x) · q(w) (22, 23).

Letters: B texts, n hypotheses of each, T text length, V words of the vocabulary, C distinct words of a table, N places
of it, d size of the embedding of a word or place, w = 0, d or 2d size of the features of places, g size of a global
vector, m words of context, k hidden units.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from allsaid.modeling.counting.hellinger import word_vectors
from allsaid.modeling.data.vocabulary import PAD, START, UNKNOWN
from allsaid.modeling.layers.losses import Losses, losses_by_kind
from allsaid.modeling.layers.projection import Copies, InputTable, Projection
from allsaid.modeling.layers.scores import Scores
from allsaid.modeling.layers.union import UnionNll
from allsaid.modeling.models.base.contract import PerHypothesis, PerText, State
from allsaid.modeling.models.base.initial import init_uniform
from allsaid.modeling.tables.box_arrays import Batch, Ids, Prompts, find
from allsaid.modeling.tables.box_table import POSITIONS, Vocabularies
from allsaid.modeling.tasks.box import TASK
from allsaid.settings import number

__all__ = ["TASK", "Settings", "build"]

ENDS = {"none": 0, "start": 1, "start_end": 2}  # positions of a place that are used
SPAN = POSITIONS + 1  # rows of a field in embeddings of places; position 0 is padding


@dataclass(frozen=True)
class Settings:
    kind: Literal["table_nlm"] = "table_nlm"
    copy: bool = True  # words of the table have additional scores (section 4.4)
    local: Literal["start_end", "start", "none"] = "start_end"  # positions of a word's places that are used
    global_fields: bool = True
    global_words: bool = True
    order: int = number(11, 2)  # words, including the next one
    embedding: int = number(64, 1)  # d
    global_embedding: int = number(128, 1)  # g
    hidden: int = number(256, 1)  # k
    init: float = number(0.1, 0)
    dropout: float = number(0.0, 0, 0.9)  # of embeddings and features, and of h(x)


def build(settings: Settings, vocabularies: Vocabularies, dtype: torch.dtype) -> TableNlm:
    return TableNlm(settings, len(vocabularies.text), len(vocabularies.field), dtype)


@dataclass(frozen=True)
class TableState(State):
    """State of B texts with n hypotheses each."""

    project: Projection
    read: Tensor  # (V, m · k) the part of a word in h(x), by its position among the last words
    words: PerText  # (B, C) ids, padded with PAD
    reads: PerText  # (B, C) ids below V
    read_places: PerText  # (B, 1 + C, m · k) the part of its places; the first is for words outside the table
    queries: PerText  # (B, C, k) q(w); (B, 0, k) without copies
    summary: PerText  # (B, k) the part of the whole table in h(x), and the bias
    of_word: PerText  # (B, N) the number of each place's word, as in Prompts
    places: PerText  # (B, N) rows of the places' embeddings
    items: PerText  # (B, N)
    recent: PerHypothesis  # (B · n, m) ids below V of the last words, the newest at the end
    numbers: PerHypothesis  # (B · n, m) their numbers among the table's words, as in `find`
    h: PerHypothesis  # (B · n, k)


class TableNlm(nn.Module):
    def __init__(self, config: Settings, words: int, fields: int, dtype: torch.dtype = torch.float32) -> None:
        """words: V; fields: number of fields; dtype: precision of the output layer's matrix product."""
        super().__init__()
        d, g, k = config.embedding, config.global_embedding, config.hidden
        ends = ENDS[config.local]
        self.config, self.dtype, self.copies = config, dtype, config.copy
        self.context = config.order - 1
        self._table = InputTable()
        self.embedding = nn.Parameter(torch.empty(words, d))
        self.drop = nn.Dropout(config.dropout)
        self.at = nn.ParameterList(torch.empty(fields * SPAN, d) for _ in range(ends))
        self.nowhere = nn.Parameter(torch.empty(ends * d)) if ends else None  # of words outside the table
        self.read = nn.Linear(self.context * (1 + ends) * d, k)
        self.fields = nn.Parameter(torch.empty(fields, g)) if config.global_fields else None
        self.table_words = nn.Parameter(torch.empty(words, g)) if config.global_words else None
        globals_ = g * (config.global_fields + config.global_words)
        self.summarise = nn.Linear(globals_, k, bias=False) if globals_ else None
        self.place = nn.Parameter(torch.empty(fields * SPAN, d)) if config.copy else None
        self.query = nn.Linear(d, k) if config.copy else None
        self.w_o, self.b_o = nn.Parameter(torch.empty(words, k)), nn.Parameter(torch.empty(words))
        init_uniform(self, config.init)

    def count(self, ids: Ids, folder: Path) -> None:
        """Compute the initial word vectors (section 5.3), on the scale of all other initial weights."""
        del folder
        text = ids.read(0, len(ids), len(self.w_o))
        vectors = torch.from_numpy(word_vectors(text, ids.text_starts, len(self.w_o), self.config.embedding))
        is_counted = vectors.any(1, keepdim=True)
        vectors = torch.where(is_counted, vectors * self.config.init / math.sqrt(3), self.embedding.detach().cpu())
        self.embedding.data.copy_(vectors)

    def loss(self, batch: Batch) -> Losses:
        """Return nll: −Σ log p of the words; with copy actions, each number of the table is a separate word."""
        prompts, real = batch.prompts, batch.targets != PAD
        features = self._features(prompts)
        first = torch.zeros_like(batch.inputs[:, :1])
        start = self._embed(first, torch.full_like(first, START), features).expand(-1, self.context - 1, -1)
        x = torch.cat([start, self._embed(*find(prompts.words, prompts.reads, batch.inputs), features)], dim=1)
        windows = x.unfold(1, self.context, 1).transpose(2, 3).flatten(2)
        h = self.drop(torch.tanh(F.linear(windows, self.read.weight) + self._summary(prompts).unsqueeze(1)))
        copies = torch.bmm(h, self._queries(prompts).transpose(1, 2))
        ids, reads = (
            ids_of[:, : copies.shape[2]].unsqueeze(1).expand_as(copies)[real]
            for ids_of in (prompts.words, prompts.reads)
        )
        numbers, read = find(prompts.words, prompts.reads, batch.targets)
        targets = (batch.targets if self.copies else read)[real]
        nll, each = UnionNll.apply(h[real], self.w_o.to(self.dtype), self.b_o, copies[real], ids, reads, targets)
        in_table = (numbers != 0)[real]
        return losses_by_kind(nll, each, len(real), {"table": in_table, "other": ~in_table})

    def start(self, prompts: Prompts) -> TableState:
        """Return the state before the first word of B texts, with everything computed from their tables."""
        d = self.config.embedding
        weights = self.read.weight.unflatten(1, (self.context, -1)).transpose(0, 1)  # (m, k, d + w)
        recent = torch.full_like(prompts.words[:, :1], START).expand(-1, self.context)
        return TableState(
            Projection(self.w_o.to(self.dtype), self.b_o),
            self._table(self.embedding.dtype, self.embedding, weights[..., :d]),
            prompts.words,
            prompts.reads,
            F.linear(self._features(prompts), weights[..., d:].flatten(0, 1)),
            self._queries(prompts),
            self._summary(prompts),
            prompts.of_word,
            _rows_of(prompts.fields, prompts.starts),
            prompts.items,
            recent,
            torch.zeros_like(recent),
            self.embedding.new_zeros(len(recent), self.config.hidden),
        )

    def step(self, state: TableState, tokens: Tensor) -> tuple[Scores, TableState]:
        """Read one word of each hypothesis; tokens: (B · n,)."""
        by_text = tokens.view(len(state.words), -1)
        windows = zip((state.numbers, state.recent), find(state.words, state.reads, by_text), strict=True)
        numbers, recent = (torch.cat([before[:, 1:], now.view(-1, 1)], dim=1) for before, now in windows)
        h = self._hidden(state, recent, numbers)
        state = replace(state, recent=recent, numbers=numbers, h=h)
        if not self.copies:
            return state.project(h), state
        copies = self._copies(state).flatten(0, 1)
        no_scores = copies.new_full((), float("-inf")).expand_as(copies)
        return state.project(h, no_scores, Copies(state.words, state.reads, copies)), state

    def attention_of(self, state: TableState) -> dict[str, Tensor]:
        """Return the probability of each place of the table, from its copy score alone (section 6.2, figure 4)."""
        if not self.copies:
            return {}
        return {"places": _laid_out(state, self._of_places(state).softmax(1))}

    def copied_from(self, state: TableState, scores: Scores, words: Tensor) -> Tensor:
        """Return the share of each word's probability that is due to its copy score, 1 - exp(-score), by place.

        The copy score multiplies the probability by exp(score). A copy candidate is always copied. The share is divided
        among several places by their probabilities.
        """
        each = len(words) // len(state.words)
        ids = state.words.repeat_interleave(each, dim=0)
        is_word = ids == words.unsqueeze(1)  # (B · n, C)
        share = (self._copies(state).flatten(0, 1) * is_word).sum(1).neg().expm1().neg().clamp(0, 1)
        share = torch.where(words >= len(self.w_o), 1, share) * is_word.any(1)
        number = torch.where(is_word.any(1), is_word.int().argmax(1) + 1, -1)
        holds = state.of_word.repeat_interleave(each, dim=0) == number.unsqueeze(1)
        lowest = torch.finfo(share.dtype).min
        places = self._of_places(state).masked_fill(~holds, lowest).softmax(1) * holds
        return _laid_out(state, places * share.unsqueeze(1))

    def _embed(self, numbers: Tensor, reads: Tensor, features: Tensor) -> Tensor:
        """Return the inputs (B, T, d + w) of words (B, T), by their numbers in the table and their ids below V."""
        places = features.gather(1, numbers.unsqueeze(2).expand(-1, -1, features.shape[2]))
        return self.drop(torch.cat([F.embedding(reads, self.embedding), places], dim=2))

    def _hidden(self, state: TableState, recent: Tensor, numbers: Tensor) -> Tensor:
        """Return h(x) (B · n, k), equation 19, as the sum of the parts of words and places, equal to the product."""
        (texts, words, _), k = state.read_places.shape, self.config.hidden
        position = torch.arange(self.context, device=recent.device)
        first = torch.arange(0, texts * words, words, device=recent.device).view(-1, 1, 1)
        rows = (numbers.view(texts, -1, self.context) + first).view_as(numbers)
        lookups = ((state.read, recent), (state.read_places, rows))
        of_words, of_places = (
            F.embedding_bag(places * self.context + position, table.view(-1, k), mode="sum")
            for table, places in lookups
        )
        summed = of_words.add_(of_places).view(texts, -1, k)
        return summed.add_(state.summary.unsqueeze(1)).tanh_().flatten(0, 1)

    def _features(self, prompts: Prompts) -> Tensor:
        """Return the features of the table's words (B, 1 + C, w), the first for other words; equation 15."""
        texts, words = prompts.words.shape
        if self.nowhere is None:
            return self.embedding.new_empty(texts, 1 + words, 0)
        ends = (prompts.starts, prompts.ends)
        of_places = [F.embedding(_rows_of(prompts.fields, part), at) for part, at in zip(ends, self.at, strict=False)]
        largest = _largest(torch.cat(of_places, dim=2), prompts.of_word, words)
        return torch.cat([self.nowhere.expand(texts, 1, -1), largest], dim=1)

    def _queries(self, prompts: Prompts) -> Tensor:
        """Return q(w) of the table's words (B, C, k), equation 21; (B, 0, k) without copies."""
        if self.place is None:
            return self.embedding.new_empty(len(prompts.words), 0, self.config.hidden)
        of_places = self._query(_rows_of(prompts.fields, prompts.starts))
        queries = _largest(of_places, prompts.of_word, prompts.words.shape[1])
        return queries * (prompts.words != PAD).unsqueeze(2)

    def _summary(self, prompts: Prompts) -> Tensor:
        """Return equations 16 and 17, and their part of the product in 19, with the bias: (B, k)."""
        parts = []
        if self.fields is not None:
            parts.append(_largest_of(F.embedding(prompts.fields, self.fields), prompts.fields != PAD))
        if self.table_words is not None:
            known = (prompts.words != PAD) & (prompts.reads != UNKNOWN)
            parts.append(_largest_of(F.embedding(prompts.reads, self.table_words), known))
        if self.summarise is None:
            return self.read.bias.repeat(len(prompts.words), 1)
        return F.linear(torch.cat(parts, dim=1), self.summarise.weight, self.read.bias)

    def _query(self, places: Tensor) -> Tensor:
        """Return the hidden states (B, N, k) of places (B, N)."""
        assert self.place is not None and self.query is not None
        return torch.tanh(self.query(F.embedding(places, self.place)))

    def _copies(self, state: TableState) -> Tensor:
        """Return the copy scores of the table's words (B, n, C), equation 22."""
        return torch.bmm(state.h.view(len(state.words), -1, self.config.hidden), state.queries.transpose(1, 2))

    def _of_places(self, state: TableState) -> Tensor:
        """Return the copy scores of each place (B · n, N); the lowest number for padding."""
        h = state.h.view(len(state.words), -1, self.config.hidden)
        scores = torch.bmm(h, self._query(state.places).transpose(1, 2))
        return scores.masked_fill((state.of_word == 0).unsqueeze(1), torch.finfo(h.dtype).min).flatten(0, 1)


def _rows_of(fields: Tensor, positions: Tensor) -> Tensor:
    """Return the rows of places in embeddings of places."""
    return fields * SPAN + positions


def _largest(values: Tensor, of_word: Tensor, words: int) -> Tensor:
    """Return the maximum (B, C, d) over the places (B, N, d) of each word; of_word: (B, N) from 1, 0 for padding."""
    rows = of_word.unsqueeze(2).expand_as(values)
    largest = values.new_zeros(len(values), 1 + words, values.shape[2])
    return largest.scatter_reduce(1, rows, values, "amax", include_self=False)[:, 1:]


def _largest_of(values: Tensor, mask: Tensor) -> Tensor:
    """Return the maximum (B, g) of (B, N, g) where the mask (B, N) is true; 0 if it is true nowhere."""
    lowest = values.masked_fill(~mask.unsqueeze(2), torch.finfo(values.dtype).min).amax(1)
    return lowest.masked_fill(~mask.any(1, keepdim=True), 0)


def _laid_out(state: TableState, values: Tensor) -> Tensor:
    """Return values (B · n, N) of places by field and word of the table (B · n, L, W)."""
    items = state.items.repeat_interleave(len(values) // len(state.items), dim=0)
    place = torch.arange(items.shape[1], device=items.device).expand_as(items)
    firsts = items.new_full((len(items), 1 + items.shape[1]), items.shape[1]).scatter_reduce(1, items, place, "amin")
    column = (place - firsts.gather(1, items)).masked_fill(items == 0, 0)
    length = int(column.max()) + 1
    laid_out = values.new_zeros(len(values), (int(items.max()) + 1) * length)
    return laid_out.scatter_add(1, items * length + column, values).view(len(values), -1, length)[:, 1:]
