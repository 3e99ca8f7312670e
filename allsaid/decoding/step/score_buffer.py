"""Scores of all continuations by next word, edited by index, and the best of them."""

from __future__ import annotations

from functools import lru_cache

import torch
from torch import Tensor

from allsaid.modeling.data.vocabulary import PAD, START, UNKNOWN
from allsaid.modeling.layers.projection import BLOCK
from allsaid.modeling.layers.scores import Scores

DEAD = float("-inf")
NEVER = 1 + max(PAD, UNKNOWN, START)  # ids below are marks, which no text contains


class ScoreBuffer:
    """Scores of B · n hypotheses extended by each word, in one buffer that steps change in place.

    Lists of words have the same length and are padded with PAD, which no text contains. Edits take no (B · n, V) mask.
    """

    def __init__(self, scores: Scores, so_far: Tensor) -> None:
        """so_far: (B · n,) the hypotheses' scores."""
        self._values, self._log_normaliser, self._shortlist = scores.values, scores.log_normaliser, scores.shortlist
        self._base = so_far.to(scores.values.dtype) - scores.log_normaliser
        self._room, self._is_filled = scores.room, False

    @property
    def totals(self) -> Tensor:
        """The scores (V + C and padding, B · n); computed for the first edit, unless `penalise` has computed them."""
        if not self._is_filled:
            self._fill(self._base)
        return self._room

    def _fill(self, base: Tensor) -> None:
        torch.add(self._values, base, out=self._room)
        self._is_filled = True

    def penalise(self, amounts: Tensor, free: Tensor) -> None:
        """Subtract amounts (B · n,) from all words except ``free`` (B · n, M), whose earlier edits are undone."""
        places = self._places(free)
        if self._is_filled:
            self._room.sub_(amounts)
        else:
            self._fill(self._base - amounts)
        self._room.scatter_(0, places, self._values.gather(0, places).add_(self._base))

    def add(self, words: Tensor, amount: float) -> None:
        """Add an amount to the listed words (B · n, M); each occurs at most once in its list."""
        self.totals.scatter_(0, self._places(words), amount, reduce="add")

    def forbid(self, words: Tensor) -> None:
        """Forbid the listed words (B · n, M)."""
        self.totals.scatter_(0, self._places(words), DEAD)

    def charge(self, costs: Tensor) -> None:
        """Subtract the word costs (V, B) from all hypotheses of a text."""
        if self._shortlist is not None:
            costs = self._shortlist.of_places(costs)
        words, texts = costs.shape
        self.totals[:words].view(words, texts, -1).sub_(costs.unsqueeze(2))

    def forbid_marks(self) -> None:
        """Forbid the marks; this is the last edit, since the others write their padding to these places."""
        self.totals[:NEVER].fill_(DEAD)

    def totals_of(self, words: Tensor) -> Tensor:
        """Return the scores (B · n, M) of the listed words."""
        return self.totals.gather(0, self._places(words)).t()

    def log_probs(self, rows: Tensor, words: Tensor) -> Tensor:
        """Return the model's log-probabilities of words after ``rows``, of the same shape. No edit changes them."""
        if self._shortlist is not None:
            words = self._shortlist.places(words, rows)
        places = torch.add(rows, words, alpha=self._values.shape[1])
        return self._values.take(places).sub_(self._log_normaliser.take(rows))

    def best(self, groups: int, count: int) -> tuple[Tensor, Tensor, Tensor]:
        """Return scores, rows and words (groups, count) of the best continuations of equal groups of rows.

        Exact: ``count`` words are in at most ``count`` blocks, and no other block has a higher maximum than these. The
        maxima of blocks are divided into blocks themselves, since `topk` over them takes as long as everything else.
        """
        width = self.totals.shape[1]
        small = self.totals.view(-1, BLOCK, width).amax(1)
        large = small.view(-1, BLOCK, width).amax(1)
        highest = large.view(len(large), groups, -1).transpose(0, 1).flatten(1)
        starts, steps = _blocks(len(large), width, groups, highest.device)
        best = highest.topk(min(count, highest.shape[1]), sorted=False).indices
        within = torch.add(starts.gather(1, best).unsqueeze(2), steps).flatten(1)
        best = small.take(within).topk(min(count, within.shape[1]), sorted=False).indices
        within = within.gather(1, best)
        # Column r of line b of the maxima belongs to column r of the scores' lines from b * BLOCK on.
        starts = torch.sub(within * BLOCK, within % width, alpha=BLOCK - 1)
        within = torch.add(starts.unsqueeze(2), steps).flatten(1)
        found, order = self.totals.take(within).topk(count)
        within = within.gather(1, order)
        places = within // width
        rows = torch.sub(within, places, alpha=width)
        return found, rows, places if self._shortlist is None else self._shortlist.words(places, rows)

    def _places(self, words: Tensor) -> Tensor:
        """Return the places of scores (M, B · n) of listed words (B · n, M)."""
        return (words if self._shortlist is None else self._shortlist.places(words)).t()


@lru_cache(maxsize=4)
def _blocks(lines: int, width: int, groups: int, device: torch.device) -> tuple[Tensor, Tensor]:
    """Return where the blocks of each group begin in flat values (lines · BLOCK, width), and the steps inside them."""
    rows = torch.arange(width, device=device).view(groups, 1, -1)
    starts = rows + torch.arange(0, lines * BLOCK * width, BLOCK * width, device=device).view(-1, 1)
    return starts.flatten(1), torch.arange(0, BLOCK * width, width, device=device)
