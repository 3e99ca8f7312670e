"""The task of a box whose sentence is a template of fields and positions (Lebret et al. 2016).

Section 5.2: a token of a sentence that is in the table is replaced by its place, ``⟨birthdate_2⟩``, the first one of
several. A text is generated from words of the vocabulary and templates of its own table only. Then the table's words
replace the templates.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from torch import Tensor

from allsaid.modeling.config import DataConfig
from allsaid.modeling.data.arrays import FlatTexts, map_from_files
from allsaid.modeling.data.dataset import DataSet
from allsaid.modeling.data.tensors import Tensors, fill, inputs_of, texts_to_learn
from allsaid.modeling.data.vocabulary import PAD, VocabularySet, check_counted, choose_words
from allsaid.modeling.tables.box_table import POSITIONS, Table
from allsaid.modeling.tasks.box import BoxesTask, Example, Row


@dataclass(frozen=True)
class Ids(FlatTexts):
    """A split of N examples as flat arrays."""

    templates: np.ndarray  # ids of the templates of each table, int32
    template_starts: np.ndarray  # N + 1


@dataclass(frozen=True)
class Prompts(Tensors):
    templates: Tensor  # (B, P) the ids that each text may contain in addition to words, padded with PAD


@dataclass(frozen=True)
class Batch(Tensors):
    """B texts to learn; position t of ``inputs`` is answered by position t of ``targets``."""

    prompts: Prompts
    inputs: Tensor  # (B, T) ids: START x_1 … x_n
    targets: Tensor  # (B, T) ids: x_1 … x_n END, then PAD


class TemplateTask(BoxesTask[VocabularySet, Ids]):
    vocabularies = VocabularySet
    settings = ("supported_numbers_only",)

    def build_vocabularies(self, data: DataSet, config: DataConfig) -> VocabularySet:
        """Count the words and templates of the training part's sentences; raises UserError without any."""
        counts = Counter[str]()
        for example in self.examples(data, "train"):
            counts.update(templated(example))
        check_counted(counts, data.where)
        return VocabularySet(choose_words(counts, config.text_cutoff, config.text_size))

    def encode(self, data: DataSet, split: str, vocabularies: VocabularySet, folder: Path) -> Ids:
        return map_from_files(Ids, (_encode(example, vocabularies) for example in self.examples(data, split)), folder)

    def collate(self, ids: Ids, rows: np.ndarray, max_text: int) -> Batch:
        targets = texts_to_learn(ids, rows, max_text)
        borders = zip(ids.template_starts[rows], ids.template_starts[rows + 1], strict=True)
        templates = [ids.templates[first:last].tolist() for first, last in borders]
        return Batch(Prompts(fill(templates, PAD)), inputs_of(targets), targets)

    def prompts(self, rows: Sequence[Row], vocabularies: VocabularySet) -> Prompts:
        return Prompts(fill([_known_templates(row.table, vocabularies) for row in rows], PAD))

    def words(self, tokens: Sequence[int], row: Row, vocabularies: VocabularySet) -> list[str]:
        """Return the words of a text's ids; a template becomes the row's word, as the table writes it."""
        places = zip(templates_of(row.table), row.table.originals, strict=True)
        word_of = dict(reversed([*places]))
        known = vocabularies.text.words
        return [word_of.get(known[token], known[token]) for token in tokens]


def templates_of(table: Table) -> list[str]:
    """Return the template of each of N places; positions stop at 10, as for the models that read them."""
    places = zip(table.fields, table.positions, strict=True)
    return [f"⟨{name}_{min(position, POSITIONS)}⟩" for name, position in places]


def is_template(word: str) -> bool:
    return word.startswith("⟨") and word.endswith("⟩")


def templated(example: Example) -> list[str]:
    """Return T tokens of a sentence, with those of the table as the template of their first place."""
    table, templates = example.table, templates_of(example.table)
    first = {word: templates[place] for word, place in zip(table.numbers, table.firsts, strict=True)}
    lowered = zip(example.tokens, map(str.lower, example.originals), strict=True)
    return [first.get(word, token) for token, word in lowered]


def _encode(example: Example, vocabularies: VocabularySet) -> dict[str, np.ndarray]:
    text, templates = vocabularies.text.encode(templated(example)), _known_templates(example.table, vocabularies)
    return {
        "text": np.array(text, np.int32),
        "text_starts": np.array([0, len(text)]),
        "templates": np.array(templates, np.int32),
        "template_starts": np.array([0, len(templates)]),
    }


def _known_templates(table: Table, vocabularies: VocabularySet) -> list[int]:
    ids = vocabularies.text.ids
    return [ids[template] for template in dict.fromkeys(templates_of(table)) if template in ids]


TASK = TemplateTask()
