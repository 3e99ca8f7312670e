"""Polarity: whether a text affirms or denies a thing, by negations in the clauses that mention it.

The rule and its judged cases are in docs/coverage.md. Words are lower case, as a normaliser splits them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

Idioms = Mapping[bool, Sequence[tuple[str, ...]]]  # answer -> phrases that give it: "adults only" is no children

_PARTICLES = """not no zero n't cannot never neither nor without none nobody nowhere isnt arent dont doesnt wont cant
separately elsewhere minus"""
_LACKS = """lack lacks lacking exclude excludes excluding omit omits omitting skip skips skipping forgo forgoes forgoing
forego foregoes renounce renounces eschew eschews shun shuns ditch ditches refuse refuses ban bans forbid forbids
prohibit prohibits"""
_VERBS = f"""{_LACKS} forbidden prohibited banned restrict restricts restricted excluded omitted skipped
avoided spared forgone renounced absent missing disappeared vanished unknown taboo nope nil
unsuitable unsuited unfit unwelcome unavailable inaccessible impossible inadvisable off-limits no-go"""
_JOINTS = """and but if while though although however because which that where
und aber et mais y pero maar"""
# German, French, Spanish, Italian and Dutch; without "non", which also occurs in English "non-stick".
_ABROAD = """nicht kein keine keinen keinem keiner keines nie weder ohne pas sans aucun aucune jamais sin ningún ninguno
ninguna nunca tampoco senza nessun nessuno nessuna geen niet zonder nooit"""
# "Leave your pets at home", "pets must stay behind", "it leaves out gluten": what stays away is not there.
_STAYS = """leave leaves leaving left stay stays remain remains keep kept steer wait waits"""
_STAYING = frozenset(_STAYS.split())
_AWAY = (("at", "home"), ("behind",), ("away",))
_KEPT_AWAY = (("out", "of"), ("away", "from"), ("clear", "of"))  # before what a thing is kept away from
_LEFT_OUT = frozenset(["leave", "leaves", "leaving", "left"])
_PLACES_LEFT = frozenset(["in", "all", "overnight", "during", "there", "at", "on", "of"])  # "left out in the rain"
_NOT_OFFERED = ("out of the question", "off limits", "out of bounds", "off the menu", "off the table", "in vain",
                "out of it", "ruled out", "another matter", "another story", "turned away", "stay home", "stays home", "short of", "a miss",
                "forget about", "forget the")
_OFFS = frozenset(("out", "off", "vain", "matter", "story", "turned", "home", "short", "miss", "everything", "forget"))
_REFUSED = [tuple(phrase.split()) for phrase in _NOT_OFFERED]
_NOTHING = """only just far problem problems obstacle obstacles barrier barriers hurdle hurdles
worries doubt charge fee fees extra additional mind minds matter
cost costs nur seulement solo alleen"""
_LACKING = frozenset(_LACKS.split())
_DOING_WITHOUT = {"without": ("do", "does", "doing"), "with": ("dispense", "dispenses"), "off": ("leave", "leaves", "leaving"),
                  "out": ("leave", "leaves", "leaving")}
_PLACES = "hotel hotels restaurant restaurants place places venue venues match matches option options"
NEGATIONS = frozenset([*_PARTICLES.split(), "nothing", *_VERBS.split(), *_ABROAD.split()])
# Words that end a clause and belong to none, and words that begin one.
ENDS = frozenset([*",;.?!", *_JOINTS.split()])
_INSERTED = frozenset(("however", "though", "alas"))  # between two commas, they end no clause
_ANSWERS = frozenset(("no", "none", "yes", "not", "never", "naturally", "certainly", "absolutely", "sure", "course"))
_HEDGED = "sadly alas unfortunately sorry so far yet here there really quite thanks afraid"
_ANSWERING = frozenset(("no", "not", "none", "never", "neither", "nope", "missing", "absent", "lacking", *_HEDGED.split()))
_ENDING = ("no", "none", "yes")  # behind a list and a comma: "tours, photos and wheelchair access, no."
_SAME_AGAIN = (["as", "is"], ["as", "are"], ["so", "is"], ["so", "are"])  # "a lid is missing, as is a handle"
_STOPPING = frozenset(".!?;")
_SUBJECTS = frozenset(("it", "its", "they", "you", "we", "this", "there", "he", "she"))  # behind a colon: a new clause
_NOT = frozenset(("not", "n't", "never"))
_THERE = """there available included allowed permitted possible offered provided supplied fitted part"""
_PRESENT = frozenset(_THERE.split())
_CANCELLED = frozenset(["without", *_VERBS.split()])
_FINDING = frozenset(("'s", "is", "was", "has", "have", "offers", "find"))
_OR = frozenset(("or", "nor"))
_LISTING = frozenset((",", "and"))
_PLURAL = frozenset(("are", "were", "have", "do"))
_DONE = """included excluded provided available allowed permitted possible missing prohibited lacking absent unavailable
forbidden banned impossible"""
_STATES = frozenset(_DONE.split())
_HAPPENING = frozenset(("happens", "takes", "is", "runs", "goes"))  # behind "nothing": it denies what follows
# Before what has not happened or does not hold yet: "she must learn to be house-trained".
_OPEN = """yet to|still needs|still need|still has to|must learn|has to learn|needs to learn|let her pass|let him pass
let it pass|let them pass|let this pass|choose another|choose others"""
_NOT_YET = [tuple(phrase.split()) for line in _OPEN.splitlines() for phrase in line.split("|")]
_OPENING = frozenset(phrase[0] for phrase in _NOT_YET)
_VERBS_AND_PRONOUNS = """is was has had can may must will would does did comes costs weighs
it they you we he she this that there"""
_NO_NOUNS = frozenset(_VERBS_AND_PRONOUNS.split())
_VERBS_AND_SUBJECTS = _NO_NOUNS | {"are", "were", "have", "do", "keeps", "adds", "gets", "offers", "brings"}
_RELATIVE = frozenset(("which", "that", "who"))  # a comma may end their clause
_OBJECT_JOINTS = frozenset((",", "and", "or", "nor"))
_DETERMINING = frozenset(("a", "an", "the", "its", "any", "your", "his", "her"))
_NOUN_ENDS = frozenset(("to", "for", "in", "at", "on", "with", "from", "of", "as", "by", ":", "altogether", "entirely"))
_LONGEST_LIST = 14  # words from a joint to the verb of a list of subjects
_LONGEST = 3  # most words of a list's element, with "or"
BEGINS = frozenset(("without", "ohne", "sans", "sin", "senza", "zonder"))
_BRACKETS = frozenset("()")
_CUTTING = ENDS | BEGINS | _BRACKETS | {":", "yet"}  # words at which a clause may end
# "not only", "no problem", "no charge for", "do not mind": the word after the negation shows that nothing is denied.
_DENY_NOTHING = frozenset(_NOTHING.split())
# "no hotels near mission allow dogs": the negation means that no such venue was found.
_DENY_VENUES = frozenset(("no", "not", "n't", "cannot"))
_VENUES = frozenset(_PLACES.split())
_ARTICLES = frozenset(("a", "an", "the"))
_DEGREES = frozenset(("too", "very", "so", "that"))  # "not too far" denies no more than "not far"


def is_negated(words: Sequence[str], spoken: Collection[int], clauses: Iterable[range] | None = None) -> bool | None:
    """Return whether a clause that mentions a thing has a negation; None if no clause mentions it.

    ``spoken`` are the positions of the words that mention it; ``clauses`` those of the words, if they are known.
    """
    if not spoken:
        return None
    clauses = clauses_of(words) if clauses is None else clauses
    inside = [clause for clause in clauses if any(place in spoken for place in clause)]
    if not inside:
        return None
    return any(
        _is_left(words, clause, spoken)
        or _is_not_there(words, clause, spoken)
        or any(_denies(words, clause, place, spoken) for place in clause)
        for clause in inside
    )


def _is_not_there(words: Sequence[str], clause: range, spoken: Collection[int]) -> bool:
    """Return whether a verb behind "and" denies the subject of a clause: "a lid would rattle and isn't there"."""
    behind = words[clause.stop + 1 : clause.stop + 5]
    return (
        behind[1:2] != []
        and words[clause.stop] in ("and", "but")
        and behind[1] in _NOT
        and not _PRESENT.isdisjoint(behind[2:])
        and any(place in spoken for place in range(clause.start, clause.start + 3))
    )


def _is_left(words: Sequence[str], clause: range, spoken: Collection[int]) -> bool:
    """Return whether a clause says that something stays away or is out of the question."""
    inside = words[clause.start : clause.stop]
    if not _OPENING.isdisjoint(inside) and any(any(places_of(inside, phrase)) for phrase in _NOT_YET):
        return True
    if _OFFS.isdisjoint(inside) and _STAYING.isdisjoint(inside):
        return False
    if any(any(places_of(inside, phrase)) for phrase in _REFUSED):
        return True
    for one in (one for phrase in _KEPT_AWAY for one in places_of(inside, phrase)):  # "keep it out of the oven"
        is_kept = not _STAYING.isdisjoint(inside[max(one.start - 3, 0) : one.start])
        if is_kept and any(place in spoken for place in range(clause.start + one.stop, clause.stop)):
            return True
    for place, word in enumerate(inside):
        if word in _STAYING and any(any(places_of(inside[place:], phrase)) for phrase in _AWAY):
            return True
        if word in _STAYING and "outside" in inside[place:]:  # "dogs must wait outside"
            return any(one in spoken for one in range(clause.start, clause.start + inside.index("outside")))
        if word in _LEFT_OUT and [*inside[place + 2 : place + 3]] == ["out"] and clause.start + place + 1 in spoken:
            return True  # "it leaves beginners out"
        if word in _LEFT_OUT and [*inside[place + 1 : place + 2]] in (["out"], ["off"]):
            return _PLACES_LEFT.isdisjoint(inside[place + 2 : place + 3])
    return False


def answer_of(words: Sequence[str], spoken: Collection[int], idioms: Idioms) -> bool | None:
    """Return a text's answer about a thing: that of its idioms, else that of the clauses that mention the thing.

    None if it gives none, or idioms of both answers. ``spoken`` are the positions of the words that mention it.
    """
    said = {answer for answer, phrases in idioms.items() for phrase in phrases if any(places_of(words, phrase))}
    if said:
        return said.pop() if len(said) == 1 else None
    negated = is_negated(words, spoken)
    return None if negated is None else not negated


def places_of(words: Sequence[str], phrase: tuple[str, ...]) -> Iterator[range]:
    """Yield the positions of a phrase's words, for each place where a text has them side by side."""
    for place, word in enumerate(words):
        if word == phrase[0] and tuple(words[place : place + len(phrase)]) == phrase:
            yield range(place, place + len(phrase))


