"""What a dialogue text does to the slots of its act: values lost or added, yes and no confused.

- *Slot errors*: a value of the act that the text does not say is missing; a value said more than once, or one that the
  act lacks (a placeholder that could not be filled), is redundant. The *slot error rate* is both, divided by the
  values to be said (Wen et al. 2015, section 5: (p + q) / N). Special values (yes, no, none, dont_care, asked for) have
  no form to be looked for and are left out, as there.
- The goal of a table's row, where texts say theirs, is a value of the act (docs/coverage.md): told in words and not by
  a placeholder, it is missing where the text does not say it, and another known goal told is redundant.
- *Polarity errors*: a slot whose value is yes or no, and whose keyword stands in the text, is told wrongly where the
  clause of the keyword has a negation though the value is yes, or none though it is no
  (`training.metrics.polarity`; docs/coverage.md). A slot that the act gives both values ("?select") asks which is
  wanted, and is left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pipelines.language.acts import keywords
from pipelines.language.delex import Item
from pipelines.language.stems import key
from schemas.act import PREFIX, Slot
from training.metrics.polarity import is_negated
from training.metrics.values import Fact, Inventory, Text, measure_values


@dataclass(frozen=True)
class SlotErrors:
    missing: int = 0
    redundant: int = 0
    values: int = 0  # to be said

    @property
    def rate(self) -> float:
        """(missing + redundant) / values, 0 where there is none."""
        return (self.missing + self.redundant) / self.values if self.values else 0.0


def slot_errors(tokens: Sequence[str], items: Sequence[Item]) -> SlotErrors:
    """Slot errors of one delexicalised text."""
    wanted = [item.token for item in items if item.forms]
    said = Counter(token for token in tokens if token.startswith(PREFIX))
    missing = sum(not said[token] for token in wanted)
    redundant = sum(count - (token in wanted) for token, count in said.items())
    return SlotErrors(missing, redundant, len(wanted))


def goal_errors(told: Text, facts: Sequence[Fact], goal: Fact, known: Inventory) -> SlotErrors:
    """Slot errors of a text's goal; ``facts`` are the record's values, ``known`` the goals."""
    found = measure_values(told, [*facts, goal], known)
    others = {fact.line for fact in known.facts}
    return SlotErrors(int(not found.given[-1]), len(others.intersection(found.extra)), 1)


def add_up(found: Iterable[SlotErrors]) -> SlotErrors:
    parts = [(one.missing, one.redundant, one.values) for one in found]
    return SlotErrors(*map(sum, zip(*parts, strict=True))) if parts else SlotErrors()


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
