"""NN-Swap: a neighbour's text, its extraneous ingredients replaced by the model (Kiddon et al. 2016, section 5).

The paper: "The neural checklist model is forced to generate the returned recipe nearly verbatim, except that it can
generate new strings to replace any extraneous ingredients." The rule here:

- *Extraneous* is what `training.metrics.coverage` calls an extra: a known name that the agenda asked for doesn't back.
  All other words of the neighbour's text are forced, unknown ones too.
- An item of the agenda is *open* while neither the forced words give it nor a replacement has named it.
- At an extraneous name the model writes the name of an open item instead: the longest end of it that its vocabulary
  knows. Where none is open, it writes the name of any item, or nothing (which costs no word, and so often wins).
- The same extraneous name is replaced by the same item throughout a text.
- Which item, a beam search chooses: of all texts that may come about so the one that the model finds most probable,
  forced words and end included, as far as the beam's width reaches.

As in training with references, the checklist that enters a step is that of the items named so far.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import torch
from torch import Tensor

from allsaid.console import UserError, progress
from schemas.example import PHRASE_JOINER, Example
from training.metrics.coverage import Coverage, Lexicon, measure
from training.models.contract import ChecksItems
from training.models.model_folder import Bundle
from training.tasks.agenda import Prompt
from training.tasks.vocabulary import END, SPECIALS, START, UNKNOWN, Vocabulary

NOTHING = -1  # in place of an item: the extraneous name is left out
Words = tuple[str, ...]


@dataclass(frozen=True)
class _Script:
    """What a neighbour's text of T words leaves open to an agenda of L items."""

    words: list[str]  # T
    spans: dict[int, tuple[int, str]]  # start of an extraneous name's mention -> its end, and the name
    first: dict[int, frozenset[int]]  # position of a forced word -> the items that it begins to name
    names: list[Words]  # L; empty for an item that the model's vocabulary can't name
    open: list[int]  # items that the forced words don't give but the model can name


@dataclass(frozen=True)
class _Path:
    """A text in the making."""

    words: Words = (SPECIALS[START],)
    at: int = 0  # the script's next position
    pending: Words = ()  # words of a replacement that are still to be written
    swapped: dict[str, int] = field(default_factory=dict)  # extraneous name -> the item written for it, or NOTHING
    said: frozenset[int] = frozenset()
    score: float = 0.0  # log-probability


Beam = list[_Path]  # the rows of a text in the state, as far as it has paths
Grown = list[tuple[int, _Path]]  # continuations, each with the row that it comes from


def swap(bundle: Bundle, neighbours: Sequence[Example], prompts: Sequence[Prompt]) -> list[list[str]]:
    """A text (tokens) for each prompt, made of that of its neighbour, which `training.search.retrieval.Nearest` finds.

    The beam's width and the number of texts searched at once are those of the model's search settings. Raises
    UserError where the model is no checklist.
    """
    if not isinstance(bundle.model, ChecksItems):
        raise UserError(f"NN-Swap needs a model of kind 'checklist'; this one is of kind '{bundle.config.model.kind}'.")
    size = bundle.config.search.search_batch
    texts: list[list[str]] = []
    with progress("texts swapped", len(prompts)) as bar:
        for start in range(0, len(prompts), size):
            part = prompts[start : start + size]
            texts += _swap(bundle, neighbours[start : start + size], part)
            bar.advance(len(part))
    return texts


@torch.inference_mode()
def _swap(bundle: Bundle, neighbours: Sequence[Example], prompts: Sequence[Prompt]) -> list[list[str]]:
    vocabulary = bundle.vocabularies.text
    scripts = [
        _script(near.tokens, prompt.agenda_tokens, bundle.lexicon, vocabulary)
        for near, prompt in zip(neighbours, prompts, strict=True)
    ]
    state: Any = bundle.model.start(bundle.prompts(prompts))
    texts = list(range(len(scripts)))  # those that are not done, in the order of the state's rows
    beams: list[Beam] = [[_Path()] for _ in scripts]
    done: dict[int, _Path] = {}
    while texts:
        log_probs, state = _step(bundle, state, beams)
        grown = [
            _prune(text, _grow(scripts[text], beam, rows, vocabulary), done, bundle.config.search.width)
            for text, beam, rows in zip(texts, beams, log_probs.chunk(len(texts)), strict=True)
        ]
        state, kept = _select(state, grown)
        texts, beams = [texts[place] for place in kept], [[path for _, path in grown[place]] for place in kept]
    return [list(done[text].words[1:-1]) for text in range(len(scripts))]


def _step(bundle: Bundle, state: Any, beams: Sequence[Beam]) -> tuple[Tensor, Any]:
    """Read each path's last word; the rows that a text has more than paths read a word that nobody looks at."""
    each, ids = len(state.h) // len(beams), bundle.vocabularies.text.ids
    paths = [(place * each + row, path) for place, beam in enumerate(beams) for row, path in enumerate(beam)]
    last = torch.full((len(state.h),), START)
    last[[row for row, _ in paths]] = torch.tensor([ids.get(path.words[-1], UNKNOWN) for _, path in paths])
    said = torch.tensor([(row, item) for row, path in paths for item in path.said], dtype=torch.long).view(-1, 2)
    checklist = torch.zeros(len(state.h), state.names.shape[1])
    checklist[said[:, 0], said[:, 1]] = 1
    state = bundle.model.check(state, checklist)
    scores, state = bundle.model.step(state, last.to(state.h.device))
    return scores.log_probs, state


