"""NN-Swap: a neighbour's text, its extraneous ingredients replaced by the model (Kiddon et al. 2016, section 5).

The paper: "The neural checklist model is forced to generate the returned recipe nearly verbatim, except that it can
generate new strings to replace any extraneous ingredients." The rule here:

- *Extraneous* is what `allsaid.proof.coverage` calls an extra: a known name that the agenda asked for doesn't back.
  Known are the names of the training part alone, without the list of foods, so that what is swapped stays comparable
  with the paper's figures. All other words of the neighbour's text are forced, unknown ones too.
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

from allsaid.console import progress
from allsaid.decoding.beam import beam_search
from allsaid.decoding.shapes import by_shape, slots_of
from allsaid.decoding.step.sheet import DEAD, Sheet
from allsaid.modeling.config import SearchConfig
from allsaid.modeling.data.agenda_arrays import Prompt, Prompts
from allsaid.modeling.data.dataset import DataSet
from allsaid.modeling.data.vocabulary import END, SPECIALS, START, UNKNOWN, Vocabulary
from allsaid.modeling.layers.scores import Scores
from allsaid.modeling.models.contract import ChecksItems
from allsaid.modeling.saved.model_folder import Bundle
from allsaid.proof.coverage import Coverage, Lexicon, measure
from schemas.errors import UserError
from schemas.example import PHRASE_JOINER, Example

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

    @property
    def longest(self) -> int:
        """No text that may come about has more tokens, its end included."""
        return len(self.words) + len(self.spans) * max(map(len, self.names), default=0) + 1


@dataclass(frozen=True)
class _Path:
    """A text in the making."""

    words: Words = (SPECIALS[START],)
    at: int = 0  # the script's next position
    pending: Words = ()  # words of a replacement that are still to be written
    swapped: dict[str, int] = field(default_factory=dict)  # extraneous name -> the item written for it, or NOTHING
    said: frozenset[int] = frozenset()
    score: float = 0.0  # log-probability


def check(data: DataSet) -> None:
    """Raises UserError where the texts are no recipes, whose names alone stand in them as they are."""
    if data.manifest.files.get("acts"):
        raise UserError(
            f"--swap writes names into a recipe's text, but {data.where} holds dialogue acts. Leave it out."
        )


def swap(bundle: Bundle, neighbours: Sequence[Example], prompts: Sequence[Prompt]) -> list[list[str]]:
    """A text (tokens) for each prompt, made of that of its neighbour (`training.baselines.retrieval.Nearest`).

    The beam's width and the number of texts searched at once are those of the model's search settings. Raises
    UserError where the model is no checklist.
    """
    if not isinstance(bundle.model, ChecksItems):
        raise UserError(f"NN-Swap needs a model of kind 'checklist'; this one is of kind '{bundle.config.model.kind}'.")
    texts: list[list[str]] = [[] for _ in prompts]
    lexicon = bundle.lexicon.of_training
    with progress("texts swapped", len(prompts)) as bar:
        for places, encoded in by_shape([bundle.prompts([one]) for one in prompts]):
            scripts = [
                _script(neighbours[at].tokens, prompts[at].agenda_tokens, lexicon, bundle.vocabularies.text)
                for at in places
            ]
            for place, words in zip(places, _search(bundle, scripts, encoded), strict=True):
                texts[place] = words
            bar.advance(len(places))
    return texts


def _search(bundle: Bundle, scripts: Sequence[_Script], prompts: Any) -> list[list[str]]:
    options = replace(bundle.config.search, max_tokens=max(one.longest for one in scripts))
    forced = _Forced(scripts, bundle.vocabularies.text, options)
    model: Any = _Checked(bundle.model, forced)  # what a search needs of a model, and no more
    beam_search(model, prompts, options, chooser=forced)
    return [list(path.words[1:-1]) for path in forced.best]


class _Checked:
    """A checklist model whose checklist is that of the items named so far."""

    def __init__(self, model: Any, forced: _Forced) -> None:
        self._model, self._forced = model, forced

    def start(self, prompts: Prompts) -> Any:
        return self._model.start(prompts)

    def step(self, state: Any, tokens: Tensor) -> tuple[Scores, Any]:
        said = [(row, item) for row, path in enumerate(self._forced.paths) if path for item in path.said]
        checklist = torch.zeros(len(tokens), state.names.shape[1], device=tokens.device)
        checklist[[row for row, _ in said], [item for _, item in said]] = 1
        return self._model.step(self._model.check(state, checklist), tokens)


class _Forced:
    """What the scripts of N texts let the beam choose from, in place of all words."""

    def __init__(self, scripts: Sequence[_Script], vocabulary: Vocabulary, options: SearchConfig) -> None:
        self._scripts, self._vocabulary, self._width = scripts, vocabulary, options.width
        self._texts = [0] * slots_of(options)  # of the slots
        self.paths: list[_Path | None] = [None] * (len(self._texts) * options.width)  # of the hypotheses
        self.best = [_Path(score=float("-inf")) for _ in scripts]  # that have ended

    def renew(self, places: Tensor, texts: Tensor) -> None:
        for place, text in zip(places.tolist(), texts.tolist(), strict=True):
            self._texts[place], self.paths[place * self._width] = text, _Path()

    def candidates(self, sheet: Sheet) -> tuple[Tensor, Tensor, Tensor]:
        """The best paths of each text that go on; the best one that ends is kept, and what is no better given up."""
        grown: list[list[tuple[int, _Path]]] = [[] for _ in self._texts]
        for row, old in enumerate(self.paths):
            if old is not None:
                place = row // self._width
                grown[place] += [(row, path) for path in _continue(self._scripts[self._texts[place]], old)]
        flat = [(row, self._id(path)) for paths in grown for row, path in paths]
        rows, words = torch.tensor(flat, dtype=torch.long, device=sheet.totals.device).view(-1, 2).unbind(1)
        gains = iter(sheet.log_probs(rows, words).tolist())
        self.paths = []
        taken: list[tuple[float, int, int]] = []
        for place, paths in enumerate(grown):
            scored = [(row, replace(path, score=path.score + next(gains))) for row, path in paths]
            going = self._prune(self._texts[place], scored)
            missing = self._width - len(going)
            taken += [(path.score, row, self._id(path)) for row, path in going]
            taken += [(DEAD, place * self._width, START)] * missing
            self.paths += [*(path for _, path in going), *[None] * missing]
        scores, origins, chosen = (
            torch.tensor(part, device=sheet.totals.device).view(-1, self._width) for part in zip(*taken, strict=True)
        )
        return scores, origins, chosen

    def _prune(self, text: int, grown: Sequence[tuple[int, _Path]]) -> list[tuple[int, _Path]]:
        for _, path in grown:
            if path.words[-1] == SPECIALS[END] and path.score > self.best[text].score:
                self.best[text] = path
        bound = self.best[text].score
        going = [(row, path) for row, path in grown if path.words[-1] != SPECIALS[END] and path.score > bound]
        return sorted(going, key=lambda one: -one[1].score)[: self._width]

    def _id(self, path: _Path) -> int:
        return self._vocabulary.ids.get(path.words[-1], UNKNOWN)


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