def clauses_of(words: Sequence[str]) -> Iterator[range]:
    """Yield the positions of each clause's words; a list is in one clause: "not on Steam, Linux, or Mac"."""
    start = 0
    for place, word in enumerate(words):
        if word not in _CUTTING:
            continue
        is_end = (word in ENDS or (word == "yet" and _is_contrast(words, place))) and not (
            _is_in_list(words, place)
            or _is_inserted(words, place)
            or _is_answered(words, place)
            or (words[place] == "," and _is_tail(words, place))
            or _is_listed(words, place)
            or [*words[place + 1 : place + 3]] in _SAME_AGAIN
            or _is_of_subjects(words, start, place)
            or _is_of_objects(words, start, place)
        )
        is_end = is_end or (word in _BRACKETS and _is_bracket(words, place))
        is_new = _SUBJECTS.issuperset(words[place + 1 : place + 2]) or words[start] == "no"
        is_end = is_end or (word == ":" and place > start + 1 and is_new)
        if is_end or word in BEGINS:
            yield range(start, place)
            start = place + (word not in BEGINS)
    yield range(start, len(words))


def _is_inserted(words: Sequence[str], place: int) -> bool:
    """Return whether the word at ``place`` is part of an insertion, as in "pets, however, are not allowed"."""
    return any(
        start >= 0 and [*words[start : start + 3 : 2]] == [",", ","] and _is_adverb(words[start + 1])
        for start in range(place - 2, place + 1)
    )


