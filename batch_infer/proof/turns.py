"""What a turn of the machine says of a table: cells of a row that it does not speak of are more than it should say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from allsaid.decoding.hypothesis import Hypothesis
from allsaid.modeling.data.vocabulary import Vocabulary
from allsaid.modeling.tables.offer_table import OfferTable
from allsaid.modeling.tables.table_support import support_of
from allsaid.modeling.tasks.table_dialogue import Row
from allsaid.modeling.text.restore import Casing, restore
from allsaid.proof.coverage import Coverage
from batch_infer.proof import judge


class Judge(judge.Judge):
    """Measures the texts of a model of dialogues over a table."""

    MEANS = ("extra_items", "tokens")

    def publish(self, tokens: Sequence[str], row: Row) -> str:
        """The text as it goes out; words that only the table has are written as it has them."""
        return restore(tokens, _casing_of(row.table, self.bundle.vocabularies.text, self.bundle.casing))

    def measure(self, tokens: Sequence[str], row: Row) -> Coverage:
        """No item is asked for; what is extra are the cells that the row of which the turn speaks lacks."""
        found = support_of(tokens, row.table)
        foreign = found.foreign if found else []
        return Coverage([], [], [], [said for said, _ in foreign], [], [places for _, places in foreign])

    def in_order(self, row: Row, found: Sequence[Hypothesis]) -> list[Hypothesis]:
        """Texts that say cells of other rows than their own stand behind the others."""
        return sorted(found, key=lambda one: len(self.measure(self.bundle.words(one.tokens, row), row).extra))

    def figures(self, tokens: Sequence[str], row: Row, said: Coverage) -> dict[str, float]:
        return {"extra_items": len(said.extra), "tokens": len(tokens)}


def _casing_of(table: OfferTable, vocabulary: Vocabulary, casing: Casing) -> Casing:
    new = {word: form for word, form in table.forms.items() if word not in vocabulary.ids}
    return replace(casing, forms={**new, **casing.forms})
