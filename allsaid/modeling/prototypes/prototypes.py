"""Prototypes of a model: cleaned training recipes, their index, and how they use foods; files mapped into memory."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from sys import intern

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from allsaid.modeling.data.dataset import rows_of_tables
from allsaid.modeling.prototypes.clean import clean
from allsaid.modeling.prototypes.index import Index, terms_of
from allsaid.modeling.prototypes.roles import Counts, Roles, key_of
from allsaid.modeling.prototypes.technique import Technique, actions_of, cues_of
from allsaid.proof.coverage import Lexicon
from schemas.errors import UserError
from schemas.example import Example

ROWS, TERMS, ROLES = "prototypes.arrow", "prototypes-terms.arrow", "prototypes-roles.arrow"
TECHNIQUE = "prototypes-technique.safetensors"
TABLES = (ROWS, TERMS, ROLES)
FILES = (*TABLES, TECHNIQUE)
SCHEMA = pa.schema(
    {
        "id": pa.string(),
        "source": pa.string(),  # "DATA SET: FILE, OFFSET"
        "goal": pa.string(),
        "agenda": pa.list_(pa.string()),
        "agenda_tokens": pa.list_(pa.list_(pa.string())),
        "words": pa.list_(pa.string()),  # of the cleaned text
        "text": pa.string(),  # as the data set has it
        "quality": pa.float32(),
        "actions": pa.list_(pa.int16()),  # ids of its actions
    }
)
BLOCK = 500  # rows held as objects while the prototypes are built
LEAST_NAMED = 0.5  # share of its items that a prototype must name


@dataclass(frozen=True)
class Prototype:
    """A training recipe to be edited."""

    id: str
    source: str
    goal: str
    agenda: list[str]  # M items as written
    agenda_tokens: list[list[str]]
    words: list[str]  # W words of the cleaned text
    text: str
    quality: float  # share of its items that it names, less 0.15 for each food that the agenda lacks, three at most
    actions: list[int]


@dataclass(frozen=True, eq=False)
class Prototypes:
    """N prototypes."""

    rows: pa.Table  # (N,) SCHEMA
    index: Index
    roles: Roles  # how steps use each food
    technique: Technique

    @classmethod
    def build(cls, tables: Iterable[pa.Table], lexicon: Lexicon, source: str) -> Prototypes:
        """Clean and count the examples of a training part; raises UserError where none is left."""
        counts, batches, terms, performed = Counts(), [], list[list[str]](), list[list[str]]()
        block: list[Prototype] = []
        for example in rows_of_tables(tables, Example):
            cleaned = clean(example, lexicon)
            if cleaned is None or cleaned.named < LEAST_NAMED * len(example.agenda):
                continue
            keys = [key_of(tuple(item)) for item in example.agenda_tokens]
            counts.add(cleaned.steps, keys)
            row_terms = [*terms_of(example.goal, example.goal_tokens, keys), *cues_of(example.agenda)]
            terms.append(list(map(intern, row_terms)))  # each string once in memory
            performed.append(
                sorted(map(intern, actions_of(cleaned.words, map(cleaned.steps.verb, cleaned.steps.clauses))))
            )
            quality = cleaned.named / len(keys) - 0.15 * min(cleaned.foreign, 3)
            place = f"{source}: {example.file}, {example.offset}"
            names = [list(item) for item in example.agenda_tokens]
            parts = (example.goal, example.agenda, names, cleaned.words, example.text, quality)
            block.append(Prototype(example.id, place, *parts, actions=[]))
            if len(block) == BLOCK:
                batches.append(_batch(block))
                block = []
        if not terms:
            raise UserError(
                "No training recipe names half of its items, so none can be edited. Train on recipes that name them."
            )
        technique = Technique.build(terms, performed)
        rows = pa.Table.from_batches([*batches, _batch(block)], SCHEMA)
        actions = pa.array(map(technique.action_ids, performed), SCHEMA.field("actions").type)
        rows = rows.set_column(rows.schema.get_field_index("actions"), "actions", actions)
        return cls(rows, Index.build(terms), Roles.build(counts), technique)

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, place: int) -> Prototype:
        return Prototype(*(self.rows.column(name)[place].as_py() for name in SCHEMA.names))

    def agenda(self, place: int) -> tuple[list[str], list[list[str]]]:
        """Return the lines of a prototype and the tokens of their names, without loading its text."""
        lines, names = (self.rows.column(name)[place].as_py() for name in ("agenda", "agenda_tokens"))
        return lines, names

    @cached_property
    def lengths(self) -> np.ndarray:
        """The number of words of each prototype: (N,)."""
        return pc.list_value_length(self.rows.column("words")).to_numpy()

    @cached_property
    def quality(self) -> np.ndarray:
        return self.rows.column("quality").to_numpy()

    def fits(self, terms: Sequence[str], places: Sequence[int]) -> np.ndarray:
        """Return how well the technique of some prototypes fits a row with these terms, -1 to 1."""
        predicted = self.technique.predict(terms)
        actions = self.rows.column("actions").take(places).to_pylist()
        return np.array([self.technique.fit(predicted, action_ids) for action_ids in actions])

    def save(self, folder: Path) -> None:
        self.technique.save(folder / TECHNIQUE)
        for name, table in zip(TABLES, (self.rows, self.index.table, self.roles.to_table()), strict=True):
            with pa.OSFile(str(folder / name), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
                writer.write_table(table.combine_chunks())

    @classmethod
    def load(cls, folder: Path) -> Prototypes:
        """Map the files of a folder into memory; raises UserError where one can't be read."""
        try:
            tables = [pa.ipc.open_file(pa.memory_map(str(folder / name))).read_all() for name in TABLES]
            rows, terms, roles = tables
            return cls(
                rows.cast(SCHEMA), Index(terms, len(rows)), Roles.from_table(roles), Technique.load(folder / TECHNIQUE)
            )
        except (OSError, pa.ArrowException, KeyError, ValueError) as fault:
            raise UserError(f"The prototypes in {folder} can't be read ({fault}).") from fault


def _batch(block: Iterable[Prototype]) -> pa.RecordBatch:
    return pa.RecordBatch.from_pylist([vars(prototype) for prototype in block], SCHEMA)
