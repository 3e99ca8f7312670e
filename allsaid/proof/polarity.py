"""Polarity: whether a text affirms or denies a thing, by negations in the clauses that mention it.

The rule and its judged cases are in docs/coverage.md. Words are lower case, as a normaliser splits them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, pairwise

from allsaid.language.text import listed
from allsaid.proof.clauses import ARTICLES, DENYING_VERBS, LISTING, NEGATIONS, NOT, clauses_of, is_noun

Idioms = Mapping[bool, Sequence[tuple[str, ...]]]  # answer -> phrases that give it; "adults only": no children

# "Leave your pets at home", "pets must stay behind", "it leaves out gluten": a thing that stays away is not there.
_STAYING = listed("leave leaves leaving left stay stays remain remains keep kept steer wait waits step")
_AWAY = (("at", "home"), ("behind",), ("away",))
_KEPT_AWAY = (("out", "of"), ("away", "from"), ("clear", "of"))  # before a place that a thing is kept away from
_LEFT_OUT = frozenset(["leave", "leaves", "leaving", "left"])
# After "left out", these words show that nothing is omitted: "left out in the rain".
_NOT_OMITTED = frozenset(["in", "all", "overnight", "during", "there", "at", "on", "of"])
_NOT_OFFERED = """out of the question|off limits|out of bounds|off the menu|off the table|in vain|out of it|ruled out
out of reach|out of luck|something else|somewhere else|have to pass|another matter|another story
turned away|stay home|stays home|short of|a miss|forget about|forget the"""
_REFUSED = [tuple(phrase.split()) for line in _NOT_OFFERED.splitlines() for phrase in line.split("|")]
# Each of these phrases has one of these words, so a clause without them needs no search for phrases.
_IN_REFUSED = listed("out off vain matter story turned home short miss forget else pass")
# "You bring your own towels" and "we are unable to lend bikes": there are none.
_BRINGING = listed("bring brings bringing add adding buy buying supply supplying pack packing fit fitting need needs")
_PREPOSITIONS = listed("for to over with at in on of by from")
_REACH = 3  # most words from "own" or "unable to" to what is denied
_MAY = frozenset(("can", "may", "could", "welcome", "free", "if"))  # "you can bring your own towels" denies nothing
_WE = (("we", "are"), ("we", "'re"), ("are", "sadly"))  # before "unable to": the shop's own inability
_LATER = (("wait", "for", "another"), ("wait", "until", "another"))  # "a campfire has to wait for another trip"
_PRESENT = listed("there available included allowed permitted possible offered provided supplied fitted part")
# A "not" before one of these affirms: "not without a lid", "isn't forbidden".
_DENIALS = frozenset(["without", *DENYING_VERBS.split()])
# "It has nothing for children" denies. "Nothing beats a sea view" does not, but "nothing happens in winter" does.
_VERBS_BEFORE_NOTHING = frozenset(("'s", "is", "was", "has", "have", "offers", "find"))
_VERBS_AFTER_NOTHING = frozenset(("happens", "takes", "is", "runs", "goes"))
# Before what has not happened or does not hold yet: "she must learn to be house-trained".
_OPEN = """yet to|still needs|still need|still has to|must learn|has to learn|needs to learn|let her pass|let him pass
let it pass|let them pass|let this pass|choose another|choose others"""
_NOT_YET = [tuple(phrase.split()) for line in _OPEN.splitlines() for phrase in line.split("|")]
_NOT_YET_STARTS = frozenset(phrase[0] for phrase in _NOT_YET)
# "not only", "no problem", "no charge for", "do not mind": the word after the negation shows that nothing is denied.
_NOTHING = """objection objections issue issues
only just far problem problems threat danger obstacle obstacles barrier barriers hurdle hurdles
worries doubt charge fee fees extra additional mind minds matter
cost costs nur seulement solo alleen"""
_DENY_NOTHING = frozenset(_NOTHING.split())
_PLENTY = frozenset(("lack", "shortage", "end", "want"))  # "no lack of storage"
# "no hotels near mission allow dogs": the negation means that no such venue was found.
_DENY_VENUES = frozenset(("no", "not", "n't", "cannot"))
_VENUES = listed("hotel hotels restaurant restaurants place places venue venues match matches option options")
# "It has no place in a nursery", "this is no place for children": not a venue, unlike "there is no place in town".
_NO_PLACE = {(verb, "no", "place", to) for verb in ("has", "have") for to in ("in", "for")}
_NO_PLACE |= {("is", "no", "place", "for"), ("are", "no", "place", "for")}
_DEGREES = frozenset(("too", "very", "so", "that"))  # "not too far" is read as "not far"
FREE, LESS = "free", "less"
OF = ("of", "from")  # "free of gluten", "safe from water"
_FEW = "low lower little less least minimal hardly barely scarcely faint faintly slight slightly"
_MANY = "high much lot lots plenty noticeable noticeably heavy intense considerable full"
_LITTLE, _MUCH = frozenset(_FEW.split()), frozenset(_MANY.split())
_NEAR = 4  # most words from a word of degree to the thing: "the odour is not very strong"
_NO = frozenset(("no", "without", "zero", "never", "n't"))
_NEEDLESS = frozenset(("unnecessary", "unneeded", "needless", "superfluous"))
_MAKING = frozenset(("make", "makes", "making", "made", "render", "renders", "rendering"))
_FOR_MONEY = frozenset(("for", "extra", "anything"))  # after a verb "charge": "we don't charge for parking"


def is_negated(words: Sequence[str], mentioned: Collection[int], clauses: Iterable[range] | None = None) -> bool | None:
    """Return whether a clause that mentions a thing has a negation; None if no clause mentions it.

    ``mentioned`` are the positions of the words that mention it. By default ``clauses`` are all clauses of the words.
    """
    if not mentioned:
        return None
    clauses = clauses_of(words) if clauses is None else clauses
    inside = [clause for clause in clauses if any(place in mentioned for place in clause)]
    if not inside:
        return None
    return any(
        _is_excluded(words, clause, mentioned)
        or _is_not_offered(words, clause, mentioned)
        or _is_not_there(words, clause, mentioned)
        or any(_denies(words, clause, place, mentioned) for place in clause)
        for clause in inside
    )


def is_free_of(words: Sequence[str], clause: range, place: int) -> bool:
    """Return whether a clause says that there is none of the thing at ``place``: "sugar-free", "free of sugar"."""
    if (
        words[place].endswith((FREE, LESS))
        or words[place].startswith("non-")
        or [*words[place + 1 : place + 2]] == [FREE]
    ):
        return True
    before = words[clause.start : place]
    return any(word == FREE and following in OF for word, following in pairwise(before))


def says_little(words: Sequence[str], clause: range, place: int) -> bool | None:
    """Return whether a clause says that there is little of the thing at ``place``; None if it does not say how much."""
    near = range(max(clause.start, place - _NEAR), min(clause.stop, place + _NEAR + 1))
    inside, negated = words[near.start : near.stop], bool(is_negated(words, {place}, [clause]))
    if words[place].startswith("low-"):
        return not negated
    if not _LITTLE.isdisjoint(inside) or is_free_of(words, clause, place):
        return not negated
    if negated and not _NO.isdisjoint(words[max(place - 2, 0) : place]):  # "no smell", "without any smell"
        return True
    is_much = not _MUCH.isdisjoint(inside) or any(word.startswith("strong") for word in inside)
    return negated if is_much else None


def _is_not_there(words: Sequence[str], clause: range, mentioned: Collection[int]) -> bool:
    """Return whether a verb behind "and" denies the subject of a clause: "a lid would rattle and isn't there"."""
    behind = words[clause.stop + 1 : clause.stop + 5]
    return (
        behind[1:2] != []
        and words[clause.stop] in ("and", "but")
        and behind[1] in NOT
        and not _PRESENT.isdisjoint(behind[2:])
        and any(place in mentioned for place in range(clause.start, clause.start + 3))
    )


def _is_not_offered(words: Sequence[str], clause: range, mentioned: Collection[int]) -> bool:
    """Return whether a clause says that the thing is not offered: "bring your own towels", "unable to lend bikes"."""
    inside = words[clause.start : clause.stop]
    if not (_MAY.isdisjoint(inside) and NEGATIONS.isdisjoint(inside)):
        return False
    for own in places_of(inside, ("your", "own")):
        if not _BRINGING.isdisjoint(inside[max(own.start - 1, 0) : own.start]):
            behind = inside[own.stop : own.stop + _REACH]
            length = next((at for at, word in enumerate(behind) if word in _PREPOSITIONS), len(behind))
            return any(clause.start + own.stop <= at < clause.start + own.stop + length for at in mentioned)
    for ruled in chain(places_of(inside, ("rule", "out")), places_of(inside, ("rules", "out"))):
        return any(clause.start + ruled.stop <= at < clause.start + ruled.stop + _REACH for at in mentioned)
    for unable in places_of(inside, ("unable", "to")):
        behind = inside[unable.stop : unable.stop + _REACH]
        if tuple(inside[max(unable.start - 2, 0) : unable.start]) in _WE and "away" not in behind:
            return any(clause.start + unable.stop <= at < clause.start + unable.stop + len(behind) for at in mentioned)
    later = next((span.start for phrase in _LATER for span in places_of(inside, phrase)), 0)
    return any(clause.start <= at < clause.start + later for at in mentioned)


def _is_excluded(words: Sequence[str], clause: range, mentioned: Collection[int]) -> bool:
    """Return whether a clause says that the thing stays away, is out of the question, or is yet to come."""
    inside = words[clause.start : clause.stop]
    if not _NOT_YET_STARTS.isdisjoint(inside) and any(any(places_of(inside, phrase)) for phrase in _NOT_YET):
        return True
    if _IN_REFUSED.isdisjoint(inside) and _STAYING.isdisjoint(inside):
        return False
    if any(any(places_of(inside, phrase)) for phrase in _REFUSED):
        return True
    for apart in (apart for phrase in _KEPT_AWAY for apart in places_of(inside, phrase)):  # "keep it out of the oven"
        is_kept = not _STAYING.isdisjoint(inside[max(apart.start - 3, 0) : apart.start])
        if is_kept and any(place in mentioned for place in range(clause.start + apart.stop, clause.stop)):
            return True
    for place, word in enumerate(inside):
        if word in _STAYING and any(any(places_of(inside[place:], phrase)) for phrase in _AWAY):
            return True
        if word in _STAYING and "outside" in inside[place:]:  # "dogs must wait outside"
            return any(at in mentioned for at in range(clause.start, clause.start + inside.index("outside")))
        if word in _LEFT_OUT and [*inside[place + 2 : place + 3]] == ["out"] and clause.start + place + 1 in mentioned:
            return True  # "it leaves beginners out"
        if word in _LEFT_OUT and [*inside[place + 1 : place + 2]] in (["out"], ["off"]):
            return _NOT_OMITTED.isdisjoint(inside[place + 2 : place + 3])
    return False


def answer_of(words: Sequence[str], mentioned: Collection[int], idioms: Idioms) -> bool | None:
    """Return a text's answer about a thing: by its idioms, else by the clauses that mention the thing.

    Return None if there is no answer, or if idioms give both. ``mentioned`` are the positions of words that mention it.
    """
    answers = {answer for answer, phrases in idioms.items() for phrase in phrases if any(places_of(words, phrase))}
    if answers:
        return answers.pop() if len(answers) == 1 else None
    negated = is_negated(words, mentioned)
    return None if negated is None else not negated


def places_of(words: Sequence[str], phrase: tuple[str, ...]) -> Iterator[range]:
    """Yield the positions of a phrase's words, for each place where a text has them side by side."""
    for place, word in enumerate(words):
        if word == phrase[0] and tuple(words[place : place + len(phrase)]) == phrase:
            yield range(place, place + len(phrase))


