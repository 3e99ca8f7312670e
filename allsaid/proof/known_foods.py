"""Known names of recipes, which can count as extra: the list of foods, and item names of the training part.

- A name of the list is known, whatever the size of the corpus. The training part can only drop it, if the word has
  another meaning there: at least ``ENOUGH`` texts mention it and agendas back it in fewer than ``SELDOM`` of them.
  On two files of the library, words with other uses were backed in 2 to 7% of their mentions ("sprinkle"; "white
  bread", which is also a setting of bread machines). Foods that are served with a dish were backed in 15% and more
  ("crackers", "french bread"). The former are not in the list; the limit is for corpora with other such words.
- An item name of the training part is also known, unless it ends with a food of the list or a word for what recipes
  make; foods of the list count in any case. Agendas must hold it at least ``min_seen`` times (2: a single occurrence
  may be a misread line) and back it in at least half of the training texts that mention it.
- Dev and test agendas add nothing, so a text is measured without knowing them.

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


def build_food_lexicon(examples: Iterable[Example], min_seen: int = 2) -> Lexicon:
    """Find the known names for a training part of recipes; the result includes the lexicon by the older rule."""
    foods, training = load_foods(), read_training(examples)
    names = dict(foods.names)
    for name, count in training.seen.items():
        if count >= min_seen and name[-1] not in foods.others and not foods.covers(name):
            names[name] = training.form(name)
    mentioned, backed = count_mentions(training.texts, names, foods)
    known: dict[str, int] = {}
    for name, written in sorted(names.items()):
        least = SELDOM if name in foods.names else MIN_BACKED
        is_rare = name in foods.names and mentioned[name] < ENOUGH
        if is_rare or backed[name] >= least * mentioned[name]:
            known[written] = training.seen[name]
    return Lexicon(known, by_training=lexicon_of(training), foods=foods)