def _is_said_of_both(after: Sequence[str]) -> bool:
    """Return whether a clause behind "and" has a plural verb for one more thing: "mudguards and a motor are absent"."""
    rest = after[1:] if after[:1] and after[0] in _ARTICLES else after
    return len(after) > len(rest) > 1 and rest[1] in ("are", "were")


def _is_of_subjects(words: Sequence[str], start: int, place: int) -> bool:
    """Return whether things before and behind a joint have one verb: "a lid, a bag and straps are not included"."""
    if words[place] not in _LISTING:
        return False
    begin = next((one for one in range(place, start, -1) if words[one - 1] in _LISTING), start)
    has_and = False
    for end in range(begin, min(place + _LONGEST_LIST, len(words))):
        is_verb = words[end] in _PLURAL or (words[end] in _STATES and ENDS.issuperset(words[end + 1 : end + 2]))
        is_verb = is_verb or (words[end] == ":" and _is_tail(words, end))
        if is_verb or words[end] in ENDS:
            noun = words[begin:end]
            is_noun = 0 < len(noun) <= _LONGEST + (noun[0] in _ARTICLES) and _NO_NOUNS.isdisjoint(noun)
            if not (is_noun and not noun[-1].endswith("ed")) and not (has_and and not noun):
                return False
            if is_verb:
                return has_and
            if words[end] not in _LISTING:
                return False
            has_and, begin = has_and or words[end] == "and", end + 1
    return False


