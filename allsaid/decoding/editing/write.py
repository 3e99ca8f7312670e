"""Edit the nearest training recipes for a row, and rank the results."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain
from math import log
from typing import Any  # Any: a row of the task, known only at run time

import numpy as np

from allsaid.decoding.editing.align import Pairing
from allsaid.decoding.editing.draft import draft_of
from allsaid.decoding.editing.edit import Edit, Editor
from allsaid.decoding.editing.items import Item, items_of
from allsaid.decoding.editing.loans import Loan, loans_of
from allsaid.language.text import listed
from allsaid.modeling.data.agenda_arrays import Prompt
from allsaid.modeling.prototypes.index import terms_of
from allsaid.modeling.prototypes.prototypes import Prototype, Prototypes
from allsaid.modeling.prototypes.technique import cues_of
from allsaid.proof.coverage import Coverage, Lexicon
from allsaid.proof.foods.names import stems_of
from allsaid.proof.recipes.dishes import dish_of
from allsaid.proof.recipes.frames import Steps
from allsaid.proof.recipes.kitchen import load_kitchen
from allsaid.proof.recipes.mentions import Namer
from allsaid.proof.recipes.parser import parse

LIKELY = 250  # prototypes whose technique is compared with the one predicted for the row
NEAREST = 50  # of these: prototypes whose items are paired with the row's
WEIGHT_OF_TECHNIQUE = 1.0
WEIGHT_OF_QUALITY = 1.5
WEIGHT_OF_ITEMS = 2.5
LONG = 0.5  # cost of a long prototype, multiplied by the logarithm of its words per item of the row
SHORT = 6.0  # words per item; a shorter prototype costs as much as one of this length
# Cost of each repeated item that the row has more than the prototype, or fewer: a cake with a glaze lists sugar twice.
REPEATED = 0.4
INSERTED_OF_TITLE = 0.15  # additional cost of inserting a food that the title names
INSERTED_DISH = 1.5  # the same for the dish itself: no insertion turns a pea soup into a dish of pasta
STRANGE = 0.1  # cost of each unit of strangeness (`Editor.strangeness`)
FINDING = 2.5  # cost of a finding of the checker
CUT = 0.8  # cost of deleting all clauses
LOST_OF_TITLE = 0.3  # cost of deleting a food that the prototype's title names: the text was about it
STRAY = 0.25  # cost of a word in the text that only the prototype's title has: "cool the muffins" for a cake
OTHER_METHOD = 2.0  # cost of a cooking method that the title names and the text lacks: roast beets are not boiled
NO_TEMPERATURE = 0.1  # cost of a text that bakes and gives no temperature
_KITCHEN = load_kitchen()
_METHODS = frozenset(stems_of(listed("roast bake grill broil steam poach braise")))
LOWEST_OVEN = 150  # degrees; a smaller number is no temperature of an oven
# Words of texts that need no number: "a slow oven", a microwave, a bread machine with its setting "light crust".
_OTHER_HEAT = frozenset(("moderate", "slow", "microwave", "broiler", "crust", "machine", "broil"))
_STEP_WORDS = frozenset(stems_of({word for words in _KITCHEN.words.values() for word in words} | _KITCHEN.verbs.keys()))
Measure = Callable[[Sequence[str], Any], Coverage]


@dataclass(frozen=True)
class Source:
    """A prototype to be edited, read for a row."""

    prototype: Prototype
    items: list[Item]  # of its agenda
    pairs: dict[int, int]  # places of its items -> places of the row's
    steps: Steps
    score: float  # of the match


@dataclass(frozen=True)
class EditedPrototype:
    """An edited prototype."""

    prototype: Prototype
    words: list[str]
    edit: Edit
    coverage: Coverage
    score: float


@dataclass(frozen=True)
class RecipeEditor:
    """A writer that edits prototypes."""

    prototypes: Prototypes
    lexicon: Lexicon
    width: int  # prototypes that are edited for each row
    measure: Measure  # (tokens, row) -> coverage

    def edits(self, row: Prompt) -> list[EditedPrototype]:
        """Return edits of the nearest prototypes, best first."""
        namer = Namer(row.agenda_tokens, self.lexicon)
        row_items = items_of(row.agenda, row.agenda_tokens)
        terms = [*terms_of(row.goal, row.goal_tokens, [item.key for item in row_items]), *cues_of(row.agenda)]
        near = self.prototypes.index.likeness(terms)
        near += WEIGHT_OF_QUALITY * self.prototypes.quality
        likely = _largest(near, LIKELY)
        near[likely] += WEIGHT_OF_TECHNIQUE * self.prototypes.fits(terms, likely.tolist())
        top = likely[_largest(near[likely], NEAREST)]
        paired, pairing = [], Pairing(row_items, self.prototypes.roles)
        for place in top.tolist():
            prototype_items = items_of(*self.prototypes.agenda(place))
            pairs, likeness = pairing.pairs(prototype_items)
            length = int(self.prototypes.lengths[place])
            score = float(near[place] + WEIGHT_OF_ITEMS * likeness - _misfit(length, prototype_items, row_items))
            paired.append((score, place, prototype_items, pairs))
        paired.sort(key=lambda pair: (-pair[0], pair[1]))
        sources = [self._source(*pair) for pair in paired[: self.width]]
        # Sentences that each prototype lends to the edits of the others.
        loans_by_source = [list(loans_of(source.steps, source.items)) for source in sources]
        results = []
        for source in sources:
            others = (loans for other, loans in zip(sources, loans_by_source, strict=True) if other is not source)
            results.append(self._edited(row, row_items, source, namer, [*chain.from_iterable(others)]))
        return sorted(results, key=lambda edited: (-edited.score, edited.prototype.id))

    def _source(self, score: float, place: int, items: list[Item], pairs: dict[int, int]) -> Source:
        prototype = self.prototypes[place]
        mentions = Namer(prototype.agenda_tokens, self.lexicon).find(prototype.words)
        return Source(prototype, items, pairs, parse(prototype.words, mentions), score)

    def _edited(
        self, row: Prompt, row_items: Sequence[Item], source: Source, namer: Namer, loans: Sequence[Loan]
    ) -> EditedPrototype:
        prototype, prototype_items, steps = source.prototype, source.items, source.steps
        draft = draft_of(steps)
        dish = dish_of(row.goal)
        title = {*stems_of(prototype.goal.lower().split())}
        editor = Editor(
            draft, prototype_items, row_items, source.pairs, self.prototypes.roles, namer, loans, dish, title
        )
        edit = editor.run()
        coverage = self.measure(draft.words, row)
        if editor.spell_out(item for item, given in enumerate(coverage.given) if not given):
            coverage = self.measure(draft.words, row)
        words = draft.words
        clauses = sum(len(sentence.clauses) for sentence in steps.sentences)
        new = [*edit.inserted, *edit.filled]
        cost = 0.1 * len(new) + 0.06 * len(edit.deleted) + 0.05 * len(edit.swapped)
        cost += STRANGE * editor.strangeness() + CUT * edit.clauses_deleted / max(clauses, 1)
        lost = [food for place, food in enumerate(prototype_items) if place not in source.pairs and food.head in title]
        cost += LOST_OF_TITLE * len(lost)
        for names, weight in (
            (stems_of(row.goal_tokens), INSERTED_OF_TITLE),
            (dish, INSERTED_DISH),
        ):
            cost += weight * sum(not {*names}.isdisjoint(stems_of(name.split())) for name in new)
        line_stems = {stem for item in row_items for stem in stems_of(item.line.lower().split())}
        row_stems = {*stems_of(row.goal_tokens), *line_stems}
        cost += STRAY * len((title & {*stems_of(words)}) - row_stems - _STEP_WORDS)
        cost += OTHER_METHOD * len((row_stems & _METHODS) - line_stems - {*stems_of(words)})
        cost += NO_TEMPERATURE * _lacks_temperature(words)
        cost += FINDING * len(coverage.recipe) + 0.3 * (coverage.given.count(False) + len(coverage.extra))
        return EditedPrototype(prototype, words, edit, coverage, source.score - cost)


def _misfit(words: int, prototype_items: Sequence[Item], row_items: Sequence[Item]) -> float:
    """Return the cost of a prototype's length and of its repeated items.

    In a long prototype, more steps may contradict the row. Repeated items show how many parts a dish has.
    """
    repeated = [len(items) - len({item.key for item in items}) for items in (prototype_items, row_items)]
    return LONG * log(max(words / len(row_items), SHORT)) + REPEATED * abs(repeated[0] - repeated[1])


def _lacks_temperature(words: Sequence[str]) -> bool:
    """Return whether a text bakes something without stating the oven's temperature."""
    numbers = (int(word) for word in words if word.isdecimal() and len(word) == len("350"))
    is_stated = any(number >= LOWEST_OVEN for number in numbers) or not _OTHER_HEAT.isdisjoint(words)
    return "bake" in words and not is_stated


def _largest(values: np.ndarray, count: int) -> np.ndarray:
    """Return the places of the largest values."""
    count = min(count, len(values))
    return np.argpartition(-values, count - 1)[:count]
