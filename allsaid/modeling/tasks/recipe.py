"""The task of a recipe that is edited: an agenda whose texts may use any word of the row.

The rest is shared with agendas (`allsaid.modeling.tasks.agenda`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from allsaid.modeling.config import DataConfig
from allsaid.modeling.data.agenda_arrays import Prompt
from allsaid.modeling.data.dataset import DataSet
from allsaid.modeling.data.vocabulary import Vocabularies, choose_words, count_words
from allsaid.modeling.prototypes.prototypes import Prototypes
from allsaid.modeling.tasks import agenda
from allsaid.modeling.tasks.agenda import BORDERS as BORDERS
from allsaid.modeling.tasks.agenda import DECIDING as DECIDING
from allsaid.modeling.tasks.agenda import FIGURES as FIGURES
from allsaid.modeling.tasks.agenda import brief as brief
from allsaid.modeling.tasks.agenda import checks as checks
from allsaid.modeling.tasks.agenda import collate as collate
from allsaid.modeling.tasks.agenda import companions as companions
from allsaid.modeling.tasks.agenda import encode as encode
from allsaid.modeling.tasks.agenda import examples as examples
from allsaid.modeling.tasks.agenda import prompts as prompts
from allsaid.modeling.tasks.agenda import protocol as protocol
from allsaid.modeling.tasks.agenda import score as score
from allsaid.modeling.tasks.agenda import show as show
from allsaid.proof.foods.names import words_of
from allsaid.proof.recipes import amounts
from schemas.errors import UserError


def build_vocabularies(data: DataSet, config: DataConfig) -> Vocabularies:
    """Count the training part's tokens and their words; raises UserError where it has no text or no recipes."""
    if data.mapping() or data.manifest.files.get("acts"):
        raise UserError(
            f"A model of kind 'edit' edits recipes, but {data.where} holds rows of another kind. Train the "
            "configuration 'assemble' or 'table' on a table, 'dialogue' on acts."
        )
    found = agenda.build_vocabularies(data, config)
    counts: Counter[str] = Counter()
    for table in data.tables("train"):
        for token, count in count_words(table.column("tokens")).items():
            for word in {token, *words_of([token])}:
                counts[word] += count
    return Vocabularies(choose_words(counts, config.text_cutoff), found.title, found.agenda)


def background(data: DataSet) -> dict[str, Any]:
    """Collect what agendas have, and the prototypes."""
    found = agenda.background(data)
    return found | {"prototypes": Prototypes.build(data.tables("train"), found["lexicon"], data.manifest.source)}


def words(tokens: Sequence[int], row: Prompt, vocabularies: Vocabularies) -> list[str]:
    """Return the words of a text's ids; those from V on are the row's own words."""
    known = len(vocabularies.text)
    own = list(own_ids(row, vocabularies)) if any(token >= known for token in tokens) else []
    return [vocabularies.text.words[token] if token < known else own[token - known] for token in tokens]


def own_ids(row: Prompt, vocabularies: Vocabularies) -> Mapping[str, int]:
    """Return the words of the row's names and amounts that the vocabulary lacks, and their ids from V on."""
    said = [word for item in row.agenda_tokens for word in words_of(item)]
    for line in row.agenda:
        amount = amounts.of_line(line)
        said += amount.written() if amount else []
    new = [word for word in dict.fromkeys(said) if word not in vocabularies.text.ids]
    return {word: number for number, word in enumerate(new, len(vocabularies.text))}
