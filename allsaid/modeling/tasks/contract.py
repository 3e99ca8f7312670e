"""What a task is: a module with the names of :class:`Task`, in ``allsaid/modeling/tasks`` or in another package.

A task says what a model reads and learns from, how ids become words again, and what a good text is. Loop, search, batch
job and evaluation ask the task of the model's module (``TASK``) for all of this and know no data of their own. It has
the names of :class:`WritesTexts` too or, where no text is written, of :class:`MeasuresLosses`. Most tasks differ from
another in few of these names and import the rest from it.

Two more names leave a data set to another module. ``OF_AGENDAS`` names the view of goals and agendas as what its models
read: it is learned of a user's table, and where a data set has examples and not what the task itself reads. Its
``Vocabularies`` are those of the task. ``OF_TABLE`` names what is learned from a user's table.
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
    BORDERS: tuple[str, ...]  # of a data set, which it reads: "examples", "acts", … (schemas/)
    FIGURES: Mapping[str, Figure]  # all that its models are measured by, by key: `allsaid.proof.figures`
    DECIDING: tuple[str, ...]  # those of `score` or `measure_losses` that decide which of two models is better
    Vocabularies: Any  # a dataclass of vocabularies, `text` among them, with `to_json` and `from_json`

    def build_vocabularies(self, data: DataSet, config: Any) -> Any:
        """The words of the training part; config: the section ``data`` of the configuration."""

    def background(self, data: DataSet) -> dict[str, Any]:
        """What texts are prepared, measured and restored with: fields of the Bundle by their names, or none of them."""

    def examples(self, data: DataSet, split: str) -> Iterator[Any]:
        """The examples of a split, each with an ``id``, a ``text`` and its ``tokens``."""

    def encode(self, data: DataSet, split: str, vocabularies: Any, folder: Path) -> Any:
        """The examples of a split as arrays, written below ``folder`` and mapped into memory.

        It has a length N and ``lengths`` (N,), of the texts in tokens.
        """

    def collate(self, ids: Any, rows: np.ndarray, max_text: int) -> Any:
        """A batch of the examples ``rows`` for ``loss``; it has ``to(device)``."""

    def checks(self, challenger: Any, champion: Any) -> list[tuple[bool, str]]:
        """The rule of promotion: what a new model's scores must be beside the champion's, and a clause that says it.

        Both have the figures ``DECIDING``; the first check is of the first of them.
        """

    def brief(self, scores: Any) -> str:
        """The figures that matter, on the line of an epoch."""

    def show(self, row: Any) -> tuple[str, list[str]]:
        """What a person reads of an example or a row of input: a title, and the lines that a text is made from.

        They stand in samples, in the columns ``goal`` and ``agenda`` of the output, in report and comparison.
        """

    def protocol(self, data: DataSet) -> str:
        """What runs and tables of systems call the way in which texts for a data set are scored."""


@runtime_checkable
class WritesTexts(Protocol):
    """A task whose models write texts: what it has beside the names of :class:`Task`."""

    def prompts(self, rows: Sequence[Any], vocabularies: Any) -> Any:
        """What ``start`` reads of rows to write texts for: a dataclass of tensors, their first axis the texts."""

    def words(self, tokens: Sequence[int], row: Any, vocabularies: Any) -> list[str]:
        """The words of a text of this row; ids from V on are the row's own words."""

    def score(self, texts: Sequence[Sequence[str]], examples: Sequence[Any], lexicon: Any) -> Any:
        """The figures on dev: a dataclass of means over texts (lists of tokens), and how many there are, `texts`.

        Its fields are keys of ``FIGURES``. The lexicon is that of ``background``.
        """


@runtime_checkable
class ScoresCertificates(Protocol):
    """A task of texts with certificates, whose figures go by what attested clauses state."""

    def score_certified(
        self,
        texts: Sequence[Sequence[str]],
        examples: Sequence[Any],
        lexicon: Any,
        certificates: Sequence[Certificate],
    ) -> Any:
        """The figures of ``score``, and the share of the texts that is certified."""


@runtime_checkable
class MeasuresLosses(Protocol):
    """A task of language models without search: what it has beside the names of :class:`Task`. No text is written."""

    def measure_losses(self, bundle: Any, ids: Any) -> Any:
        """The figures of a split as ``encode`` gives it: a dataclass whose fields are keys of ``FIGURES``, or None.

        How many examples there are is among them, `texts`.
        """


