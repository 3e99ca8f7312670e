"""The task of an agenda: a goal and items in, a text that says them out; recipes, acts and a user's table alike.

Published examples -> flat arrays of ids -> batches, and the way back from ids to words.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import lru_cache, partial
from itertools import chain
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import pyarrow as pa
import torch
from torch import Tensor

from allsaid.modeling.config import DataConfig
from allsaid.modeling.data.arrays import FlatTexts, Lists, distinct, flat, look_up, map_from_files, starts
from allsaid.modeling.data.companions import Companions
from allsaid.modeling.data.dataset import DataSet
from allsaid.modeling.data.later_sentences import later_tables
from allsaid.modeling.data.tensors import Tensors, inputs_of, learned, stretches, texts_to_learn
from allsaid.modeling.data.vocabulary import (
    PAD,
    UNKNOWN,
    Vocabularies,
    Vocabulary,
    all_item_words,
    choose_words,
    count_words,
    item_words,
)
from allsaid.modeling.text.restore import Casing, learn_casing, learn_writing
from allsaid.proof.coverage import build_lexicon
from allsaid.proof.figures import FIGURES as FIGURES  # a name of the task
from allsaid.proof.forms import claims, mapped
from allsaid.proof.forms.learn import learn
from allsaid.proof.forms.phrasebook import Phrasebook
from allsaid.proof.forms.said import sentences_of
from allsaid.proof.habits import build_habits
from allsaid.proof.known_foods import build_food_lexicon
from allsaid.proof.scores import Scores, check_bleu
from allsaid.proof.scores import score as score  # a name of the task
from allsaid.proof.values.contexts import build_contexts
from allsaid.proof.values.inventory import build_values
from allsaid.proof.values.records import build_spoken
from allsaid.proof.values.seen import build_seen, said_goals
from schemas.act import SPECIAL
from schemas.errors import UserError
from schemas.example import NO_ITEM, NONE, UNSUPERVISED, Example

BORDERS = ("examples",)
DECIDING = ("percent_given", "extra_items", "bleu")
DIALOGUE, RECIPES = "dialogue", "recipes"  # two ways to score one task: `evaluation/tasks`
OF_TABLE = "allsaid.modeling.tasks.record"  # the task that is learned from a user's table; it imports this one


def build_vocabularies(data: DataSet, config: DataConfig) -> Vocabularies:
    """Count the training part's words; raises UserError where it has no text."""
    counts: dict[str, dict[str, int]] = {"tokens": {}, "goal_tokens": {}, "agenda_tokens": {}}
    for table in data.tables("train"):
        for column, total in counts.items():
            words = table.column(column).combine_chunks()
            words = all_item_words(words.flatten()) if column == "agenda_tokens" else words
            for word, count in count_words(words).items():
                total[word] = total.get(word, 0) + count
    if not counts["tokens"]:
        raise UserError(f"The training part of {data.where} is empty, so there is nothing to learn.")
    return Vocabularies(
        choose_words(counts["tokens"], config.text_cutoff, config.text_size),
        choose_words(counts["goal_tokens"], config.title_cutoff),
        choose_words(counts["agenda_tokens"], config.agenda_cutoff),
    )


def background(data: DataSet) -> dict[str, Any]:
    """Phrases, known names and values, letter case and what training has seen."""
    seen = build_seen(data.goals("train"), data.acts("train"))
    # Only of a user's table are goals such as texts may say.
    said, is_asked = said_goals(data.goals("train"), data.acts("train")) if data.mapping() else ((), False)
    train = partial(data.examples, "train")
    is_recipes = not data.mapping() and not data.manifest.files.get("acts")
    casing, values = _casing(data), build_values(data.acts("train"))
    habits = build_habits(train(), casing.abbreviations) if data.mapping() else None
    return {
        "phrases": data.phrases(),
        "lexicon": (build_food_lexicon if is_recipes else build_lexicon)(train()),
        "casing": learn_writing(casing, train, data.language()) if data.mapping() else casing,
        "values": values,
        "mapping": data.mapping(),
        "seen": replace(seen, said_goals=said, asks_goal=is_asked),
        "habits": habits,
        "phrasebook": _phrasebook(data, habits.subject if habits else "", seen.goals is not None, casing, values),
        "contexts": build_contexts(train()) if data.mapping() else None,
    }


