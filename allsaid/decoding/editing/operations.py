"""Delete foods and clauses from a draft so that complete sentences remain."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import pairwise

from allsaid.decoding.editing.draft import ClauseDraft, Draft, FoodList, Member, SentenceDraft
from allsaid.language.inflection import is_plural
from allsaid.language.text import listed
from allsaid.proof.recipes.kitchen import load_kitchen

_KITCHEN = load_kitchen()
_BE = listed("is are has have was were becomes become begins begin starts start turns turn")
_UNTIL = listed("until till when if while after as once before")
# Verbs that need their ingredient: a clause without it is deleted.
_NEEDS = listed(
    """garnish sprinkle season dot brush top dust baste stuff fill coat dredge dip roll flavor decorate cover
    spread drizzle glaze frost ice rub grease moisten pour spoon ladle layer line place arrange bread flour"""
)
# Verbs of clauses that stay complete when the clause before them is deleted.
_GOES_ON = listed(
    """cook simmer boil bring cover stir mix bake heat reduce serve chill cool beat blend toss refrigerate continue
    return let allow preheat set turn saute fry microwave broil grill season adjust taste freeze marinate whisk
    roast steam brown uncover process knead add combine"""
)
# Verbs that add a food and cook it; when the food is deleted, a short clause with such a verb is deleted, too.
_COOKS = listed("cook stir fry saute stir-fry brown toast toss")
LONG = 10  # minutes; a step that takes longer cooks the whole dish
# Verbs that add to the dish: the clauses after them are about the whole dish, with or without this clause.
_JOINS = listed("add stir fold sprinkle season top garnish pour serve return dot")
_OF_THE_DISH = listed("preheat serve heat bake garnish top repeat reduce lower increase return")
_WATERS = listed("water boiling salted hot cold the in of a large pot lightly cups cup quarts some with plenty")
_MEDIA = listed("dip dredge roll coat dust brush bread flour season rub sprinkle toss mix combine blend")
_MIXES = listed("combine mix blend")
_RANGE = listed("about to - or another")
_PRONOUNS = listed("it them each")
_MADE = _KITCHEN["made"] | listed("it them this everything all mixture dough pan dish bowl oven")


def remove(draft: Draft, members: list[tuple[SentenceDraft, ClauseDraft, FoodList, Member]]) -> int:
    """Delete members of lists, and clauses that are empty without them; return the number of deleted clauses."""
    before = sum(len(sentence.clauses) for sentence in draft.sentences)
    clauses = [(sentence, clause) for sentence in draft.sentences for clause in sentence.clauses]
    lost = Counter(foods for _, _, foods, _ in members)
    whole = {foods for foods, count in lost.items() if count > 1 and _is_spoiled(foods, members)}
    for sentence, clause, foods, member in members:
        if foods in whole and clause in sentence.clauses:
            remove_clause(sentence, clause)
        if clause not in sentence.clauses or foods not in clause.parts or member not in foods.members:
            continue
        if foods.is_mixture and len(foods.members) == 1:
            member.before, member.name = ["the"], []
            continue
        foods.members.remove(member)
        if not any(member.is_food for member in foods.members):
            _remove_list(sentence, clause, foods)
    _remove_orphans(clauses)
    draft.sentences = [
        sentence
        for sentence in draft.sentences
        if sentence.clauses or any(mark.startswith("<") for mark in sentence.marks)
    ]
    return before - sum(len(sentence.clauses) for sentence in draft.sentences)


def _is_spoiled(foods: FoodList, members: list[tuple[SentenceDraft, ClauseDraft, FoodList, Member]]) -> bool:
    """Return whether a list loses its meat and over half of its foods: onions alone are not shaped into meatballs."""
    gone = [member for _, _, others, member in members if others is foods]
    known = [member for member in foods.members if member.is_food]
    is_meat = any(word in _KITCHEN["raw"] for word in known[0].name)
    return not foods.preposition and is_meat and known[0] in gone and len(gone) > len(known) / 2


def _remove_orphans(clauses: list[tuple[SentenceDraft, ClauseDraft]]) -> None:
    """Delete clauses that continue a deleted one: "cook in boiling water until tender ; drain"."""
    is_orphan = False
    for sentence, clause in clauses:
        if clause not in sentence.clauses:
            is_orphan = is_orphan or (clause.verb is not None and clause.command not in _JOINS)
        elif is_orphan:
            is_orphan = _needs_object(clause)
            if is_orphan:
                sentence.clauses.remove(clause)


def _needs_object(clause: ClauseDraft) -> bool:
    """Return whether a clause is about the object of the one before, and adds no food to it."""
    if clause.verb is None or clause.command in _JOINS or clause.command in _OF_THE_DISH:
        return False
    before, after = clause.parts[: clause.verb], clause.parts[clause.verb + 1 :]
    if any(isinstance(part, FoodList) for part in (*before, *after)):
        return all(isinstance(part, str) or {*part.words} <= _WATERS for part in (*before, *after))
    is_of_part = after[:1] == ["the"] and after[1:2] != [] and after[1] in _KITCHEN["part"]  # "squeeze the juice"
    return is_of_part or not _has_own_object(clause) or (isinstance(after[0], str) and after[0] in _PRONOUNS)


def _remove_list(sentence: SentenceDraft, clause: ClauseDraft, foods: FoodList) -> None:
    place = clause.parts.index(foods)
    before = clause.parts[place - 1] if place else ""
    last = before if isinstance(before, str) else ""
    if last in _UNTIL or foods.preposition in _UNTIL:
        _remove_until(clause, place)
    elif clause.verb is None or place < clause.verb:
        remove_clause(sentence, clause) if clause.verb is None else _remove_opening(clause)
    elif foods.preposition:
        if clause.command in _MEDIA and _hand_on(sentence, clause, clause.parts[clause.verb + 1 : place - 1]):
            return
        if clause.command == "season" or (
            clause.command in _NEEDS
            and foods.preposition in ("with", "in", "into", "over", "on")
            and not _has_object(clause, foods)
        ):
            remove_clause(sentence, clause)
        else:
            end = place + 1
            del clause.parts[place - 1 : end]
    elif (second := _second(clause, foods)) is not None:
        first, other = place, clause.parts.index(second)
        clause.parts[first : other + 1] = [second]
        second.preposition = ""
    elif clause.command in ("heat", "melt") and _heats_vessel(clause, place):
        clause.parts[clause.verb : place + 2] = ["heat"]
    else:
        remove_clause(sentence, clause)


def _hand_on(sentence: SentenceDraft, clause: ClauseDraft, objects: list[str | FoodList]) -> bool:
    """Delete a clause and give its object to the next clause, if the two share it; return whether they do.

    "Dip the fish in milk and roll in the crumbs" without milk is "roll the fish in the crumbs".
    """
    place = sentence.clauses.index(clause)
    following = sentence.clauses[place + 1] if place + 1 < len(sentence.clauses) else None
    if following is None or following.verb is None or not _is_shared(following):
        return False
    following.parts[following.verb + 1 : following.verb + 1] = objects
    following.joins = clause.joins
    sentence.clauses.remove(clause)
    return True


def _is_shared(clause: ClauseDraft) -> bool:
    """Return whether a clause is about the object of the one before: "and roll in the crumbs"."""
    if clause.verb != 0:
        return False
    return not _has_own_object(clause) or (clause.command in _MEDIA and clause.parts[1:2] == ["in"])


def keep_whole(draft: Draft, is_uncut: Callable[[Member], bool]) -> None:
    """Delete commands to cut foods that are never cut: "cook the macaroni, drain and cut into cubes"."""
    last: list[FoodList] = []
    for sentence in draft.sentences:
        for clause in list(sentence.clauses):
            last = clause.lists or last
            is_cut = "cut" in _KITCHEN.verbs.get(clause.command, ()) and not (clause.lists or _has_own_object(clause))
            if is_cut and last and all(is_uncut(member) for foods in last for member in foods.members):
                place = sentence.clauses.index(clause)
                if place and place == len(sentence.clauses) - 1:
                    sentence.clauses[place - 1].joins = clause.joins
                sentence.clauses.remove(clause)


def drop_after(draft: Draft, words: frozenset[str]) -> None:
    """Delete words that end a list of foods: "with the milk and juice"."""
    for _, clause, foods in draft.lists():
        place = clause.parts.index(foods) + 1
        rest = clause.parts[place : place + 2]
        if rest[:1] == ["and"] and words.intersection(map(str, rest[1:])):
            _delete(clause, place, place + 2)


def drop_times(draft: Draft) -> None:
    """Delete "for 25 minutes" if the clause also has "until …": the time was for another food."""
    for sentence in draft.sentences:
        for clause in sentence.clauses:
            parts = clause.parts
            if clause.verb is None or clause.command not in _KITCHEN["heat"] or "until" not in parts[clause.verb :]:
                continue
            start = next((place for place in range(clause.verb, len(parts)) if parts[place] == "for"), len(parts))
            end = next((place for place in range(start, len(parts)) if parts[place] in _KITCHEN["timing"]), start)
            number = [part for part in parts[start + 1 : end] if part not in _RANGE]
            is_whole = parts[end + 1 : end + 2] not in (["more"], ["longer"])
            if number and is_whole and all(isinstance(part, str) and part[0].isdigit() for part in number):
                end += 2 if parts[end + 1 : end + 3] == [",", "until"] else 1
                _delete(clause, start, end)


def join_lone(draft: Draft) -> None:
    """Change commands that mix a single food with nothing: "combine salt", "combine the water and stir into"."""
    for sentence in draft.sentences:
        for clause in list(sentence.clauses):
            foods = clause.lists
            if clause.command not in _MIXES or len(foods) != 1 or len(foods[0].members) != 1 or clause.verb is None:
                continue
            is_object = clause.parts[clause.verb + 1 :] == foods and not foods[0].preposition
            if not is_object or is_plural(foods[0].words[-1]) or foods[0].is_mixture:
                continue
            if not (clause.verb == 0 and _hand_on(sentence, clause, [*foods])):
                clause.parts[clause.verb] = "place"


def _heats_vessel(clause: ClauseDraft, place: int) -> bool:
    """Return whether the words after a fat are "in a skillet": without the fat, the skillet is still heated."""
    after = clause.parts[place + 1 :]
    return after[:1] == ["in"] and any(part in _KITCHEN["vessel"] for part in after if isinstance(part, str))


def _has_object(clause: ClauseDraft, foods: FoodList) -> bool:
    """Return whether a clause has an object before the list: "sprinkle the top with cheese"."""
    assert clause.verb is not None
    after = clause.parts[clause.verb + 1 : clause.parts.index(foods) - 1]
    return any(isinstance(part, FoodList) or part in _MADE or part in _KITCHEN["vessel"] for part in after)


def _second(clause: ClauseDraft, foods: FoodList) -> FoodList | None:
    """Return the list that may take the place of a verb's object: "add milk alternately with flour"."""
    others = [other for other in clause.lists if other is not foods and any(member.is_food for member in other.members)]
    return others[0] if others and others[0].preposition == "with" and clause.command not in _NEEDS else None