def name_of(task: Any) -> str:
    """What a task, a module, is called."""
    return str(task.__name__.rpartition(".")[2])


@runtime_checkable
class KnowsCompanions(Protocol):
    """A task that says which words of training texts stand beside those of a row; a shortlist has them too."""

    def companions(self, data: DataSet, vocabularies: Any) -> Companions: ...


@runtime_checkable
class ListsWords(Protocol):
    """A task of rows of its own whose models may choose from a shortlist, which has the words of each row."""

    def row_words(self, row: Any, vocabularies: Any) -> Sequence[int]:
        """The ids below V of a row's words, and of what its words from V on are read as."""


@runtime_checkable
class HasOwnWords(Protocol):
    """A task of agendas whose rows have words of their own; with fewer items a row may number them otherwise."""

    def own_ids(self, row: Any, vocabularies: Any) -> Mapping[str, int]:
        """A row's own words, and their ids from V on."""


@runtime_checkable
class CutsWords(Protocol):
    """A task whose vocabulary of texts may hold pieces of words (the setting `merges`).

    Then items are the words of a source, and their words the pieces; `places` are those of words.
    """

    def pieces(self, tokens: Sequence[int], row: Any, vocabularies: Any) -> list[str]:
        """The pieces of a text's ids, which `words` joins."""


@runtime_checkable
class NamesPlaces(Protocol):
    """A task whose items have several places that its models look at; of others they are the lines of `show`."""

    def places(self, row: Any) -> list[list[str]]:
        """What a row's places are called, item by item: the words of a source, the cells of a table row by row."""


@runtime_checkable
class TellsLines(NamesPlaces, Protocol):
    """A task whose places are not those of one line after the other, as `show` has them."""

    def lines(self, row: Any) -> list[list[int]]:
        """Of each of the `places` the line that it is of, or NO_ITEM."""


@runtime_checkable
class ReadsRows(Protocol):
    """A task whose rows are no goal and agenda: `allsaid generate` reads them by it.

    Of a data set these are its ``examples``.
    """

    def read_row(self, values: Mapping[str, Any]) -> Any:
        """A row to write a text for, of the values of a JSON line or of a row of Parquet, its ``id`` among them.

        Raises UserError with a sentence on what is wrong with it.
        """


@runtime_checkable
class SpeaksOfTable(ReadsRows, Protocol):
    """A task whose rows are of a table that stands beside them: `prepare(values, table)` gets its file, too."""

    def naming(self, vocabularies: Any) -> tuple[str, ...]:
        """The columns whose cells are words of their own."""

    def cell(self, row: Any, place: tuple[int, int]) -> str:
        """What the cell in a row and a column of the table is called in the output."""


def reader_of(task: Any) -> str:
    """The name of the module that reads a task's rows; "" where they are rows of goal and agenda."""
    reads_rows = isinstance(task, ReadsRows)
    return str(task.__name__) if reads_rows else ""


def names_of(task: Any) -> list[str]:
    """The names that a task's module owes: of texts, or of what is measured without any."""
    without = isinstance(task, MeasuresLosses)
    protocols: tuple[Any, ...] = (Task, MeasuresLosses if without else WritesTexts)
    return [name for one in protocols for name in [*one.__annotations__, *vars(one)] if not name.startswith("_")]


def check_writes(task: Any) -> None:
    """Raises UserError where a task's models write no texts."""
    if not isinstance(task, WritesTexts):
        raise UserError(
            f"A model of the task '{name_of(task)}' measures texts and writes none. `allsaid evaluate` says how well; "
            "give a model of another task to write."
        )


def check_cut(config: Any, task: Any) -> None:
    """Raises UserError where words are to be cut, but the task has whole ones; config: the section ``data``."""
    if config.merges and not isinstance(task, CutsWords):
        raise UserError(
            f"The setting 'merges' cuts words into pieces, but the task '{name_of(task)}' has whole words. Leave it "
            "out (merges=0)."
        )


def check_serves(data: DataSet, task: Any, kind: str) -> None:
    """Raises UserError where a data set lacks what the task of a model of this kind reads."""
    if not data.borders.issuperset(task.BORDERS):
        raise UserError(
            f"A model of kind '{kind}' has the task '{name_of(task)}', which reads {' and '.join(task.BORDERS)}, but "
            f"{data.where} holds {', '.join(sorted(data.borders)) or 'nothing'}. "
            "Choose another data set, or a model of another task."
        )
