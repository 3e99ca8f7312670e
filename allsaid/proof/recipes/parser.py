"""Parser of a recipe's text: sentences, clauses and lists of foods, by rules and the words of `kitchen.txt`."""

from __future__ import annotations

from collections.abc import Sequence

from allsaid.language.text import listed
from allsaid.proof.recipes.frames import ENDS, JOINS, Clause, Group, Member, Sentence, Steps
from allsaid.proof.recipes.kitchen import load_kitchen
from allsaid.proof.recipes.mentions import Mention

MARKS = ENDS | frozenset((",", ";", ":", "(", ")", "-", "--", "...", '"', "/", "&", "*", "+"))
_KITCHEN = load_kitchen()
_BOUNDARIES = frozenset((",", ";", ":", "and", "then", "or", "&", "-", "--", "...", ")", "but", "also", "*", "/"))
_OBJECTS = (
    _KITCHEN["determiner"]
    | _KITCHEN["number"]
    | listed(
        """with until well together over into onto on off in it them lightly gently thoroughly generously up out to
    evenly constantly from for about at slightly completely carefully occasionally top tightly loosely aside
    remaining back through under again slowly gradually quickly between inside around . , ; and & then -- if as
    once"""
    )
)
_NOT_BEFORE = listed("to the a an of for until if when while as is are be this that should will may can")
_BE = listed("""is are was were be been being has have should will may can must it they you i we he she not""")
_ABBREVIATIONS = listed("""min mins hr hrs lb lbs oz tsp tbsp tb pkg approx deg degrees f c sq qt pt in mr mrs dr st""")
_PARTICLES = listed("in up out off down over on into")
_TO = listed("the a an with it them each both top bottom sides inside")  # after a food's name used as a verb
_STOPS = (
    _KITCHEN["preposition"]
    | _KITCHEN["conjunction"]
    | _BE
    | MARKS
    | frozenset(["aside", "together", "back", "well", "them"])
)
_NEARLY = frozenset(("about", "approximately"))
_REACH = 8  # words of a name before its head


def parse(words: Sequence[str], mentions: Sequence[Mention]) -> Steps:
    """Parse a text of lower-case words, LINE_BREAK among them; mentions are in text order."""
    return Steps(words, tuple(_Parser(words, mentions).sentences()))


