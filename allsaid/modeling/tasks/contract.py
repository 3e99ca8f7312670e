"""Interface of a task: a module with the names of :class:`Task`, of this package or of another one.

Modules of this package are in ``allsaid/modeling/tasks``. A task defines what a model reads and learns from, how ids
become words again, and what a good text is. The training loop, search, batch job and evaluation ask the task of the
model's module (``TASK``) for all of this and know no data of their own. A task also has the names of
:class:`WritesTexts` or, where no text is generated, of :class:`MeasuresLosses`. Most tasks differ from another in a few
of these names and import the rest from it.

Two more names delegate a data set to another module. ``OF_AGENDAS`` names the view of goals and agendas for the task's
models. It is used for a user's table, and where a data set has examples but not the task's own input. Its
``Vocabularies`` are those of the task. ``OF_TABLE`` names the task that is learned from a user's table.
`allsaid.modeling.systems.task_for` decides.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import numpy as np

from allsaid.modeling.data.companions import Companions
from allsaid.modeling.data.dataset import DataSet
from allsaid.proof.figures import Figure
from allsaid.proof.forms.certificate.certify import Certificate
from schemas.errors import UserError


class Task(Protocol):
    BORDERS: tuple[str, ...]  # parts of a data set that it reads: "examples", "acts", … (schemas/)
    FIGURES: Mapping[str, Figure]  # all figures of its models, by key: `allsaid.proof.figures`
    DECIDING: tuple[str, ...]  # those of `score` or `measure_losses` that decide between two models
    Vocabularies: Any  # a dataclass of vocabularies, including `text`, with `to_json` and `from_json`

    def build_vocabularies(self, data: DataSet, config: Any) -> Any:
        """Build the vocabularies of the training part; config: the section ``data`` of the configuration."""

    def background(self, data: DataSet) -> dict[str, Any]:
        """Return the data to prepare, measure and restore texts: fields of the Bundle by name; may be empty."""

    def examples(self, data: DataSet, split: str) -> Iterator[Any]:
        """Yield the examples of a split, each with an ``id``, a ``text`` and its ``tokens``."""

    def encode(self, data: DataSet, split: str, vocabularies: Any, folder: Path) -> Any:
        """Write the examples of a split as arrays below ``folder`` and map them into memory.

        The result has a length N and ``lengths`` (N,), of the texts in tokens.
        """

    def collate(self, ids: Any, rows: np.ndarray, max_text: int) -> Any:
        """Return a batch of the examples ``rows`` for ``loss``, which has ``to(device)``."""

    def checks(self, challenger: Any, champion: Any) -> list[tuple[bool, str]]:
        """Apply the rule of promotion: return conditions on a new model's and the champion's scores, each as a clause.

        Both have the figures ``DECIDING``; the first check is of the first of them.
        """

    def brief(self, scores: Any) -> str:
        """Return the figures that matter, for the line of an epoch."""

    def show(self, row: Any) -> tuple[str, list[str]]:
        """Return what a reader sees of an example or an input row: a title, and the lines of the input.

        They appear in samples, in the columns ``goal`` and ``agenda`` of the output, in report and comparison.
        """

    def protocol(self, data: DataSet) -> str:
        """Return the name, in runs and tables of systems, of the scoring protocol for the texts of a data set."""


@runtime_checkable
class WritesTexts(Protocol):
    """A task whose models generate texts: its names in addition to :class:`Task`."""

    def prompts(self, rows: Sequence[Any], vocabularies: Any) -> Any:
        """Return the input of ``start`` for rows: a dataclass of tensors, their first axis the texts."""

    def words(self, tokens: Sequence[int], row: Any, vocabularies: Any) -> list[str]:
        """Return the words of a text of this row; ids from V on are the row's copy candidates."""

    def score(self, texts: Sequence[Sequence[str]], examples: Sequence[Any], lexicon: Any) -> Any:
        """Return the figures on dev: a dataclass of means over texts (lists of tokens), and their number, `texts`.

        Its fields are keys of ``FIGURES``. The lexicon is that of ``background``.
        """


@runtime_checkable
class ScoresCertificates(Protocol):
    """A task of texts with certificates, whose figures count what attested clauses state."""

    def score_certified(
        self,
        texts: Sequence[Sequence[str]],
        examples: Sequence[Any],
        lexicon: Any,
        certificates: Sequence[Certificate],
    ) -> Any:
        """Return the figures of ``score``, and the share of certified texts."""


@runtime_checkable
class MeasuresLosses(Protocol):
    """A task of language models, without search or generated texts: its names in addition to :class:`Task`."""

    def measure_losses(self, bundle: Any, ids: Any) -> Any:
        """Return the figures of a split from ``encode``: a dataclass whose fields are keys of ``FIGURES``, or None.

        The number of examples, `texts`, is one of them.
        """


