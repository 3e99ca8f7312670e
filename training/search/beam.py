"""One batched beam search for every model (Kiddon et al. 2016, section 4.7).

The search knows the three functions of a model and a few facts about its states: which agenda item the coming word
refers to, whether that is its first mention, and the items' names. A model without items says NO_ITEM.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

import torch
from torch import Tensor

from schemas.example import NO_ITEM
from training.config import SearchConfig
from training.models.states import rows_of
from training.search import banks
from training.search.hypothesis import Hypothesis
from training.search.limits import Limits
from training.tasks.agenda import Prompts
from training.tasks.vocabulary import END, PAD, START, UNKNOWN

PENALTY = 10_000.0  # for two item references on consecutive words: out, unless nothing else is left
NEVER = (PAD, UNKNOWN, START)  # words that no text holds
DEAD = float("-inf")

S = TypeVar("S", bound="SearchState")


class SearchState(Protocol):
    """B texts with n hypotheses each, side by side."""

    @property
    def item(self) -> Tensor:
        """(B · n,) the item that the word to come refers to, or NO_ITEM."""

    @property
    def is_new(self) -> Tensor:
        """(B · n,) whether that is its first mention."""

    @property
    def names(self) -> Tensor:
        """(B, L, W) the words of the items' names, filled up with PAD."""

    def select(self: S, rows: Tensor) -> S:
        """Other hypotheses of the same texts."""

    def keep(self: S, texts: Tensor) -> S:
        """Only some of the texts."""


class Model(Protocol):
    """Its states are of a type of their own, a `SearchState`."""

    def start(self, prompts: Prompts) -> Any: ...

    def step(self, state: Any, tokens: Tensor) -> tuple[Tensor, Any]: ...


@dataclass(frozen=True)
class _Beams:
    """B · n hypotheses in the making, of t words; n is the beam's width."""

    texts: list[int]  # B positions in the search's input
    tokens: Tensor  # (B · n, t)
    items: Tensor  # (B · n, t)
    used: Tensor  # (B · n, L) bool: introduced, as the model says
    given: Tensor  # (B · n, L of the limits) bool: standing in the text; only followed where there are limits
    watched: Tensor  # (B · n,) states of the limits' watch
    log_probs: Tensor  # (B · n,)
    scores: Tensor  # (B · n,) the same less penalties; DEAD where there is no hypothesis