def _is_of_objects(words: Sequence[str], start: int, place: int) -> bool:
    """Return whether a thing behind a joint is one more that a verb of lacking denies: "skips the motor and lights"."""
    if words[place] not in _OBJECT_JOINTS:
        return False
    verb = next((one for one in range(start, place - 1) if words[one] in _LACKING or _does_without(words, one)), -1)
    is_inserted = words[place] == "," and not _RELATIVE.isdisjoint(words[max(start - 3, 0) : start])
    if verb < 0 or is_inserted or not _VERBS_AND_SUBJECTS.isdisjoint(words[verb + 1 : place]):
        return False
    behind = words[place + 1 : place + 3 + _LONGEST]
    noun = behind[: next((one for one, word in enumerate(behind) if word in ENDS or word in _NOUN_ENDS), len(behind))]
    rest = noun[1:] if noun[:1] and noun[0] in _DETERMINING else noun
    is_verb = len(rest) > 1 and len(rest) == len(noun) and rest[0].endswith("s") and not rest[0].endswith(("ss", "'s"))
    if not rest or len(rest) > _LONGEST or is_verb or not _VERBS_AND_SUBJECTS.isdisjoint(rest):
        return False
    following = place + 1 + len(noun)
    return words[place] != "," or [*words[following : following + 1]] in (["and"], ["or"], ["nor"]) or (
        [*words[following : following + 1]] == [","] and _is_of_objects(words, start, following)
    )


def _does_without(words: Sequence[str], place: int) -> bool:
    """Return whether a verb of two words denies what follows: "does without", "leaves off"."""
    return place > 0 and words[place - 1] in _DOING_WITHOUT.get(words[place], ())


def _is_answered(words: Sequence[str], place: int) -> bool:
    """Return whether a short answer follows a question: "Pets? None.", "A motor? No, your legs.", "Sadly not."."""
    after = words[place + 1 : place + 1 + _LONGEST] if words[place] == "?" else []
    length = next((number for number, word in enumerate(after) if word in ENDS), len(after))
    return not _ANSWERS.isdisjoint(after[:length]) and ENDS.issuperset(words[place + 1 + length : place + 2 + length])


def _is_tail(words: Sequence[str], place: int) -> bool:
    """Return whether a mark is before a short answer that denies what is before it: "Parking: sadly not"."""
    end = next((one for one in range(place + 1, len(words)) if words[one] in ENDS), len(words))
    tail = words[place + 1 : end]
    return _ANSWERING.issuperset(tail) and not NEGATIONS.isdisjoint(tail)


def _is_listed(words: Sequence[str], place: int) -> bool:
    """Return whether an answer follows the list that continues at ``place``: "tours, photos and a lift, no"."""
    if words[place] not in _LISTING:
        return False
    end = next((one for one in range(place, len(words)) if words[one] in _STOPPING), len(words))
    if end < place + 2 or words[end - 1] not in _ENDING or words[end - 2] in ENDS - {","}:
        return False
    start = next((one for one in range(place, 0, -1) if words[one - 1] in _STOPPING or words[one - 1] == ":"), 0)
    return _NO_NOUNS.union(NEGATIONS, _ENDING).isdisjoint(words[start : end - 1])


