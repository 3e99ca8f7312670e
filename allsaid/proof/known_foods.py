"""Known names of recipes, which can count as extra: the list of foods, and item names of the training part.

An agenda *backs* a name in its text if one of its items means that food; a mention counts if the word means a food
there (`allsaid.proof.foods.hierarchy`).

- A name of the list is known unless it mostly has another meaning in the training part: at least ``FREQUENT`` texts
  mention it, and the agendas of fewer than ``MIN_BACKED_LISTED`` of them back it. In two Meal-Master files of the
  corpus `library`, agendas backed names with another meaning ("sprinkle") in 2 to 7% of the texts that mention them,
  and foods served with a dish ("crackers") in 15% and more.
- An item name of the training part is known unless it ends with a food of the list or with a word such as "dough".
  Agendas must hold it at least ``MIN_SEEN`` times (2: a single occurrence may be a misread line) and back it in at
  least half of the training texts that mention it.
"""

from __future__ import annotations

from collections.abc import Iterable

from allsaid.proof.coverage import Lexicon, count_mentions, lexicon_of, read_training
from allsaid.proof.foods.hierarchy import load_foods
from schemas.example import Example

FREQUENT = 20  # a name of the list is known if fewer training texts mention it
MIN_BACKED_LISTED = 0.1  # or if the agendas of at least this share of these texts back it
MIN_BACKED = 0.5  # the same share for names that are not in the list
MIN_SEEN = 2


def build_food_lexicon(examples: Iterable[Example]) -> Lexicon:
    """Find the known names for a training part of recipes.

    The result also has ``by_training``, the lexicon of item names alone; NN-Swap uses it.
    """
    foods, training = load_foods(), read_training(examples)
    names = dict(foods.names)
    for name, count in training.seen.items():
        if count >= MIN_SEEN and name[-1] not in foods.no_foods and not foods.covers(name):
            names[name] = training.form(name)
    mentioned, backed = count_mentions(training.texts, names, foods)
    known: dict[str, int] = {}
    for name, written in sorted(names.items()):
        least = MIN_BACKED_LISTED if name in foods.names else MIN_BACKED
        is_rare = name in foods.names and mentioned[name] < FREQUENT
        if is_rare or backed[name] >= least * mentioned[name]:
            known[written] = training.seen[name]
    return Lexicon(known, by_training=lexicon_of(training), foods=foods)