@torch.inference_mode()
def beam_search(
    model: Model, prompts: Prompts, options: SearchConfig, limits: Limits | None = None
) -> list[list[Hypothesis]]:
    """Search texts for B prompts; returns for each its hypotheses, best first; none only where limits leave no word.

    A text is done when it has ``finished`` hypotheses; where it has none at ``max_tokens``, cut ones are given.
    """
    texts, width = len(prompts.goal), options.width
    device = prompts.goal.device
    state = model.start(prompts).select(torch.arange(texts, device=device).repeat_interleave(width))
    asked = 0 if limits is None else limits.gives.shape[2]
    beams = _begin(texts, width, prompts.item_mask.shape[1], asked, device)
    last = torch.full((texts * width,), START, device=device)
    done: list[list[Hypothesis]] = [[] for _ in range(texts)]
    for _ in range(options.max_tokens):
        log_probs, state = model.step(state, last)
        gains = _gains(log_probs, beams, state, options)
        if limits is not None:
            banks.weigh(gains, beams.tokens, beams.watched, limits)
        if limits is not None and options.is_banked:
            scores, rows, words = banks.candidates(beams.scores, gains, beams.given, limits)
        else:
            scores, rows, words = _candidates(beams, gains, width)
        for text, rank in ((words == END) & (scores > DEAD))[:, :width].nonzero().tolist():
            row = int(rows[text, rank])
            done[beams.texts[text]].append(_end(beams, row, float(log_probs[row, END]), float(scores[text, rank])))
        beams, rows = _go_on(beams, state, log_probs, scores, rows, words, limits)
        state = state.select(rows)
        going = [
            place
            for place, text in enumerate(_living(beams))
            if text is not None and len(done[text]) < options.finished
        ]
        if len(going) < len(beams.texts):
            kept = torch.tensor(going, dtype=torch.long, device=device)
            beams, state = _keep(beams, kept, width), state.keep(kept)
            limits = limits and limits.keep(kept)
        if not going:
            break
        last = beams.tokens[:, -1]
    for row in range(len(beams.tokens)):
        if not any(one.finished for one in done[beams.texts[row // width]]) and beams.scores[row] > DEAD:
            done[beams.texts[row // width]].append(_end(beams, row, None, float(beams.scores[row])))
    return [sorted(hypotheses, key=lambda one: one.rank(options)) for hypotheses in done]


def _begin(texts: int, width: int, items: int, asked: int, device: torch.device) -> _Beams:
    """One live, empty hypothesis a text; the others of its beam are dead."""
    scores = torch.full((texts, width), DEAD, device=device)
    scores[:, 0] = 0
    nothing = torch.zeros(texts * width, 0, dtype=torch.long, device=device)
    used, given = (torch.zeros(texts * width, size, dtype=torch.bool, device=device) for size in (items, asked))
    log_probs = torch.zeros(texts * width, device=device)
    watched = torch.zeros(texts * width, dtype=torch.long, device=device)
    return _Beams(list(range(texts)), nothing, nothing, used, given, watched, log_probs, scores.flatten())


def _gains(log_probs: Tensor, beams: _Beams, state: SearchState, options: SearchConfig) -> Tensor:
    """What each next word (B · n, V) adds to its hypothesis' score."""
    gains = log_probs.clone()
    if beams.tokens.shape[1] and not options.adjacent_items:
        _penalise_double_references(gains, beams, state)
    if options.item_bonus:
        gains += options.item_bonus * _first_mentions(gains, beams, state)
    if options.no_repeat_ngram:
        _forbid_repeats(gains, beams.tokens, options.no_repeat_ngram)
    gains[:, list(NEVER)] = DEAD
    return gains


def _penalise_double_references(gains: Tensor, beams: _Beams, state: SearchState) -> None:
    """Penalise a second reference directly after the first, but for different words of one item's name."""
    item, before, word = state.item, beams.items[:, -1], beams.tokens[:, -1:]
    name = _names(beams, state)
    inside = ((item == before) & (name == word).any(1)).unsqueeze(1) & (name != word)
    free = _words_of(gains, torch.where(inside, name, PAD))
    double = ((item != NO_ITEM) & (before != NO_ITEM)).unsqueeze(1)
    gains -= PENALTY * (double & ~free)


def _first_mentions(gains: Tensor, beams: _Beams, state: SearchState) -> Tensor:
    """Which words (B · n, V) name the coming item where it is new to the text.

    The paper only chooses among finished texts by their items; without a bonus on the way, beams that hurry to an
    end crowd out those that go on naming items.
    """
    rows = torch.arange(len(state.item), device=gains.device)
    fresh = state.is_new & ~beams.used[rows, state.item.clamp(min=0)]
    return _words_of(gains, torch.where(fresh.unsqueeze(1), _names(beams, state), PAD))


def _names(beams: _Beams, state: SearchState) -> Tensor:
    """(B · n, W) the name of each hypothesis' coming item; of any item where it is NO_ITEM."""
    names = state.names.repeat_interleave(len(state.item) // len(beams.texts), dim=0)
    return names[torch.arange(len(names), device=names.device), state.item.clamp(min=0)]


def _words_of(gains: Tensor, names: Tensor) -> Tensor:
    """(B · n, V) true for the words in a row of ``names`` (B · n, W), filled up with PAD."""
    inside = torch.zeros_like(gains, dtype=torch.bool).scatter_(1, names, True)
    inside[:, list(NEVER)] = False
    return inside


def _forbid_repeats(gains: Tensor, tokens: Tensor, size: int) -> None:
    """Make every word impossible that would complete a sequence of ``size`` words that the text holds already."""
    if tokens.shape[1] < size:
        return
    windows = tokens.unfold(1, size, 1)  # (B · n, windows, size)
    start = tokens[:, tokens.shape[1] - size + 1 :].unsqueeze(1)
    same = (windows[:, :, :-1] == start).all(2)
    gains.scatter_(1, torch.where(same, windows[:, :, -1], PAD), DEAD)


def _candidates(beams: _Beams, gains: Tensor, width: int) -> tuple[Tensor, Tensor, Tensor]:
    """Scores, rows and words of each text's best 2 n continuations, best first: n go on even where n others end."""
    vocabulary = gains.shape[1]
    scores = (beams.scores.unsqueeze(1) + gains).view(len(beams.texts), -1)
    scores, places = scores.topk(2 * width, dim=1)
    first_row = torch.arange(len(beams.texts), device=places.device).unsqueeze(1) * width
    return scores, places // vocabulary + first_row, places % vocabulary


def _go_on(
    beams: _Beams,
    state: SearchState,
    log_probs: Tensor,
    scores: Tensor,
    rows: Tensor,
    words: Tensor,
    limits: Limits | None,
) -> tuple[_Beams, Tensor]:
    """The best n candidates that don't end, and the rows they come from."""
    scores = scores.masked_fill(words == END, DEAD)
    order = (scores == DEAD).to(torch.uint8).argsort(dim=1, stable=True)[:, : len(beams.scores) // len(beams.texts)]
    scores = scores.gather(1, order)
    rows, words = rows.gather(1, order).flatten(), words.gather(1, order).flatten()
    item, is_new = state.item[rows], state.is_new[rows]
    places = torch.arange(beams.used.shape[1], device=rows.device)
    given, watched = beams.given[rows], beams.watched[rows]
    if limits is not None:
        given, watched = banks.advance(given, watched, words, limits)
    grown = _Beams(
        beams.texts,
        torch.cat([beams.tokens[rows], words.unsqueeze(1)], dim=1),
        torch.cat([beams.items[rows], item.unsqueeze(1)], dim=1),
        beams.used[rows] | ((item.unsqueeze(1) == places) & is_new.unsqueeze(1)),
        given,
        watched,
        beams.log_probs[rows] + log_probs[rows, words],
        scores.flatten(),
    )
    return grown, rows


def _living(beams: _Beams) -> list[int | None]:
    """The texts of the beams, None where all hypotheses are dead."""
    best = beams.scores.view(len(beams.texts), -1)[:, 0]
    return [text if alive else None for text, alive in zip(beams.texts, (best > DEAD).tolist(), strict=True)]


def _keep(beams: _Beams, texts: Tensor, width: int) -> _Beams:
    rows = rows_of(texts, width)
    names = ("tokens", "items", "used", "given", "watched", "log_probs", "scores")
    parts = {name: getattr(beams, name)[rows] for name in names}
    return _Beams([beams.texts[place] for place in texts.tolist()], **parts)


def _end(beams: _Beams, row: int, end_log_prob: float | None, score: float) -> Hypothesis:
    """The hypothesis of a row, whose end has this log-probability; None where it is cut."""
    log_probability = float(beams.log_probs[row]) + (end_log_prob or 0.0)
    return Hypothesis(
        beams.tokens[row].tolist(),
        beams.items[row].tolist(),
        log_probability,
        beams.used[row].nonzero().flatten().tolist(),
        end_log_prob is not None,
        score < log_probability - PENALTY / 2,
    )
