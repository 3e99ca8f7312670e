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
from statistics import fmean
from typing import Any

import pyarrow.compute as pc

from allsaid.modeling.config import DataConfig
from allsaid.modeling.data.dataset import DataSet
from allsaid.modeling.data.vocabulary import choose_words
from allsaid.modeling.tables import box_arrays
from allsaid.modeling.tables.box_arrays import Ids, Prompts, make_prompts
from allsaid.modeling.tables.box_arrays import collate as collate  # a name of the task
from allsaid.modeling.tables.box_table import NUMERALS, Table, Vocabularies, first_sentence, own_words, table_ids
from allsaid.modeling.tasks.sequence import DECIDING as DECIDING  # names of the task, as of sequences
from allsaid.modeling.tasks.sequence import checks as checks
from allsaid.modeling.text.restore import Casing, begins_with_capitals, learn_casing, restore
from allsaid.modeling.text.treebank import SIGNS
from allsaid.proof.figures import FIGURES as SHARED
from allsaid.proof.figures import Figure
from allsaid.proof.scores import bleu
from schemas.errors import UserError

BORDERS = ("boxes",)
OF_AGENDAS = "allsaid.modeling.tasks.agenda_box"  # the view of agendas for its models
FIGURES = SHARED | {
    figure.key: figure
    for figure in (
        Figure("perplexity", "perplexity, for systems that write the same words", "", 2, "down", "perplexity"),
        Figure("perplexity_table", "perplexity of words that stand in the table", "", 2, "down", "in the table"),
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
}
_AS_IT_STANDS = Casing({}, frozenset(), capitals=False)
SURVEYED = 1000  # examples, used to detect whether sentences begin with capitals
# Modules are named here and never imported: no room below may import them.


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


def build_vocabularies(data: DataSet, config: DataConfig) -> Vocabularies:
    """Count the words of the training part's sentences and the boxes of each field; raises UserError without any."""
    words, names = Counter[str](), Counter[str]()
    for example in examples(data, "train"):
        words.update(example.tokens)
        names.update(set(example.table.fields))
    if not words:
        raise UserError(f"The training part of {data.where} is empty, so there is nothing to learn.")
    words.update(dict.fromkeys(NUMERALS, max(words.values())))  # numbers of a table are read as these
    return Vocabularies(
        choose_words(words, config.text_cutoff, config.text_size), choose_words(names, config.field_cutoff)
    )


def background(data: DataSet) -> dict[str, Any]:
    written: Iterator[Any] = examples(data, "train")
    first: Iterator[Any] = islice(examples(data, "train"), SURVEYED)
    return {"casing": replace(learn_casing(written), capitals=begins_with_capitals(first))}


def examples(data: DataSet, split: str) -> Iterator[Example]:
    names = ("id", "title", *(column.name for column in fields(Table)))
    for table in data.boxes(split):
        for batch in table.to_batches(max_chunksize=1000):
            sentence = pc.list_element(batch.column("sentences"), 0)
            columns = [batch.column(name) for name in names] + [
                sentence.field(name) for name in ("tokens", "originals")
            ]
            yield from map(_example, *(column.to_pylist() for column in columns))


def _example(id_: str, title: str, *columns: list[Any]) -> Example:
    """Build an example; columns: those of the table, then tokens and originals of the sentence."""
    table = Table(*columns[:-2])
    tokens, originals = first_sentence(*columns[-2:])
    return Example(
        id_, title or " ".join(table.originals[: table.ends[0]]), table, " ".join(originals), tokens, originals
    )


def read_row(values: Mapping[str, Any]) -> Row:
    """Return a row in the format of the data sets; raises UserError where its table has no word."""
    columns: list[Any] = [values.get(column.name) for column in fields(Table)]
    is_table = all(isinstance(column, list) and len(column) == len(columns[0] or []) for column in columns)
    if not is_table or not columns[0]:
        raise UserError('The row has no \'fields\' with words, such as {"name": "Ada Lovelace", "born": "1815"}.')
    table = Table(*columns)
    return Row(str(values["id"]), str(values.get("title") or _written(table.originals[: table.ends[0]])), table)


def _written(words: Sequence[str]) -> str:
    """Return words of a table as plain text, in the table's own letter case."""
    return restore([SIGNS.get(word, word) for word in words], _AS_IT_STANDS)


def encode(data: DataSet, split: str, vocabularies: Vocabularies, folder: Path) -> Ids:
    """Write a split's ids as arrays under ``folder`` and map them into memory."""
    return box_arrays.encode(examples(data, split), vocabularies, folder)


def prompts(rows: Sequence[Row], vocabularies: Vocabularies) -> Prompts:
    """Return prompts of rows in words, as generation gets them; most have the same shape, to be searched together."""
    return make_prompts([table_ids(row.table, vocabularies) for row in rows], words=32, places=64)


def words(tokens: Sequence[int], row: Row, vocabularies: Vocabularies) -> list[str]:
    """Return the words of a text's ids; those from V on are from the table, as it writes them."""
    known, own = vocabularies.text.words, own_words(row.table, vocabularies.text)
    return [known[token] if token < len(known) else own[token - len(known)] for token in tokens]


def row_words(row: Row, vocabularies: Vocabularies) -> list[int]:
    """Return the ids of the table's words; a number's score is that of NUMBER or YEAR plus a term of its own."""
    return vocabularies.text.encode(row.table.tokens)


@dataclass(frozen=True)
class Scores:
    """Scores of a split; perplexities are of the model that generated the texts, on all texts; references have none."""

    bleu: float  # corpus BLEU-4 over words, 0 to 100
    tokens: float  # per text
    texts: int
    perplexity: float | None = None
    perplexity_table: float | None = None  # of the words that are in the table
    perplexity_other: float | None = None


def score(texts: Sequence[Sequence[str]], examples: Sequence[Example], lexicon: Any) -> Scores:
    as_read = [mapped(text, example.table) for text, example in zip(texts, examples, strict=True)]
    return Scores(
        bleu=bleu(as_read, [example.tokens for example in examples]), tokens=fmean(map(len, texts)), texts=len(texts)
    )


def mapped(text: Sequence[str], table: Table) -> list[str]:
    """Return words in lower case, with the table's numbers as NUMBER or YEAR."""
    lowered = map(str.lower, text)
    return [table.tokens[table.firsts[table.numbers[word]]] if word in table.numbers else word for word in lowered]


def brief(scores: Scores) -> str:
    of_table = "" if scores.perplexity_table is None else f"of the table's words {scores.perplexity_table:.2f}, "
    return f"{of_table}BLEU {scores.bleu:.1f}"


def show(row: Row) -> tuple[str, list[str]]:
    return row.title, row.agenda


def places(row: Row) -> list[list[str]]:
    return [list(row.table.originals[first:last]) for _, first, last in row.table.items]


def protocol(data: DataSet) -> str:
    return "boxes"
