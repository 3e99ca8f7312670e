"""Hypotheses of the texts in the slots of a search; the buffers of their words and ends are allocated once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from allsaid.decoding.step.score_buffer import DEAD
from allsaid.modeling.config import SearchConfig
from allsaid.modeling.data.vocabulary import END, START


@dataclass(frozen=True)
class Ended:
    """One hypothesis of T words of a text that is done."""

    tokens: list[int]  # T
    path: np.ndarray  # T: the row of the hypothesis in its text's beam after each word
    log_probability: float
    score: float  # the log-probability with the search's penalties and bonuses
    finished: bool  # False: cut at the maximum length


def choose(scores: Tensor, is_end: Tensor, width: int) -> tuple[Tensor, Tensor]:
    """Separate the candidates (B, C) of each text, best first, into those that end and those that go on.

    is_end: (B, C) whether a word is END. Only the first n = ``width`` may end a text. Return which ones end (B, C), and
    the positions (B, n) of those that go on. If too few go on, the last positions are of other candidates, which can't.
    """
    is_dead = scores == DEAD
    ends = is_end & ~is_dead
    ends[:, width:].fill_(False)
    return ends, is_dead.logical_or_(is_end).to(torch.uint8).argsort(dim=1, stable=True)[:, :width]


class Slots:
    """B slots of texts in progress, with n hypotheses and room for T words each.

    Words and the rows that they extend are stored once, as back-pointers, and a hypothesis is traced when its text is
    done. Slots of texts that are done no longer change.
    """

    def __init__(self, texts: int, search: SearchConfig, device: torch.device) -> None:
        self.texts, self.width, self.longest = texts, search.width, search.max_tokens
        self.device, self._power = device, search.length_power
        # `search.finished` is a number of hypotheses. With 0, at most n are kept as ended, so n + 1 are never reached.
        self.wanted = search.finished or self.width + 1
        self.ended_compete = not search.finished
        self.scores = torch.full((texts, self.width), DEAD, dtype=torch.float64, device=device)
        self.log_probs = torch.zeros_like(self.scores)
        self.last = torch.full((texts, self.width), START, device=device)
        self.steps = torch.zeros(texts, dtype=torch.long, device=device)
        self.is_done = torch.ones(texts, dtype=torch.bool, device=device)
        rows = torch.arange(texts * self.width, device=device).view(texts, -1)
        self._starts, self._firsts = rows * (self.longest + 1), rows[:, :1]  # in a history, and among all hypotheses
        self._places = rows.flatten()  # in a history
        self.words = self.history(0)
        self.parents = self.history(0)
        self.ended = torch.zeros(texts, dtype=torch.long, device=device)
        # The last column of each buffer takes values to discard.
        ends = torch.zeros(texts, self.wanted + self.width, device=device)
        self.end_steps, self.end_rows = ends.long(), ends.long()
        self.end_scores, self.end_log_probs = ends.double(), ends.double()

    def history(self, filling: int) -> Tensor:
        """Return an integer buffer (B, n, T + 1), one entry per word."""
        return torch.full((self.texts, self.width, self.longest + 1), filling, device=self.device)

    def renew(self, slots: Tensor) -> None:
        """Start other texts, with one live, empty hypothesis each; the others of the beam are dead."""
        self.scores[slots] = DEAD
        self.scores[slots, 0] = 0
        for part, value in ((self.log_probs, 0), (self.last, START), (self.steps, 0), (self.ended, 0)):
            part[slots] = value
        self.is_done[slots] = False

    def advance(self, scores: Tensor, rows: Tensor, words: Tensor, log_probs: Tensor) -> Tensor:
        """Take candidates (B, C): totals, the rows they come from, their words and the model's log-probabilities.

        Return the rows (B · n,) that the hypotheses of the next step come from.
        """
        column = self.steps.masked_fill(self.is_done, self.longest)
        self._places = torch.add(self._starts, column.unsqueeze(1)).flatten()
        is_end, done = words == END, self.is_done.unsqueeze(1)
        ends, order = choose(scores, is_end, self.width)
        ends &= ~done
        parents = rows - self._firsts
        scores, log_probs = scores.double(), self.log_probs.gather(1, parents).add_(log_probs)
        self._end(ends, parents, scores, log_probs)
        going = scores.masked_fill_(is_end, DEAD).gather(1, order)
        self.last = words.gather(1, order).masked_fill_(going == DEAD, START)
        chosen = rows.gather(1, order)
        self.write(self.words, self.last)
        self.write(self.parents, chosen - self._firsts)
        self.scores = torch.where(done, self.scores, going)
        self.log_probs = torch.where(done, self.log_probs, log_probs.gather(1, order))
        if self.ended_compete:
            self._compete()
        self.steps = self.steps + ~self.is_done
        over = (self.ended >= self.wanted) | (self.scores[:, 0] == DEAD) | (self.steps >= self.longest)
        self.is_done = self.is_done | over
        return chosen.flatten()

    def write(self, history: Tensor, values: Tensor) -> None:
        """Write a value of each hypothesis (B, n) for its last word; values of texts that are done are discarded."""
        history.view(-1).scatter_(0, self._places, values.flatten())

    def _end(self, ends: Tensor, parents: Tensor, scores: Tensor, log_probs: Tensor) -> None:
        counts = ends.cumsum(1)
        columns = self.ended.unsqueeze(1) + counts - 1
        columns = columns.masked_fill(~ends, self.end_steps.shape[1] - 1)
        self.end_steps.scatter_(1, columns, self.steps.unsqueeze(1).expand_as(columns))
        for part, values in ((self.end_rows, parents), (self.end_scores, scores), (self.end_log_probs, log_probs)):
            part.scatter_(1, columns, values)
        self.ended += counts[:, -1]

    def _compete(self) -> None:
        """Keep the n best hypotheses of each text, of those that have ended and those that go on.

        The paper does not say how they are compared; the authors' code divides each score by its length.
        """
        columns = torch.arange(self.end_scores.shape[1], device=self.device)
        scores = self.end_scores / (self.end_steps + 1) ** self._power
        scores = scores.masked_fill(columns >= self.ended.unsqueeze(1), DEAD)
        going = self.scores / (self.steps + ~self.is_done).unsqueeze(1) ** self._power
        least = torch.cat([scores, going], 1).topk(self.width).values[:, -1:]
        order = scores.argsort(dim=1, descending=True, stable=True)
        for part in (self.end_steps, self.end_rows, self.end_scores, self.end_log_probs):
            part.copy_(part.gather(1, order))
        better = ((scores >= least) & (scores > DEAD)).sum(1)
        self.ended = better.clamp(max=self.width)
        self.scores = self.scores.masked_fill(going < least, DEAD)

    def read(self, slot: int) -> list[Ended]:
        """Return the ended hypotheses of a text that is done; truncated ones if none has ended."""
        count = int(self.ended[slot])
        if count:
            parts = self.end_steps, self.end_rows, self.end_log_probs, self.end_scores
            steps, rows, log_probs, scores = (part[slot, :count].cpu().numpy() for part in parts)
        else:
            rows = (self.scores[slot] > DEAD).nonzero().flatten().cpu().numpy()
            steps = np.full(len(rows), int(self.steps[slot]))
            log_probs, scores = (part[slot].cpu().numpy()[rows] for part in (self.log_probs, self.scores))
        words, parents = self.words[slot].cpu().numpy(), self.parents[slot].tolist()
        paths = [_trace(parents, row, count) for row, count in zip(rows.tolist(), steps.tolist(), strict=True)]
        return [
            Ended(words[path, np.arange(len(path))].tolist(), path, float(log_prob), float(score), bool(count))
            for path, log_prob, score in zip(paths, log_probs, scores, strict=True)
        ]


def _trace(parents: Sequence[Sequence[int]], row: int, steps: int) -> np.ndarray:
    """Return the rows on the way to the hypothesis in ``row`` after some steps; parents: (n, T + 1)."""
    path = []
    for step in range(steps - 1, -1, -1):
        path.append(row)
        row = parents[row][step]
    return np.array(path[::-1], dtype=np.int64)
