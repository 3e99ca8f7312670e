"""The edit of one prototype for one row: assign, swap, delete, insert."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from allsaid.decoding.editing.align import gaps, may_share_head
from allsaid.decoding.editing.cuts import cut
from allsaid.decoding.editing.draft import ClauseDraft, Draft, FoodList, Member, SentenceDraft
from allsaid.decoding.editing.insertion import Inserter
from allsaid.decoding.editing.items import Item
from allsaid.decoding.editing.loans import Loan
from allsaid.decoding.editing.operations import drop_after, drop_times, join_lone, keep_whole, remove
from allsaid.decoding.editing.shares import fix_amount
from allsaid.language.inflection import article, is_plural, singular
from allsaid.language.text import listed
from allsaid.modeling.prototypes.roles import Roles, key_of, kinds_of
from allsaid.proof.foods.names import Stems, stems_of, words_of
from allsaid.proof.recipes.kitchen import load_kitchen
from allsaid.proof.recipes.mentions import Namer

_KITCHEN = load_kitchen()
# Words before a name that may stay when another food replaces the name.
_GENERAL = _KITCHEN["determiner"] | _KITCHEN["number"] | _KITCHEN["unit"]
_GENERAL |= listed("remaining reserved additional more rest some all of ( ) - to or about just enough only a an")
_GENERAL |= listed("fresh hot cold warm")
_PARTS = listed("fat drippings grease liquid juices bones broth stock")  # come out of an item while it cooks
_FRUIT_PARTS = listed("peel zest rind juice")
_GROWN = frozenset(("fruit", "vegetable"))  # kinds of foods that also name what is made of them
_LEFT = frozenset(("remaining", "rest"))
_SHARES = listed("half some most part third quarter few little enough additional more")
_EGG_PARTS = listed("yolk yolks white whites")
_UNCUT = frozenset(("pasta", "noodle", "rice"))  # kinds of foods
_FREE = frozenset(("water", "ice"))  # available in every kitchen, and missing in many agendas
_SINGULAR = frozenset(("each", "every", "another", "one", "second"))
_BE_OF = {word: pair for pair in (("is", "are"), ("was", "were"), ("has", "have")) for word in pair}
USUAL, STRANGEST = 0.7, 2.0  # a use is strange if its `Roles.fit` is below -0.7; one use counts at most 2


@dataclass
class Edit:
    """The changes that were made to a prototype."""

    swapped: list[tuple[str, str]] = field(default_factory=list)
    deleted: list[str] = field(default_factory=list)
    inserted: list[str] = field(default_factory=list)
    filled: list[str] = field(default_factory=list)  # names that took the places of unlike foods
    clauses_deleted: int = 0


def _agree(clause: ClauseDraft, foods: FoodList) -> None:
    """Make the verb after a food agree in number: "until the leeks are tender"."""
    place = clause.parts.index(foods) + 1
    verb = clause.parts[place] if place < len(clause.parts) else ""
    if len(foods.members) == 1 and isinstance(verb, str) and verb in _BE_OF:
        clause.parts[place] = _BE_OF[verb][is_plural(foods.members[0].name[-1])]


def _has_number(member: Member) -> bool:
    return any(word[:1].isdigit() for word in member.before)


class Editor:
    """Edits a draft in place. ``pairs`` maps places of the prototype's agenda to places of the row's."""

    def __init__(
        self,
        draft: Draft,
        prototype_items: Sequence[Item],
        row_items: Sequence[Item],
        pairs: Mapping[int, int],
        roles: Roles,
        namer: Namer,
        loans: Sequence[Loan] = (),
        dish: Stems = (),
        title: Collection[str] = (),
    ) -> None:
        """loans: sentences of other recipes, the nearest first.

        dish: the dish that the row's title names. title: the stems of the prototype's title.
        """
        self.loans, self.dish, self.title = loans, dish, title
        self.draft, self.prototype_items, self.row_items = draft, prototype_items, row_items
        filled = gaps(draft, prototype_items, row_items, pairs, roles)
        self.pairs = {**pairs, **filled}
        self.roles, self.namer = roles, namer
        self.done = Edit(filled=[" ".join(row_items[item].name) for item in filled.values()])
        self._parts: dict[Member, int] = {}  # renamed members -> their items
        words = {*draft.words}
        self._both_parts = not words.isdisjoint(("yolk", "yolks")) and not words.isdisjoint(("white", "whites"))

    def run(self) -> Edit:
        gone = self._assign()
        self.done.clauses_deleted = remove(self.draft, gone)
        self._divide()
        self.done.inserted = Inserter(self.draft, self.row_items, self.roles, self.loans, self._rename).run()
        for _, _, foods in self.draft.lists():
            foods.drop_repeated()
        cut(self.draft, self.row_items, self.roles)
        join_lone(self.draft)
        keep_whole(self.draft, self._is_uncut)
        if self._is_about_another():
            drop_times(self.draft)
        sentences = self.draft.sentences
        # Drop a sentence that only repeats the end of the one before, such as "serve".
        new = (later for last, later in pairwise(sentences) if last.words[-len(later.words) :] != later.words)
        self.draft.sentences = [*sentences[:1], *new]
        return self.done

    def _is_uncut(self, member: Member) -> bool:
        return member.row_item is not None and not _UNCUT.isdisjoint(kinds_of(self.row_items[member.row_item].key))

    def _is_about_another(self) -> bool:
        """Return whether another food replaces one of the prototype's title; no for a dough, which keeps its times."""
        if any("flour" in kinds_of(food.key) | {food.key} for food in self.row_items):
            return False
        main = [item for item, food in enumerate(self.prototype_items) if food.head in self.title]
        keys = {item: self.row_items[row_item].key for item, row_item in self.pairs.items()}
        return any(keys.get(item) != self.prototype_items[item].key for item in main)

    def _assign(self) -> list[tuple[SentenceDraft, ClauseDraft, FoodList, Member]]:
        """Replace the members by the items of the row; return the members that no item replaces."""
        gone = []
        named: list[int] = []
        for sentence, clause, foods in self.draft.lists():
            taken: set[int] = set()
            for member in list(foods.members):
                if not member.is_food or self._is_part(member) or self._is_dish(member):
                    continue
                row_item = self._row_item_of(member, named)
                if row_item is None or row_item in taken:
                    if not _FREE.intersection(member.name):
                        gone.append((sentence, clause, foods, member))
                        if row_item is None:
                            self.done.deleted.append(" ".join(member.name))
                    continue
                taken.add(row_item)
                named.append(row_item)
                head = stems_of(member.name)[-1]
                if parts := [item for item in member.origins if self.prototype_items[item].head == head]:
                    self._parts[member] = next((item for item in parts if self.pairs.get(item) == row_item), parts[0])
                self._rename(member, row_item, foods, clause)
        if not any("fruit" in kinds_of(self.row_items[item].key) for item in named):
            drop_after(self.draft, _FRUIT_PARTS)
        return gone

    def _divide(self) -> None:
        """Leave enough of each item for its later steps: "most of the oil" before "the remaining oil"."""
        uses: dict[int, list[Member]] = {}
        for _, clause, foods in self.draft.lists():
            for member in foods.members:
                if member.row_item is not None and not foods.is_mixture and clause.verb is not None:
                    uses.setdefault(member.row_item, []).append(member)
        for members in uses.values():
            last = next((place for place, member in enumerate(members) if _LEFT.intersection(member.before)), None)
            if any(member.name[-1] in _EGG_PARTS for member in members):
                continue
            if last is None:
                parts = [self._parts.get(member, -1) for member in members]
                last = next(
                    (place for place, part in enumerate(parts) if part != parts[0] and min(part, parts[0]) >= 0), 0
                )
            elif last == 0:
                members[0].before = ["the", *(word for word in members[0].before if word not in _LEFT | {"the"})]
            if not last or any(_SHARES.intersection(member.before) or _has_number(member) for member in members[:last]):
                continue
            members[0].before = ["most", "of", "the", *(word for word in members[0].before if word != "the")]
            if not _LEFT.intersection(members[last].before):
                rest = [word for word in members[last].before if word not in ("the", "a", "an")]
                members[last].before = ["the", "remaining", *rest]

    def _is_dish(self, member: Member) -> bool:
        """Return whether a name is the dish itself: "bake the bread"."""
        name = stems_of(member.name)
        items = (*self.row_items, *self.prototype_items)
        return name == self.dish and not any(name == stems_of(item.name) for item in items)

    def _is_part(self, member: Member) -> bool:
        """Return whether a name means something that comes out of an item: "drain off the fat" of the bacon."""
        if member.name[-1] not in _PARTS:
            return False
        item_words = [words_of(self.row_items[item].tokens) for item in self.namer.meant(stems_of(member.name))]
        others = {*member.name[:-1]} - {"excess"}
        return any(others <= {*words} for words in item_words) and not any(
            member.name[-1] in words for words in item_words
        )

    def _row_item_of(self, member: Member, named: Sequence[int]) -> int | None:
        heads = [self.prototype_items[item].head for item in member.origins]
        same = [item for item, head in zip(member.origins, heads, strict=True) if head == heads[0]]
        if is_spice := member.name == ["pepper"]:
            same = [item for item in same if "vegetable" not in kinds_of(self.prototype_items[item].key)]
        paired = [self.pairs[item] for item in same if item in self.pairs]
        if same and member.name[-1] in _PARTS and member.name[-1] not in words_of(self.prototype_items[same[0]].tokens):
            paired = []  # the broth of a prototype's chicken is not replaced by what replaces the chicken
        if len(paired) > 1:
            new = [item for item in paired if item not in named]
            return new[0] if new else paired[0]
        if paired:
            return paired[0]
        for item in self.namer.meant(stems_of(member.name)):
            line = self.row_items[item]
            if is_spice and "vegetable" in kinds_of(line.key):
                continue
            if line.is_pair and not {*member.name} <= {*line.name}:
                continue
            if line.key == "egg" and member.name[-1] in _EGG_PARTS:
                return item
            key = key_of(tuple(member.name))
            known = {line.key, *kinds_of(line.key)}
            has_head = stems_of(member.name)[-1] == line.head and may_share_head(
                key, line.key
            )  # no peanut butter is butter
            if has_head or len(known) == 1 or key in known or _GROWN & kinds_of(key):
                return item  # "milk" does not mean milk chocolate, "chocolate" does
        return None

    def _rename(self, member: Member, row_item: int, foods: FoodList, clause: ClauseDraft) -> None:
        """Replace a name of the prototype by that of a row's item; keep only the adjectives that fit the item."""
        member.row_item = row_item
        item = self.row_items[row_item]
        stems = stems_of(member.name)
        meant_items = self.namer.meant(stems)
        is_ours = {*member.name} <= {*item.name, *" ".join(item.tokens).replace("_", " ").split()}
        has_name = row_item in meant_items and (stems[-1] == stems_of(item.tokens)[-1] or row_item == meant_items[0])
        if is_ours and has_name and not item.is_pair and may_share_head(key_of(tuple(member.name)), item.key):
            fix_amount(member, item, self._replaced(member, row_item))
            return
        old = " ".join(member.name)
        if item.key == "egg" and member.name[-1] in _EGG_PARTS and self._separates(item):
            member.name = ["egg", member.name[-1]]
            return
        part = [word for word in member.name[-1:] if word in _FRUIT_PARTS and self._comes_from(member, word, item)]
        member.name = [*item.name]
        if part or foods.is_mixture:
            member.name = [*item.name[:-1], singular(item.name[-1]), *part]
        member.after = [word for word in member.after if word == "mixture"]
        line = item.line.lower()
        member.before = [
            word
            for word in member.before
            if word in _GENERAL
            or word[:1].isdigit()
            or word in _FRUIT_PARTS
            or self.roles.adjectives.get((item.key, word), 0) > 2
            or word in line
        ]
        if member.before[-1:] == ["of"] and not any(word in _KITCHEN["unit"] for word in member.before):
            member.before.pop()
        if not is_ours and (old, " ".join(item.name)) not in self.done.swapped:
            self.done.swapped.append((old, " ".join(item.name)))
        fix_amount(member, item, self._replaced(member, row_item))
        if _SINGULAR.intersection(member.before[-1:]):
            member.name[-1] = singular(member.name[-1])
        _agree(clause, foods)
        if "a" in member.before or "an" in member.before:
            place = max(member.before.index(word) for word in ("a", "an") if word in member.before)
            after = [*member.before[place + 1 :], *member.name]
            member.before[place] = article(after)
            if item.is_plural and place == len(member.before) - 1:
                del member.before[place]

    def _comes_from(self, member: Member, part: str, item: Item) -> bool:
        """Return whether a name means a part of a fruit that comes whole: "lemon peel" of a lemon."""
        lines = [self.prototype_items[place].line for place in member.origins[:1]]
        return bool(lines) and part not in lines[0].lower() and part not in item.name and "fruit" in kinds_of(item.key)

    def _separates(self, eggs: Item) -> bool:
        """Return whether the row's line or the text is about both parts of eggs."""
        return "separated" in eggs.line.lower() or self._both_parts

    def strangeness(self) -> float:
        """Return how unusual the foods are in their clauses, summed up: "slice the allspice"."""
        total = 0.0
        for _, clause, foods in self.draft.lists():
            use = f"{clause.command} {foods.preposition}".strip()
            for member in foods.members:
                if member.row_item is not None and clause.verb is not None:
                    fit = self.roles.fit(self.row_items[member.row_item].key, use)
                    total += min(max(-fit - USUAL, 0.0), STRANGEST)
        return total

    def spell_out(self, items: Iterable[int]) -> bool:
        """Write the full names of items that a short name does not cover; return whether a name has changed."""
        changed = False
        for item in items:
            members = (member for _, _, foods in self.draft.lists() for member in foods.members)
            named = (member for member in members if member.row_item == item)
            line = self.row_items[item]
            full = [*line.name] if line.is_pair else words_of(line.tokens)[-4:]
            if (first := next(named, None)) is not None and full and first.name != full:
                first.name, changed = full, True
        return changed

    def _replaced(self, member: Member, row_item: int) -> list[Item]:
        """Return the prototype's items that a member may mean and that this item of the row replaces."""
        return [self.prototype_items[place] for place in member.origins if self.pairs.get(place) == row_item]
