"""Base classes of tasks: they define a model's training data, turn ids into words, and measure its texts.

A task is an object, the ``TASK`` of its module, in this folder or in another package. A model's module names the task
that its models learn. Training, search, batch job and evaluation handle data only through the methods of the task.

A task is a subclass of :class:`WritesTexts`, of :class:`ReadsRows` if its rows are not goals and agendas, or of
:class:`MeasuresLosses` if no text is generated. Its object is picklable: the batch job sends it to its workers.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Generic, Protocol, TypedDict, TypeVar

import numpy as np
import pyarrow as pa
from torch import nn

from allsaid.modeling.config import DataConfig
from allsaid.modeling.data.companions import Companions
from allsaid.modeling.data.copied import CopyIndex
from allsaid.modeling.data.dataset import DataSet, Identified
from allsaid.modeling.data.references import References
from allsaid.modeling.data.tensors import Tensors
from allsaid.modeling.data.vocabulary import VocabularySet
from allsaid.modeling.prototypes.prototypes import Prototypes
from allsaid.modeling.text.restore import Casing
from allsaid.modeling.text.surface import Learned
from allsaid.proof.coverage import Lexicon
from allsaid.proof.figures import Figure
from allsaid.proof.forms.certificate.certify import Certificate
from allsaid.proof.forms.phrasebook import Phrasebook
from allsaid.proof.habits import Habits
from allsaid.proof.values.contexts import Contexts
from allsaid.proof.values.seen import Seen, Values
from schemas.errors import UserError

HOME = "allsaid.modeling.tasks"  # the package of Allsaid's own tasks


class EncodedSplit(Protocol):
    """A split of N examples as ids."""

    def __len__(self) -> int: ...

    @property
    def lengths(self) -> np.ndarray:
        """The number of tokens of each text (N,), before long texts are cut."""


Shown = tuple[str, list[str]]  # a row as shown to people: a title, and the lines of the input


class Background(TypedDict, total=False):
    """Fields of the Bundle (`allsaid.modeling.saved.model_folder`) that are made from the training part."""

    phrases: pa.Table
    lexicon: Lexicon
    casing: Casing
    values: Values
    mapping: str
    seen: Seen | None
    habits: Habits | None
    phrasebook: Phrasebook | None
    contexts: Contexts | None
    copies: CopyIndex
    companions: Companions | None
    references: References
    prototypes: Prototypes
    example: Shown


Texts = Sequence[Sequence[str]]  # N lists of tokens
Scores = Mapping[str, float]  # figures by key, each a mean over texts, and "texts", their number

Row = TypeVar("Row")  # the input of a text; an example is one, too
Example = TypeVar("Example", bound=Identified)
WithText = TypeVar("WithText", bound=Learned)
Vocabularies = TypeVar("Vocabularies", bound=VocabularySet)
Ids = TypeVar("Ids", bound=EncodedSplit)


class Task(ABC, Generic[Row, Example, Vocabularies, Ids]):
    """Base class of tasks. The type parameters are opaque to callers: they only pass them from method to method."""

    @property
    def name(self) -> str:
        """The key in tables of judges, rows and scorers: "box" for a module of this folder, else its dotted name."""
        return type(self).__module__.removeprefix(f"{HOME}.")

    def __str__(self) -> str:
        """Return the name in errors."""
        return self.name

    @property
    @abstractmethod
    def borders(self) -> tuple[str, ...]:
        """The parts of a data set that the task reads: "examples", "acts", … (schemas/)."""

    @property
    @abstractmethod
    def figures(self) -> Mapping[str, Figure]:
        """All figures of the task's models, by key."""

    @property
    @abstractmethod
    def deciding(self) -> tuple[str, ...]:
        """The keys of the scores that decide between two models."""

    @property
    @abstractmethod
    def vocabularies(self) -> type[Vocabularies]:
        """The class of the vocabularies, which a model folder restores."""

    @abstractmethod
    def build_vocabularies(self, data: DataSet, config: DataConfig) -> Vocabularies:
        """Build the vocabularies of the training part; raises UserError if it has no text."""

    def background(self, data: DataSet) -> Background:
        """Return the data to prepare, measure and restore texts."""
        return {}

    @abstractmethod
    def examples(self, data: DataSet, split: str) -> Iterator[Example]:
        """Yield the examples of a split."""

    @abstractmethod
    def encode(self, data: DataSet, split: str, vocabularies: Vocabularies, folder: Path) -> Ids:
        """Return the ids of a split; large ones are written as arrays below ``folder`` and mapped into memory."""

    @abstractmethod
    def collate(self, ids: Ids, rows: np.ndarray, max_text: int) -> Tensors:
        """Return a batch of the examples ``rows`` for ``loss``; a text of over ``max_text`` tokens is cut there."""

    @abstractmethod
    def checks(self, challenger: Scores, champion: Scores) -> list[tuple[bool, str]]:
        """Return the conditions for the promotion of a new model: whether each is met, and a clause that explains it.

        Both scores have the keys ``deciding``; the first condition compares the first of these.
        """

    @abstractmethod
    def brief(self, scores: Scores) -> str:
        """Return the most important scores in a few words, for the log line of an epoch."""

    @abstractmethod
    def show(self, row: Row) -> Shown:
        """Return an example or an input row as shown to people: a title, and the lines of the input.

        They appear in samples, in the columns ``goal`` and ``agenda`` of the output, in report and comparison. The
        model folder has those of one dev row, which the page of `allsaid try` shows first.
        """

    @abstractmethod
    def protocol(self, data: DataSet) -> str:
        """Return the name of the protocol by which texts for a data set are scored, as runs and tables show it."""

    @property
    def of_agendas(self) -> Task | None:
        """The task that lets models of this task read goals and agendas instead of its own input, if there is one.

        It is used for a user's table, and for a data set with examples but without the input of this task. Both tasks
        have the same class of vocabularies (`allsaid.modeling.tasks.choose`).
        """
        return None

    @property
    def of_table(self) -> Task:
        """The task to learn from a user's table instead."""
        return self


