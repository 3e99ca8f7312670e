"""Clauses about a thing related to the one that a text describes: "its bigger brother", "last year's model".

The words are in lower case.
"""

from __future__ import annotations

from collections.abc import Sequence

from allsaid.language.text import listed
from allsaid.proof.hedges import phrases
from allsaid.proof.polarity import places_of

# In English, German, French and Spanish.
ALL_ARTICLES = listed("a an the some ein eine einem einer dem der le la les un une el los")
_OPENING = listed("while whereas although though and but as")  # before such a clause
_DETERMINERS = listed("its their the our a an his her last")
_KIN = listed(
    """stablemate stablemates companion brother brothers sister sisters sibling siblings cousin cousins twin
    predecessor predecessors successor
    successors rival rivals competitor competitors counterpart counterparts neighbour neighbours neighbor neighbors"""
)
# Adjectives before one of the models: "the older version".
_OTHER = listed(
    """other another bigger larger smaller older newer earlier later previous former next standard basic regular cheaper
    pricier lighter heavier longer shorter old sister neighbouring neighboring"""
)
_MODELS = listed("model models version versions edition variant generation series flat house hotel room")
_MATCHING = listed("matching accompanying optional separate corresponding")  # "the matching stool is 40 cm high"
DESCRIBING_VERBS = listed("is are was were comes come ages runs has have weighs weigh measures measure costs cost made")
# Verbs of related persons who react to this thing: "the neighbours will thank you for the Heron", "its rivals envy it".
_REACTING = listed(
    """thank thanks love loves adore adores envy envies admire admires notice ask hear complain enjoy like appreciate
    approve want know remember recognise wonder agree wish miss"""
)
# Before a reacting verb.
_MODALS = listed("will would wo 'll may might can could should do does n't not never surely certainly")
RELATED = _KIN | _MODELS | _MATCHING | listed("door photo picture same similar")
RELATED |= listed("next hall corridor beside alongside upstairs downstairs window display")
# After a "twin" that is a thing: "its twin weighs 2 kg", unlike "the twin pack".
_AFTER_TWIN = (
    DESCRIBING_VERBS | _REACTING | _MODALS | listed("from of in with for at by on that which who also only") | {""}
)
_ELSEWHERE = phrases(
    """in the next|down the hall|down the corridor|across the hall|next to it|beside it|alongside it
upstairs|downstairs|in the window|on display|next door|in the photo|in the picture|from the same|similar"""
)
_OF_THIS = listed("of")  # "the cheaper version of two" may be this one
_SHORTEST = 3  # fewest words of such a clause
_REACH = 4  # most words from its beginning to the related thing


def is_of_related(words: list[str], after: Sequence[str]) -> bool:
    """Return whether the words of a clause, with "" for names, are about a related thing; ``after``: the next word."""
    while words and words[0] in _OPENING:
        del words[0]
    if words[:1] and words[0] in _DETERMINERS and _is_elsewhere(words):
        return True
    is_named = [*after] == [","] and words[1:2] and words[1] in _KIN
    if (len(words) < _SHORTEST and not is_named) or words[0] not in _DETERMINERS:
        return False
    behind = words[1 : 1 + _REACH]
    related = (place for place, word in enumerate(behind) if word in _KIN and not _is_kind(words, place + 1))
    kin = next((place for place in related if not _is_reacting(words[place + 2 :])), -1)
    if kin < 0:
        model = next((place for place, word in enumerate(behind) if word in _MODELS), -1)
        is_other = words[0] == "last" or not _OTHER.isdisjoint(behind[: max(model, 0)])
        kin = model if is_other else -1
    is_matching = words[1] in _MATCHING and any(word in DESCRIBING_VERBS for word in words[3:5])
    return is_matching or (kin >= 0 and not _OF_THIS.intersection(words[2 + kin : 3 + kin]))


def _is_kind(words: Sequence[str], place: int) -> bool:
    """Return whether a word such as "twin" describes this thing itself: "its twin room"."""
    after = "".join(words[place + 1 : place + 2])
    is_companion = words[0] in ALL_ARTICLES and words[place] == "companion"  # "a faithful companion"
    is_twin = words[0] in ALL_ARTICLES and words[place] == "twin" and after not in _AFTER_TWIN  # "the twin pack"
    return (
        is_companion or is_twin or (words[place] not in _OTHER and not _MODELS.isdisjoint(words[place + 1 : place + 2]))
    )


def _is_reacting(behind: Sequence[str]) -> bool:
    """Return whether a person likes, envies or thanks for this thing: "the neighbours will love it"."""
    return next((word for word in behind if word not in _MODALS), "") in _REACTING


def _is_elsewhere(words: Sequence[str]) -> bool:
    """Return whether the subject of a clause is in another place: "the house next door", "the lid in the photo"."""
    verb = next((place for place, word in enumerate(words) if word in DESCRIBING_VERBS), len(words))
    return any(any(places_of(words[:verb], phrase)) for phrase in _ELSEWHERE)