class _Parser:
    def __init__(self, words: Sequence[str], mentions: Sequence[Mention]) -> None:
        self.words = words
        self.mentions = mentions
        self.mention_at = {place: mention for mention in mentions for place in range(mention.start, mention.end)}
        self.next = 0  # the next mention that belongs to no clause yet

    def sentences(self) -> list[Sentence]:
        found, start = [], 0
        for place in range(len(self.words)):
            if place >= start and self._is_end(place):
                end = place + 1
                while end < len(self.words) and self.words[end] in ENDS:
                    end += 1
                if self._has_word(start, place):
                    found.append(self._sentence(start, end))
                start = end
        if self._has_word(start, len(self.words)):
            found.append(self._sentence(start, len(self.words)))
        return found

    def _is_end(self, place: int) -> bool:
        """Return whether a sentence ends at a place; an abbreviation's full stop ends one only before a command."""
        word = self.words[place]
        if word not in ENDS:
            return False
        if word != "." or place + 1 >= len(self.words) or self.words[place - 1] not in _ABBREVIATIONS:
            return True
        after = self.words[place + 1]
        return after in ENDS or self._is_verb(place + 1, place + 1) or (after in ("in", "to") and place > 0)

    def _has_word(self, start: int, end: int) -> bool:
        return any(word[:1].isalnum() for word in self.words[start:end])

    def _sentence(self, start: int, end: int) -> Sentence:
        stop = end
        while stop > start and self.words[stop - 1] in ENDS:
            stop -= 1
        verbs = [place for place in range(start, stop) if self._is_verb(place, start)]
        if not verbs:
            return Sentence(start, end, (Clause(start, stop, None, self._groups(start, stop, None)),))
        clauses = []
        begin = start
        for verb, following in zip(verbs, [*verbs[1:], None], strict=True):
            last = stop if following is None else self._before(following, verb)
            clauses.append(Clause(begin, last, verb, self._groups(begin, last, verb)))
            begin = stop if following is None else self._first(following, last)
        return Sentence(start, end, tuple(clauses))

    def _before(self, verb: int, floor: int) -> int:
        """Return the end of the clause before the clause of ``verb``, without the joining words."""
        place = self._opening(verb, floor)
        while place > floor + 1 and self.words[place - 1] in _BOUNDARIES:
            place -= 1
        return place

    def _opening(self, verb: int, floor: int) -> int:
        """Return the first word of the clause of ``verb``, which may begin with adverbs."""
        place = verb
        while place - 1 > floor and self._is_adverb(place - 1):
            place -= 1
        for back in range(place - 1, floor, -1):  # "; in a skillet, heat"
            if self.words[back] == ";":
                return back + 1
            if self.words[back] in ENDS:
                break
        return place

    def _first(self, verb: int, last: int) -> int:
        """Return the first word after the words that join a clause to the one before."""
        place = last
        while place < verb and self.words[place] in _BOUNDARIES:
            place += 1
        return place

    def _is_adverb(self, place: int) -> bool:
        word = self.words[place]
        return word in ("then", "now", "meanwhile", "immediately") or (word.endswith("ly") and word != "jelly")

    def _is_verb(self, place: int, start: int) -> bool:
        """Return whether a word is a command in the sentence that begins at ``start``."""
        word = self.words[place]
        if word not in _KITCHEN.verbs:
            return False
        before = place - 1
        while before > start and self._is_adverb(before):
            before -= 1
        at_start = place == start or (before == start and self._is_adverb(before))
        after = self.words[place + 1] if place + 1 < len(self.words) else "."
        if at_start:
            mention = self.mention_at.get(place)
            is_name = mention is not None and mention.end > place + 1  # "cream cheese is"
            return word not in _KITCHEN.nouns or after in _OBJECTS or not is_name
        last = self.words[before]
        if last in _NOT_BEFORE:
            return False
        if last in _BOUNDARIES:
            if place in self.mention_at:
                return after in _TO
            if word in _KITCHEN.nouns:
                return after in _OBJECTS or place + 1 in self.mention_at or after[:1].isdigit()
            return after != "of"
        # "In a large bowl combine": after an opening without a comma.
        opens = self.words[start] in _KITCHEN["preposition"] or self.words[start] in _KITCHEN["conjunction"]
        if not opens or word in _KITCHEN.nouns or place in self.mention_at:
            return False
        return last in _KITCHEN["vessel"] or last in _KITCHEN["made"] or last in _KITCHEN["timing"] or last == "heat"

    def _groups(self, start: int, end: int, verb: int | None) -> tuple[Group, ...]:
        members: list[Member] = []
        while self.next < len(self.mentions) and self.mentions[self.next].start < end:
            mention = self.mentions[self.next]
            self.next += 1
            if mention.start < start or (verb is not None and mention.start <= verb < mention.end):
                continue
            floor = members[-1].end if members else start
            if verb is not None and mention.start > verb:
                floor = max(floor, verb + 1)
            members.append(Member(self._left(mention, floor), self._right(mention, end), mention))
        groups: list[list[Member]] = []
        for member in members:
            if groups and (between := self._between(groups[-1][-1].end, member.start)) is not None:
                groups[-1] += [*between, member]
            else:
                groups.append([member])
        return tuple(
            Group(tuple(group_members), self._governor(group_members[0].start, start, verb)) for group_members in groups
        )

    def _left(self, mention: Mention, floor: int) -> int:
        place = mention.start
        while place > floor and mention.start - place < _REACH:
            word = self.words[place - 1]
            has_room = place - 2 >= floor
            if has_room and ((word == "of" and self._counts(place - 2)) or self._is_range(place - 2)):
                place -= 2
            elif word == ")" and (opened := self._opened(place - 1, floor)) is not None:
                place = opened
            elif self._is_modifier(word) or (word in _NEARLY and self._is_number(place)):
                place -= 1
            else:
                break
        return place

    def _is_range(self, place: int) -> bool:
        """Return whether "2 - 3", "2 to 3" or "2 or 3" is at a place."""
        first, joint, last = self.words[place : place + 3]
        return joint in ("-", "to", "or") and first[:1].isdigit() and last[:1].isdigit()

    def _is_number(self, place: int) -> bool:
        return self.words[place][:1].isdigit() or self.words[place] in _KITCHEN["number"]

    def _counts(self, place: int) -> bool:
        """Return whether the word at a place measures the food after "of"."""
        word = self.words[place]
        return word in _KITCHEN["unit"] or word in _KITCHEN["part"] or word in ("kind", "contents", "remainder", "some")

    def _opened(self, closing: int, floor: int) -> int | None:
        for place in range(closing - 1, max(floor - 1, closing - 7), -1):
            if self.words[place] == "(":
                return place if place > floor and self.words[place - 1] in _KITCHEN["unit"] else None
        return None

    def _is_modifier(self, word: str) -> bool:
        if word in _STOPS or word in _KITCHEN["timing"]:
            return False
        if word in _KITCHEN["modifier"] or word in _KITCHEN["determiner"] or word in _KITCHEN["unit"]:
            return True
        if word in _KITCHEN.verbs and word not in _KITCHEN.nouns:
            return False
        if word in _KITCHEN["vessel"] or word in _KITCHEN["made"] or word.endswith("ing"):
            return False
        return not word.endswith("ly") or word in ("finely", "freshly", "coarsely", "thinly", "lightly")

    def _right(self, mention: Mention, end: int) -> int:
        place = mention.end
        while place < end and self.words[place] in _KITCHEN["part"]:
            place += 1
        if place < end and self.words[place] == "(":
            for closing in range(place + 1, min(end, place + 9)):
                if self.words[closing] == ")":
                    return closing + 1
        return place

    def _between(self, first: int, last: int) -> list[Member] | None:
        """Return the members of a list between two foods, if nothing else is there."""
        place, found, joined = first, [], False
        while place < last:
            if self.words[place] in JOINS:
                joined = True
                place += 1
                continue
            if not joined:
                return None
            begin = place
            while place < last and self.words[place] not in JOINS:
                if self.words[place] in _STOPS or self.words[place].endswith("ing") or place - begin >= 4:
                    return None
                place += 1
            if place == last:  # a modifier that belongs to the next food: no list
                return None
            found.append(Member(begin, place, None))
            joined = False
        return found if joined else None

    def _governor(self, place: int, start: int, verb: int | None) -> int | None:
        """Return the position of the preposition before a group, if there is one; "in" of "stir in" is none."""
        before = place - 1
        if before < start or self.words[before] not in _KITCHEN["preposition"]:
            return None
        is_of_verb = verb is not None and (before == verb or (before == verb + 1 and self.words[before] in _PARTICLES))
        return None if is_of_verb else before
