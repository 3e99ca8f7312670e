"""NN-Swap: a neighbour's text with extraneous ingredients replaced by the model (Kiddon et al. 2016, section 5).

The paper: "The neural checklist model is forced to generate the returned recipe nearly verbatim, except that it can
generate new strings to replace any extraneous ingredients." The rule here:

- *Extraneous* names are the extras of `allsaid.proof.coverage`: known names that are not on the agenda. Only names of
  the training part are known, not the list of foods (`allsaid.proof.known_foods`), so that results stay comparable
  with the paper's. All other words of the neighbour's text are forced, including unknown words.
- An item of the agenda is *open* if neither the forced words nor a replacement name it.
- The model replaces an extraneous name with the name of an open item. Of that name, it writes the longest run of last
  words that its vocabulary has. If no item is open, it writes the name of any item, or nothing. To write nothing adds
  no log-probability, so the search often prefers it.
- The same extraneous name is replaced by the same item throughout a text.
- A beam search chooses the items. It ranks possible texts by their log-probability, including forced words and the end.

As in training with references, the checklist of a step contains the items named so far.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any  # Any: a network and its state, known only at run time

import torch
from torch import Tensor

from allsaid.console import progress
from allsaid.decoding.beam import beam_search
from allsaid.decoding.step.score_buffer import DEAD, ScoreBuffer
from allsaid.modeling.config import SearchConfig
from allsaid.modeling.data.agenda_arrays import Prompt, Prompts
from allsaid.modeling.data.dataset import DataSet
from allsaid.modeling.data.shapes import by_shape, slots_of
from allsaid.modeling.data.tensors import Tensors
from allsaid.modeling.data.vocabulary import END, SPECIALS, START, UNKNOWN, Vocabulary
from allsaid.modeling.layers.scores import Scores
from allsaid.modeling.models.base.contract import ChecksItems
from allsaid.modeling.saved.model_folder import Bundle
from allsaid.proof.coverage import Coverage, Lexicon, measure
from schemas.errors import UserError
from schemas.example import PHRASE_JOINER, Example

NOTHING = -1  # instead of an item: the extraneous name is omitted
Words = tuple[str, ...]


@dataclass(frozen=True)
class _Script:
    """A neighbour's text of T words with its replaceable names, for an agenda of L items."""

    words: list[str]  # T
    spans: dict[int, tuple[int, str]]  # start of an extraneous name -> its end, and the name
    first_named: dict[int, frozenset[int]]  # position of a forced word -> the items first named there
    names: list[Words]  # L; empty for an item that the model's vocabulary can't name
    unforced: list[int]  # items that the model can name and the forced words don't name

    @property
    def longest(self) -> int:
        """The most tokens of a possible text, including its end."""
        return len(self.words) + len(self.spans) * max(map(len, self.names), default=0) + 1


@dataclass(frozen=True)
class _Path:
    """A partial text."""

    words: Words = (SPECIALS[START],)
    at: int = 0  # the script's next position
    pending: Words = ()  # remaining words of a replacement
    swapped: dict[str, int] = field(default_factory=dict)  # extraneous name -> the item that replaces it, or NOTHING
    named: frozenset[int] = frozenset()  # items
    score: float = 0.0  # log-probability


def check(data: DataSet) -> None:
    """Raise UserError unless the texts are recipes, since only these contain names instead of placeholders."""
    if data.manifest.files.get("acts"):
        raise UserError(
            f"--swap writes names into a recipe's text, but {data.where} holds dialogue acts. Leave it out."
        )


