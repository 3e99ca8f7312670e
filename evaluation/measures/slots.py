"""Slot errors and polarity errors of a dialogue text.

- *Slot errors* are counted by placeholders (`allsaid.proof.slots`). Special values (yes, no, none, dont_care,
  requested) have no form to look for and are left out, as in Wen et al. 2015.
- If the texts of a table state their goal, the goal counts as one more value (docs/coverage.md). It has no placeholder,
  so its words are looked for: it is missing if the text does not state it. Another known goal in the text is redundant.
- *Polarity errors* are counted for binary slots, whose value is yes or no, if the text has the slot's keyword. It is an
  error if the clause is negated for yes, or not negated for no (`allsaid.proof.polarity`; docs/coverage.md). A slot
  with both values ("?select") asks which one is wanted, and is left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from allsaid.language.stems import key
from allsaid.proof.polarity import is_negated
from allsaid.proof.slots import SlotErrors
from allsaid.proof.values.facts import Fact, Inventory, Text
from allsaid.proof.values.matching import measure_values
from pipelines.linking.acts import keywords
from schemas.act import Slot


def goal_errors(text: Text, facts: Sequence[Fact], goal: Fact, known: Inventory) -> SlotErrors:
    """Return the slot errors of a text's goal; ``facts`` are the record's values, ``known`` all goals."""
    measured = measure_values(text, [*facts, goal], known)
    others = {fact.line for fact in known.facts}
    return SlotErrors(int(not measured.given[-1]), len(others.intersection(measured.extra)), 1)


@dataclass(frozen=True)
class Polarity:
    wrong: list[str]  # binary slots that the text states the other way round
    stated: list[str]  # binary slots whose keyword is in the text


def polarity(words: Sequence[str], slots: Sequence[Slot]) -> Polarity:
    """Check the binary slots of one normalised, tokenised text."""
    wrong, stated = [], []
    stems = [key(word) for word in words]
    for slot in binary(slots):
        names = keywords(slot.slot)
        negated = is_negated(words, {place for place, stem in enumerate(stems) if stem in names})
        if negated is not None:
            stated.append(slot.slot)
            if negated == (slot.value == "yes"):
                wrong.append(slot.slot)
    return Polarity(wrong, stated)


def binary(slots: Sequence[Slot]) -> list[Slot]:
    """Return the slots that are yes or no, and not both."""
    counts = Counter(slot.slot for slot in slots if slot.value in ("yes", "no"))
    return [slot for slot in slots if slot.value in ("yes", "no") and counts[slot.slot] == 1]
