"""Answers of a text about yes/no columns: by phrases of the mapping, else by the negations in its clauses."""

from __future__ import annotations

from collections.abc import Collection, Sequence, Set
from itertools import pairwise

from allsaid.language.stems import key
from allsaid.language.text import listed
from allsaid.proof import findings
from allsaid.proof.clauses import ENDS, NEGATIONS, STOPS
from allsaid.proof.polarity import FREE, LESS, OF, is_free_of, is_negated, places_of, says_little
from allsaid.proof.values.facts import Fact, Text
from allsaid.proof.values.reading import Reading, silent_negations
from schemas.texts.finding import LOOK

UN = "un"  # the prefix that denies: "unlit"
JOINED = ("less", "proof")  # ends of words that deny or affirm the thing before them: "hoodless", "rustproof"
_NON_REACH = 2  # most words from "non" to the word that it denies
_PROOF_REACH = 4  # most words from a thing to an ending such as "-proof": "wind- and waterproof"
_FREE_REACH = 5  # most words from "free" to the second thing: "free of dogs and campfires"
# Endings and words by which a text says that a thing does no harm.
PROOF = ("proof", "resistant", "repellent", "tight", "friendly", "safe")
_ENDURES = """withstand withstood withstanding survive brave defy resist resistant repel endure tolerate cope stand
shrug suited suitable block protect protected sealed shield any every all whatever proof"""
_ENDURING = frozenset(map(key, _ENDURES.split()))
_NEVER = ("never", "n't", "not")
_PAIRS = (("keep", "out"), ("keep", "bay"), ("keep", "off"), ("take", "stride"))  # "it takes rain in its stride"
_HARMS = """harm harmed hurt damage damaged bother bothered affect affected spoil ruin penetrate trouble impress matter
problem issue"""
_HARMING = frozenset(map(key, _HARMS.split()))
# A thing that costs extra is not included: "materials come on top", "bring your own apron".
_PLUS_REACH = 2  # most words from one of the next words to the thing
_BESIDES, _NEEDING = frozenset(("plus",)), frozenset(("needs", "requires"))  # "plus sheets", "it needs a battery"
_COMING = listed("included include includes supplied comes come provided fitted box")  # "… which is included"
_AVOIDING = ("avoid", "avoids", "need")
_WARNING = ("leave", "skip", "beware", "pass", "else")  # "they should let it pass"
_INTOLERANT = ("intolerant", "intolerance", "allergic", "allergy")
_MODALS = frozenset(("should", "must", "ought"))
_INCLUSION = frozenset(("included", "including", "includes"))
_EXTRA = listed("""extra own top exclusive additional additionally yourself yourselves bought buy purchase
purchased sale""")
BEFORE_NOUNS = listed("a an the its their your our this these with and of in on by from for as or to")
BEHIND_NOUNS = listed(", . ! ? ; : and or are were is was have has come included")
_GRATIS = frozenset(("free", "complimentary"))
_GIVING = frozenset(("get", "gets", "enjoy", "offer", "offers", "include", "includes", "plus", "has", "receives"))
# Words after "free" if it is not about a price: "free of lactose", "free to roam", "two free days".
_OTHERWISE = "from up time day days choice hand hands rein spirit spirits range form flow fall air access movement"
_BE = ("is", "are")
_FREE_ENDS = ([], *([word] for word in (*ENDS, "for")))
_NO_OFFERS = [[], *([word] for word in (*BEFORE_NOUNS, *BEHIND_NOUNS, *_OTHERWISE.split()))]


def find_spoken(reading: Reading) -> None:
    """Find a text's answers about yes/no columns, and mentions of columns that it need only name."""
    for item, fact in enumerate(reading.facts):
        if fact.says is None:
            reading.mentions[item].update(spoken_places(reading.text, fact, reading.taken))
            continue
        answers = answers_of(reading, fact)
        hedged = answers.pop(None, set())
        if fact.says in answers:
            reading.mentions[item].update(answers[fact.says])
        elif hedged and not answers:
            reading.find(LOOK, fact.column, fact.line, findings.HEDGED, (min(hedged), max(hedged) + 1))
            reading.taken.update(hedged)