def swap(bundle: Bundle, neighbours: Sequence[Example], prompts: Sequence[Prompt]) -> list[list[str]]:
    """Return a text (tokens) for each prompt, made from its neighbour's (`training.baselines.retrieval.Nearest`).

    Uses the width and batch size of the model's search settings. Raises UserError if the model is no checklist.
    """
    if not isinstance(bundle.model, ChecksItems):
        raise UserError(f"NN-Swap needs a model of kind 'checklist'; this one is of kind '{bundle.config.model.kind}'.")
    texts: list[list[str]] = [[] for _ in prompts]
    lexicon = bundle.lexicon.of_training
    with progress("texts swapped", len(prompts)) as bar:
        for indices, encoded in by_shape([bundle.prompts([prompt]) for prompt in prompts]):
            scripts = [
                _script(neighbours[index].tokens, prompts[index].agenda_tokens, lexicon, bundle.vocabularies.text)
                for index in indices
            ]
            for index, words in zip(indices, _search(bundle, scripts, encoded), strict=True):
                texts[index] = words
            bar.advance(len(indices))
    return texts


def _search(bundle: Bundle, scripts: Sequence[_Script], prompts: Tensors) -> list[list[str]]:
    search = replace(bundle.config.search, max_tokens=max(script.longest for script in scripts))
    forced = _Forced(scripts, bundle.vocabularies.text, search)
    model: Any = _WithChecklist(bundle.model, forced)  # only the methods that a search calls
    beam_search(model, prompts, search, chooser=forced)
    return [list(path.words[1:-1]) for path in forced.best]


class _WithChecklist:
    """A checklist model whose checklist is set, at each step, to the items named so far."""

    def __init__(self, model: Any, forced: _Forced) -> None:
        self._model, self._forced = model, forced

    def start(self, prompts: Prompts) -> Any:
        return self._model.start(prompts)

    def step(self, state: Any, tokens: Tensor) -> tuple[Scores, Any]:
        named = [(row, item) for row, path in enumerate(self._forced.paths) if path for item in path.named]
        checklist = torch.zeros(len(tokens), state.names.shape[1], device=tokens.device)
        checklist[[row for row, _ in named], [item for _, item in named]] = 1
        return self._model.step(self._model.check(state, checklist), tokens)


class _Forced:
    """The candidates that the scripts of N texts allow the beam, instead of all words."""

    def __init__(self, scripts: Sequence[_Script], vocabulary: Vocabulary, search: SearchConfig) -> None:
        self._scripts, self._vocabulary, self._width = scripts, vocabulary, search.width
        self._texts = [0] * slots_of(search)  # for each slot of the beam, the index of the text that is searched in it
        self.paths: list[_Path | None] = [None] * (len(self._texts) * search.width)  # one for each hypothesis
        self.best = [_Path(score=float("-inf")) for _ in scripts]  # the best finished path of each text

    def renew(self, places: Tensor, texts: Tensor) -> None:
        """Start other texts in these slots; the beam calls it when a slot's text is finished."""
        for slot, text in zip(places.tolist(), texts.tolist(), strict=True):
            self._texts[slot], self.paths[slot * self._width] = text, _Path()

    def candidates(self, buffer: ScoreBuffer) -> tuple[Tensor, Tensor, Tensor]:
        """Extend all paths by a word; keep the best unfinished ones that may still beat the best finished one.

        Returns scores, origin rows and word ids of the kept paths (slots, width).
        """
        extended: list[list[tuple[int, _Path]]] = [[] for _ in self._texts]
        for row, old in enumerate(self.paths):
            if old is not None:
                slot = row // self._width
                extended[slot] += [(row, path) for path in _continue(self._scripts[self._texts[slot]], old)]
        flat = [(row, self._id(path)) for paths in extended for row, path in paths]
        rows, words = torch.tensor(flat, dtype=torch.long, device=buffer.totals.device).view(-1, 2).unbind(1)
        gains = iter(buffer.log_probs(rows, words).tolist())
        self.paths = []
        chosen: list[tuple[float, int, int]] = []
        for slot, paths in enumerate(extended):
            scored = [(row, replace(path, score=path.score + next(gains))) for row, path in paths]
            unfinished = self._prune(self._texts[slot], scored)
            missing = self._width - len(unfinished)
            chosen += [(path.score, row, self._id(path)) for row, path in unfinished]
            chosen += [(DEAD, slot * self._width, START)] * missing
            self.paths += [*(path for _, path in unfinished), *[None] * missing]
        scores, origins, ids = (
            torch.tensor(part, device=buffer.totals.device).view(-1, self._width) for part in zip(*chosen, strict=True)
        )
        return scores, origins, ids

    def _prune(self, text: int, extended: Sequence[tuple[int, _Path]]) -> list[tuple[int, _Path]]:
        for _, path in extended:
            if path.words[-1] == SPECIALS[END] and path.score > self.best[text].score:
                self.best[text] = path
        bound = self.best[text].score
        unfinished = [(row, path) for row, path in extended if path.words[-1] != SPECIALS[END] and path.score > bound]
        return sorted(unfinished, key=lambda entry: -entry[1].score)[: self._width]

    def _id(self, path: _Path) -> int:
        return self._vocabulary.ids.get(path.words[-1], UNKNOWN)


