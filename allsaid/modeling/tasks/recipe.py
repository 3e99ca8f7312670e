"""The task of editing recipes: an agenda whose texts may use any word of the row."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from allsaid.modeling.config import DataConfig
from allsaid.modeling.data.agenda_arrays import Ids, Prompt
from allsaid.modeling.data.dataset import DataSet
from allsaid.modeling.data.vocabulary import Vocabularies, choose_words, count_words
from allsaid.modeling.prototypes.prototypes import Prototypes
from allsaid.modeling.tasks.agenda import AgendaTask
from allsaid.modeling.tasks.contract import Background, Task
from allsaid.modeling.tasks.view import AgendaView
from allsaid.proof.foods.names import words_of
from allsaid.proof.recipes import amounts
from allsaid.proof.recipes.kitchen import load_kitchen
from schemas.errors import UserError

# Words that an edit may write although no training text has them.
_OF_EDITS = (*sorted({word for words in load_kitchen().words.values() for word in words}), *amounts.FRACTIONS, "ready")


class RecipeTask(AgendaTask[Vocabularies, Ids]):
    """Recipes that are edited from training recipes (`allsaid.modeling.prototypes`)."""

    @property
    def of_table(self) -> Task:
        return self

    def build_vocabularies(self, data: DataSet, config: DataConfig) -> Vocabularies:
        """Count the training part's tokens and their words; raises UserError if it has no text or no recipes."""
        if data.mapping() or data.manifest.files.get("acts"):
            raise UserError(
                f"A model of kind 'edit' edits recipes, but {data.where} holds rows of another kind. Train the "
                "configuration 'assemble' or 'table' on a table, 'dialogue' on acts."
            )
        base = super().build_vocabularies(data, config)
        counts: Counter[str] = Counter()
        for table in data.tables("train"):
            for token, count in count_words(table.column("tokens")).items():
                for word in {token, *words_of([token])}:
                    counts[word] += count
        return Vocabularies(choose_words(counts, config.text_cutoff, config.text_size), base.title, base.agenda)

    def background(self, data: DataSet) -> Background:
        """Collect the data of agendas, and the prototypes."""
        of_agendas = super().background(data)
        prototypes = Prototypes.build(data.tables("train"), of_agendas["lexicon"], data.manifest.source)
        return {**of_agendas, "prototypes": prototypes}

    def words(self, tokens: Sequence[int], row: Prompt, vocabularies: Vocabularies) -> list[str]:
        """Return the words of a text's ids; ids from V on are words of the row."""
        known = len(vocabularies.text)
        candidates = list(self.own_ids(row, vocabularies)) if any(token >= known for token in tokens) else []
        return [vocabularies.text.words[token] if token < known else candidates[token - known] for token in tokens]

    def own_ids(self, row: Prompt, vocabularies: Vocabularies) -> Mapping[str, int]:
        """Return the words of names, amounts and edits that the vocabulary lacks, and their ids from V on."""
        row_words = [word for item in row.agenda_tokens for word in words_of(item)]
        for line in row.agenda:
            amount = amounts.of_line(line)
            row_words += amount.written() if amount else []
        new = [word for word in dict.fromkeys((*row_words, *_OF_EDITS)) if word not in vocabularies.text.ids]
        return {word: number for number, word in enumerate(new, len(vocabularies.text))}


TASK = RecipeTask(AgendaView())
