"""The view of an agenda as a box, for models of boxes: each item is a field, followed by the goal as a field.

An item of an act or of a user's table is the field of its slot. Its words are the field's words: the placeholder of an
arbitrary value. A slot without a value to fill in (``dogsallowed=no``) is a separate field without a word.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from allsaid.modeling.config import DataConfig
from allsaid.modeling.data.agenda_arrays import Prompt
from allsaid.modeling.data.dataset import DataSet
from allsaid.modeling.data.vocabulary import check_counted, choose_words
from allsaid.modeling.tables import box_arrays
from allsaid.modeling.tables.box_arrays import Batch, Ids, Prompts, make_prompts
from allsaid.modeling.tables.box_table import NO_WORD, Table, Vocabularies, own_words, table_ids, to_words
from allsaid.modeling.tasks.view import View, learned_tables
from schemas.act import PREFIX, is_unfilled, parse_agenda_line

GOAL, ITEM = "goal", "item"  # fields of words outside of slots


class BoxView(View[Vocabularies, Ids]):
    vocabularies = Vocabularies
    label = " as box"

    def build_vocabularies(self, data: DataSet, config: DataConfig) -> Vocabularies:
        """Count the words of the training part's texts, and all fields; raises UserError if it has no text."""
        words, names = Counter[str](), Counter[str]()
        for example in _learned(data, "train"):
            words.update(example.tokens)
            names.update(example.table.fields)
        check_counted(words, data.where)
        return Vocabularies(choose_words(words, config.text_cutoff, config.text_size), choose_words(names, 1))

    def encode(self, data: DataSet, split: str, vocabularies: Vocabularies, folder: Path) -> Ids:
        return box_arrays.encode(_learned(data, split), vocabularies, folder)

    def collate(self, ids: Ids, rows: np.ndarray, max_text: int) -> Batch:
        return box_arrays.collate(ids, rows, max_text)

    def prompts(self, rows: Sequence[Prompt], vocabularies: Vocabularies) -> Prompts:
        return make_prompts([table_ids(_table(row), vocabularies) for row in rows])

    def words(self, tokens: Sequence[int], row: Prompt, vocabularies: Vocabularies) -> list[str]:
        return to_words(tokens, _table(row), vocabularies.text)

    def own_ids(self, row: Prompt, vocabularies: Vocabularies) -> Mapping[str, int]:
        return own_words(_table(row), vocabularies.text)


def table_of(goal: Sequence[str], lines: Sequence[str], items: Sequence[Sequence[str]]) -> Table:
    """Return an agenda and its goal as a table; lines: the agenda as written; goal, items: words."""
    fields = [*map(_field, lines, items), (GOAL, list(goal))]
    words = [word for _, words in fields for word in words]
    return Table(
        [name for name, words in fields for _ in words],
        [place for _, words in fields for place in range(1, len(words) + 1)],
        [end for _, words in fields for end in range(len(words), 0, -1)],
        words,
        words,
    )


def _field(line: str, words: Sequence[str]) -> tuple[str, list[str]]:
    if not words or not words[0].startswith(PREFIX):
        return ITEM, list(words)
    if is_unfilled(words[0], line):
        return line, [NO_WORD]
    return parse_agenda_line(line).slot, list(words)


def _table(row: Prompt) -> Table:
    return table_of(row.goal_tokens, row.agenda, row.agenda_tokens)


@dataclass(frozen=True)
class _Example:
    table: Table
    tokens: list[str]

    @property
    def originals(self) -> list[str]:
        return self.tokens


def _learned(data: DataSet, split: str) -> Iterator[_Example]:
    columns = ("tokens", "goal_tokens", "agenda", "agenda_tokens")
    for table in learned_tables(data, split):
        for batch in table.to_batches(max_chunksize=1000):
            for tokens, *parts in zip(*(batch.column(name).to_pylist() for name in columns), strict=True):
                yield _Example(table_of(*parts), tokens)