def answers_of(reading: Reading, fact: Fact) -> dict[bool | None, set[int]]:
    """Return a text's answers about a yes/no column with the positions of their words; the key None: hedged answers."""
    text, scope, taken = reading.text, reading.scope, reading.taken_for(fact)
    found: dict[bool | None, set[int]] = {}
    spoken = fact.keywords
    if not fact.idioms and text.places.keys().isdisjoint(spoken.every):
        return found
    idioms_here = [
        (span, answer, phrase)
        for answer, phrase in fact.idioms
        if phrase[-1] in text.vocabulary
        for span in places_of(text.words, phrase)
    ]
    for span, answer, phrase in idioms_here:
        is_part = any(other != span and {*span} <= {*other} for other, _, _ in idioms_here)  # "indoors or out"
        if not is_part and taken.isdisjoint(span) and span.start not in scope.of_another:
            is_plain = answer and NEGATIONS.isdisjoint(phrase)  # a "no" in the phrase itself denies nothing
            denied = is_negated(text.words, span, text.clauses) if is_plain else scope.is_denied(span.start, span.stop)
            found.setdefault(answer is not denied, set()).update(span)
    idioms, words = set().union(*found.values()), text.words
    if silent := silent_negations(reading):
        words = ["" if place in silent else word for place, word in enumerate(words)]
    if instead := scope.instead and spoken_places(text, fact, taken) & scope.instead:
        found.setdefault(False, set()).update(instead)
    places = spoken_places(text, fact, taken, scope.of_another)
    little = _little(reading, spoken.low, taken)
    things = _things(reading, fact, places) | little
    if places and spoken.endured:  # "water-resistant, but not waterproof"
        things = {place: answer for place, answer in things.items() if text.keys[place] in spoken.absent}
    if idioms and (places or things):  # the other words of their clauses answer nothing
        answered = _around(text, idioms)
        places -= answered
        things = {place: answer for place, answer in things.items() if place not in answered}
    places -= _around(text, things)
    doubtful = {*places, *things}.difference(little)  # "hardly any odour" is a low one
    if hedged := {place for place in doubtful if scope.is_hedged(place) or scope.is_partly(place)}:
        hedged.update(place for place in sorted(places) if place - 1 in hedged)  # "almost a sea view"
        parts = [clause for clause in text.clauses if not hedged.isdisjoint(clause)]
        hedged.update(place for place in places if any(place in clause for clause in parts))
        found[None] = hedged
        places -= hedged
    for place, answer in things.items():
        if place not in hedged:
            found.setdefault(answer, set()).add(place)
    if without := {place for place in places if _is_denied(reading, fact, place)}:
        for place in without:
            found.setdefault(bool(is_negated(words, {place}, text.clauses)), set()).add(place)
        places -= _around(text, without)  # "a touch-free screen"
    if extra := {place for place in places if spoken.is_included and _is_extra(text, place)}:
        found.setdefault(False, set()).update(extra)
        places -= extra
    negated = is_negated(words, places, text.clauses)
    if negated:  # "drinks are not included … enjoy the drinks included", "no tours … Tours start every hour": both
        spans = [clause for clause in text.clauses if not places.isdisjoint(clause)]
        spans = [clause for clause in spans if _is_plain(text, clause, places, spoken.is_included)]
        spans = [clause for clause in spans if is_negated(words, places, [clause]) is False]
        if affirmed := places.intersection(set().union(*spans)):
            found.setdefault(True, set()).update(affirmed)
            places -= affirmed
    if negated or (negated is False and not is_open(text, places)):
        found.setdefault(not negated, set()).update(places)
    return found


def is_open(text: Text, places: Collection[int]) -> bool:
    """Return whether the verb after a modal decides the answer, so that no rule can: "vegetarians should abstain"."""
    clauses = (clause for clause in text.clauses if any(place in clause for place in places))
    return any(not _MODALS.isdisjoint(text.words[clause.start : clause.stop]) for clause in clauses)