def _is_bracket(words: Sequence[str], place: int) -> bool:
    """Return whether a bracket denies a thing of its own: "a display (no touch)", but not "keys (not included)"."""
    if words[place] == ")":
        place = next((one for one in range(place, 0, -1) if words[one] == "("), 0)
    return words[place] == "(" and [*words[place + 1 : place + 2]] in (["no"], ["without"])


def _is_contrast(words: Sequence[str], place: int) -> bool:
    """Return whether "yet" joins two clauses: "vegan yet not organic", but "not yet vegan"."""
    after = words[place + 1 : place + 2]
    return place > 0 and words[place - 1] not in _NOT and not ENDS.union(("to",)).issuperset(after)


def _is_adverb(word: str) -> bool:
    return word in _INSERTED or (word.endswith("ly") and len(word) > 4)


def _is_in_list(words: Sequence[str], place: int) -> bool:
    """Return whether a list continues after a comma ("Steam, Linux, or Mac") or an "and" ("Linux and Mac.")."""
    after = words[place + 1 : place + 2 + _LONGEST]
    length = next((number for number, word in enumerate(after) if word in ENDS), len(after))
    if words[place] == "and" and place > 0 and words[place - 1] not in ENDS:
        start = next((one for one in range(place, 0, -1) if words[one - 1] in _STOPPING), 0)
        head = words[start : words.index(":", start)] if ":" in words[start:place] else ()
        is_headed = length <= _LONGEST and not NEGATIONS.isdisjoint(head)  # "what it lacks: a lid and a handle"
        return length == 1 or is_headed or _is_said_of_both(after[:length])
    if words[place] == "and":
        return False
    if words[place] != "," or not length:
        return False
    if not _OR.isdisjoint(after[1:_LONGEST]) and _NO_NOUNS.isdisjoint(after):  # "no lid, bag or spare wheel"
        return True
    if length > _LONGEST:
        return False
    if not _OR.isdisjoint(after[:length]):
        return True
    following = place + 1 + length
    return length < _LONGEST and list(words[following : following + 1]) == [","] and _is_in_list(words, following)


def _denies(words: Sequence[str], clause: range, place: int, spoken: Collection[int]) -> bool:
    """Return whether the word at a position negates the statement of its clause."""
    after = words[place + 1 : clause.stop]
    is_question = place > clause.start and words[place - 1] == "or"  # "yes or no", "whether or not"
    shown = after[1:2] if after and after[0] in _DEGREES else after[:1]
    is_untouched = words[place].startswith("un") and words[place].endswith("ed") and after[:1] == ["by"]
    if is_untouched and words[place] not in NEGATIONS:  # "unscarred by accidents"
        return any(one in spoken for one in range(place, clause.stop))
    if words[place] == "closed" and after[:1] and after[0] in ("to", "for"):
        return any(one in spoken for one in range(place, clause.stop))
    if words[place] not in NEGATIONS or is_question or not _DENY_NOTHING.isdisjoint(shown):
        return False
    around = words[place - 1] if place else "", words[place + 1] if place + 1 < len(words) else ""
    if (around[0] in _NOT and words[place] in _CANCELLED) or (words[place] in _NOT and around[1] in _CANCELLED):
        return False  # "not without", "isn't forbidden"
    is_subject = words[place] == "nothing" and (not place or words[place - 1] not in _FINDING)
    if is_subject and (not after or after[0] not in _HAPPENING):  # "nothing beats a sea view"
        return False
    if words[place] == "no" and after and after[0].isalpha() and _LISTING.intersection(words[clause.start : place]):
        return any(one in spoken for one in range(place, clause.stop))  # "tours, café, no parking"
    if words[place] not in _DENY_VENUES or not after or after[0] in _ARTICLES:
        return True
    is_after = any(one in spoken for one in range(clause.start, place))  # "dogs are not allowed at this hotel"
    first = next((one for one in range(place + 1, clause.stop) if one in spoken or words[one] in _VENUES), None)
    return is_after or first is None or first in spoken
