"""Clauses of a text: where a statement ends, and lists, whose things share one verb or one answer.

Words are lower case, as a normaliser splits them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from allsaid.language.text import DASH, listed

_PARTICLES = """not no zero n't cannot never neither nor without none nobody nowhere isnt arent dont doesnt wont cant
separately elsewhere minus"""
_LACKS = """lack lacks lacking exclude excludes excluding omit omits omitting skip skips skipping forgo forgoes forgoing
forego foregoes renounce renounces eschew eschews shun shuns ditch ditches refuse refuses ban bans forbid forbids
prohibit prohibits"""
DENYING_VERBS = f"""{_LACKS} forbidden prohibited banned restrict restricts restricted excluded omitted skipped
avoided spared forgone renounced absent missing disappeared vanished unknown taboo nope nil
unnecessary unneeded needless superfluous
unsuitable unsuited unfit unwelcome unavailable inaccessible impossible inadvisable off-limits no-go"""
_JOINTS = """and but if while though although however because which that where
und aber et mais y pero maar"""
# German, French, Spanish, Italian and Dutch; without "non", which also occurs in English "non-stick".
_ABROAD = """nicht kein keine keinen keinem keiner keines nie weder ohne pas sans aucun aucune jamais sin ningún ninguno
ninguna nunca tampoco senza nessun nessuno nessuna geen niet zonder nooit"""
_LACKING = frozenset(_LACKS.split())
# Nouns that look like these verbs: "into a ditch".
_NOUNS = frozenset(("ditch", "ditches", "skip", "skips", "refuse"))
# Words before a verb, and words after a noun: "we skip the lid", "a skip hire".
_BEFORE_VERBS = listed("""to you we they i it he she can could will would should must may might n't not never and
or please just let that which who""")
_RUBBISH = frozenset(("collection", "bin", "bins", "bag", "bags", "sack", "sacks", "disposal", "hire"))
_LEAVING = ("leave", "leaves", "leaving")
_DOING_WITHOUT = {
    "without": ("do", "does", "doing", "did"),
    "with": ("dispense", "dispenses", "dispensed", "dispensing"),
    "off": _LEAVING,
    "out": _LEAVING,
}
NEGATIONS = frozenset([*_PARTICLES.split(), "nothing", *DENYING_VERBS.split(), *_ABROAD.split()])
# Words that end a clause and belong to none, and words that begin one.
ENDS = frozenset([*",;.?!", DASH, *_JOINTS.split()])
_INSERTED = frozenset(("however", "though", "alas"))  # between two commas, they end no clause
_ANSWERS = frozenset(("no", "none", "yes", "not", "never", "naturally", "certainly", "absolutely", "sure", "course"))
_ANSWERING = listed("""is are it 's has they any one n't no not none never neither nope missing absent lacking
sadly alas unfortunately sorry so far yet here there really quite thanks afraid""")  # the words of a short answer
_ENDING = ("no", "none", "yes")  # after a list and a comma: "tours, photos and wheelchair access, no."
_SAME_AGAIN = (["as", "is"], ["as", "are"], ["so", "is"], ["so", "are"])  # "a lid is missing, as is a handle"
_STOPPING = frozenset(".!?;")  # a list, an insertion or an answer does not go on after these
STOPS = frozenset(".!?")
_SUBJECTS = frozenset(("it", "its", "they", "you", "we", "this", "there", "he", "she"))  # after a colon: a new clause
NOT = frozenset(("not", "n't", "never"))
_OR = frozenset(("or", "nor"))
LISTING = frozenset((",", "and"))
_PLURAL = frozenset(("are", "were", "have", "do"))  # verbs of several subjects
# States of a list of things, without a verb: "a lid and a bag missing".
_STATES = listed("""included excluded provided available allowed permitted possible missing prohibited lacking
absent unavailable forbidden banned impossible""")
# Words that a list of things does not have.
_NO_NOUNS = listed("""is was has had can may must will would does did comes costs weighs it they you we he she
this that there""")
_VERBS_AND_SUBJECTS = _NO_NOUNS | {"are", "were", "have", "do", "keeps", "adds", "gets", "offers", "brings"}
_RELATIVE = frozenset(("which", "that", "who"))  # a comma may end their clause
_OBJECT_JOINTS = frozenset((",", "and", "or", "nor"))
_DETERMINING = frozenset(("a", "an", "the", "its", "any", "your", "his", "her", "each", "every", "another", "some"))
_NOUN_ENDS = frozenset(("to", "for", "in", "at", "on", "with", "from", "of", "as", "by", ":", "altogether", "entirely"))
_LONGEST_LIST = 14  # words from a joint to the verb of a list of subjects
_LONGEST = 3  # most words of an element of a list, including an "or"
BEGINS = frozenset(("without", "ohne", "sans", "sin", "senza", "zonder"))
_BRACKETS = frozenset("()")
_CUTTING = ENDS | BEGINS | _BRACKETS | {":", "yet"}  # words at which a clause may end
ARTICLES = frozenset(("a", "an", "the"))


def sentence_around(words: Sequence[str], start: int, end: int) -> range:
    """Return the positions of the sentence that has the words from ``start`` to ``end``, without its full stop."""
    first = next((place for place in range(start, 0, -1) if words[place - 1] in STOPS), 0)
    return range(first, next((place for place in range(end, len(words)) if words[place] in STOPS), len(words)))


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
            or (words[place] in (",", DASH) and _is_tail(words, place))
            or _is_listed(words, place)
            or [*words[place + 1 : place + 3]] in _SAME_AGAIN
            or (words[place - 1] == "nothing" and _is_verb_behind(words, place))  # "it has nothing that reflects"
            or _is_of_subjects(words, start, place)
            or _is_of_objects(words, start, place)
        )
        is_end = is_end or (word in _BRACKETS and _is_bracket(words, place))
        is_new = _SUBJECTS.issuperset(words[place + 1 : place + 2]) or words[start] == "no"
        is_end = is_end or (word == ":" and place > start + 1 and is_new and not _is_tail(words, place))
        if is_end or word in BEGINS:
            yield range(start, place)
            start = place + (word not in BEGINS)
    yield range(start, len(words))


def is_noun(words: Sequence[str], place: int) -> bool:
    """Return whether a word like a verb of lacking is a noun, which denies nothing: "a ditch", "a rubbish skip"."""
    before, after = words[place - 1] if place else ",", words[place + 1] if place + 1 < len(words) else "."
    if words[place] not in _NOUNS or (before in _BEFORE_VERBS and after not in _RUBBISH):
        return False
    is_plural = words[place].endswith("s") and not before[:1].isdigit()
    return (
        before in ARTICLES | _DETERMINING | _NOUN_ENDS
        or before[:1].isdigit()
        or after in _RUBBISH
        or (before not in ENDS and not is_plural and after in ENDS | _NOUN_ENDS | _NO_NOUNS)
    )


def _is_inserted(words: Sequence[str], place: int) -> bool:
    """Return whether the word at ``place`` is part of an insertion, as in "pets, however, are not allowed".

    A dash belongs to one if a verb follows the second: "a lid – what a pity – is not included".
    """
    if words[place] == DASH:
        first = next((at for at in range(place - 1, -1, -1) if words[at] in _STOPPING or words[at] == DASH), -1)
        second = next((at for at in range(place + 1, len(words)) if words[at] in _STOPPING or words[at] == DASH), place)
        pairs = ((first, place), (place, second))
        return any(
            words[at] == DASH == words[end] and _NO_NOUNS.issuperset(words[end + 1 : end + 2])
            for at, end in pairs
            if at >= 0 and end + 1 < len(words)
        )
    return any(
        start >= 0 and [*words[start : start + 3 : 2]] == [",", ","] and _is_adverb(words[start + 1])
        for start in range(place - 2, place + 1)
    )


def _is_said_of_both(after: Sequence[str]) -> bool:
    """Return whether a plural verb follows a thing after "and": "mudguards and a motor are absent"."""
    rest = after[1:] if after[:1] and after[0] in ARTICLES else after
    return len(after) > len(rest) > 1 and rest[1] in ("are", "were")


def _is_of_subjects(words: Sequence[str], start: int, place: int) -> bool:
    """Return whether a joint is in a list of subjects of one verb: "a lid, a bag and straps are not included"."""
    if words[place] not in LISTING:
        return False
    begin = next((at for at in range(place, start, -1) if words[at - 1] in LISTING), start)
    has_and = False
    for end in range(begin, min(place + _LONGEST_LIST, len(words))):
        is_verb = words[end] in _PLURAL or (words[end] in _STATES and ENDS.issuperset(words[end + 1 : end + 2]))
        is_verb = is_verb or (words[end] == ":" and _is_tail(words, end))
        if is_verb or words[end] in ENDS:
            noun = words[begin:end]
            is_noun = 0 < len(noun) <= _LONGEST + (noun[0] in ARTICLES) and _NO_NOUNS.isdisjoint(noun)
            if not (is_noun and not noun[-1].endswith("ed")) and not (has_and and not noun):
                return False
            if is_verb:
                return has_and
            if words[end] not in LISTING:
                return False
            has_and, begin = has_and or words[end] == "and", end + 1
    return False


def _is_of_objects(words: Sequence[str], start: int, place: int) -> bool:
    """Return whether a joint is in a list of objects of a verb of lacking: "skips the motor and lights"."""
    if words[place] not in _OBJECT_JOINTS:
        return False
    verb = next((at for at in range(start, place - 1) if _lacks(words, at)), -1)
    is_inserted = words[place] == "," and not _RELATIVE.isdisjoint(words[max(start - 3, 0) : start])
    if verb < 0 or is_inserted or not _VERBS_AND_SUBJECTS.isdisjoint(words[verb + 1 : place]):
        return False
    behind = words[place + 1 : place + 3 + _LONGEST]
    noun = behind[: next((at for at, word in enumerate(behind) if word in ENDS or word in _NOUN_ENDS), len(behind))]
    rest = noun[1:] if noun[:1] and noun[0] in _DETERMINING else noun
    is_verb = len(rest) > 1 and len(rest) == len(noun) and rest[0].endswith("s") and not rest[0].endswith(("ss", "'s"))
    if not rest or len(rest) > _LONGEST or is_verb or not _VERBS_AND_SUBJECTS.isdisjoint(rest):
        return False
    following = place + 1 + len(noun)
    return (
        words[place] != ","
        or [*words[following : following + 1]] in (["and"], ["or"], ["nor"])
        or ([*words[following : following + 1]] == [","] and _is_of_objects(words, start, following))
    )


def _lacks(words: Sequence[str], place: int) -> bool:
    return (words[place] in _LACKING and not is_noun(words, place)) or _does_without(words, place)


def _does_without(words: Sequence[str], place: int) -> bool:
    """Return whether a verb of two words denies what follows: "does without", "leaves off"."""
    return place > 0 and words[place - 1] in _DOING_WITHOUT.get(words[place], ())


def _is_answered(words: Sequence[str], place: int) -> bool:
    """Return whether a short answer follows a question: "Pets? None.", "A motor? No, your legs.", "Sadly not."."""
    after = words[place + 1 : place + 1 + _LONGEST] if words[place] == "?" else []
    length = next((number for number, word in enumerate(after) if word in ENDS), len(after))
    return not _ANSWERS.isdisjoint(after[:length]) and ENDS.issuperset(words[place + 1 + length : place + 2 + length])


def _is_tail(words: Sequence[str], place: int) -> bool:
    """Return whether a short answer after a mark denies the words before it: "Parking: sadly not"."""
    end = next((at for at in range(place + 1, len(words)) if words[at] in ENDS), len(words))
    tail = words[place + 1 : end]
    return _ANSWERING.issuperset(tail) and not NEGATIONS.isdisjoint(tail)


def _is_verb_behind(words: Sequence[str], place: int) -> bool:
    """Return whether a verb follows a relative pronoun: "that reflects", but not "that vegans would eat"."""
    verb, after = "".join(words[place + 1 : place + 2]), words[place + 2 : place + 3]
    return words[place] in _RELATIVE and verb.endswith("s") and _NO_NOUNS.isdisjoint(after)


def _is_listed(words: Sequence[str], place: int) -> bool:
    """Return whether an answer follows the list that continues at ``place``.

    "Tours, photos and a lift, no", "Tours, photos and a lift? None of them".
    """
    if words[place] not in LISTING:
        return False
    end = next((at for at in range(place, len(words)) if words[at] in _STOPPING), len(words))
    if end < len(words) and _is_answered(words, end):
        end += 1
    elif end < place + 2 or words[end - 1] not in _ENDING or words[end - 2] in ENDS - {","}:
        return False
    start = next((at for at in range(place, 0, -1) if words[at - 1] in _STOPPING or words[at - 1] == ":"), 0)
    return _NO_NOUNS.union(NEGATIONS, _ENDING).isdisjoint(words[start : end - 1])


def _is_bracket(words: Sequence[str], place: int) -> bool:
    """Return whether a bracket denies a thing inside it: "a display (no touch)", but not "keys (not included)"."""
    if words[place] == ")":
        place = next((at for at in range(place, 0, -1) if words[at] == "("), 0)
    return words[place] == "(" and [*words[place + 1 : place + 2]] in (["no"], ["without"])


def _is_contrast(words: Sequence[str], place: int) -> bool:
    """Return whether "yet" joins two clauses: "vegan yet not organic", but "not yet vegan"."""
    after = words[place + 1 : place + 2]
    return place > 0 and words[place - 1] not in NOT and not ENDS.union(("to",)).issuperset(after)


def _is_adverb(word: str) -> bool:
    return word in _INSERTED or (word.endswith("ly") and len(word) > 4)


def _is_in_list(words: Sequence[str], place: int) -> bool:
    """Return whether a list continues after a comma ("Steam, Linux, or Mac") or an "and" ("Linux and Mac.")."""
    after = words[place + 1 : place + 2 + _LONGEST]
    length = next((number for number, word in enumerate(after) if word in ENDS), len(after))
    if words[place] == "and" and place > 0 and words[place - 1] not in ENDS:
        start = next((at for at in range(place, 0, -1) if words[at - 1] in _STOPPING), 0)
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
