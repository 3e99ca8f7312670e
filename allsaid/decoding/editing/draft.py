"""A recipe's text while it is edited: sentences of clauses, whose lists of foods can be changed member by member."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from allsaid.proof.recipes.frames import JOINS, Clause, Group, Steps
from allsaid.proof.recipes.mentions import MIXED


@dataclass(eq=False)
class Member:
    """A food of a list: "1/2 cup of the | brown sugar |"."""

    before: list[str]
    name: list[str]
    after: list[str]
    origins: tuple[int, ...] = ()  # places in the prototype's agenda, the best first
    row_item: int | None = None  # the place in the row's agenda, once it is known
    is_food: bool = True  # False for words that are no known food: "seasonings"

    @property
    def words(self) -> list[str]:
        return [*self.before, *self.name, *self.after]


@dataclass(eq=False)
class FoodList:
    members: list[Member]
    preposition: str  # before the list, or ""
    joined: str = "and"
    is_mixture: bool = False  # "flour mixture"

    def drop_repeated(self) -> None:
        """Keep only the first of the members that have the same words, apart from "the" and "and"."""
        seen: set[tuple[str, ...]] = set()
        for member in list(self.members):
            words = tuple(word for word in member.words if word not in ("the", "and", "&"))
            if words in seen:
                self.members.remove(member)
            seen.add(words)

    @property
    def words(self) -> list[str]:
        """Return the members, joined as English joins a list."""
        parts = [member.words for member in self.members]
        if len(parts) < 3:
            joined = [word for part in parts[:-1] for word in [*part, self.joined]]
        else:
            joined = [word for part in parts[:-1] for word in [*part, ","]] + [self.joined]
        return [*joined, *parts[-1]] if parts else []


@dataclass(eq=False)
class ClauseDraft:
    joins: list[str]  # words between it and the clause before
    parts: list[str | FoodList]
    verb: int | None  # the place of the command in ``parts``

    @property
    def lists(self) -> list[FoodList]:
        return [part for part in self.parts if isinstance(part, FoodList)]

    @property
    def command(self) -> str:
        return str(self.parts[self.verb]) if self.verb is not None else ""

    @property
    def words(self) -> list[str]:
        return [word for part in self.parts for word in ([part] if isinstance(part, str) else part.words)]


@dataclass(eq=False)
class SentenceDraft:
    clauses: list[ClauseDraft]
    marks: list[str] = field(default_factory=lambda: ["."])

    @property
    def words(self) -> list[str]:
        words: list[str] = []
        for clause in self.clauses:
            words += clause.words if not words else [*clause.joins, *clause.words]
        return [*words, *self.marks] if words else [mark for mark in self.marks if mark.startswith("<")]


@dataclass
class Draft:
    sentences: list[SentenceDraft]

    @property
    def words(self) -> list[str]:
        return [word for sentence in self.sentences for word in sentence.words]

    def lists(self) -> Iterator[tuple[SentenceDraft, ClauseDraft, FoodList]]:
        for sentence in self.sentences:
            for clause in sentence.clauses:
                for foods in clause.lists:
                    yield sentence, clause, foods


def draft_of(steps: Steps) -> Draft:
    """Return a draft of a parsed text."""
    sentences = []
    for sentence in steps.sentences:
        clauses = []
        end = sentence.start
        for clause in sentence.clauses:
            clauses.append(_clause(steps, clause, list(steps.words[end : clause.start])))
            end = clause.end
        sentences.append(SentenceDraft(clauses, list(steps.words[end : sentence.end])))
    return Draft(sentences)


def _clause(steps: Steps, clause: Clause, joins: list[str]) -> ClauseDraft:
    parts: list[str | FoodList] = []
    groups = {group.start: group for group in clause.groups}
    place, verb = clause.start, None
    while place < clause.end:
        if place == clause.verb:
            verb = len(parts)
        if place in groups:
            parts.append(_foods(steps, groups[place]))
            place = groups[place].end
        else:
            parts.append(steps.words[place])
            place += 1
    return ClauseDraft(joins, parts, verb)


def _foods(steps: Steps, group: Group) -> FoodList:
    words = steps.words
    members = []
    for member in group.members:
        if member.mention is None:
            members.append(Member([], list(words[member.start : member.end]), [], is_food=False))
        else:
            start, end = member.mention.start, member.mention.end
            members.append(
                Member(
                    list(words[member.start : start]),
                    list(words[start:end]),
                    list(words[end : member.end]),
                    member.mention.items,
                )
            )
    between = [word for word in words[group.start : group.end] if word in JOINS and word != ","]
    preposition = "" if group.governor is None else words[group.governor]
    is_mixture = words[group.end : group.end + 1] == [MIXED] or words[group.end - 1] == MIXED
    return FoodList(members, preposition, "or" if between and set(between) == {"or"} else "and", is_mixture)
