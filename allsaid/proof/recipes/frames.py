"""Steps of a recipe as sentences, clauses and lists of foods.

A clause is one command: an opening ("in a large bowl,"), a verb and its objects. A group is a list of foods that share
a verb or a preposition: "the flour, sugar and 1/2 teaspoon of the salt". All positions count words.
`allsaid.proof.recipes.parser` finds them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from allsaid.proof.recipes.mentions import Mention
from schemas.example import LINE_BREAK

ENDS = frozenset((".", "!", "?", LINE_BREAK))
JOINS = frozenset((",", "and", "or", "&", "plus", "/", "and/or"))


@dataclass(frozen=True)
class Member:
    """One food of a list, with its article, amount and adjectives."""

    start: int
    end: int
    mention: Mention | None  # None for an unknown food: "seasonings"


@dataclass(frozen=True)
class Group:
    members: tuple[Member, ...]
    governor: int | None  # the preposition before the list, if there is one

    @property
    def start(self) -> int:
        return self.members[0].start

    @property
    def end(self) -> int:
        return self.members[-1].end

    @property
    def mentions(self) -> list[Mention]:
        return [member.mention for member in self.members if member.mention]


@dataclass(frozen=True)
class Clause:
    start: int  # after the words that join it to the clause before
    end: int
    verb: int | None  # the command
    groups: tuple[Group, ...]

    @property
    def mentions(self) -> list[Mention]:
        return [mention for group in self.groups for mention in group.mentions]


@dataclass(frozen=True)
class Sentence:
    start: int
    end: int  # after its end mark
    clauses: tuple[Clause, ...]


@dataclass(frozen=True)
class Steps:
    """A parsed text."""

    words: Sequence[str]
    sentences: tuple[Sentence, ...]

    @cached_property
    def clauses(self) -> list[Clause]:
        return [clause for sentence in self.sentences for clause in sentence.clauses]

    def verb(self, clause: Clause) -> str:
        """Return the command of a clause, "" without one."""
        return "" if clause.verb is None else self.words[clause.verb]
