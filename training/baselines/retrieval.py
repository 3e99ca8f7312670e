"""NN: the training text whose title and ingredients are most similar to the prompt's (Kiddon et al. 2016, section 5).

The paper specifies only "cosine similarity over the title and the ingredient list". Here a recipe is a vector of zeros
and ones: one position for each word of a title, and one for each word of an ingredient's name (phrases split), so that
"cream" in a title and in the list are different. On the dev part of the Meal-Master library, this weighting gave better
BLEU and % given than tf-idf, and than whole ingredient names instead of words.

The search is exact. With vectors of zeros and ones, the sparse product counts common words, and cosines are compared as
count² / words, whose float64 values are equal for true ties. Among equally near recipes, the one with the smallest
content hash, then the smallest id, is chosen.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from allsaid.modeling.data.agenda_arrays import Prompt
from allsaid.modeling.data.copied import number_words
from schemas.checks.table import from_table
from schemas.errors import UserError
from schemas.example import PHRASE_JOINER, Example


@dataclass(frozen=True)
class Nearest:
    """N recipes and the W words of their titles and ingredients, numbered titles first."""

    titles: dict[str, int]
    items: dict[str, int]
    starts: np.ndarray  # W + 1, int64: ``rows[starts[w]:starts[w + 1]]`` are the recipes that have word w
    rows: np.ndarray  # int32: the rank of each recipe by content hash and id
    sizes: np.ndarray  # N, float64, by rank: a recipe's number of different words; infinite if it has none
    places: np.ndarray  # N, int64, by rank: the recipe's row in ``recipes``
    recipes: pa.Table  # rows of schemas.example

    @classmethod
    def build(cls, tables: Iterable[pa.Table]) -> Nearest:
        """Index the rows of ``DataSet.tables("train")``; raise UserError if there are none."""
        parts = list(tables)
        if not any(len(part) for part in parts):
            raise UserError("There are no training texts to search. Run `allsaid ingest` first.")
        recipes = pa.concat_tables(parts)
        keys = [recipes.column(name).to_numpy().astype(str) for name in ("id", "content_hash")]
        places = np.lexsort(keys)
        ranks = np.empty_like(places)
        ranks[places] = np.arange(len(places))
        titles: dict[str, int] = {}
        items: dict[str, int] = {}
        title_words, title_rows = _pairs(recipes.column("goal_tokens"), titles)
        item_words, item_rows = _pairs(recipes.column("agenda_tokens"), items)
        words = np.concatenate([title_words, item_words + len(titles)])
        rows = ranks[np.concatenate([title_rows, item_rows])]
        once = np.unique(words * len(places) + rows)  # sorted by word, then by rank
        starts = np.searchsorted(once, np.arange(len(titles) + len(items) + 1) * len(places))
        rows = (once % len(places)).astype(np.int32)
        sizes = np.bincount(rows, minlength=len(places)).astype(np.float64)
        return cls(titles, items, starts, rows, np.where(sizes, sizes, np.inf), places, recipes)

    def find(self, prompts: Sequence[Prompt]) -> list[Example]:
        """Return the nearest recipe of each prompt; without common words, the first by content hash.

        Prompts are compared one at a time, so memory grows with the recipes alone.
        """
        places = self.places[[self._nearest(prompt) for prompt in prompts]]
        return from_table(self.recipes.take(places), Example)

    def _nearest(self, prompt: Prompt) -> int:
        known = [self.titles[word] for word in _split(prompt.goal_tokens) if word in self.titles]
        item_words = _split(token for item in prompt.agenda_tokens for token in item)
        known += [len(self.titles) + self.items[word] for word in item_words if word in self.items]
        shared = [self.rows[self.starts[word] : self.starts[word + 1]] for word in known]
        counts = np.bincount(np.concatenate([self.rows[:0], *shared]), minlength=len(self.sizes))
        return int(
            (counts.astype(np.float64) ** 2 / self.sizes).argmax()
        )  # the prompt's own length does not change the order


def _pairs(column: pa.ChunkedArray, words: dict[str, int]) -> tuple[np.ndarray, np.ndarray]:
    """Return the number of each word in a column of nested lists of tokens, and the word's row.

    ``words`` numbers the words; new ones are added to it.
    """
    values = column.combine_chunks()
    rows = np.arange(len(values))
    while pa.types.is_list(values.type):
        rows = rows[pc.list_parent_indices(values).to_numpy()]
        values = values.flatten()
    ids = number_words(values, words)
    return ids.flatten().to_numpy(), rows[pc.list_parent_indices(ids).to_numpy()]


def _split(tokens: Iterable[str]) -> set[str]:
    return {word for token in tokens for word in token.split(PHRASE_JOINER)}