def _continue(script: _Script, path: _Path) -> Iterator[_Path]:
    if path.pending:
        yield replace(path, words=(*path.words, path.pending[0]), pending=path.pending[1:])
    elif path.at == len(script.words):
        yield replace(path, words=(*path.words, SPECIALS[END]))
    elif path.at not in script.spans:
        named = path.named | script.first_named.get(path.at, frozenset())
        yield replace(path, words=(*path.words, script.words[path.at]), at=path.at + 1, named=named)
    else:
        end, name = script.spans[path.at]
        for item in [path.swapped[name]] if name in path.swapped else _choices(script, path):
            replaced = replace(path, at=end, swapped=path.swapped | {name: item})
            if item != NOTHING:
                replaced = replace(replaced, pending=script.names[item], named=path.named | {item})
            yield from _continue(script, replaced)


def _choices(script: _Script, path: _Path) -> list[int]:
    """Return the items that may replace an extraneous name at its first mention, or NOTHING."""
    open_items = [item for item in script.unforced if item not in path.named]
    return open_items or [*(item for item, name in enumerate(script.names) if name), NOTHING]


def _script(tokens: list[str], agenda: Sequence[Sequence[str]], lexicon: Lexicon, vocabulary: Vocabulary) -> _Script:
    covered = measure(tokens, agenda, lexicon)
    spans = _spans(covered)
    extraneous = {position for start, (end, _) in spans.items() for position in range(start, end)}
    first_named: dict[int, frozenset[int]] = {}
    for item, positions in enumerate(covered.mentions):
        for position in [position for position in positions if position not in extraneous][:1]:
            first_named[position] = first_named.get(position, frozenset()) | {item}
    forced = [token for position, token in enumerate(tokens) if position not in extraneous]
    given = measure(forced, agenda, lexicon).given
    names = [_name(item, vocabulary) for item in agenda]
    unforced = [item for item, name in enumerate(names) if name and not given[item]]
    return _Script(tokens, spans, first_named, names, unforced)


def _spans(covered: Coverage) -> dict[int, tuple[int, str]]:
    """Return the mentions of extraneous names as runs of positions; a token of two names belongs to the first one."""
    spans: dict[int, tuple[int, str]] = {}
    used: set[int] = set()
    for name, positions in zip(covered.extra, covered.extra_mentions, strict=True):
        free = [position for position in positions if position not in used]
        used.update(free)
        for at in free:
            start = next((start for start, (end, other) in spans.items() if end == at and other == name), at)
            spans[start] = (at + 1, name)
    return spans


def _name(item: Sequence[str], vocabulary: Vocabulary) -> Words:
    """Return the longest run of last words of an item's name that the vocabulary has; unknown phrases are split."""
    words: list[str] = []
    for token in item:
        parts = [token] if token in vocabulary.ids else token.split(PHRASE_JOINER)
        for part in parts:
            words = [*words, part] if part in vocabulary.ids else []
    return tuple(words)
