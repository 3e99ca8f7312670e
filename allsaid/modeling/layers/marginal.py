"""The probability of a word that may be generated or copied, summed over both ways and over the places that hold it.

p(w) = p(z=0) softmax(w) + p(z=1) Σ of the pointer over the places that hold w (Yang et al. 2016, section 2.2). Letters:
B texts, n hypotheses of each, T text length, N words to learn, S places of the source, V words of the vocabulary; ids
from V to V + S - 1 are copy candidates.
"""

from __future__ import annotations

from dataclasses import replace

import torch
from torch import Tensor
from torch.nn import functional as F

from allsaid.modeling.data.copying import Batch
from allsaid.modeling.data.vocabulary import PAD, UNKNOWN
from allsaid.modeling.layers.gradients import log_mass
from allsaid.modeling.layers.losses import Losses, losses_by_kind
from allsaid.modeling.layers.projection import Projection
from allsaid.modeling.layers.scores import Scores


def as_known(ids: Tensor, words: int) -> Tensor:
    """Return ids below V, the number of words: copy candidates become unknown words."""
    return ids.masked_fill(ids >= words, UNKNOWN)


def losses_of_words(batch: Batch, source: Tensor, word: Tensor) -> Losses:
    """Return the losses of a model that copies nothing.

    source: (B, S); word: (N,) log p of the targets, with copy candidates as unknown words.
    """
    real = batch.targets != PAD
    is_source, is_copied = _holds(batch, source).any(2)[real], batch.copied[real]
    kinds = {"source": is_source, "other": ~is_source, "copied": is_copied, "uncopied": ~is_copied}
    return losses_by_kind(-word.sum(), -word, len(real), kinds)


def losses_of_union(
    batch: Batch, source: Tensor, words: int, word: Tensor, pointer: Tensor, z: Tensor, taught: bool = False
) -> Losses:
    """Return the losses of a model that copies; they add up to −Σ log p of the words and, if ``taught``, the switch.

    nll: −Σ log p of the words, where all words outside of the vocabulary are one unknown word. own: −Σ log p(exact word
    | unknown word). switch, if ``taught``: −Σ log p(z | word), where z = 1 if the data set marks the word as copied.

    source: (B, S); words: V; word: (N,) log softmax of the targets, with copy candidates as unknown words; pointer:
    (N, S) log p of the places; z: (N,) the switch before its sigmoid.
    """
    real = batch.targets != PAD
    targets, holds = batch.targets[real], _holds(batch, source)[real]
    pointer = pointer + F.logsigmoid(z).unsqueeze(1)  # log p of copying each place
    word = word + F.logsigmoid(-z)
    outside = (targets == UNKNOWN) | (targets >= words)
    is_candidate = (source >= words).unsqueeze(1).expand(-1, real.shape[1], -1)[real]
    copy = _sum_at(pointer, holds)
    log_p = torch.logaddexp(word, _sum_at(pointer, holds | (is_candidate & outside.unsqueeze(1))))
    word = word.masked_fill(targets >= words, torch.finfo(word.dtype).min)
    exact = torch.logaddexp(word, copy)
    losses = losses_of_words(batch, source, log_p)
    additional = {"own": (log_p - exact).sum()}
    if taught:
        additional["switch"] = (exact - torch.where(batch.copied[real], copy, word)).sum()
    return replace(losses, named=losses.named | additional)


def union_scores(
    project: Projection, outputs: Tensor, words: int, source: Tensor, weights: Tensor, z: Tensor
) -> Scores:
    """Return the scores of the vocabulary's words and of copy candidates, each summed over generating and copying.

    outputs: (B · n, k); words: V; source: (B, S); weights: (B · n, S) of the pointer; z: (B · n,) the switch before
    its sigmoid.
    """
    no_scores = outputs.new_full(weights.shape, float("-inf"))
    scores = project(outputs, no_scores)
    log_normaliser = scores.log_normaliser - F.logsigmoid(-z)
    # A word's mass from all its places is added at the first one; the other places add 0 to PAD, which has no score.
    by_text = weights.view(len(source), -1, weights.shape[1])
    first = _first_places(source, words).unsqueeze(1).expand_as(by_text)
    mass = torch.zeros_like(by_text).scatter_add_(2, first, by_text).flatten(0, 1)
    ids = torch.where(first == torch.arange(first.shape[2], device=first.device), source.unsqueeze(1), PAD)
    ids = ids.flatten(0, 1)
    ids = (ids if scores.shortlist is None else scores.shortlist.places(ids)).t()
    copied = log_mass(mass).t() + (F.logsigmoid(z) + log_normaliser)
    scores.values.scatter_(0, ids, torch.logaddexp(scores.values.gather(0, ids), copied))
    return replace(scores, log_normaliser=log_normaliser)


def copied_from(source: Tensor, weights: Tensor, switched: Tensor, scores: Scores, words: Tensor) -> Tensor:
    """Return p(copied from this place | the word) for each place (B · n, S); words: (B · n,) generated words.

    source: (B, S); weights: (B · n, S) of the pointer; switched: (B · n,) p(z = 1).
    """
    source = source.repeat_interleave(len(words) // len(source), dim=0)
    mass = (weights * switched.unsqueeze(1)).masked_fill(source != words.unsqueeze(1), 0)
    return mass / scores.of(words).exp().unsqueeze(1)


def _holds(batch: Batch, source: Tensor) -> Tensor:
    """Return whether each place holds each target (B, T, S)."""
    return source.unsqueeze(1) == batch.targets.unsqueeze(2)


def _sum_at(logs: Tensor, where: Tensor) -> Tensor:
    """Return log Σ exp of (N, S) over the selected places; the lowest number, without a gradient, if there are none."""
    return logs.masked_fill(~where, torch.finfo(logs.dtype).min).logsumexp(1)


def _first_places(source: Tensor, words: int) -> Tensor:
    """Return for each place the first place with the same word (B, S); ids are below words + S."""
    texts, size = source.shape
    places = torch.arange(size, device=source.device).expand_as(source)
    firsts = source.new_full((texts, words + size), size).scatter_reduce_(1, source, places, "amin")
    return firsts.gather(1, source)
