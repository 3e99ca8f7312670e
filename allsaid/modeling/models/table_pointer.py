"""The models of dialogues over a table of Yang et al. 2016, section 2.1 (table 4): a turn that may copy its cells.

An LSTM encodes each earlier turn separately, and a second one reads their last states. The decoder LSTM starts from the
state of the latter. The setting ``system``:

- *seq2seq*: the table is not used.
- *attention*: before the first word the decoder attends to columns, then to rows. At each step it attends to the
  columns of these rows.
- *latent*: the attention to rows and columns is also a pointer. A switch z decides whether a word is copied from a row,
  by the attention before the first word, and a column, by that of the step. Training maximises p(z=0) softmax(w) +
  p(z=1) Σ over the cells that continue with w: by their first word, or by the one after the last word.
- *pointer*: as latent, and z is supervised by the words that refer to a cell.

With ``sentence_attention`` each step also attends to the words of the last two turns, the machine's and the user's.

The encoder has no biases, so its state stays zero over the padding before a turn's first word.

Letters: B turns to generate, n hypotheses of each, T their length, D dialogues of H turns of W words, C columns, S = 2
W words of the last turns and C columns, as far as the system uses them, k hidden size; V words of the vocabulary, U
with the table's copy candidates.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from allsaid.modeling.data.vocabulary import PAD, START, VocabularySet
from allsaid.modeling.layers import attentive_lstm
from allsaid.modeling.layers.gradients import TargetLogProbs, log_mass
from allsaid.modeling.layers.losses import Losses, losses_by_kind
from allsaid.modeling.layers.marginal import as_known
from allsaid.modeling.layers.projection import Projection
from allsaid.modeling.layers.scores import Scores
from allsaid.modeling.layers.table_reader import TableReader, WordReader, spoken_cells, writing_cells
from allsaid.modeling.models.base.initial import init_uniform
from allsaid.modeling.models.base.table_state import (
    LEAST,
    TableState,
    cell_weights,
    equal_sizes,
    padded_size,
    place_scores,
    similar_lengths,
)
from allsaid.modeling.models.pointer import to_the_right
from allsaid.modeling.tables.offer_table import Table
from allsaid.modeling.tasks import table_dialogue
from allsaid.modeling.tasks.table_dialogue import CELL, COPIED, UNSEEN, WHOLE, Batch, Prompts
from allsaid.settings import number

TASK = table_dialogue.TASK


@dataclass(frozen=True)
class Settings:
    kind: Literal["table_pointer"] = "table_pointer"
    system: Literal["pointer", "latent", "attention", "seq2seq"] = "pointer"
    sentence_attention: bool = True
    spoken_lately: bool = True  # the table's attention knows how recently each cell was mentioned; the paper's does not
    hidden: int = number(128, 1)
    init: float = number(0.1, 0)
    dropout: float = number(0.2, 0, 0.9)  # of embeddings and of the decoder's output
    unseen: float = number(0.1, 0, 0.9)  # share of cells that training reads as if they were unseen


def build(settings: Settings, vocabularies: VocabularySet, dtype: torch.dtype) -> TablePointer:
    return TablePointer(settings, len(vocabularies.text), dtype)


class TablePointer(nn.Module):
    def __init__(self, config: Settings, words: int, dtype: torch.dtype = torch.float32) -> None:
        """words: V; dtype: of the product with the vocabulary."""
        super().__init__()
        k = config.hidden
        self.config, self.dtype = config, dtype
        has_table = config.system != "seq2seq"
        self.reads = has_table or config.sentence_attention
        self.word_reader = WordReader(words, k, config.unseen)
        self.table_reader = TableReader(k, config.spoken_lately) if has_table else None
        self.drop = nn.Dropout(config.dropout)
        self.read = nn.LSTM(k, k, batch_first=True, bias=False)
        self.follow = nn.LSTM(k, k, batch_first=True)
        self.begin = nn.Linear(k, k, bias=False)
        self.write = nn.LSTM(2 * k if self.reads else k, k, batch_first=True)
        self.key = nn.Linear(k, k, bias=False) if config.sentence_attention else None
        self.column_key = nn.Linear(k, k, bias=False) if has_table else None
        self.mix = nn.Linear(2 * k, k) if self.reads else None
        self.switch = nn.Linear(2 * k, 1) if config.system in ("pointer", "latent") else None
        self.w_o = nn.Parameter(torch.empty(words, k))
        init_uniform(self, config.init)

    def loss(self, batch: Batch) -> Losses:
        """Return nll: −Σ log p of the words, and switch: −Σ log p(z | word) of a supervised z.

        Their sum is −Σ log p of all that is learned.
        """
        start = self._begin(batch.turns, batch.table, batch.dialogue, batch.place, together=True)
        groups = [self._write(batch, start, turns) for turns in similar_lengths((batch.targets != PAD).sum(1))]
        decoded, scores, turn, before, targets, kinds = (torch.cat(part) for part in zip(*groups, strict=True))
        decoded = self.drop(decoded)
        word = TargetLogProbs.apply(self._outputs(decoded), self.w_o.to(self.dtype), as_known(targets, len(self.w_o)))
        if self.switch is None:
            return _losses(-word, batch, kinds)
        z = self.switch(decoded).squeeze(1)
        word = (word + F.logsigmoid(-z)).masked_fill(targets >= len(self.w_o), torch.finfo(word.dtype).min)
        copy = self._copied(start, scores, turn, before, targets) + F.logsigmoid(z)
        nll = -torch.logaddexp(word, copy)
        if self.config.system == "latent":
            return _losses(nll, batch, kinds)
        taught, losses = torch.where(kinds & COPIED > 0, copy, word), _losses(nll, batch, kinds)
        return replace(losses, named=losses.named | {"switch": (-nll - taught).sum()})

    def start(self, prompts: Prompts) -> TableState:
        """Return the state before the first word of B turns."""
        place = (prompts.turns != PAD).any(2).sum(1)
        return self._begin(
            prompts.turns, prompts.table, torch.arange(len(place), device=place.device), place, together=False
        )

    def step(self, state: TableState, tokens: Tensor) -> tuple[Scores, TableState]:
        """Read one word of each hypothesis; tokens: (B · n,)."""
        x = torch.cat([F.embedding(tokens, state.words), state.d], dim=1)
        h, c = torch.lstm_cell(x, (state.h, state.c), *self.write.all_weights[0])
        if not self.reads:
            return state.project(h), replace(state, before=tokens, h=h, c=c)
        scores = place_scores(state, h)
        d = torch.bmm(scores.softmax(2), state.memory).flatten(0, 1)
        decoded = torch.cat([h, d], dim=1)
        state = replace(state, before=tokens, h=h, c=c, d=d)
        if self.switch is None:
            return state.project(self._outputs(decoded)), state
        return self._union(state, decoded, scores), state

    @property
    def copies(self) -> bool:
        return self.switch is not None

    def attention_of(self, state: TableState) -> dict[str, Tensor]:
        """Return the last step's attention to the cells of the table, which is also the pointer, and p(z = 1)."""
        if self.table_reader is None:
            return {}
        cells = cell_weights(state)
        return {"attention": cells} if self.switch is None else {"p(z = 1)": self._switched(state), "pointer": cells}

    def copied_from(self, state: TableState, scores: Scores, words: Tensor) -> Tensor:
        """Return p(z = 1) p(row) p(column) of the cells that continue with the word, over the word's probability."""
        writes = writing_cells(state.table, state.before, words).to(scores.values.dtype)
        mass = cell_weights(state) * writes * self._switched(state)[:, None, None]
        return mass / scores.of(words).exp()[:, None, None]

    def _switched(self, state: TableState) -> Tensor:
        assert self.switch is not None
        return self.switch(torch.cat([state.h, state.d], dim=1)).squeeze(1).sigmoid()

    def _union(self, state: TableState, decoded: Tensor, scores: Tensor) -> Scores:
        """Return the scores of U words, each summed over generating and copying.

        decoded: (B · n, 2k); scores: (B, n, S) of the places.
        """
        assert self.switch is not None
        table = state.table
        no_scores = decoded.new_full((len(decoded), len(table.firsts) - len(self.w_o)), float("-inf"))
        united = state.project(self._outputs(decoded), no_scores)
        z = self.switch(decoded)
        log_normaliser = united.log_normaliser - F.logsigmoid(-z).squeeze(1)
        columns = scores[:, :, -table.firsts.shape[1] :].softmax(2).flatten(0, 1) * z.sigmoid()
        # From here on the first axis is the words, as in the scores.
        pairs = columns.t().contiguous().index_select(0, table.pair_columns)  # (P, B · n)
        pairs = (pairs.view(len(pairs), len(state.mass), -1) * state.mass.t().unsqueeze(2)).flatten(1)
        pairs[table.first_continuing :] *= table.pair_before[table.first_continuing :].unsqueeze(1) == state.before
        # Both parts are added as probabilities, which takes half as long as with logarithms.
        p = (united.values.index_select(0, table.copied) - log_normaliser).exp()
        p.index_add_(0, table.copied_places, pairs)
        united.values.index_copy_(0, table.copied, log_mass(p) + log_normaliser)
        return replace(united, log_normaliser=log_normaliser)

    def _begin(self, turns: Tensor, table: Table, dialogue: Tensor, place: Tensor, together: bool) -> TableState:
        """Return the state before B turns of D dialogues.

        turns: (D, H, W); dialogue, place: (B,) the dialogue of each turn to generate, and the number of turns before
        it; together: whether turns of similar length are read together. If not, no turn affects another one's numbers.
        """
        words = self.word_reader(table)
        turns = to_the_right(turns)
        memory = self._read(turns.flatten(0, 1), words.of_words, together).view(*turns.shape, -1)
        h = F.pad(self.follow(self.drop(memory[:, :, -1]))[0], (0, 0, 1, 0))[dialogue, place]
        h = h * (place > 0).unsqueeze(1)
        sentences, keys, is_word = self._last_turns(turns, memory, dialogue, place)
        columns, rows, mass = h.new_empty(len(h), 0, h.shape[1]), h[:, :0], h[:, :0]
        if self.table_reader is not None:
            attention = self.table_reader(table, words, spoken_cells(table, turns, dialogue, place, h.dtype), h)
            columns, rows, mass = attention.columns, attention.rows, attention.mass if self.switch is not None else mass
        return TableState(
            project=Projection(self.w_o.to(self.dtype)),
            words=words.of_words,
            table=table,
            memory=torch.cat([sentences, columns], 1),
            keys=torch.cat([keys, columns if self.column_key is None else self.column_key(columns)], 1),
            is_place=F.pad(is_word, (0, columns.shape[1]), value=True),
            rows=rows,
            mass=mass,
            before=torch.full_like(place, START),
            h=h,
            c=self.begin(h),
            d=torch.zeros_like(h) if self.reads else h[:, :0],
        )

    def _last_turns(self, turns: Tensor, memory: Tensor, dialogue: Tensor, place: Tensor) -> tuple[Tensor, ...]:
        """Return the encoded two turns before each (B, 2 W, k), their keys, and whether each place is a word."""
        two = place.unsqueeze(1) + torch.tensor([-2, -1], device=place.device)
        where = dialogue.unsqueeze(1), two.clamp(min=0)
        is_word = ((turns[where] != PAD) & (two >= 0).unsqueeze(2)).flatten(1)
        read = memory[where].flatten(1, 2) * is_word.unsqueeze(2)
        return (read[:, :0], read[:, :0], is_word[:, :0]) if self.key is None else (read, self.key(read), is_word)

    def _read(self, turns: Tensor, words: Tensor, together: bool) -> Tensor:
        """Return the encoder's states at each word (N, W, k) of turns (N, W) with padding before their words.

        Equal turns, such as a greeting, are read once. Most padding is not read, since the state is zero there.
        """
        turns, where = torch.unique(turns, dim=0, return_inverse=True)
        lengths, width, states = (turns != PAD).sum(1), turns.shape[1], []
        groups = similar_lengths(lengths) if together else equal_sizes(lengths)
        for group in groups:
            longest = max(1, int(lengths[group].max()))
            before = width - longest if together else max(0, width - padded_size(longest))
            rows = turns[group, before:]
            if not together:  # a product of few rows adds up in another order
                rows = F.pad(rows, (0, 0, 0, -len(rows) % LEAST), value=PAD)
            read = self.read(self.drop(F.embedding(rows, words)))[0][: len(group)]
            states.append(F.pad(read, (0, 0, before, 0)))
        return torch.cat(states)[torch.cat(groups).argsort()[where]]

    def _write(self, batch: Batch, start: TableState, turns: Tensor) -> tuple[Tensor, ...]:
        """Return values of the N words of some turns (G,).

        They are the state with its attention (N, k or 2k), the scores of places (N, S), the turn (N,), the word before
        (N,), the target (N,) and its kinds (N,).
        """
        real = batch.targets[turns] != PAD
        real = real[:, : int(real.sum(1).max())]
        x = self.drop(F.embedding(batch.inputs[turns, : real.shape[1]], start.words))
        state = start.keep(turns)
        known = [
            part[:, : real.shape[1]][real]
            for part in (
                turns.unsqueeze(1).expand_as(real),
                batch.inputs[turns],
                batch.targets[turns],
                batch.kinds[turns],
            )
        ]
        if not self.reads:
            decoded = self.write(x, (state.h.unsqueeze(0), state.c.unsqueeze(0)))[0][real]
            return decoded, decoded[:, :0], *known
        decoded, scores = attentive_lstm.run(self.write, x, state.memory, state.keys, state.is_place, state.h, state.c)
        return decoded[real], scores[real], *known

    def _copied(self, start: TableState, scores: Tensor, turn: Tensor, before: Tensor, targets: Tensor) -> Tensor:
        """Return log Σ over columns of p(column) times the rows' mass on the targets (N,); scores: (N, S)."""
        pairs = torch.stack(start.table.pairs_of(before, targets))  # (2, N, C)
        columns = scores[:, -pairs.shape[2] :].softmax(1)
        mass = F.pad(start.mass, (0, 1))
        row_mass = mass.flatten()[(turn.unsqueeze(1) * mass.shape[1] + pairs).flatten()].view_as(pairs).sum(0)
        return (columns * row_mass).sum(1).clamp(min=torch.finfo(mass.dtype).tiny).log()

    def _outputs(self, decoded: Tensor) -> Tensor:
        """Return the inputs of the projection, of states with their attention."""
        return decoded if self.mix is None else torch.tanh(self.mix(decoded))


def _losses(nll: Tensor, batch: Batch, kinds: Tensor) -> Losses:
    """Return the losses; nll, kinds: (N,) of all words."""
    is_cell, is_unseen, is_whole = kinds & CELL > 0, kinds & UNSEEN > 0, kinds & WHOLE > 0
    masks = {"table": is_cell, "table_oov": is_unseen, "word": ~is_cell, "whole": is_whole, "rest": ~is_whole}
    return losses_by_kind(nll.sum(), nll, len(batch.inputs), masks)
