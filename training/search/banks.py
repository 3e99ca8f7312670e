"""A beam with room for hypotheses that say more: banks by the number of items given (Post and Vilar, NAACL 2018).

Each hypothesis offers its best next words, and apart from them its best words that give an item it has not given yet.
The places of the beam are dealt out to the banks in turn, the best of each bank first, the fullest bank before the
others: so neither the many likely continuations that say nothing new crowd out the few that do, nor the other way
round. Post and Vilar count constraints met; here it is the items that stand in the text by the measure of
``training.metrics.coverage``, since that is what is promised.
"""

from __future__ import annotations

import torch
from torch import Tensor

from training.search.limits import Limits
from training.tasks.vocabulary import END, PAD

DEAD = float("-inf")
USUAL, FRESH = 5, 3  # next words that each hypothesis offers: any, and such as give another item


def weigh(gains: Tensor, tokens: Tensor, watched: Tensor, limits: Limits) -> None:
    """Take from the gains (B · n, V) what words cost, and what must not follow the tokens (B · n, t)."""
    gains.view(len(limits.needed), -1, gains.shape[1]).sub_(limits.cost.unsqueeze(1))
    gains.scatter_(1, torch.where(limits.once[tokens], tokens, PAD), DEAD)
    if limits.watch is not None:
        gains[limits.watch.forbidden(watched)] = DEAD


def candidates(scores: Tensor, gains: Tensor, given: Tensor, limits: Limits) -> tuple[Tensor, Tensor, Tensor]:
    """Scores, rows and words (B, C) of what B · n hypotheses may go on with, in the order in which the beam takes them.

    No text ends before it gives the items needed.
    """
    texts, each = len(limits.needed), len(given) // len(limits.needed)
    said = given.sum(1)
    short = said.view(texts, each) < limits.needed.unsqueeze(1)
    gains[:, END].masked_fill_(short.flatten(), DEAD)
    usual, usual_words = gains.topk(min(USUAL, gains.shape[1]), dim=1)
    names = limits.names.repeat_interleave(each, dim=0)
    is_fresh = _more(names, given, limits) > 0
    new, places = gains.gather(1, names).masked_fill(~is_fresh, DEAD).topk(min(FRESH, names.shape[1]), dim=1)
    new_words = names.gather(1, places)
    doubled = (new_words.unsqueeze(2) == usual_words.unsqueeze(1)).any(2)
    words = torch.cat([usual_words, new_words], dim=1)
    found = torch.cat([usual, new.masked_fill(doubled, DEAD)], dim=1) + scores.unsqueeze(1)
    bank = said.unsqueeze(1) + _more(words, given, limits)
    rows = torch.arange(len(found), device=found.device).unsqueeze(1).expand_as(found)
    found, words, rows, bank = (part.reshape(texts, -1) for part in (found, words, rows, bank))
    found, order = found.sort(dim=1, descending=True, stable=True)
    words, rows, bank = (part.gather(1, order) for part in (words, rows, bank))
    order = _turns(found, bank)
    return found.gather(1, order), rows.gather(1, order), words.gather(1, order)


def _more(words: Tensor, given: Tensor, limits: Limits) -> Tensor:
    """How many items (B · n, C) that the texts lack each of these words gives."""
    texts = torch.arange(len(limits.needed), device=words.device).repeat_interleave(len(words) // len(limits.needed))
    return (limits.gives[texts.unsqueeze(1), words] & ~given.unsqueeze(1)).sum(2)


def _turns(scores: Tensor, bank: Tensor) -> Tensor:
    """The order (B, C) in which candidates, sorted by their scores, get places; dead ones last."""
    same = bank.unsqueeze(2) == bank.unsqueeze(1)
    turn = same.tril(diagonal=-1).sum(2)  # better candidates of the same bank
    key = turn * (int(bank.max()) + 1) - bank
    return key.masked_fill(scores == DEAD, torch.iinfo(key.dtype).max).argsort(dim=1, stable=True)


def advance(given: Tensor, watched: Tensor, words: Tensor, limits: Limits) -> tuple[Tensor, Tensor]:
    """What stands in the texts (B · n, L), and the watch's states, after one more word each (B · n,)."""
    texts = torch.arange(len(limits.needed), device=words.device).repeat_interleave(len(words) // len(limits.needed))
    given = given | limits.gives[texts, words]
    return given, watched if limits.watch is None else limits.watch.after(watched, words)
