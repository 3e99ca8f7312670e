"""Kitchen words that ship with Allsaid (``kitchen.txt``): verbs by their action, vessels, units, made things."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

LIST = Path(__file__).with_name("kitchen.txt")
NOUN = "~"  # after a verb that is more often a noun or an adjective


@dataclass(frozen=True)
class Kitchen:
    """Words by their use. A word may have several."""

    verbs: dict[str, frozenset[str]]  # imperative -> actions: "mix", "heat", "cut", …
    nouns: frozenset[str]  # the verbs that are more often nouns or adjectives
    words: dict[str, frozenset[str]]  # use -> words: "vessel", "heat", "made", …

    def __getitem__(self, use: str) -> frozenset[str]:
        return self.words[use]


@lru_cache(maxsize=1)
def load_kitchen() -> Kitchen:
    """Load the words that ship with Allsaid."""
    return parse_kitchen(LIST.read_text(encoding="utf-8").splitlines())


def parse_kitchen(lines: Iterable[str]) -> Kitchen:
    """Parse lines of words; ``@ use`` or ``@ verb action`` names the use of the words up to the next such line."""
    verbs: dict[str, set[str]] = {}
    words: dict[str, set[str]] = {}
    nouns: set[str] = set()
    use = action = ""
    for line in filter(None, (line.partition("#")[0].strip() for line in lines)):
        if line.startswith("@"):
            use, _, action = line[1:].strip().partition(" ")
            continue
        for word in line.split():
            plain = word.removesuffix(NOUN)
            if word != plain:
                nouns.add(plain)
            words.setdefault(use, set()).add(plain)
            if action:
                verbs.setdefault(plain, set()).add(action)
    return Kitchen(
        {verb: frozenset(actions) for verb, actions in verbs.items()},
        frozenset(nouns),
        {name: frozenset(found) for name, found in words.items()},
    )