def _is_plain(text: Text, clause: range, places: Collection[int], is_included: bool) -> bool:
    """Return whether a clause presents a thing as there: by "included", or as the subject that begins a sentence."""
    words = text.words
    if is_included:
        return any(words[place] in _INCLUSION for place in clause)
    is_first = clause.start == 0 or words[clause.start - 1] in STOPS
    subject = next((place for place in clause if place not in places), clause.stop)
    return is_first and clause.start < subject < clause.stop - 1 and words[clause.stop : clause.stop + 1] != ["?"]


def _around(text: Text, places: Collection[int]) -> set[int]:
    """Return the positions of the clauses of some words."""
    clauses = text.clauses if places else ()
    return set().union(*(clause for clause in clauses if any(place in clause for place in places)))


def _is_denied(reading: Reading, fact: Fact, place: int) -> bool:
    """Return whether a word itself denies the thing: "non-smoking", "pet-free", "hoodless", "far from vegan"."""
    text = reading.text
    is_name = text.words[place].startswith("non-") and text.keys[place] in fact.keywords.alone  # of `non_smoking`
    word = text.words[place]
    is_undone = word.startswith(UN) and word not in NEGATIONS and text.keys[place] not in fact.keywords.every
    return (
        is_undone
        or (_is_non(text.words, place) and not is_name)
        or _is_free(text, fact, place)
        or reading.scope.is_opposite(place)
    )


def _is_extra(text: Text, place: int) -> bool:
    """Return whether a clause says that the thing at ``place`` costs extra or anything, or is brought along."""
    inside = {text.words[at] for clause in text.clauses if place in clause for at in clause}
    before = text.words[max(place - _PLUS_REACH, 0) : place]
    if text.words[place + 1 : place + 2] in (["costs"], ["cost"]):  # "breakfast costs 12 euros"
        return text.words[place + 2 : place + 3] != ["nothing"]
    if not _BESIDES.isdisjoint(before):
        return True
    if not _NEEDING.isdisjoint(before) and inside.isdisjoint(NEGATIONS):
        end = next((at for at in range(place, len(text.words)) if text.words[at] in STOPS), len(text.words))
        return _COMING.isdisjoint(text.words[place:end])
    return not inside.isdisjoint(_EXTRA) and inside.isdisjoint(NEGATIONS)


def _things(reading: Reading, fact: Fact, covered: Collection[int]) -> dict[int, bool]:
    """Return position -> answer of each word for a thing that a yes declares absent or harmless."""
    text, found = reading.text, dict[int, bool]()
    spoken = fact.keywords
    for thing in (*spoken.absent, *spoken.endured) if spoken.absent or spoken.endured else ():
        for place in text.places.get(thing, ()):
            if place in reading.taken or place in covered or place in reading.scope.of_another:
                continue
            clause = next((part for part in text.clauses if place in part), range(place, place + 1))
            negated = bool(is_negated(text.words, {place}, text.clauses))
            if thing in spoken.absent:
                answer = _for_those(text.words, place)
                found[place] = negated is not is_free_of(text.words, clause, place) if answer is None else answer
            elif (answer := _is_endured(text, clause, place, negated)) is not None:
                found[place] = answer
    return found


def _little(reading: Reading, things: Collection[str], covered: Collection[int]) -> dict[int, bool]:
    """Return position -> whether a text says that there is little of a thing, for each word where it says how much."""
    text, found = reading.text, dict[int, bool]()
    for place in sorted(place for thing in things for place in text.places.get(thing, ())):
        if place in covered or place in reading.scope.of_another:
            continue
        clause = next((part for part in text.clauses if place in part), range(place, place + 1))
        if (answer := says_little(text.words, clause, place)) is not None:
            found[place] = answer
    return found


def _for_those(words: Sequence[str], place: int) -> bool | None:
    """Return whether people who avoid the thing at ``place`` are welcome: "fine for guests who can't have nuts".

    None if the words are not about people who avoid it.
    """
    start = next((at for at in range(place, 0, -1) if words[at - 1] in ENDS), 0)
    end = next((at for at in range(place, len(words)) if words[at] in ENDS), len(words))
    who = next((at for at in range(start, place) if words[at] == "who"), place)
    is_intolerant = any(word.endswith(_INTOLERANT) for word in words[place : place + 2])
    if is_intolerant or not NEGATIONS.union(_AVOIDING).isdisjoint(words[who:place]):
        return NEGATIONS.union(_WARNING).isdisjoint((*words[start:who], *words[place + 1 : end]))
    return None