def _phrasebook(
    data: DataSet, subject: str, has_goals: bool, casing: Casing, values: Mapping[str, Sequence[str]]
) -> Phrasebook | None:
    """The forms of a table's or of acts' texts; recipes have no placeholders, and so none."""
    if not data.manifest.files.get("acts"):
        return None
    train = partial(data.examples, "train")
    spoken = build_spoken(train(), data.acts("train"))
    every = {value for known in values.values() for value in known if value not in SPECIAL}
    book = learn(train, spoken, subject, casing.abbreviations, has_goals, not data.mapping(), every)
    if not data.mapping():
        return book
    given = mapped.read(data.mapping())
    found = claims.find(train, book, every, given.words)
    return replace(book, claims=tuple(found), said=sentences_of(given.says, spoken))


@lru_cache(maxsize=1)  # a pass over all texts, of which encoding a user's table needs the abbreviations
def _casing(data: DataSet) -> Casing:
    return learn_casing(data.examples("train"))


def companions(data: DataSet, vocabularies: Vocabularies) -> Companions:
    """The words beside those of goals and agendas in training texts."""
    return Companions.build(data.tables("train"), vocabularies.text)


def examples(data: DataSet, split: str) -> Iterator[Example]:
    return data.examples(split)


def learned_tables(data: DataSet, split: str) -> Iterator[pa.Table]:
    """The examples of a split; of a user's table its later sentences are learned once more, by themselves."""
    yield from data.tables(split)
    if split == "train" and data.mapping():
        yield from later_tables(data.examples(split), _casing(data).abbreviations)


@dataclass(frozen=True)
class Ids(FlatTexts):
    """A split of N examples as flat arrays; ``x_starts[i]:x_starts[i + 1]`` is the part of example (or item) i.

    No id stands twice in a title, an item or a name.
    """

    types: np.ndarray  # their reference types, int8
    refs: np.ndarray  # their items' positions, int16
    title: np.ndarray  # title ids, int32
    items: np.ndarray  # agenda ids of the words that make the items, int32
    names: np.ndarray  # text ids of the items' own words, int32
    title_starts: np.ndarray  # N + 1
    agenda_starts: np.ndarray  # N + 1, counts items
    item_starts: np.ndarray  # items + 1, counts words
    name_starts: np.ndarray  # the same of the names


def encode(data: DataSet, split: str, vocabularies: Vocabularies, folder: Path) -> Ids:
    """Write a split's ids as arrays under ``folder`` and map them into memory."""
    parts: dict[str, list[np.ndarray]] = {column.name: [] for column in fields(Ids)}
    for table in learned_tables(data, split):
        for name, values in _encode_table(table, vocabularies).items():
            parts[name].append(values)
    return Ids(**map_from_files(parts, folder))


def _encode_table(table: pa.Table, vocabularies: Vocabularies) -> dict[str, np.ndarray]:
    agenda = table.column("agenda_tokens").combine_chunks()
    written = agenda.flatten()
    title, title_starts = _sets(table.column("goal_tokens").combine_chunks(), vocabularies.title)
    items, item_starts = _sets(all_item_words(written), vocabularies.agenda)
    names, name_starts = _sets(written, vocabularies.text)
    return {
        "text": look_up(flat(table, "tokens"), vocabularies.text),
        "types": flat(table, "ref_types").to_numpy(),
        "refs": flat(table, "ref_items").to_numpy(),
        "title": title,
        "items": items,
        "names": names,
        "text_starts": starts(table.column("tokens").combine_chunks()),
        "title_starts": title_starts,
        "agenda_starts": starts(agenda),
        "item_starts": item_starts,
        "name_starts": name_starts,
    }


def _sets(lists: pa.Array, vocabulary: Vocabulary) -> Lists:
    """Lists of words as ids, of which none stands twice in a list, and where each begins."""
    return distinct(look_up(lists.flatten(), vocabulary), starts(lists))


class Prompt(Protocol):
    """What a text is made from; an Example is one."""

    @property
    def id(self) -> str: ...

    @property
    def goal(self) -> str: ...

    @property
    def goal_tokens(self) -> list[str]: ...

    @property
    def agenda(self) -> list[str]: ...

    @property
    def agenda_tokens(self) -> list[list[str]]: ...


@dataclass(frozen=True)
class Prompts(Tensors):
    """B goals and agendas; ids are filled up with PAD, and no id stands twice in a goal or item.

    Each of the axes has a place at least, also where there is no item.
    """

    goal: Tensor  # (B, G) title ids
    items: Tensor  # (B, L, W) agenda ids
    names: Tensor  # (B, L, W) the items' words as text ids
    item_mask: Tensor  # (B, L) bool: an item, not filling
    weights: Tensor  # (B, L) what the items' embeddings are multiplied with; 1 but for Checklist+


