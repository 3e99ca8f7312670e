"""The task of a box: the first sentence of an article from its table of fields (Lebret et al. 2016).

A text consists of words of the vocabulary and of its table (`allsaid.modeling.tables.box_table`). A model that copies
writes the table's words as the table does. In scores a number is NUMBER or YEAR, in texts of models and references
alike.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from itertools import islice
from pathlib import Path

import numpy as np
import pyarrow.compute as pc

from allsaid.modeling.config import DataConfig
from allsaid.modeling.data.dataset import DataSet
from allsaid.modeling.data.vocabulary import check_counted, choose_words
from allsaid.modeling.tables import box_arrays
from allsaid.modeling.tables.box_arrays import Batch, Ids, Prompts, make_prompts
from allsaid.modeling.tables.box_table import NUMERALS, Table, Vocabularies, first_sentence, table_ids, to_words
from allsaid.modeling.tasks import contract
from allsaid.modeling.tasks.agenda import AgendaTask
from allsaid.modeling.tasks.as_box import BoxView
from allsaid.modeling.tasks.contract import Background, Scores, Texts
from allsaid.modeling.tasks.perplexity import PerplexityTask
from allsaid.modeling.text.restore import Casing, begins_with_capitals, learn_casing, restore
from allsaid.modeling.text.treebank import SIGNS
from allsaid.proof.coverage import Lexicon
from allsaid.proof.figures import FIGURES, Figure, by_key
from allsaid.proof.forms.certificate.certify import Certificate
from allsaid.proof.scores import score_words
from schemas.errors import UserError

_UNCHANGED = Casing({}, frozenset(), capitals=False)
TABLE_COLUMNS = tuple(column.name for column in fields(Table))
SURVEYED = 1000  # examples that show whether sentences begin with capitals


@dataclass(frozen=True)
class Row:
    """The input of a text."""

    id: str
    title: str  # for readers only: no model reads it
    table: Table

    @cached_property
    def agenda(self) -> list[str]:
        """Return the fields as readable lines; the search checks here whether a number is from the table."""
        words = self.table.originals
        return [f"{name}: {_written(words[first:last])}" for name, first, last in self.table.items]

    @property
    def agenda_tokens(self) -> list[list[str]]:
        """Return an empty list, since no field is required."""
        return []


@dataclass(frozen=True)
class Example(Row):
    text: str  # the originals, joined by blanks
    tokens: list[str]  # T, lower case, numerals as NUMBER or YEAR
    originals: list[str]  # T

    @cached_property
    def surface(self) -> list[str]:
        return self.originals


class BoxesTask(PerplexityTask[Row, Example, contract.Vocabularies, contract.Ids]):
    """Base of the tasks of boxes and of templates: rows, examples and scores."""

    borders = ("boxes",)
    figures = FIGURES | by_key(
        Figure("perplexity", "perplexity, for systems that write the same words", "", 2, "down", "perplexity"),
        Figure("perplexity_table", "perplexity of words that are in the table", "", 2, "down", "in the table"),
        Figure("perplexity_other", "perplexity of the other words", "", 2, "down", "other"),
        Figure("nist", "NIST-4 against the example's own text", "", 2, "up", "NIST-4"),
        Figure("rouge_4", "ROUGE-4 F against the example's own text", "", 2, "up", "ROUGE-4"),
        Figure("parent_precision", "PARENT precision against text and table", "", 1, "up", "PARENT precision"),
        Figure(
            "parent_precision/written", "PARENT precision, numbers as written", "", 1, "up", "PARENT precision, written"
        ),
        Figure("parent_recall", "PARENT recall against text and table", "", 1, "up", "PARENT recall"),
        Figure("parent", "PARENT F against text and table", "", 1, "up", "PARENT"),
    )

    def background(self, data: DataSet) -> Background:
        casing, first = learn_casing(self.examples(data, "train")), islice(self.examples(data, "train"), SURVEYED)
        return {"casing": replace(casing, capitals=begins_with_capitals(first))}

    def examples(self, data: DataSet, split: str) -> Iterator[Example]:
        for table in data.tables(split, "boxes"):
            for batch in table.to_batches(max_chunksize=1000):
                sentence = pc.list_element(batch.column("sentences"), 0)
                columns = [batch.column(name) for name in ("id", "title", *TABLE_COLUMNS)]
                columns += [sentence.field(name) for name in ("tokens", "originals")]
                yield from map(_example, *(column.to_pylist() for column in columns))

    def read_row(self, values: Mapping[str, object]) -> Row:
        columns = [column for column in map(values.get, TABLE_COLUMNS) if isinstance(column, list) and column]
        if len(columns) < len(TABLE_COLUMNS) or len({*map(len, columns)}) > 1:
            raise UserError('The row has no \'fields\' with words, such as {"name": "Ada Lovelace", "born": "1815"}.')
        table = Table(*columns)
        return Row(str(values["id"]), str(values.get("title") or _written(table.originals[: table.ends[0]])), table)

    def score(
        self, texts: Texts, examples: Sequence[Example], lexicon: Lexicon, certificates: Sequence[Certificate] = ()
    ) -> dict[str, float]:
        as_read = [mapped(text, example.table) for text, example in zip(texts, examples, strict=True)]
        return score_words(as_read, [example.tokens for example in examples])

    def brief(self, scores: Scores) -> str:
        of_table = scores.get("perplexity_table")
        of_words = "" if of_table is None else f"of the table's words {of_table:.2f}, "
        return f"{of_words}BLEU {scores['bleu']:.1f}"

    def show(self, row: Row) -> tuple[str, list[str]]:
        return row.title, row.agenda

    def protocol(self, data: DataSet) -> str:
        return "boxes"


class BoxTask(BoxesTask[Vocabularies, Ids]):
    vocabularies = Vocabularies
    settings = ("shortlist", "supported_numbers_only")

    def build_vocabularies(self, data: DataSet, config: DataConfig) -> Vocabularies:
        """Count the words of sentences, and the boxes of each field; raises UserError if there is no word."""
        words, names = Counter[str](), Counter[str]()
        for example in self.examples(data, "train"):
            words.update(example.tokens)
            names.update(set(example.table.fields))
        check_counted(words, data.where)
        words.update(dict.fromkeys(NUMERALS, max(words.values())))  # numbers of a table are read as these
        return Vocabularies(
            choose_words(words, config.text_cutoff, config.text_size), choose_words(names, config.field_cutoff)
        )

    def encode(self, data: DataSet, split: str, vocabularies: Vocabularies, folder: Path) -> Ids:
        return box_arrays.encode(self.examples(data, split), vocabularies, folder)

    def collate(self, ids: Ids, rows: np.ndarray, max_text: int) -> Batch:
        return box_arrays.collate(ids, rows, max_text)

    def prompts(self, rows: Sequence[Row], vocabularies: Vocabularies) -> Prompts:
        """Return prompts of rows, padded so that most have the same shape and are searched together."""
        return make_prompts([table_ids(row.table, vocabularies) for row in rows], words=32, places=64)

    def words(self, tokens: Sequence[int], row: Row, vocabularies: Vocabularies) -> list[str]:
        return to_words(tokens, row.table, vocabularies.text)

    def row_words(self, row: Row, vocabularies: Vocabularies) -> list[int]:
        """Return the ids of the table's words, numbers as NUMBER or YEAR."""
        return vocabularies.text.encode(row.table.tokens)

    def places(self, row: Row) -> list[list[str]]:
        return [list(row.table.originals[first:last]) for _, first, last in row.table.items]

    @property
    def of_agendas(self) -> AgendaTask[Vocabularies, Ids]:
        return AgendaTask(BoxView())


def _example(id_: str, title: str, *columns: list) -> Example:
    """Build an example; columns: those of the table, then tokens and originals of the sentence."""
    table = Table(*columns[:-2])
    tokens, originals = first_sentence(*columns[-2:])
    title = title or " ".join(table.originals[: table.ends[0]])
    return Example(id_, title, table, " ".join(originals), tokens, originals)


def _written(words: Sequence[str]) -> str:
    """Return words of a table as plain text, in the table's own letter case."""
    return restore([SIGNS.get(word, word) for word in words], _UNCHANGED)


def mapped(text: Sequence[str], table: Table) -> list[str]:
    """Return words in lower case, with the table's numbers as NUMBER or YEAR."""
    lowered = map(str.lower, text)
    return [table.tokens[table.firsts[table.numbers[word]]] if word in table.numbers else word for word in lowered]


TASK = BoxTask()