def _is_endured(text: Text, clause: range, place: int, negated: bool) -> bool | None:
    """Return whether a clause says that the thing at ``place`` does no harm, and None if it says neither."""
    if any(text.words[at].endswith(PROOF) for at in range(place, min(place + _PROOF_REACH, clause.stop))):
        return not negated
    if place and text.words[place - 1] in _NEVER:  # "it never rusts"
        return True
    keys = {text.keys[at] for at in clause if at != place}
    if not keys.isdisjoint(_HARMING):
        return negated
    is_enduring = not keys.isdisjoint(_ENDURING) or any(keys.issuperset(pair) for pair in _PAIRS)
    return not negated if is_enduring else None


def _is_non(words: Sequence[str], place: int) -> bool:
    """Return whether "non" before a word denies it: "non-family-friendly", "non smoking"."""
    before = words[max(place - _NON_REACH, 0) : place]
    return any(word == "non" or word.startswith("non-") for word in (*before, words[place]))


def _is_free(text: Text, fact: Fact, place: int) -> bool:
    """Return whether a word denies a thing, such as "pet-free", and the column is not itself about being free of it."""
    is_named = not fact.keywords.alone.isdisjoint((FREE, text.keys[place]))
    is_before = place > 1 and text.words[place - 2] == FREE and text.words[place - 1] in OF
    before = text.words[max(place - _FREE_REACH, 0) : place]
    is_before |= (
        before[-1:] in (["and"], ["or"])
        and "," not in before
        and any(word == FREE and following in OF for word, following in pairwise(before))
    )
    return is_before or (not is_named and text.words[place].endswith((f"-{FREE}", LESS)))


def spoken_places(text: Text, fact: Fact, taken: Set[int] = frozenset(), elsewhere: Set[int] = frozenset()) -> set[int]:
    """Return the positions of the words that mention a column, except those in ``taken`` and ``elsewhere``.

    One word of a phrase may be taken: in "raw milk", "milk" may be another column's value.
    """
    spoken = fact.keywords
    if not (spoken.alone or spoken.together):
        return set()
    found = {place for key in spoken.alone for place in text.places.get(key, ())}
    for phrase in spoken.together:
        if all(key in text.places for key in phrase):
            key_places = [text.places[key] for key in phrase]
            for clause in text.phrases:
                places_in_clause = [
                    [at for at in places if at in clause and at not in elsewhere] for places in key_places
                ]
                if all(places_in_clause) and not all(taken >= set(places) for places in places_in_clause):
                    found.update(*places_in_clause)
    return found.difference(taken, elsewhere)


def find_free_offers(reading: Reading, covered: Set[int]) -> None:
    """Add a finding for each thing that a text offers for free but no column names: "a free trial lesson"."""
    text = reading.text
    if _GRATIS.isdisjoint(text.vocabulary):
        return
    spoken = frozenset().union(*(fact.keywords.every for fact in reading.facts))
    for place in (place for place, word in enumerate(text.words) if word in _GRATIS):
        thing, before = place + 1, text.words[place - 1] if place else "."
        if before in _BE and [*text.words[place + 1 : place + 2]] in _FREE_ENDS and place > 1:  # "parking is free"
            if covered.isdisjoint((place - 2, place)) and text.keys[place - 2] not in spoken:
                line = " ".join(text.words[place - 2 : place + 1])
                reading.find(LOOK, "", line, findings.FOR_FREE, (place - 2, place + 1))
            continue
        is_noun = [*text.words[thing : thing + 1]] not in _NO_OFFERS and text.words[thing].isalpha()
        is_offer = before in BEFORE_NOUNS or before in ENDS or before in _GIVING  # "gluten free bread" is none
        if is_noun and is_offer and covered.isdisjoint((place, thing)) and text.keys[thing] not in spoken:
            reading.find(LOOK, "", " ".join(text.words[place : thing + 1]), findings.FOR_FREE, (place, thing + 1))