@dataclass(frozen=True)
class Batch(Tensors):
    """B texts to learn; position t of ``inputs`` is answered by position t of the others."""

    prompts: Prompts
    inputs: Tensor  # (B, T) text ids: START x_1 … x_n
    targets: Tensor  # (B, T) text ids: x_1 … x_n END, then PAD
    types: Tensor  # (B, T) reference type of the target; UNSUPERVISED for unknown words and filling
    refs: Tensor  # (B, T) its item, NO_ITEM where it refers to none


def make_prompts(goals: Sequence[Sequence[int]], items: Sequence[Sequence[Sequence[int]]], names: Any) -> Prompts:
    """Fill up B goals (title ids), agendas (agenda ids) and item names (text ids)."""
    agendas = np.cumsum([0, *map(len, items)])
    return _filled(np.arange(len(goals)), _joined(goals), agendas, _joined(chain(*items)), _joined(chain(*names)))


def _joined(lists: Iterable[Sequence[int]]) -> Lists:
    """Lists of ids, each without those that stand twice, as one array and where each begins."""
    found = [list(dict.fromkeys(words)) for words in lists]
    return np.array([*chain(*found)], np.int64), np.cumsum([0, *map(len, found)])


def _filled(rows: np.ndarray, goals: Lists, agendas: np.ndarray, items: Lists, names: Lists) -> Prompts:
    """The prompts of some rows; ``agendas`` says where the items of each begin among all items."""
    first, last = agendas[rows], agendas[rows + 1]
    columns = np.arange(max(1, (last - first).max()))
    mask = columns < (last - first)[:, None]
    places = (first[:, None] + columns)[mask]
    words = [stretches(flat, starts[places], starts[places + 1], PAD) for flat, starts in (items, names)]
    filled = np.full((2, *mask.shape, max(one.shape[1] for one in words)), PAD, np.int64)
    for side, one in enumerate(words):
        filled[side, mask, : one.shape[1]] = one
    goal = stretches(goals[0], goals[1][rows], goals[1][rows + 1], PAD)
    goal_ids, item_ids, name_ids, item_mask = map(torch.from_numpy, (goal, *filled, mask))
    return Prompts(goal_ids, item_ids, name_ids, item_mask, torch.ones(mask.shape))


def prompts(rows: Sequence[Prompt], vocabularies: Vocabularies) -> Prompts:
    """Prompts as generation gets them, in words."""
    return make_prompts(
        [vocabularies.title.encode(row.goal_tokens) for row in rows],
        [[vocabularies.agenda.encode(item_words(item)) for item in row.agenda_tokens] for row in rows],
        [[vocabularies.text.encode(item) for item in row.agenda_tokens] for row in rows],
    )


def words(tokens: Sequence[int], prompt: Prompt, vocabularies: Vocabularies) -> list[str]:
    """The words of a text's ids; an agenda has no words of its own (ids from V on)."""
    return vocabularies.text.decode(tokens)


def collate(ids: Ids, rows: np.ndarray, max_text: int) -> Batch:
    """Batch the examples ``rows`` of a split; texts longer than ``max_text`` tokens are cut there, without an END."""
    targets = texts_to_learn(ids, rows, max_text)
    unknown = targets == UNKNOWN
    items, names = (ids.items, ids.item_starts), (ids.names, ids.name_starts)
    return Batch(
        _filled(rows, (ids.title, ids.title_starts), ids.agenda_starts, items, names),
        inputs_of(targets),
        targets,
        learned(ids, ids.types, rows, max_text, NONE, UNSUPERVISED).masked_fill(unknown, UNSUPERVISED),
        learned(ids, ids.refs, rows, max_text, NO_ITEM, NO_ITEM).masked_fill(unknown, NO_ITEM),
    )


def checks(challenger: Scores, champion: Scores) -> list[tuple[bool, str]]:
    """A new model must give more items, add no more, and still read like the references."""
    given, extra = FIGURES["percent_given"].show, FIGURES["extra_items"].show
    return [
        (
            challenger.percent_given > champion.percent_given,
            f"it gives {given(challenger.percent_given)}% of the items, the champion {given(champion.percent_given)}%",
        ),
        (
            challenger.extra_items <= champion.extra_items,
            f"it adds {extra(challenger.extra_items)} extra items a text, the champion {extra(champion.extra_items)}",
        ),
        check_bleu(challenger, champion),  # a text that only recites its agenda has a BLEU near zero
    ]


def brief(scores: Scores) -> str:
    return f"{scores.percent_given:.1f}% given, {scores.extra_items:.2f} extra items, BLEU {scores.bleu:.1f}"


def show(row: Prompt) -> tuple[str, list[str]]:
    return row.goal, row.agenda


def protocol(data: DataSet) -> str:
    """Acts are scored by the protocols of dialogue, all else by those of recipes."""
    return DIALOGUE if data.manifest.files.get("acts") else RECIPES
