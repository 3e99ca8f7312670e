"""The task of a dialogue over a table: the machine's next turn (Yang et al. 2016, section 2.1 and table 4).

The machine speaks first, then both in turn. A turn may mention cells of a table. A model that points generates the
words of these cells (`allsaid.modeling.tables.offer_table`), including copy candidates, which have ids from V on. All
words of the data set's table are in the vocabulary, so that perplexities of all systems cover the same words.
Training uses whole dialogues, with all turns of the machine at once. An example is one such turn, with the turns before
it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import chain
from pathlib import Path
from statistics import fmean

import numpy as np
import torch
from torch import Tensor

from allsaid.modeling.config import DataConfig
from allsaid.modeling.data.arrays import map_from_files
from allsaid.modeling.data.dataset import DataSet
from allsaid.modeling.data.tensors import Tensors, fill, fill_nested, inputs_of
from allsaid.modeling.data.vocabulary import END, PAD, START, UNKNOWN, VocabularySet, check_counted, choose_words
from allsaid.modeling.tables.offer_table import OfferTable, Table, as_written, encode_table, naming_columns, word_ids
from allsaid.modeling.tables.table_support import support_of
from allsaid.modeling.tasks.contract import RefersToTable, Scores, Texts
from allsaid.modeling.tasks.perplexity import PerplexityTask
from allsaid.modeling.text.surface import Reference
from allsaid.proof.coverage import Lexicon
from allsaid.proof.figures import FIGURES, Figure, by_key
from allsaid.proof.forms.certificate.certify import Certificate
from schemas.dialogue import MACHINE, NO_CELL, Dialogue, Turn
from schemas.errors import UserError

# Flags of a word: it refers to a cell, can be copied, is in no dialogue of other folds, is a whole cell.
CELL, COPIED, UNSEEN, WHOLE = 1, 2, 4, 8


@dataclass(frozen=True)
class Row:
    """The input of a turn of the machine."""

    id: str
    history: Sequence[Sequence[str]]  # the words of all earlier turns, the machine's first
    table: OfferTable = field(repr=False)


@dataclass(frozen=True)
class Example(Reference, Row):
    """A row with the text to learn; a cell that is one token is written as in the table."""


@dataclass(frozen=True)
class Ids:
    """A split of N dialogues as flat arrays; ``turn_starts[i]:turn_starts[i + 1]`` are the tokens of turn i."""

    tokens: np.ndarray  # ids of all turns' words, int32
    kinds: np.ndarray  # sum of the flags CELL, COPIED and UNSEEN of each word; int8
    learned: np.ndarray  # whether each turn is one of the machine's turns to learn
    turn_starts: np.ndarray  # turns + 1, int64
    dialogue_starts: np.ndarray  # N + 1, counts turns
    table: Table

    def __len__(self) -> int:
        return len(self.dialogue_starts) - 1

    @cached_property
    def lengths(self) -> np.ndarray:
        """Return the tokens of each dialogue (N,)."""
        return np.diff(self.turn_starts[self.dialogue_starts])


@dataclass(frozen=True)
class Prompts(Tensors):
    """History of B turns: H turns of W words at most, each followed by an END."""

    turns: Tensor  # (B, H, W) ids of U words, padded with PAD
    table: Table  # of all texts


@dataclass(frozen=True)
class Batch(Tensors):
    """D dialogues, and their B turns to learn; position t of ``inputs`` is answered by position t of the others."""

    turns: Tensor  # (D, H, W) as in prompts, all of each dialogue
    dialogue: Tensor  # (B,) the dialogue of each learned turn
    place: Tensor  # (B,) the number of turns before it
    inputs: Tensor  # (B, T) ids: START x_1 … x_n
    targets: Tensor  # (B, T) ids: x_1 … x_n END, then PAD
    kinds: Tensor  # (B, T) of the targets
    table: Table


class TableDialogueTask(
    PerplexityTask[Row, Example, VocabularySet, Ids], RefersToTable[Row, Example, VocabularySet, Ids]
):
    borders = ("dialogues", "offers")
    figures = by_key(
        Figure("perplexity", "perplexity of all words", "", 2, "down", "all"),
        Figure("perplexity_table", "perplexity of words of the table", "", 2, "down", "table"),
        Figure("perplexity_table_oov", "perplexity of words of the table never seen", "", 2, "down", "table oov"),
        Figure("perplexity_word", "perplexity of the other words", "", 2, "down", "word"),
        Figure("perplexity_whole", "perplexity of cells that are one word", "", 2, "down", "whole cell"),
        Figure("perplexity_rest", "perplexity of all but cells that are one word", "", 2, "down", "no whole cell"),
        Figure("percent_of_row", "turns about a row that say no other row's cells", "%", 1, "up", "% of its row"),
        *(FIGURES[key] for key in ("bleu", "extra_items", "tokens", "texts", "texts_per_second")),
    )
    vocabularies = VocabularySet

    def build_vocabularies(self, data: DataSet, config: DataConfig) -> VocabularySet:
        """Count the training part's words; those of the table are kept. Raises UserError if there are no turns."""
        table, counts = _table(data), Counter[str]()
        for dialogue in data.dialogues("train"):
            for turn in dialogue.turns:
                counts.update(_words(turn, table))
        check_counted(counts, data.where)
        counts.update(dict.fromkeys(table.words, config.text_cutoff))
        return VocabularySet(choose_words(counts, config.text_cutoff))

    def examples(self, data: DataSet, split: str) -> Iterator[Example]:
        table = _table(data)
        for dialogue in data.dialogues(split):
            turns = [_words(turn, table) for turn in dialogue.turns]
            for place, turn in enumerate(dialogue.turns):
                if _is_learned(turn):
                    tokens = list(map(as_written, turns[place]))
                    yield Example(f"{dialogue.id}-{place // 2:03}", turns[:place], table, turn.text, tokens)

    def encode(self, data: DataSet, split: str, vocabularies: VocabularySet, folder: Path) -> Ids:
        offers = _table(data)
        table, ids = encode_table(offers, vocabularies.text), word_ids(offers, vocabularies.text)
        dialogues = data.dialogues(split)
        pieces = (_encode_dialogue(item, offers, ids, table) for item in dialogues if any(map(_is_learned, item.turns)))
        return map_from_files(Ids, pieces, folder, table=table)

    def collate(self, ids: Ids, rows: np.ndarray, max_text: int) -> Batch:
        """Batch the dialogues ``rows``, each cut to ``max_text`` words, which may cut its last turn."""
        turns: list[list[list[int]]] = []
        places, targets, kinds = [], [], []
        for row in rows:
            first, last = ids.dialogue_starts[row], ids.dialogue_starts[row + 1]
            limit = ids.turn_starts[first] + max_text
            turns.append([])
            for turn in range(first, last):
                start, end = ids.turn_starts[turn], ids.turn_starts[turn + 1]
                if start >= limit:
                    break
                words = [*ids.tokens[start : min(end, limit)].tolist(), END]
                if ids.learned[turn]:
                    places.append((len(turns) - 1, turn - first))
                    targets.append(words if end <= limit else words[:-1])
                    kinds.append([*ids.kinds[start : min(end, limit)].tolist(), 0])
                turns[-1].append(words)
        filled = fill(targets, PAD)
        dialogue, place = torch.tensor(places).t()
        kinds_of_targets = fill(kinds, 0)[:, : filled.shape[1]]
        return Batch(fill_nested(turns), dialogue, place, inputs_of(filled), filled, kinds_of_targets, ids.table)

    def prompts(self, rows: Sequence[Row], vocabularies: VocabularySet) -> Prompts:
        """Return prompts of rows in words, as generation gets them; all rows are of one table."""
        ids = word_ids(rows[0].table, vocabularies.text)
        turns = [[[*(ids.get(word, UNKNOWN) for word in turn), END] for turn in row.history] for row in rows]
        return Prompts(fill_nested(turns), encode_table(rows[0].table, vocabularies.text))

    def words(self, tokens: Sequence[int], row: Row, vocabularies: VocabularySet) -> list[str]:
        """Return the words of a text's ids, with cells as the row's table writes them."""
        known = [*word_ids(row.table, vocabularies.text)]
        return [as_written(known[token]) for token in tokens]

    def score(
        self, texts: Texts, examples: Sequence[Example], lexicon: Lexicon, certificates: Sequence[Certificate] = ()
    ) -> dict[str, float]:
        """Return BLEU, the cells of other rows per turn, and the share of turns about a row without such cells."""
        supports = [support_of(text, example.table) for text, example in zip(texts, examples, strict=True)]
        of_row = [not support.foreign for support in supports if support]
        return {
            **super().score(texts, examples, lexicon),
            **({"percent_of_row": 100 * fmean(of_row)} if of_row else {}),  # of the turns that name a row
            "extra_items": fmean(len(support.foreign) if support else 0 for support in supports),
        }

    def brief(self, scores: Scores) -> str:
        of_table = self.figures["perplexity_table"].show(scores.get("perplexity_table"))
        return f"of the table's words {of_table}, BLEU {scores['bleu']:.1f}"

    def read_row(self, values: Mapping[str, object]) -> Row:
        """Return a row of the values that `batch_infer.rows.kinds.turns` has prepared."""
        table, history = values.get("table"), values.get("history")
        if not isinstance(table, OfferTable) or not isinstance(history, list):
            raise UserError("The row has no table to speak of. Give the file of the offers with --table.")
        return Row(str(values["id"]), history, table)

    def naming(self, vocabularies: VocabularySet) -> tuple[str, ...]:
        return naming_columns(vocabularies.text)

    def cell(self, row: Row, place: tuple[int, int]) -> str:
        """Return the table's row, from 1, and the column."""
        return f"row {place[0] + 1}, {row.table.columns[place[1]]}"

    def show(self, row: Row) -> tuple[str, list[str]]:
        """Return the user's last words, and all turns before."""
        turns = [" ".join(map(as_written, turn)) for turn in row.history]
        return (turns[-1] if turns else ""), turns[:-1]

    def places(self, row: Row) -> list[list[str]]:
        return [
            [
                f"{self.cell(row, (number, column))}: {' '.join(map(as_written, words))}"
                for column, words in enumerate(cells)
            ]
            for number, cells in enumerate(row.table.cells)
        ]

    def protocol(self, data: DataSet) -> str:
        return "table dialogues"


