"""The view of an agenda as a box, for models of boxes: each item is a field, followed by the goal as a field.

An item of an act or of a user's table is the field of its slot. Its words are the field's words: the placeholder of an
arbitrary value. A slot without a value to fill in (``dogsallowed=no``) is a separate field without a word. The rest is
shared with agendas (`allsaid.modeling.tasks.agenda`), including the rows that generation reads.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from allsaid.modeling.config import DataConfig
from allsaid.modeling.data.agenda_arrays import Prompt
from allsaid.modeling.data.dataset import DataSet
from allsaid.modeling.data.vocabulary import choose_words
from allsaid.modeling.tables import box_arrays
from allsaid.modeling.tables.box_arrays import Ids, Prompts, make_prompts
from allsaid.modeling.tables.box_arrays import collate as collate
from allsaid.modeling.tables.box_table import NO_WORD, Table, Vocabularies, own_words, table_ids
from allsaid.modeling.tasks.agenda import BORDERS as BORDERS
from allsaid.modeling.tasks.agenda import DECIDING as DECIDING
from allsaid.modeling.tasks.agenda import FIGURES as FIGURES
from allsaid.modeling.tasks.agenda import background as background
from allsaid.modeling.tasks.agenda import brief as brief
from allsaid.modeling.tasks.agenda import checks as checks
from allsaid.modeling.tasks.agenda import companions as companions
from allsaid.modeling.tasks.agenda import examples as examples
from allsaid.modeling.tasks.agenda import learned_tables
from allsaid.modeling.tasks.agenda import protocol as protocol
from allsaid.modeling.tasks.agenda import score as score
from allsaid.modeling.tasks.agenda import show as show
from schemas.act import PREFIX, is_unfilled, parse_agenda_line
from schemas.errors import UserError

OF_TABLE = "allsaid.modeling.tasks.record_box"  # it imports this module
GOAL, ITEM = "goal", "item"  # fields of words outside of slots


def table_of(goal: Sequence[str], lines: Sequence[str], items: Sequence[Sequence[str]]) -> Table:
    """Return the fields of an agenda and its goal; ``lines`` is the agenda as written, the others are words."""
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


def build_vocabularies(data: DataSet, config: DataConfig) -> Vocabularies:
    """Count the words of the training part's texts, and all fields; raises UserError where it has no text."""
    words, names = Counter[str](), Counter[str]()
    for example in _learned(data, "train"):
        words.update(example.tokens)
        names.update(example.table.fields)
    if not words:
        raise UserError(f"The training part of {data.where} is empty, so there is nothing to learn.")
    return Vocabularies(choose_words(words, config.text_cutoff, config.text_size), choose_words(names, 1))


def encode(data: DataSet, split: str, vocabularies: Vocabularies, folder: Path) -> Ids:
    """Write a split's ids as arrays under ``folder`` and map them into memory."""
    return box_arrays.encode(_learned(data, split), vocabularies, folder)


def prompts(rows: Sequence[Prompt], vocabularies: Vocabularies) -> Prompts:
    """Return prompts of rows in words, as generation gets them."""
    return make_prompts([table_ids(_table(row), vocabularies) for row in rows])


def words(tokens: Sequence[int], row: Prompt, vocabularies: Vocabularies) -> list[str]:
    """Return the words of a text's ids; those from V on are the row's copy candidates."""
    known = (*vocabularies.text.words, *own_words(_table(row), vocabularies.text))
    return [known[token] for token in tokens]


def own_ids(row: Prompt, vocabularies: Vocabularies) -> Mapping[str, int]:
    """Return the row's words that the vocabulary lacks, and their ids from V on."""
    own = own_words(_table(row), vocabularies.text)
    return {word: len(vocabularies.text) + number for number, word in enumerate(own)}


def places(row: Prompt) -> list[list[str]]:
    """Return the items' words and, after the last line, the goal's."""
    return [*row.agenda_tokens, row.goal_tokens]
