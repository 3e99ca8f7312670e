"""Scope of the values in a text: whether they are about another thing, denied, or hedged.

    unlike the 14-inch model, it has 15 inches     another thing
    it is larger than the red one, above average   another thing
    it is not made of nylon, without a whistle     denied
    it is almost waterproof, supposedly red        hedged

Nothing is read beyond a clause. The words are in lower case.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property

from allsaid.language.text import ENGLISH, listed
from allsaid.proof.hedges import DEGREES, DOUBTFUL, DOUBTS, HEDGES, NEARLY, PLANNED, SOME, Words
from allsaid.proof.polarity import places_of
from allsaid.proof.related import ALL_ARTICLES, DESCRIBING_VERBS, RELATED, is_of_related
from allsaid.proof.values.cues import stem
from allsaid.proof.values.facts import Text

_INSTEAD = """as opposed to|instead of|rather than|in place of|statt|anstelle von|au lieu de|en lugar de"""
_OF_ANOTHER = f"""{_INSTEAD}|unlike|compared to|compared with|in comparison to|comparison with|in contrast to
in contrast with|different from|anders als|im gegensatz zu|im unterschied zu|contrairement à|a diferencia de"""
_OTHERS = [tuple(phrase.split()) for line in _OF_ANOTHER.splitlines() for phrase in line.split("|")]
# Comparisons: "than the red one", "above average".
_COMPARED = [("than", word) for word in ["the", "a", "an", "other", "others", "most", "any", "average", "usual"]]
_COMPARED += [(word, "average") for word in ("above", "below")]
_NOT_COMPARED = frozenset(("other", "so"))  # "none other than the Heron"
_DENYING = frozenset(tuple(phrase.split()) for phrase in _INSTEAD.split("|"))  # "blank instead of lined": not lined
_FIRST = frozenset(phrase[0] for phrase in (*_OTHERS, *_COMPARED))
# Marks and words that end a passage about another thing.
_ENDS = listed(""", ; . ! ? : it its this these they he she we you that which is are was has have comes costs""")
_JOINING = listed("and or but with in at on near by for of from to where while")  # end a comparison, too
_NOT = listed(
    """not n't no never neither nor without isnt arent doesnt dont cannot nicht kein keine keinen keinem keiner ohne
    pas sans aucun aucune sin ningún ninguna"""
)
_NO = listed("no kein keine keinen keinem keiner aucun aucune ningún ninguna")  # before a noun
_RESTRICTING = listed("for that which who with when unless für der die das pour qui para que")
_THERE = listed("there es gibt hay")
_BUT = frozenset(["only", "just", "merely", "nur", "seulement", "solo"])  # behind a negation: nothing is denied
# Words between a negation or a hedge and its value.
_FILLERS = listed(
    """a an the any in of made from be is as at very really quite so too especially particularly exactly available ein
    has have had offer offers include includes come comes contain contains feature features for with eine einen einem
    weighs costs lasts takes measures about around roughly approximately somewhere
    aus im le la les de du des un une en el los las"""
)
_ENGLISH_NEARLY = NEARLY - {"fast"}  # German for "nearly"
_BE = listed("is are was were comes come can must has have do does")
_INCLUDED = listed("included supplied provided available part separately")
_OPPOSITE = frozenset([("anything", "but"), ("far", "from"), ("short", "of")])
_LITOTES = 4  # words between two negations that cancel each other
_NEAR = """near|beside|opposite|next to|close to|adjacent to|across from|surrounded by|neben|nahe|près de|cerca de"""
_BESIDE = [tuple(phrase.split()) for phrase in _NEAR.split("|")]
_REACH = 4  # most words from a negation or hedge to its value, and in the second part of a comparison


class Scope:
    """Look-up of the scope of words in one text."""

    def __init__(self, text: Text) -> None:
        self._text = text
        self._words = text.words
        self._set = text.vocabulary
        self._nearly = _ENGLISH_NEARLY if text.language == ENGLISH else NEARLY

    @cached_property
    def of_another(self) -> frozenset[int]:
        """The positions of words that are about another thing."""
        return frozenset().union(*(span for _, span in self._others))

    @cached_property
    def instead(self) -> frozenset[int]:
        """The positions of words that are about another thing, and are denied for this one."""
        return frozenset().union(*(span for phrase, span in self._others if phrase in _DENYING))

    @cached_property
    def _others(self) -> list[tuple[Words, range]]:
        found: list[tuple[Words, range]] = []
        for place, word in enumerate(self._words) if not _FIRST.isdisjoint(self._set) else ():
            if word not in _FIRST:
                continue
            phrases = (candidate for candidate in (*_OTHERS, *_COMPARED) if word == candidate[0])
            phrase = next(
                (candidate for candidate in phrases if tuple(self._words[place : place + len(candidate)]) == candidate),
                (),
            )
            if phrase in _COMPARED and self._words[place - 1] in _NOT_COMPARED:
                continue
            start = place + (1 if phrase in _COMPARED else len(phrase))
            end = start
            last = start + _REACH if phrase in _COMPARED else len(self._words)
            ends = _ENDS | _JOINING if phrase in _COMPARED else _ENDS
            while phrase and end < min(last, len(self._words)) and not self._ends(end, ends):
                end += 1
            if phrase:
                found.append((phrase, range(start, end)))
        if not self._set.isdisjoint(RELATED):
            found += [((), self._with_name(clause)) for clause in self._text.clauses if self._is_related(clause)]
        return found

    def _is_related(self, clause: range) -> bool:
        lower = self._text.lower  # a name is no related thing: "The Macro Twin is ..."
        is_word = [not lower or place == clause.start or place in lower for place in clause]
        words = [self._words[place] if is_low else "" for place, is_low in zip(clause, is_word, strict=True)]
        return is_of_related(words, self._words[clause.stop : clause.stop + 1])

    def _ends(self, place: int, ends: Collection[str]) -> bool:
        """Return whether a word ends a passage about another thing; in "the Heron with its lid", "its" does not."""
        return self._words[place] in ends and (self._words[place] != "its" or self._words[place - 1] != "with")

    def _with_name(self, clause: range) -> range:
        """Return a clause, with the next one if only a name in commas separates them: "its successor, Heron, was"."""
        words, end = self._words, clause.stop
        last = next(
            (
                place
                for place in range(end + 1, min(end + 2 + _REACH, len(words)))
                if words[place] in _ENDS or words[place] == ","
            ),
            0,
        )
        is_name = last and words[end] == "," and words[last] == "," and [*words[last + 1 : last + 2]] != ["and"]
        if not is_name or not DESCRIBING_VERBS.isdisjoint(words[clause.start : end]):
            return clause
        return next(
            (range(clause.start, following.stop) for following in self._text.clauses if following.start == last + 1),
            clause,
        )

    def is_denied(self, start: int, end: int) -> bool:
        """Return whether the value from ``start`` to ``end`` is denied.

        "There is no cheap hotel" does not deny the value "cheap"; "not a laptop for business" does not deny "laptop".
        """
        if self.is_opposite(start):
            return True
        if self._is_left_out(end):
            return True
        if _NOT.isdisjoint(self._set):
            return False
        place = self._before(start)
        if place < 0 or self._words[place] not in _NOT or self._words[place + 1] in _BUT:
            return False
        behind = self._words[end] if end < len(self._words) else "."
        if self._words[place] == "without" and self._is_asked(start):
            return False
        if self._words[place] == "without" and not _NOT.isdisjoint(self._words[max(place - _LITOTES, 0) : place]):
            return False  # "would not be complete without"
        if self._words[place] in _NO and behind not in _ENDS and behind not in _FILLERS:
            return False
        return behind not in _RESTRICTING and _THERE.isdisjoint(self._words[max(place - 2, 0) : place])

    def _is_asked(self, start: int) -> bool:
        """Return whether a question has the value at a position: "Breakfast without the Heron? Unthinkable."."""
        return next((word for word in self._words[start:] if word in (".", "!", "?")), ".") == "?"

    def _is_left_out(self, end: int) -> bool:
        """Return whether the words behind a value deny it: "is not included", "are sold separately"."""
        if self._set.isdisjoint(_INCLUDED) or end >= len(self._words) or self._words[end] not in _BE:
            return False
        behind = self._words[end + 1 : end + 1 + _REACH]
        return any(
            word in _INCLUDED and (word == "separately" or not _NOT.isdisjoint(behind[:place]))
            for place, word in enumerate(behind)
        )

    def is_opposite(self, start: int) -> bool:
        """Return whether a phrase before the value at a position denies it: "far from waterproof"."""
        place = start - (start > 0 and self._words[start - 1] in ALL_ARTICLES)
        before = self._words[max(place - 3, 0) : place]
        return tuple(before[-2:]) in _OPPOSITE and before[0] not in _NOT  # "not far from"

    def is_beside(self, start: int) -> bool:
        """Return whether the words at a position name a place near this thing: "next to a coffee shop"."""
        place = start - 1
        while place >= 0 and self._words[place] in ALL_ARTICLES:
            place -= 1
        return any(tuple(self._words[max(place + 1 - len(phrase), 0) : place + 1]) == phrase for phrase in _BESIDE)

    def is_hedged(self, start: int, cues: Collection[str] = ()) -> bool:
        """Return whether the value at a position is only nearly reached, supposed, planned, or conditional.

        cues: stems of words that may be between a hedge and the value: "possibly founded in 1944".
        """
        if not DOUBTFUL.isdisjoint(self._set) and self._is_doubted(start):
            return True
        if self._nearly.isdisjoint(self._set):
            return False
        place = self._before(start, cues)
        return place >= 0 and self._words[place] in self._nearly

    def is_partly(self, start: int) -> bool:
        """Return whether the word at a position holds only nearly or partly: "partly open to wheelchairs"."""
        if tuple(self._words[max(start - 3, 0) : start]) in SOME:
            return True
        if self._nearly.isdisjoint(self._set):
            return False
        clause = next((part for part in self._text.clauses if start in part), range(start, start))
        for place in range(max(clause.start, start - _REACH - 1), start):
            if self._words[place] in self._nearly and self._words[place + 1].isalpha():
                return True
        return False

    def _is_doubted(self, start: int) -> bool:
        clause = next((part for part in self._text.clauses if start in part), range(start, start))
        before, after = range(clause.start, start), range(start, clause.stop)
        next_clause = clause.stop + 1
        for place, phrase in self._doubts:
            if (
                (place in before and place + len(phrase) <= start and phrase in DOUBTS)
                or (place in after and phrase in PLANNED)
                or (phrase in DEGREES and (place in before or place in after or place == next_clause))
                or (
                    phrase in DEGREES
                    and place + len(phrase) == clause.start - 1
                    and self._words[clause.start - 1] == ","
                )
            ):
                return True
        if "would" not in self._set or [*self._words[clause.stop : next_clause]] != ["if"]:
            return False
        return any(places_of(self._words[clause.start : start], ("would", "have")))  # "it would have a view if ..."

    @cached_property
    def _doubts(self) -> list[tuple[int, Words]]:
        """The phrases that hedge, each with its first position."""
        return [
            (place, phrase)
            for place, word in enumerate(self._words)
            for phrase in HEDGES.get(word, ())
            if tuple(self._words[place : place + len(phrase)]) == phrase
        ]

    def _before(self, start: int, cues: Collection[str] = ()) -> int:
        """Return the position of the nearest word before a value that is no filler; -1 if it is too far away."""
        place = start - 1
        while place >= 0 and start - place <= _REACH:
            word = self._words[place]
            if word not in _FILLERS and not word.endswith("ing") and not (cues and stem(word) in cues):
                break
            place -= 1
        return place if start - place <= _REACH else -1