def _is_learned(turn: Turn) -> bool:
    return turn.speaker == MACHINE and bool(turn.tokens)


@lru_cache(maxsize=2)
def _table(data: DataSet) -> OfferTable:
    return OfferTable.of(data.offers(), data.where)


def _words(turn: Turn, table: OfferTable) -> list[str]:
    return [table.named.get(token, token) for token in turn.tokens]


def _encode_dialogue(
    dialogue: Dialogue, offers: OfferTable, ids: Mapping[str, int], table: Table
) -> dict[str, np.ndarray]:
    turns = dialogue.turns
    by_turn = [[ids.get(word, UNKNOWN) for word in _words(turn, offers)] for turn in turns]
    tokens = torch.tensor([*chain.from_iterable(by_turn)])
    columns = np.array([*chain.from_iterable(turn.columns for turn in turns)], np.int64)
    is_cell = np.array([*chain.from_iterable(turn.rows for turn in turns)], np.int64) != NO_CELL
    is_unseen = np.array([*chain.from_iterable(turn.table_oov for turn in turns)], bool)
    before = torch.tensor([word for turn in by_turn for word in [START, *turn][: len(turn)]])
    pairs = torch.stack(table.pairs_of(before, tokens))[:, np.arange(len(tokens)), columns]
    is_copied = is_cell & (pairs < len(table.pair_words)).any(0).numpy()
    is_whole = np.array([token in offers.named for turn in turns for token in turn.tokens], bool)
    return {
        "tokens": tokens.numpy().astype(np.int32),
        "kinds": (CELL * is_cell + COPIED * is_copied + UNSEEN * is_unseen + WHOLE * is_whole).astype(np.int8),
        "learned": np.array(list(map(_is_learned, turns))),
        "turn_starts": np.cumsum([0, *(len(turn.tokens) for turn in turns)], dtype=np.int64),
        "dialogue_starts": np.array([0, len(turns)]),
    }


TASK = TableDialogueTask()
