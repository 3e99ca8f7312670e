"""Run models over generated texts again, with the words forced, for attention and the sources of copied words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Any  # Any: a row of the task, known only at run time

import numpy as np

from allsaid.decoding.forced_pass import PassOptions, forced_pass
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

MIN_WEIGHT = 13  # of 255 (5%); source positions that never reach this weight are left out of the maps


@dataclass(frozen=True)
class Reading:
    """Sources and attention of a text of T words."""

    sources: list[tuple[int, int]]  # T: item and word that each is copied from; NO_ITEM twice if not copied
    weights: list[Weights]  # the attention maps, by source position


def copies(bundle: Bundle) -> bool:
    """Return whether the model reports the sources of the words that it copies."""
    return isinstance(bundle.model, CopiesWords) and bundle.model.copies


def uses_subwords(bundle: Bundle) -> bool:
    """Return whether the token ids of the model's texts are subwords."""
    return bool(bundle.vocabularies.text.merges)


def read_again(
    bundle: Bundle, rows: Sequence[Any], texts: Sequence[Sequence[int]], search: SearchConfig, attention: bool
) -> list[Reading]:
    """Read one text of each row, given as token ids; ``attention``: include attention maps, if the model has any."""
    order = sorted(range(len(texts)), key=lambda index: len(texts[index]))
    by_text: dict[int, Reading] = {}
    for start in range(0, len(order), search.search_batch):
        indices = order[start : start + search.search_batch]
        readings = _read(bundle, [rows[index] for index in indices], [texts[index] for index in indices], attention)
        by_text |= zip(indices, readings, strict=True)
    return [by_text[index] for index in range(len(texts))]


def _read(bundle: Bundle, rows: Sequence[Any], texts: Sequence[Sequence[int]], attention: bool) -> Iterator[Reading]:
    has_subwords = uses_subwords(bundle)
    options = PassOptions(copies(bundle), attention and isinstance(bundle.model, ShowsAttention), has_subwords)
    ids = fill([[*text, END] for text in texts], PAD).to(bundle.device)
    run = partial(forced_pass, bundle.model) if bundle.client is None else bundle.client.forced_pass
    outputs = run(filled(bundle.prompts(rows)), ids, options)
    task = bundle.text_task
    has_items = not isinstance(task, RefersToTable)
    all_sources = outputs.sources or [[(NO_ITEM, NO_ITEM)] * ids.shape[1]] * len(rows)
    maps = outputs.maps
    for index, (row, text) in enumerate(zip(rows, texts, strict=True)):
        source_words = task.places(row) if maps or (options.with_sources and has_items) else []
        lines = _lines(task, row, source_words) if has_items else [[NO_ITEM] * len(words) for words in source_words]
        row_maps = {title: steps[index, : len(text) + 1] for title, steps in maps.items()}
        sources = [(item, word) for item, word in all_sources[index][: len(text)]]
        if has_subwords:
            spans = pieces.spans(task.pieces(text, row, bundle.vocabularies))
            sources = [_common_source(sources[first:last]) for first, last in spans]
            row_maps = {title: _by_word(steps, spans) for title, steps in row_maps.items()}
        by_map = (_weights(title, steps, source_words, lines) for title, steps in row_maps.items())
        weights = [*chain.from_iterable(by_map)]
        if has_items:
            sources = [_in_line(lines, *source) for source in sources]
        yield Reading(sources, weights)


def _common_source(sources: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """Return the source position that all subwords of a word are copied from; NO_ITEM twice if they differ."""
    return sources[0] if len({*sources}) == 1 else (NO_ITEM, NO_ITEM)


def _by_word(steps: np.ndarray, spans: Sequence[tuple[int, int]]) -> np.ndarray:
    """Average a map (T + 1, …) over the subwords of each word; the last step is the end token."""
    means = [steps[first:last].mean(axis=0).round() for first, last in [*spans, (len(steps) - 1, len(steps))]]
    return np.stack(means).astype(np.uint8)


def _lines(task: WritesTexts, row: Any, source_words: Sequence[Sequence[str]]) -> list[list[int]]:
    """Return, for each source position, its line in ``task.show(row)``; NO_ITEM if it has none, such as the goal."""
    if (known := task.lines(row)) is not None:
        return known
    count = len(task.show(row)[1])
    return [[item if item < count else NO_ITEM] * len(words) for item, words in enumerate(source_words)]


def _in_line(lines: Sequence[Sequence[int]], item: int, word: int) -> tuple[int, int]:
    """Return the line and the word of a source position; NO_ITEM twice if it is in no line."""
    line = NO_ITEM if item == NO_ITEM else lines[item][word]
    return (NO_ITEM, NO_ITEM) if line == NO_ITEM else (line, word)


def _weights(
    title: str, steps: np.ndarray, source_words: Sequence[Sequence[str]], lines: Sequence[Sequence[int]]
) -> Iterator[Weights]:
    """Yield the `Weights` of each source position of a map, without padding.

    steps: the map, (T + 1, L, W) for the words of L items, (T + 1, L) for items, or (T + 1,) without source positions.
    lines: the line of each source position, from `_lines`.
    """
    if steps.ndim == 1:
        yield Weights(title, "", NO_ITEM, steps.tobytes())
        return
    steps = steps.reshape(*steps.shape[:2], -1)
    for item, word in np.argwhere(steps.max(axis=0) >= MIN_WEIGHT).tolist():
        if item < len(source_words) and word < len(source_words[item]):
            yield Weights(title, source_words[item][word], lines[item][word], steps[:, item, word].tobytes())