def name_of(task: Any) -> str:
    """Return the name of a task's module."""
    return str(task.__name__.rpartition(".")[2])


@runtime_checkable
class KnowsCompanions(Protocol):
    """A task that reports the companions of a row's words in training texts; a shortlist includes them."""

    def companions(self, data: DataSet, vocabularies: Any) -> Companions: ...


@runtime_checkable
class ListsWords(Protocol):
    """A task with its own kind of rows, whose models may use a shortlist with the words of each row."""

    def row_words(self, row: Any, vocabularies: Any) -> Sequence[int]:
        """Return the ids below V of a row's words; words from V on have the ids as which they are read."""


@runtime_checkable
class HasOwnWords(Protocol):
    """A task of agendas whose rows have copy candidates; a row with fewer items may number them differently."""

    def own_ids(self, row: Any, vocabularies: Any) -> Mapping[str, int]:
        """Return a row's copy candidates, and their ids from V on."""


@runtime_checkable
class CutsWords(Protocol):
    """A task whose vocabulary of texts may contain pieces of words (the setting `merges`).

    Then items are the words of a source, and their words are the pieces; `places` are those of words.
    """

    def pieces(self, tokens: Sequence[int], row: Any, vocabularies: Any) -> list[str]:
        """Return the pieces of a text's ids, which `words` joins."""


@runtime_checkable
class NamesPlaces(Protocol):
    """A task whose items have several places of attention; for other tasks the places are the lines of `show`."""

    def places(self, row: Any) -> list[list[str]]:
        """Return the labels of a row's places, by item: the words of a source, or the cells of a table by row."""


@runtime_checkable
class TellsLines(NamesPlaces, Protocol):
    """A task whose places are not those of consecutive lines of `show`."""

    def lines(self, row: Any) -> list[list[int]]:
        """Return the line of each of the `places`, or NO_ITEM."""


@runtime_checkable
class ReadsRows(Protocol):
    """A task with its own kind of rows instead of goal and agenda; `allsaid generate` uses it to read them.

    In a data set these rows are its ``examples``.
    """

    def read_row(self, values: Mapping[str, Any]) -> Any:
        """Return an input row from the values of a JSON line or of a row of Parquet, including its ``id``.

        Raises UserError with a sentence on what is wrong with it.
        """


@runtime_checkable
class SpeaksOfTable(ReadsRows, Protocol):
    """A task whose rows refer to a separate table: `prepare(values, table)` also gets the file of the table."""

    def naming(self, vocabularies: Any) -> tuple[str, ...]:
        """Return the columns whose cells are single words."""

    def cell(self, row: Any, place: tuple[int, int]) -> str:
        """Return the label, in the output, of the cell in a row and a column of the table."""


def reader_of(task: Any) -> str:
    """Return the name of the module that reads a task's rows; "" for rows of goal and agenda."""
    reads_rows = isinstance(task, ReadsRows)
    return str(task.__name__) if reads_rows else ""


def names_of(task: Any) -> list[str]:
    """Return the names that a task's module must define: those of a task with texts, or of one without."""
    without = isinstance(task, MeasuresLosses)
    protocols: tuple[Any, ...] = (Task, MeasuresLosses if without else WritesTexts)
    return [name for one in protocols for name in [*one.__annotations__, *vars(one)] if not name.startswith("_")]


def check_writes(task: Any) -> None:
    """Raise UserError where a task's models generate no texts."""
    if not isinstance(task, WritesTexts):
        raise UserError(
            f"A model of the task '{name_of(task)}' measures texts and writes none. `allsaid evaluate` says how well; "
            "give a model of another task to write."
        )


def check_cut(config: Any, task: Any) -> None:
    """Raise UserError for a setting of pieces where the task has whole words; config: the section ``data``."""
    if config.merges and not isinstance(task, CutsWords):
        raise UserError(
            f"The setting 'merges' cuts words into pieces, but the task '{name_of(task)}' has whole words. Leave it "
            "out (merges=0)."
        )


def check_serves(data: DataSet, task: Any, kind: str) -> None:
    """Raise UserError where a data set lacks the input of the task of this kind of model."""
    if not data.borders.issuperset(task.BORDERS):
        raise UserError(
            f"A model of kind '{kind}' has the task '{name_of(task)}', which reads {' and '.join(task.BORDERS)}, but "
            f"{data.where} holds {', '.join(sorted(data.borders)) or 'nothing'}. "
            "Choose another data set, or a model of another task."
        )
