"""A recipe as the rules of the checker read it: its row, and its text split into words, mentions and steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from allsaid.language.text import listed
from allsaid.proof.coverage import Lexicon
from allsaid.proof.foods.hierarchy import load_foods
from allsaid.proof.foods.names import Stems, stems_of
from allsaid.proof.recipes.frames import Clause, Sentence, Steps
from allsaid.proof.recipes.kitchen import load_kitchen
from allsaid.proof.recipes.mentions import Mention, Namer, split_words
from allsaid.proof.recipes.parser import parse
from schemas.texts.finding import Finding

KITCHEN = load_kitchen()
# Words that may follow a whole name: "eggs and milk", unlike "egg wash".
_AFTER_NAME = listed("and or to into in with until then together over at while for on by from")


def kinds_of(name: Stems) -> frozenset[str]:
    """Return the canonical name of the food at the end of a name, and the general words for it."""
    foods = load_foods()
    for start in range(len(name)):
        if name[start:] in foods.canonical:
            return foods.kinds[name[start:]]
    return frozenset()


@dataclass(frozen=True, eq=False)
class ParsedRecipe:
    """A text with its row, whose agenda has L items."""

    goal: Sequence[str]  # tokens
    lines: Sequence[str]  # (L,) the items as written
    names: Sequence[Sequence[str]]  # (L,) tokens of their names
    tokens: Sequence[str]
    lexicon: Lexicon

    @cached_property
    def _split(self) -> tuple[list[str], list[int]]:
        return split_words(self.tokens)

    @cached_property
    def words(self) -> list[str]:
        return self._split[0]

    @cached_property
    def namer(self) -> Namer:
        return Namer(self.names, self.lexicon)

    @cached_property
    def mentions(self) -> list[Mention]:
        return self.namer.find(self.words)

    @cached_property
    def steps(self) -> Steps:
        return parse(self.words, self.mentions)

    def first(self, item: int) -> int | None:
        """Return the position of the first word that may mean an item."""
        return next((mention.start for mention in self.mentions if item in mention.items), None)

    def ends_name(self, end: int) -> bool:
        """Return whether a name ends at a position: "egg" does not in "egg wash", whose name goes on."""
        after = self.words[end : end + 1]
        return not after or not after[0].isalpha() or after[0] in _AFTER_NAME

    def is_listed_again(self, mention: Mention) -> bool:
        """Return whether another line has the same food: "sugar" may mean "3/4 c sugar" or "1 tb white sugar"."""
        head = stems_of(self.words[mention.end - 1 : mention.end])[0]
        return not {item for item, name in enumerate(self.names) if head in stems_of(name)} <= {*mention.items}

    def finding(self, kind: str, part: Sentence | Clause | tuple[int, int]) -> Finding:
        """Return a finding about a passage of words."""
        start, end = part if isinstance(part, tuple) else (part.start, part.end)
        places = self._split[1]
        first, last = places[start], places[max(end - 1, start)] + 1
        return Finding(kind, first, last, " ".join(self.words[start:end]))