def _denies(words: Sequence[str], clause: range, place: int, mentioned: Collection[int]) -> bool:
    """Return whether the word at a position negates the statement of its clause."""
    after = words[place + 1 : clause.stop]
    is_question = place > clause.start and words[place - 1] == "or"  # "yes or no", "whether or not"
    denied = after[1:2] if after and after[0] in _DEGREES else after[:1]
    is_untouched = words[place].startswith("un") and words[place].endswith("ed") and after[:1] == ["by"]
    if is_untouched and words[place] not in NEGATIONS:  # "unscarred by accidents"
        return any(at in mentioned for at in range(place, clause.stop))
    if words[place] == "closed" and after[:1] and after[0] in ("to", "for"):
        return any(at in mentioned for at in range(place, clause.stop))
    if (
        words[place] not in NEGATIONS
        or is_question
        or is_noun(words, place)
        or (words[place] == "no" and [*after[:1]] == ["chance"] and [*after[1:2]] != ["of"])  # "dust has no chance"
        or (words[place] == "minus" and after[:1] and after[0][:1].isdigit())  # "minus 18 degrees"
        or (not _DENY_NOTHING.isdisjoint(denied) and not _is_verb_charge(words[place], after))
    ):
        return False
    who = next((at for at in range(place - 1, clause.start, -1) if words[at] == "who"), place)
    if who < place and all(at < who for at in mentioned if at in clause):  # "a slide for those who don't"
        return False
    previous, following = words[place - 1] if place else "", words[place + 1] if place + 1 < len(words) else ""
    if (words[place] == "no" and following in _PLENTY) or (previous == "no" and words[place] in _PLENTY):
        return False
    if (previous in NOT and words[place] in _DENIALS) or (words[place] in NOT and following in _DENIALS):
        return False  # "not without", "isn't forbidden"
    if words[place] in _NEEDLESS:  # "needless to say", "far from unnecessary"
        verb = next((at for at in range(place - 1, clause.start - 1, -1) if words[at] in _MAKING), clause.start)
        is_idiom = [*after[:1]] == ["to"] or [*words[max(place - 2, 0) : place]] == ["far", "from"]
        return not is_idiom and any(at in mentioned for at in range(verb, clause.stop))
    is_subject = words[place] == "nothing" and (not place or words[place - 1] not in _VERBS_BEFORE_NOTHING)
    if is_subject and (not after or after[0] not in _VERBS_AFTER_NOTHING):  # "nothing beats a sea view"
        return False
    if words[place] == "no" and after and after[0].isalpha() and LISTING.intersection(words[clause.start : place]):
        return any(at in mentioned for at in range(place, clause.stop))  # "tours, café, no parking"
    if tuple(words[max(place - 1, 0) : place + 3]) in _NO_PLACE:
        end = next((at for at in range(place, clause.stop) if words[at] == ":"), clause.stop)
        return any(at in mentioned for at in range(place, end))  # "no place for a dull day: the pool is open"
    if words[place] not in _DENY_VENUES or not after or after[0] in ARTICLES:
        return True
    is_after = any(at in mentioned for at in range(clause.start, place))  # "dogs are not allowed at this hotel"
    first = next((at for at in range(place + 1, clause.stop) if at in mentioned or words[at] in _VENUES), None)
    return is_after or first is None or first in mentioned


def _is_verb_charge(negation: str, after: Sequence[str]) -> bool:
    """Return whether a negated verb "charge" is not about money: "you can't charge a car"."""
    is_verb = negation in NOT or negation == "cannot"
    return is_verb and [*after[:1]] == ["charge"] and _FOR_MONEY.isdisjoint(after)