class WritesTexts(Task[Row, WithText, Vocabularies, Ids]):
    """A task whose models generate texts. Its rows are goals and agendas, `allsaid.modeling.data.agenda_arrays.Prompt`.

    V is the size of the texts' vocabulary. A row's copy candidates are its words that are not in this vocabulary.
    """

    @property
    def cuts_words(self) -> bool:
        """Whether the setting `merges` may split words into pieces; `places` are always whole words."""
        return False

    @property
    def weighs_items(self) -> bool:
        """Whether prompts have ``weights`` of items, which the setting `rewrites` raises."""
        return False

    @property
    def counts_certificates(self) -> bool:
        """Whether `score` uses certificates."""
        return False

    @abstractmethod
    def prompts(self, rows: Sequence[Row], vocabularies: Vocabularies) -> Tensors:
        """Return the input of ``start`` for B rows; the first axis of each tensor is the texts."""

    def words(self, tokens: Sequence[int], row: Row, vocabularies: Vocabularies) -> list[str]:
        """Return the words of a text of this row; in a task that copies, ids from V on are copy candidates."""
        return vocabularies.text.decode(tokens)

    def pieces(self, tokens: Sequence[int], row: Row, vocabularies: Vocabularies) -> list[str]:
        """Return the subwords of a text's ids, which `words` joins; only different in a task that cuts words."""
        return self.words(tokens, row, vocabularies)

    @abstractmethod
    def score(
        self, texts: Texts, examples: Sequence[WithText], lexicon: Lexicon, certificates: Sequence[Certificate] = ()
    ) -> dict[str, float]:
        """Return the scores of N texts, which include those in ``deciding`` that are not perplexities.

        lexicon: from ``background``; certificates: N, or none.
        """

    def companions(self, data: DataSet, vocabularies: Vocabularies) -> Companions | None:
        """Return the words that often occur in training texts with words of goals and agendas, for shortlists."""
        return None

    def own_ids(self, row: Row, vocabularies: Vocabularies) -> Mapping[str, int]:
        """Return the copy candidates of a row of goal and agenda, and their ids from V on.

        A row with fewer items may number them differently.
        """
        return {}

    def places(self, row: Row) -> list[list[str]]:
        """Return the labels of the input's places, for heat maps of attention: a list per item.

        By default each line of `show` is an item with one place.
        """
        return [[line] for line in self.show(row)[1]]

    def lines(self, row: Row) -> list[list[int]] | None:
        """Return, for each of `places`, the index of its line in `show`, or NO_ITEM; None if each item is one line."""
        return None


class ReadsRows(WritesTexts[Row, WithText, Vocabularies, Ids]):
    """A task with its own kind of rows instead of goals and agendas."""

    settings: tuple[str, ...] = ()  # search settings for agendas that also apply to these rows

    @abstractmethod
    def read_row(self, values: Mapping[str, object]) -> Row:
        """Return an input row from the values of a JSON line or of a row of Parquet, including its ``id``.

        Raises UserError with a sentence about the fault.
        """

    def row_words(self, row: Row, vocabularies: Vocabularies) -> Sequence[int]:
        """Return the ids of a row's words for a shortlist; a copy candidate has the id below V by which it is read."""
        return []


class RefersToTable(ReadsRows[Row, WithText, Vocabularies, Ids]):
    """A task whose rows refer to a table in a separate file."""

    @abstractmethod
    def naming(self, vocabularies: Vocabularies) -> tuple[str, ...]:
        """Return the columns whose cells are single words."""

    @abstractmethod
    def cell(self, row: Row, place: tuple[int, int]) -> str:
        """Return the label, in the output, of the cell in a row and a column of the table."""


class MeasuresLosses(Task[Row, Example, Vocabularies, Ids]):
    """A task of language models, without search or generated texts."""

    @abstractmethod
    def measure_losses(self, model: nn.Module, ids: Ids, config: DataConfig) -> dict[str, float]:
        """Return the scores of a split; a figure without a value is left out."""


def check_cut(config: DataConfig, task: Task) -> None:
    """Raise UserError if the setting `merges` is used with a task of whole words."""
    if config.merges and not (isinstance(task, WritesTexts) and task.cuts_words):
        raise UserError(
            f"The setting 'merges' cuts words into pieces, but the task '{task}' has whole words. Leave it "
            "out (merges=0)."
        )


def check_serves(data: DataSet, task: Task, kind: str) -> None:
    """Raise UserError if a data set lacks the input of this kind of model's task."""
    if not data.borders.issuperset(task.borders):
        raise UserError(
            f"A model of kind '{kind}' has the task '{task}', which reads {' and '.join(task.borders)}, but "
            f"{data.where} holds {', '.join(sorted(data.borders)) or 'nothing'}. "
            "Choose another data set, or a model of another task."
        )
