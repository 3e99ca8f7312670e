"""Insertion of items that a prototype lacks: in borrowed sentences, as members of lists, or in clauses of their own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from allsaid.decoding.editing.draft import ClauseDraft, Draft, FoodList, Member, SentenceDraft
from allsaid.decoding.editing.items import Item
from allsaid.decoding.editing.loans import Loan
from allsaid.language.text import listed
from allsaid.modeling.prototypes.roles import Roles, kinds_of
from allsaid.proof.foods.names import stems_of
from allsaid.proof.recipes.kitchen import load_kitchen

_LISTS = frozenset(("", "with", "in"))  # prepositions of the lists to which a food may be added
NEW_CLAUSE = 0.12  # if no list fits a food at least this well, the food gets a clause of its own
# Agendas list items in the order of use: distance of two items -> bonus for adding one to the list of the other.
NEIGHBOUR = {1: 0.15, 2: 0.08}
# Commands whose lists any food may join; for lists of other commands, a food must be usual.
_OF_ANY_FOOD = listed("add beat combine mix stir blend toss place put whisk pour process heat cook serve")
USUAL = 0.3  # least `Roles.fit` of a usual food
# Commands that fill a dish, which a pie shell can replace; prepositions before the dish; and commands that follow.
_FILLS = listed("pour turn spoon spread put place pack press scrape transfer arrange")
_INTO = frozenset(("into", "in"))
_DISHES = load_kitchen()["vessel"] & listed("casserole dish pan plate tin mold ramekins")
_AFTER_FILLING = listed("bake chill refrigerate freeze")
_PHRASE = 8  # most words of a phrase such as "into a greased 9 inch pan"
_TEMPLATES = ("add", "stir in", "garnish with", "sprinkle with", "season with", "top with", "serve with", "fold in")


@dataclass(frozen=True)
class Inserter:
    """Inserter of the missing items of a row into a draft, which it changes."""

    draft: Draft
    row_items: Sequence[Item]
    roles: Roles
    loans: Sequence[Loan]  # sentences of other recipes, those of the nearest first
    rename: Callable[[Member, int, FoodList, ClauseDraft], None]  # gives a member the name of an item of the row

    def run(self) -> list[str]:
        """Insert the missing items; return their names."""
        named = {member.row_item for _, _, foods in self.draft.lists() for member in foods.members}
        stated = {self._meaning(name) for name in named if name is not None}
        missing: list[int] = []
        for item in range(len(self.row_items)):
            if item not in named and self._meaning(item) not in stated:  # one mention is enough for two lines of a food
                missing.append(item)
                stated.add(self._meaning(item))
        missing.sort(key=lambda item: self.roles.places.get(self.row_items[item].key, 0.5))
        names = [" ".join(self.row_items[item].name) for item in missing]
        cases = [item for item in missing if self.row_items[item].is_pastry_case]
        for item in cases:
            self._fill(item)
        self._get_ready([item for item in missing if self.row_items[item].is_tool and item not in cases])
        self._finish([item for item in missing if self.row_items[item].finish])
        missing = [
            item
            for item in missing
            if not (item in cases or self.row_items[item].is_tool or self.row_items[item].finish)
        ]
        while (loan := self._best_loan(missing)) is not None:
            missing = self._borrow(loan, missing)
        if part := self._second_part(missing):
            missing = [item for item in missing if item not in part]
            self._combine(part)
        for item in missing:
            best, score = self._best_list(item)
            if best is None or score < NEW_CLAUSE:
                self._new_clause(item)
            else:
                self._join(best, item)
        return names

    def _best_loan(self, missing: Sequence[int]) -> Loan | None:
        """Return the sentence that names the most missing items, at least two, and no other food."""
        keys = {self.row_items[item].key for item in missing}
        fitting = [loan for loan in self.loans if len(loan.keys) > 1 and keys.issuperset(loan.keys)]
        return max(fitting, key=lambda loan: len(loan.keys), default=None)

    def _borrow(self, loan: Loan, missing: Sequence[int]) -> list[int]:
        """Insert a sentence of another recipe; return the items that are still missing."""
        items = {self.row_items[item].key: item for item in reversed(missing)}
        sentence = loan.draft()
        for clause in sentence.clauses:
            for foods in clause.lists:
                for member in foods.members:
                    if member.origins:
                        item, member.origins = items[loan.items[member.origins[0]].key], ()
                        self.rename(member, item, foods, clause)
        self.draft.sentences.insert(self._before_serving(round(loan.place * len(self.draft.sentences))), sentence)
        borrowed = {items[key] for key in loan.keys}
        return [item for item in missing if item not in borrowed]

    def _second_part(self, missing: Sequence[int]) -> list[int]:
        """Return the last items of the agenda if they are for a second part of the dish, such as a glaze.

        Each of them is missing, or repeats an earlier food of the agenda. At least two are missing, and one is not.
        """
        keys = [item.key for item in self.row_items]
        start = len(keys)
        while start and (start - 1 in missing or keys[start - 1] in keys[: start - 1]):
            start -= 1
        new = sum(item >= start for item in missing)
        return [*range(start, len(keys))] if start > 1 and 2 <= new < len(keys) - start else []

    def _combine(self, part: Sequence[int]) -> None:
        """End with a sentence that mixes items and puts them on the dish."""
        items = {self.row_items[item].name: item for item in part}
        foods = FoodList([Member([], list(name), [], row_item=item) for name, item in items.items()], "")
        mix = ClauseDraft([], ["combine", foods], 0)
        top = ClauseDraft([",", "and"], ["top", "with", "the", "mixture"], 0)
        place = self._before_serving(len(self.draft.sentences))
        self.draft.sentences.insert(place, SentenceDraft([mix, top]))

    def _before_serving(self, place: int) -> int:
        """Return a place for a sentence, or the one before the last steps there."""
        while place and self.draft.sentences[place - 1].words[:1] in (["serve"], ["garnish"], ["cool"]):
            place -= 1
        return place

    def _meaning(self, item: int) -> tuple[str, str]:
        """Return a food's key with the head of its name; one mention covers all items that have the same."""
        return self.row_items[item].key, stems_of(self.row_items[item].tokens)[-1]

    def _best_list(self, item: int) -> tuple[FoodList | None, float]:
        key = self.row_items[item].key
        best: FoodList | None = None
        most = 0.0
        seen: set[int] = set()
        total = max(len(self.draft.sentences), 1)
        for number, sentence in enumerate(self.draft.sentences):
            for clause in sentence.clauses:
                for foods in clause.lists:
                    row_items = [member.row_item for member in foods.members if member.row_item is not None]
                    new = [item for item in row_items if item not in seen]
                    seen.update(row_items)
                    if not new or foods.is_mixture or foods.preposition not in _LISTS or clause.verb is None:
                        continue
                    if clause.parts.index(foods) < clause.verb:
                        continue
                    if "boiling" in clause.parts and not any(
                        kinds_of(key) & kinds_of(self.row_items[item].key) for item in new
                    ):
                        continue  # the pasta's boiling water is not for the ham
                    company = max(self.roles.company(key, self.row_items[item].key) for item in new)
                    use = f"{clause.command} {foods.preposition}".strip()
                    fit = min(max(self.roles.fit(key, use), -2.0), 2.0)
                    if clause.command not in _OF_ANY_FOOD and fit < USUAL:
                        continue
                    nearest = min(abs(place - item) for place in new)
                    away = abs(number / total - self.roles.places.get(key, 0.5))
                    score = company + 0.08 * fit - 0.1 * away + NEIGHBOUR.get(nearest, 0)
                    if score > most:
                        best, most = foods, score
        return best, most

    def _join(self, foods: FoodList, item: int) -> None:
        bare = sum(member.before[:1] != ["the"] for member in foods.members if member.is_food)
        before = [] if bare else ["the"]
        member = Member(before, list(self.row_items[item].name), [], row_item=item)
        foods.joined = "and"
        foods.members.insert(max(len(foods.members) - 1, 1), member)

    def _new_clause(self, item: int) -> None:
        key, name = self.row_items[item].key, list(self.row_items[item].name)
        use = next((phrase for phrase in self.roles.usual_alone.get(key, ()) if phrase in _TEMPLATES), "add")
        parts = use.split()
        member = Member([] if len(parts) > 1 else ["the"], name, [], row_item=item)
        foods = FoodList([member], parts[1] if len(parts) > 1 else "")
        clause = ClauseDraft([], [*parts, foods], 0)
        self.draft.sentences.insert(self._place_of(item), SentenceDraft([clause]))

    def _get_ready(self, tools: Sequence[int]) -> None:
        """Begin with a sentence about tools that no step names: "have the skewers ready"."""
        words = {*self.draft.words}
        tools = [item for item in tools if self.row_items[item].name[-1] not in words]
        if tools:
            foods = FoodList(
                [Member(["the"], list(self.row_items[item].name), [], row_item=item) for item in tools], ""
            )
            self.draft.sentences.insert(0, SentenceDraft([ClauseDraft([], ["have", foods, "ready"], 0)]))

    def _fill(self, item: int) -> None:
        """Fill a pie shell: in the clause that fills a dish, or before the step that bakes or chills."""
        foods = FoodList([Member(["the"], list(self.row_items[item].name), [], row_item=item)], "into")
        for sentence in self.draft.sentences:
            for clause in sentence.clauses:
                after = range((clause.verb or 0) + 1, len(clause.parts))
                place = next((position for position in after if clause.parts[position] in _INTO), None)
                if place is None or clause.command not in _FILLS:
                    continue
                phrase = clause.parts[place + 1 : place + _PHRASE]
                end = next((position for position, part in enumerate(phrase) if part in _DISHES), None)
                if end is not None and all(isinstance(part, str) for part in phrase[: end + 1]):
                    clause.parts[place : place + end + 2] = ["into", foods]
                    return
        ends = (
            place
            for place, sentence in enumerate(self.draft.sentences)
            if sentence.words[:1] and sentence.words[0] in _AFTER_FILLING
        )
        sentence = SentenceDraft([ClauseDraft([], ["spoon", "into", foods], 0)])
        self.draft.sentences.insert(next(ends, self._before_serving(len(self.draft.sentences))), sentence)

    def _finish(self, items: Sequence[int]) -> None:
        """End with the use that lines name for their item: "garnish with parsley and lemon wedges"."""
        for finish in dict.fromkeys(self.row_items[item].finish for item in items):
            same = [item for item in items if self.row_items[item].finish == finish]
            foods = FoodList([Member([], list(self.row_items[item].name), [], row_item=item) for item in same], "with")
            end = len(self.draft.sentences)
            place = end if finish == "serve" else self._before_serving(end)
            self.draft.sentences.insert(place, SentenceDraft([ClauseDraft([], [finish, "with", foods], 0)]))

    def _place_of(self, item: int) -> int:
        """Return where a sentence about an item belongs: after its nearest neighbour in the agenda is first named."""
        first: dict[int, int] = {}
        for number, sentence in enumerate(self.draft.sentences):
            for clause in sentence.clauses:
                for foods in clause.lists:
                    for member in foods.members:
                        if member.row_item is not None:
                            first.setdefault(member.row_item, number)
        if first:
            return first[min(first, key=lambda place: (abs(place - item), place))] + 1
        total = len(self.draft.sentences)
        return min(max(round(self.roles.places.get(self.row_items[item].key, 0.5) * total), 1), total)