def _grow(script: _Script, beam: Beam, log_probs: Tensor, vocabulary: Vocabulary) -> Grown:
    """All continuations of a text's paths by one word, the end included; log_probs: (rows of the text, V)."""
    grown = [(row, path) for row, old in enumerate(beam) for path in _continue(script, old)]
    ids = [vocabulary.ids.get(path.words[-1], UNKNOWN) for _, path in grown]
    gains = log_probs[[row for row, _ in grown], ids].tolist()
    return [(row, replace(path, score=path.score + gain)) for (row, path), gain in zip(grown, gains, strict=True)]


def _continue(script: _Script, path: _Path) -> Iterator[_Path]:
    if path.pending:
        yield replace(path, words=(*path.words, path.pending[0]), pending=path.pending[1:])
    elif path.at == len(script.words):
        yield replace(path, words=(*path.words, SPECIALS[END]))
    elif path.at not in script.spans:
        said = path.said | script.first.get(path.at, frozenset())
        yield replace(path, words=(*path.words, script.words[path.at]), at=path.at + 1, said=said)
    else:
        end, name = script.spans[path.at]
        for item in [path.swapped[name]] if name in path.swapped else _choices(script, path):
            chosen = replace(path, at=end, swapped=path.swapped | {name: item})
            if item != NOTHING:
                chosen = replace(chosen, pending=script.names[item], said=path.said | {item})
            yield from _continue(script, chosen)


def _choices(script: _Script, path: _Path) -> list[int]:
    """What may stand for an extraneous name that the text mentions for the first time."""
    fresh = [item for item in script.open if item not in path.said]
    return fresh or [*(item for item, name in enumerate(script.names) if name), NOTHING]


def _prune(text: int, grown: Grown, done: dict[int, _Path], width: int) -> Grown:
    """The best paths that go on; the best one that ends is kept in ``done``, and what is no better is given up."""
    for _, path in grown:
        if path.words[-1] == SPECIALS[END] and (text not in done or path.score > done[text].score):
            done[text] = path
    bound = done[text].score if text in done else float("-inf")
    going = [(row, path) for row, path in grown if path.words[-1] != SPECIALS[END] and path.score > bound]
    return sorted(going, key=lambda one: -one[1].score)[:width]


def _select(state: Any, grown: Sequence[Grown]) -> tuple[Any, list[int]]:
    """The state of the paths that go on, each text with as many rows as the longest beam; and the texts that go on."""
    each = len(state.h) // len(grown)
    kept = [place for place, paths in enumerate(grown) if paths]
    most = max(map(len, grown))
    rows = [
        place * each + row
        for place, old in enumerate(kept)
        for row in [*(row for row, _ in grown[old]), *[0] * (most - len(grown[old]))]
    ]
    places, picked = (torch.tensor(part, dtype=torch.long, device=state.h.device) for part in (kept, rows))
    return state.keep(places, each).select(picked), kept


def _script(tokens: list[str], agenda: Sequence[Sequence[str]], lexicon: Lexicon, vocabulary: Vocabulary) -> _Script:
    covered = measure(tokens, agenda, lexicon)
    spans = _spans(covered)
    taken = {place for start, (end, _) in spans.items() for place in range(start, end)}
    first: dict[int, frozenset[int]] = {}
    for item, places in enumerate(covered.mentions):
        for place in [place for place in places if place not in taken][:1]:
            first[place] = first.get(place, frozenset()) | {item}
    given = measure([token for place, token in enumerate(tokens) if place not in taken], agenda, lexicon).given
    names = [_name(item, vocabulary) for item in agenda]
    return _Script(tokens, spans, first, names, [item for item, name in enumerate(names) if name and not given[item]])


def _spans(covered: Coverage) -> dict[int, tuple[int, str]]:
    """The mentions of extraneous names, as runs of positions; a token with words of two names is the first one's."""
    spans: dict[int, tuple[int, str]] = {}
    taken: set[int] = set()
    for name, places in zip(covered.extra, covered.extra_mentions, strict=True):
        free = [place for place in places if place not in taken]
        taken.update(free)
        for place in free:
            start = next((start for start, (end, other) in spans.items() if end == place and other == name), place)
            spans[start] = (place + 1, name)
    return spans


def _name(item: Sequence[str], vocabulary: Vocabulary) -> Words:
    """The longest end of an item's name that the vocabulary knows; a phrase that it lacks is split."""
    words: list[str] = []
    for token in item:
        parts = [token] if token in vocabulary.ids else token.split(PHRASE_JOINER)
        for part in parts:
            words = [*words, part] if part in vocabulary.ids else []
    return tuple(words)
