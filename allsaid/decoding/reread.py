"""Read generated texts again with their model, word by word, for attention and for sources of copied words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Any  # Any: a row of the task, known only at run time

import numpy as np

from allsaid.decoding.follow import Asked, follow
from allsaid.modeling.config import SearchConfig
from allsaid.modeling.data import pieces
from allsaid.modeling.data.shapes import filled
from allsaid.modeling.data.tensors import fill
from allsaid.modeling.data.vocabulary import END, PAD
from allsaid.modeling.models.base.contract import CopiesWords, ShowsAttention
from allsaid.modeling.saved.model_folder import Bundle
from allsaid.modeling.tasks.contract import RefersToTable, WritesTexts
from schemas.example import NO_ITEM
from schemas.texts.attention import Weights

LEAST = 13  # minimum weight (13/WHOLE, 5%); source positions that never reach it are left out of the maps


@dataclass(frozen=True)
class Reading:
    """Sources and attention of a text of T words."""

    sources: list[tuple[int, int]]  # T: item and word that each is copied from; NO_ITEM twice if not copied
    weights: list[Weights]  # rows of the attention maps


def copies(bundle: Bundle) -> bool:
    """Return whether the model reports the sources of the words that it copies."""
    return isinstance(bundle.model, CopiesWords) and bundle.model.copies


def cuts(bundle: Bundle) -> bool:
    """Return whether the ids of a text are subwords."""
    return bool(bundle.vocabularies.text.merges)


def read_again(
    bundle: Bundle, rows: Sequence[Any], texts: Sequence[Sequence[int]], search: SearchConfig, attention: bool
) -> list[Reading]:
    """Read one text of each row, given as ids; with ``attention`` include the attention maps, if the model has any."""
    order = sorted(range(len(texts)), key=lambda index: len(texts[index]))
    by_text: dict[int, Reading] = {}
    for start in range(0, len(order), search.search_batch):
        indices = order[start : start + search.search_batch]
        readings = _read(bundle, [rows[index] for index in indices], [texts[index] for index in indices], attention)
        by_text |= zip(indices, readings, strict=True)
    return [by_text[index] for index in range(len(texts))]


def _read(bundle: Bundle, rows: Sequence[Any], texts: Sequence[Sequence[int]], attention: bool) -> Iterator[Reading]:
    asked = Asked(copies(bundle), attention and isinstance(bundle.model, ShowsAttention), cuts(bundle))
    words = fill([[*text, END] for text in texts], PAD).to(bundle.device)
    following = partial(follow, bundle.model) if bundle.client is None else bundle.client.follow
    followed = following(filled(bundle.prompts(rows)), words, asked)
    task, is_cut = bundle.text_task, asked.is_cut
    has_items = not isinstance(task, RefersToTable)
    all_sources = followed.sources or [[(NO_ITEM, NO_ITEM)] * words.shape[1]] * len(rows)
    maps = followed.maps
    for index, (row, text) in enumerate(zip(rows, texts, strict=True)):
        places = task.places(row) if maps or (asked.is_copying and has_items) else []
        lines = _lines(task, row, places) if has_items else [[NO_ITEM] * len(words) for words in places]
        row_maps = {title: steps[index, : len(text) + 1] for title, steps in maps.items()}
        sources = [(item, word) for item, word in all_sources[index][: len(text)]]
        if is_cut:
            spans = pieces.spans(task.pieces(text, row, bundle.vocabularies))
            sources = [_agreed(sources[first:last]) for first, last in spans]
            row_maps = {title: _by_word(steps, spans) for title, steps in row_maps.items()}
        weights = [*chain.from_iterable(_weights(title, steps, places, lines) for title, steps in row_maps.items())]
        if has_items:
            sources = [_in_line(lines, *source) for source in sources]
        yield Reading(sources, weights)


def _agreed(places: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """Return the source position that all subwords of a word are copied from; NO_ITEM twice if they differ."""
    return places[0] if len({*places}) == 1 else (NO_ITEM, NO_ITEM)


def _by_word(steps: np.ndarray, spans: Sequence[tuple[int, int]]) -> np.ndarray:
    """Average a map (T + 1, …) over the subwords of each word; the last step is the end token."""
    means = [steps[first:last].mean(axis=0).round() for first, last in [*spans, (len(steps) - 1, len(steps))]]
    return np.stack(means).astype(np.uint8)


def _lines(task: WritesTexts, row: Any, places: Sequence[Sequence[str]]) -> list[list[int]]:
    """Return, for each source position, its line in ``task.show(row)``; NO_ITEM if it has none, such as the goal."""
    if (known := task.lines(row)) is not None:
        return known
    count = len(task.show(row)[1])
    return [[item if item < count else NO_ITEM] * len(words) for item, words in enumerate(places)]


def _in_line(lines: Sequence[Sequence[int]], item: int, word: int) -> tuple[int, int]:
    """Return the line and the word of a source position; NO_ITEM twice if it is in no line."""
    line = NO_ITEM if item == NO_ITEM else lines[item][word]
    return (NO_ITEM, NO_ITEM) if line == NO_ITEM else (line, word)


def _weights(
    title: str, steps: np.ndarray, places: Sequence[Sequence[str]], lines: Sequence[Sequence[int]]
) -> Iterator[Weights]:
    """Yield the rows of a map: (T + 1, L, W), (T + 1, L), or (T + 1,) for a map without source positions.

    Padding is left out. lines: the line of each source position, from `_lines`.
    """
    if steps.ndim == 1:
        yield Weights(title, "", NO_ITEM, steps.tobytes())
        return
    steps = steps.reshape(*steps.shape[:2], -1)
    for item, word in np.argwhere(steps.max(axis=0) >= LEAST).tolist():
        if item < len(places) and word < len(places[item]):
            yield Weights(title, places[item][word], lines[item][word], steps[:, item, word].tobytes())
