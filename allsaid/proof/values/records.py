"""Coverage of a table's record by a text with placeholders, before values are filled in: for the figures of training.

Published texts are measured by `allsaid.proof.values.matching`, with the table's mapping. Both cover the same items.

- A value is *given* if its placeholder is in the text, or that of another column with the same value (no number).
- A *yes/no* is given if the text has a word by which training texts mention its column, in a clause that affirms or
  denies like the record.
- The goal is given if the text states it as a value, or has its words, compared by stem. It is an item only if training
  texts mention goals.
- A yes/no and the goal are also given if an attested clause expresses them (`allsaid.proof.forms.certificate`).
- *Extra* are placeholders, answers and numbers that the record lacks, and other known goals.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from allsaid.proof.coverage import Lexicon
from allsaid.proof.foods.names import find_names, stems_of, trie_of
from allsaid.proof.polarity import Idioms, answer_of
from allsaid.proof.slots import SlotErrors, add_up, slot_errors
from allsaid.proof.values.measures import as_measure, is_unsupported_number
from allsaid.proof.values.seen import is_stated_by, plain
from schemas.act import PREFIX, SPECIAL, Act, Slot, parse_agenda_line
from schemas.example import Example


@dataclass(frozen=True)
class RecordCoverage:
    """Coverage of a record of L items by a text; the last item is its goal, if texts mention theirs."""

    given: list[bool]  # L
    extra: int
    errors: SlotErrors  # of the values and the goal, not of a yes or no

    @property
    def percent_given(self) -> float:
        return 100.0 * sum(self.given) / len(self.given) if self.given else 100.0


def build_spoken(examples: Iterable[Example], acts: Iterable[Act]) -> dict[str, frozenset[str]]:
    """Collect the words by which a training part mentions its yes/no columns."""
    words: dict[str, set[str]] = {}
    for example, act in zip(examples, acts, strict=True):
        special = {
            item: words.setdefault(slot.slot, set()) for item, slot in enumerate(act.slots) if slot.value in SPECIAL
        }
        for token, item in zip(example.tokens, example.ref_items, strict=True):
            if item in special:
                special[item].add(token)
    return {column: frozenset(found) for column, found in sorted(words.items())}


def measure(tokens: Sequence[str], example: Example, lexicon: Lexicon, stated: Sequence[bool] = ()) -> RecordCoverage:
    """Measure a text of T tokens, including placeholders, against its record of N items.

    stated: N + 1, whether an attested clause expresses the item, and the goal; empty without a certificate.
    """
    slots = [parse_agenda_line(line) for line in example.agenda]
    answers = {
        column: _answer(tokens, words, lexicon.idioms.get(column, {})) for column, words in lexicon.spoken.items()
    }
    certain = (slot for slot, is_stated in zip(slots, stated, strict=False) if is_stated)
    answers |= {slot.slot: slot.value for slot in certain if slot.value in SPECIAL}
    values = [slot.value for (item,), slot in zip(example.agenda_tokens, slots, strict=True) if item in tokens]
    wanted, given = [], []
    for (item,), slot in zip(example.agenda_tokens, slots, strict=True):
        if slot.slot in answers and slot.value in SPECIAL:
            given.append(slot.value == answers[slot.slot] if slot.value in ("yes", "no") else answers[slot.slot] != "")
        elif item not in tokens and as_measure(slot.value.split()) is None and is_stated_by(slot.value, values):
            given.append(True)  # by another column with the same value
        else:
            wanted.append(item)
            given.append(item in tokens)
    strange = {token for token in tokens if token.startswith(PREFIX)}.difference(wanted)
    strange |= {token for token in tokens if is_unsupported_number(token, example.agenda)}
    strange |= {column for column, answer in answers.items() if answer and not _has_answer(column, answer, slots)}
    errors = slot_errors(tokens, wanted)
    if not lexicon.goals:
        return RecordCoverage(given, len(strange), errors)
    is_given, others = _goals(tokens, plain(example.goal), lexicon)
    is_given = is_given or any(stated[-1:]) or is_stated_by(example.goal, values)
    asked = [is_given] if lexicon.asks_goal else []
    goal = SlotErrors(asked.count(False), others, len(asked))
    return RecordCoverage([*given, *asked], len(strange) + others, add_up([errors, goal]))


def _answer(tokens: Sequence[str], words: Collection[str], idioms: Idioms) -> str:
    """Return a text's answer for the yes/no column that these words mention: "yes", "no", or "" for none."""
    answer = answer_of(tokens, [place for place, token in enumerate(tokens) if token in words], idioms)
    return {None: "", True: "yes", False: "no"}[answer]


def _has_answer(column: str, answer: str, slots: Iterable[Slot]) -> bool:
    """Return whether a record has the same answer for the column, or names the column without an answer."""
    return any(slot.slot == column and slot.value not in ({"yes", "no"} - {answer}) for slot in slots)


def _goals(tokens: Sequence[str], own_goal: str, lexicon: Lexicon) -> tuple[bool, int]:
    """Return whether a text mentions its own goal, and the number of other goals that it mentions."""
    known = {stems_of(goal.split()) for goal in (*lexicon.goals, own_goal)} - {()}
    words = [token for token in tokens if not token.startswith(PREFIX)]
    found = {name for _, _, name in find_names(stems_of(words), trie_of((name, name) for name in known))}
    name = stems_of(own_goal.split())
    return name in found, len(found - {name})