def _remove_until(clause: ClauseDraft, place: int) -> None:
    """Shorten "until the onions are tender" to "until tender"; delete other phrases of this kind."""
    after = clause.parts[place + 1] if place + 1 < len(clause.parts) else ""
    if isinstance(after, str) and after in _BE:
        _delete(clause, place, place + 2)
        return
    end = place + 1
    while end < len(clause.parts) and clause.parts[end] not in (",", ";", "or"):
        end += 1
    start = place - 1
    if start and clause.parts[start - 1] in (",", "or"):
        start -= 1
    _delete(clause, start, end)


def _delete(clause: ClauseDraft, start: int, end: int) -> None:
    """Delete parts of a clause, and keep the place of its verb."""
    del clause.parts[start:end]
    if clause.verb is not None and clause.verb >= start:
        clause.verb = clause.verb - (end - start) if clause.verb >= end else None


def _remove_opening(clause: ClauseDraft) -> None:
    assert clause.verb is not None
    del clause.parts[: clause.verb]
    clause.verb = 0


def remove_clause(sentence: SentenceDraft, clause: ClauseDraft) -> None:
    """Delete a clause, and the clauses of its sentence that have the same object."""
    place = sentence.clauses.index(clause)
    following = sentence.clauses[place + 1 :]
    gone = [clause]
    for later in following:
        if not _is_elliptic(later):
            break
        gone.append(later)
    for before in reversed(sentence.clauses[:place]):  # "peel, core and slice the apples"
        if len(before.parts) > 1 or before.command in _GOES_ON:
            break
        gone.append(before)
    left = [clause for clause in sentence.clauses if clause not in gone]
    opening = clause.parts[: clause.verb] if clause.verb else []
    if opening and left and place == 0 and left[0].verb == 0 and opening[0] in ("in", "using", "with", "meanwhile"):
        left[0].parts = [*opening, *left[0].parts]
        left[0].verb = len(opening)
    sentence.clauses = left


def _is_elliptic(clause: ClauseDraft) -> bool:
    """Return whether a clause has no object of its own: "and cut into cubes"."""
    if clause.verb is None or clause.verb or _has_own_object(clause):
        return False
    return clause.command not in _GOES_ON or (clause.command in _COOKS and not _is_of_dish(clause))


def _is_of_dish(clause: ClauseDraft) -> bool:
    """Return whether a clause names a food or takes long: then it cooks more than one food."""
    words = clause.words
    minutes = [int(word) for word, unit in pairwise(words) if word.isdecimal() and unit in ("minutes", "minute")]
    return bool(clause.lists) or not {"hour", "hours"}.isdisjoint(words) or max(minutes, default=0) > LONG


def _has_own_object(clause: ClauseDraft) -> bool:
    after = clause.parts[(clause.verb or 0) + 1 :]
    is_named = bool(after and isinstance(after[0], str) and (after[0] in _KITCHEN["determiner"] or after[0] in _MADE))
    return is_named or any(isinstance(part, FoodList) and not part.preposition for part in after)
