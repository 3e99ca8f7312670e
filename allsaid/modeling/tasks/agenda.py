"""The task of an agenda: a text from a goal and items, for recipes, acts and a user's table.

`allsaid.modeling.data.agenda_arrays` makes ids and batches of published examples.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import pyarrow as pa

from allsaid.modeling.config import DataConfig
from allsaid.modeling.data.agenda_arrays import Ids, Prompt, encode_tables
from allsaid.modeling.data.agenda_arrays import collate as collate  # a name of the task
from allsaid.modeling.data.agenda_arrays import prompts as prompts  # a name of the task
from allsaid.modeling.data.companions import Companions
from allsaid.modeling.data.dataset import DataSet
from allsaid.modeling.data.later_sentences import later_tables
from allsaid.modeling.data.vocabulary import Vocabularies, all_item_words, choose_words, count_words
from allsaid.modeling.text.restore import Casing, learn_casing, learn_writing
from allsaid.proof.coverage import build_lexicon
from allsaid.proof.figures import FIGURES as FIGURES  # a name of the task
from allsaid.proof.forms import find_claims, mapped
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
from schemas.example import Example

BORDERS = ("examples",)
DECIDING = ("percent_given", "extra_items", "bleu")
DIALOGUE, RECIPES = "dialogue", "recipes"  # two protocols that score the same task: `evaluation/tasks`
OF_TABLE = "allsaid.modeling.tasks.record"  # the task for a user's table; it imports this module


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
    """Collect phrases, known names and values, letter case, and what training has seen."""
    seen = build_seen(data.goals("train"), data.acts("train"))
    # Only in a user's table can goals be stated by texts.
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
    """Learn the forms of the texts of a table or of acts; None for recipes, which have no placeholders."""
    if not data.manifest.files.get("acts"):
        return None
    train = partial(data.examples, "train")
    spoken = build_spoken(train(), data.acts("train"))
    every = {value for known in values.values() for value in known if value not in SPECIAL}
    book = learn(train, spoken, subject, casing.abbreviations, has_goals, not data.mapping(), every)
    if not data.mapping():
        return book
    given = mapped.read(data.mapping())
    found = find_claims.find(train, book, every, given.words)
    return replace(book, claims=tuple(found), said=sentences_of(given.says, spoken))


@lru_cache(maxsize=1)  # cached: it reads all texts, and encoding a user's table needs the abbreviations again
def _casing(data: DataSet) -> Casing:
    return learn_casing(data.examples("train"))


def companions(data: DataSet, vocabularies: Vocabularies) -> Companions:
    """Learn the words that occur with those of goals and agendas in training texts."""
    return Companions.build(data.tables("train"), vocabularies.text)


def examples(data: DataSet, split: str) -> Iterator[Example]:
    return data.examples(split)


def learned_tables(data: DataSet, split: str) -> Iterator[pa.Table]:
    """Yield the examples of a split; for training on a user's table also the later sentences as separate examples."""
    yield from data.tables(split)
    if split == "train" and data.mapping():
        yield from later_tables(data.examples(split), _casing(data).abbreviations)


def encode(data: DataSet, split: str, vocabularies: Vocabularies, folder: Path) -> Ids:
    """Write a split's ids as arrays under ``folder`` and map them into memory."""
    return encode_tables(learned_tables(data, split), vocabularies, folder)


def words(tokens: Sequence[int], prompt: Prompt, vocabularies: Vocabularies) -> list[str]:
    """Return the words of a text's ids; an agenda has no copy candidates (ids from V on)."""
    return vocabularies.text.decode(tokens)


def checks(challenger: Scores, champion: Scores) -> list[tuple[bool, str]]:
    """Check that a new model covers more items, adds no more extra ones, and still reads like the references."""
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
    """Return the scoring protocol: that of dialogue for acts, else that of recipes."""
    return DIALOGUE if data.manifest.files.get("acts") else RECIPES
