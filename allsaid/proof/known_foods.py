"""Known names of recipes, which can count as extra: the list of foods, and item names of the training part.

- A name of the list is known unless it has another meaning in the training part: at least ``ENOUGH`` texts mention it,
  and agendas back it in fewer than ``SELDOM`` of them. In two files of the library, agendas backed words with other
  uses in 2 to 7% of their mentions ("sprinkle"), and foods served with a dish in 15% and more ("crackers").
- An item name of the training part is known unless it ends with a food of the list or a product of recipes. Agendas
  must hold it at least ``MIN_SEEN`` times (2: a single occurrence may be a misread line) and back it in at least half
  of the training texts that mention it.

A mention counts by the rules of `allsaid.proof.foods.hierarchy`.
"""

from __future__ import annotations

from collections.abc import Iterable

from allsaid.proof.coverage import Lexicon, count_mentions, lexicon_of, read_training
from allsaid.proof.foods.hierarchy import load_foods
from schemas.example import Example

ENOUGH = 20  # fewest training texts with a name of the list that drop it
SELDOM = 0.1  # smallest share of them that backs it
MIN_BACKED = 0.5  # the same for other names
MIN_SEEN = 2


def build_food_lexicon(examples: Iterable[Example]) -> Lexicon:
    """Find the known names for a training part of recipes; the result includes the lexicon by the older rule."""
    foods, training = load_foods(), read_training(examples)
    names = dict(foods.names)
    for name, count in training.seen.items():
        if count >= MIN_SEEN and name[-1] not in foods.others and not foods.covers(name):
            names[name] = training.form(name)
    mentioned, backed = count_mentions(training.texts, names, foods)
    known: dict[str, int] = {}
    for name, written in sorted(names.items()):
        least = SELDOM if name in foods.names else MIN_BACKED
        is_rare = name in foods.names and mentioned[name] < ENOUGH
        if is_rare or backed[name] >= least * mentioned[name]:
            known[written] = training.seen[name]
    return Lexicon(known, by_training=lexicon_of(training), foods=foods)
