"""What a dialogue text does to the slots of its act: values lost or added, yes and no confused.

- *Slot errors* are counted by placeholders (`allsaid.proof.values.slots`). Special values (yes, no, none, dont_care,
  asked for) have no form to be looked for and are left out, as in Wen et al. 2015.
- The goal of a table's row, where texts say theirs, is a value of the act (docs/coverage.md): told in words and not by
  a placeholder, it is missing where the text does not say it, and another known goal told is redundant.
- *Polarity errors*: a slot whose value is yes or no, and whose keyword stands in the text, is told wrongly where the
  clause of the keyword has a negation though the value is yes, or none though it is no
  (`allsaid.proof.polarity`; docs/coverage.md). A slot that the act gives both values ("?select") asks which is
  wanted, and is left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from allsaid.language.stems import key
from allsaid.proof.polarity import is_negated
from allsaid.proof.values.matching import Fact, Inventory, Text, measure_values
from allsaid.proof.values.slots import SlotErrors
from pipelines.linking.acts import keywords
from schemas.act import Slot


def goal_errors(told: Text, facts: Sequence[Fact], goal: Fact, known: Inventory) -> SlotErrors:
    """Slot errors of a text's goal; ``facts`` are the record's values, ``known`` the goals."""
    found = measure_values(told, [*facts, goal], known)
    others = {fact.line for fact in known.facts}
    return SlotErrors(int(not found.given[-1]), len(others.intersection(found.extra)), 1)


@dataclass(frozen=True)
class Polarity:
    wrong: list[str]  # binary slots told the other way round
    told: list[str]  # binary slots whose keyword stands in the text


def polarity(words: Sequence[str], slots: Sequence[Slot]) -> Polarity:
    """The binary slots of one normalised text, cut into words."""
    wrong, told = [], []
    keys = [key(word) for word in words]
    for slot in binary(slots):
        spoken = keywords(slot.slot)
        negated = is_negated(words, {place for place, found in enumerate(keys) if found in spoken})
        if negated is not None:
            told.append(slot.slot)
            if negated == (slot.value == "yes"):
                wrong.append(slot.slot)
    return Polarity(wrong, told)


def binary(slots: Sequence[Slot]) -> list[Slot]:
    """The slots that are yes or no, and not both."""
    named = Counter(slot.slot for slot in slots if slot.value in ("yes", "no"))
    return [slot for slot in slots if slot.value in ("yes", "no") and named[slot.slot] == 1]
