"""Keywords of a yes/no column of a table, from its name and from the words of `also` in the mapping."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from allsaid.language.inflection import plural
from allsaid.language.stems import key, snowball
from allsaid.proof.clauses import NEGATIONS
from allsaid.proof.values.facts import Keywords
from pipelines.linking.acts import split_name, stems
from pipelines.sources.records.mapping import Column
from pipelines.sources.records.mapping_keys import YES_NO
from pipelines.sources.records.values import PROPERTIES, spoken_of, without_refused

_FREE = "free"
_INCLUDED = "included"
# Services that may be free of charge, as in `parking_free`. In "sugar-free", "free" means without.
_OFFERED = """bike bikes bicycle bicycles breakfast cancellation delivery entry internet luggage parking refills returns
samples shipping tasting transfer trial wifi wlan"""
_SERVICES = frozenset(_OFFERED.split())
_LOW = "low"
_NON = ("non-", "no-")
# Endings of words for what a product endures: "weatherproof".
_ENDURING = ("proof", "resistant", "repellent", "tight", "hardy", "sealed")
_ALL = "all-"  # "all-weather"
_OPPOSITES = {"outdoor": "indoor|indoors", "indoor": "outdoor|outdoors"}
_OPPOSITES["online"] = "offline|in person|in-person|on site|on-site|face to face"
_OPPOSITES |= {"offline": "online", "wireless": "wired|corded", "cordless": "corded|mains-powered"}
_OPPOSITES |= {"reusable": "disposable|single-use", "hardcover": "paperback|softcover", "handmade": "machine-made"}
_OPPOSITES |= {"portable": "stationary|fixed in place", "hardback": "paperback|softback", "digital": "analogue|analog"}
# The same before another word of the column: "fixed covers" for `removable_covers`, "a shared bathroom".
_OPPOSITES_OF_NOUNS = {"removable": "fixed|permanent", "adjustable": "fixed", "private": "shared|communal"}
_OPPOSITES_OF_NOUNS |= {"covered": "open|uncovered", "own": "shared|communal", "new": "old|used"}
# For columns such as `women_only`: the others who may come, and words before the group that deny the column.
_OTHERS = {"women": ("men",), "men": ("women",), "adults": ("children", "kids", "families")}
_OTHERS |= {"members": ("guests", "visitors", "non-members"), "residents": ("visitors", "guests")}
_NOT_ONLY = ("not only for", "not just for", "n't only for", "n't just for")
_BE = ("is", "are")
_NEEDED = frozenset(("needed", "required", "necessary"))  # in the name of a column
_READY = (
    "fully",
    "ready",
    "completely",
    "already",
    "factory",
    "comes",
    "arrives",
    "delivered",
    "you",
)  # "fully assembled"
_SHORTEST = 3  # letters of "weather" in "weatherproof", and of a part of a compound
_FRONTS, _ENDS = ("back", "under", "over"), ("board", "screen", "pad", "room")  # of compounds: "backlit", "keyboard"
_BY_WHOM = ("you", "can", "may", "to", "could", "we", "they")  # before a verb: "you can park"


@lru_cache(maxsize=1 << 12)
def keywords_of(column: Column) -> Keywords:
    """Return the keywords of a column; if it is not a yes/no column, each keyword is a single word."""
    found = _keywords_of(column)
    return replace(
        found,
        alone=without_refused(column, found.alone),
        absent=without_refused(column, found.absent),
        endured=without_refused(column, found.endured),
        low=without_refused(column, found.low),
    )


def _keywords_of(column: Column) -> Keywords:
    if column.kind != YES_NO:
        return Keywords(spoken_of(column))
    phrases = [phrase.lower().split() for phrase in column.also]
    name = split_name(column.name).lower().split()
    name = name[::-1] if len(name) == 2 and name[1] == _FREE and name[0] in _SERVICES else name  # `wifi_free`
    if not phrases:
        return _keywords_of_name(column, name)
    phrases += [
        [*phrase[:-1], form] for phrase in (name, *phrases) if len(phrase) > 1 for form in _verb(phrase[-1], False)
    ]
    denying = [phrase for phrase in phrases if _is_denying(phrase)]
    phrases = [phrase for phrase in phrases if phrase not in denying]
    phrases.append(["-".join(name)] if name[-1] == _FREE or f"{name[0]}-" in _NON else name)
    written = [word for phrase in phrases for word in phrase if len(phrase) == 1]
    alone = frozenset[str]().union(*map(stems, written), *map(_forms, written))
    together = [found for phrase in phrases if len(phrase) > 1 and (found := stems(" ".join(phrase)))]
    alone |= frozenset(word for parts in together if len(parts) == 1 for word in parts) | _shared(phrases)
    absent = _absent(written) | frozenset(
        form for found in map(_denied, denying) if len(found) == 1 for stem in found for form in (stem, snowball(stem))
    )
    together += [joined | other for joined, other in _crossed(phrases)]
    several = tuple(dict.fromkeys(parts for parts in together if len(parts) > 1))
    # Words such as "easy-care" and "undemanding" already mean that there is little.
    things = {word for word in alone if "-" not in word and not word.startswith("un")}
    low = stems(" ".join(name[1:])) | things if name[0] == _LOW else frozenset[str]()
    return Keywords(alone - absent, several, absent, _endured(written), _is_included(name), low)


def _keywords_of_name(column: Column, name: list[str]) -> Keywords:
    """Return the keywords of a yes/no column for which the mapping lists no words under `also`."""
    written = ["-".join(name)]
    absent, endured = _absent(written), _endured(written)
    named = spoken_of(column).union(key(plural(word)) for word in name if stems(word) <= spoken_of(column))
    named |= {form for word in name if len(name) == 1 for part in _part(word) for form in stems(part)}
    alone = named - absent - (endured if len(name) > 1 else frozenset())
    together = (stems(" ".join(name)),) if endured and len(name) > 1 else ()
    alone |= frozenset(form for word in name for form in _verb(word, len(name) == 1)) - absent
    low = stems(" ".join(name[1:])) if name[0] == _LOW else frozenset[str]()
    return Keywords(alone, together, absent, endured, _is_included(name), low)


def _is_included(name: Sequence[str]) -> bool:
    """Return whether a column's yes says that its thing costs no more: `breakfast_included`, `free_parking`."""
    return _INCLUDED in name or (name[0] == _FREE and not _SERVICES.isdisjoint(name))


def _crossed(phrases: Sequence[Sequence[str]]) -> Iterator[tuple[frozenset[str], frozenset[str]]]:
    """Yield each first word of phrases of two words with each last one: "lit board", "bright keys": "lit keys"."""
    pairs = [phrase for phrase in phrases if len(phrase) == 2]
    firsts = dict.fromkeys(part for first, _ in pairs for part in (first, *_part(first)))
    lasts = dict.fromkeys(part for _, last in pairs for part in (last, *_part(last)))
    yield from ((stems(first), stems(last)) for first in firsts for last in lasts)


def _part(word: str) -> list[str]:
    """Return the other part of a compound: "key" of "keyboard", "lit" of "backlit"."""
    parts = [word.removesuffix(end) for end in _ENDS] + [word.removeprefix(front) for front in _FRONTS]
    return [part for part in parts if part != word and len(part) >= _SHORTEST]


def verb_phrases(column: Column) -> list[tuple[str, ...]]:
    """Return phrases with a verb that state yes for a yes/no column: "you can park" for parking, "to photograph"."""
    words = [phrase.lower() for phrase in (*column.also, *split_name(column.name).split()) if " " not in phrase]
    bases = [word.removesuffix("ing") for word in words if word.endswith("ing")]
    bases += [word.removesuffix("y") for word in words if word.endswith("graphy")]
    verbs = dict.fromkeys(form for base in bases if len(base) >= _SHORTEST for form in (base, f"{base}e"))
    return [(agent, verb) for verb in verbs for agent in _BY_WHOM]


def _is_denying(phrase: Sequence[str]) -> bool:
    """Return whether a phrase contains a negation itself: "without lactose", "free of lactose"."""
    return not NEGATIONS.isdisjoint(phrase) or (len(phrase) > 1 and phrase[0] == _FREE)


def denying_phrases(column: Column) -> list[tuple[str, ...]]:
    """Return the phrases of `also` that state yes by denying several words, such as "no added sugar"."""
    phrases = [phrase.lower().split() for phrase in column.also] if column.kind == YES_NO else []
    return [tuple(phrase) for phrase in phrases if _is_denying(phrase) and len(_denied(phrase)) > 1]


def opposites(column: Column) -> list[tuple[str, ...]]:
    """Return the words whose meaning is the opposite of a yes/no column's: "indoors" for `outdoors`."""
    phrases = (split_name(column.name).lower().split(), *(phrase.lower().split() for phrase in column.also))
    words = dict.fromkeys(word.removesuffix("s") for phrase in phrases for word in phrase)
    done = map(_participle, words) if not _NEEDED.isdisjoint(words) else ()
    ready = [phrase for form in done for phrase in ((f"pre-{form}",), *((before, form) for before in _READY))]
    found = [
        tuple(opposite.split()) for word in words if word in _OPPOSITES for opposite in _OPPOSITES[word].split("|")
    ]
    found += _not_only(words) if "only" in words else ()
    nouns = dict.fromkeys(form for word in words if word not in _OPPOSITES_OF_NOUNS for form in (word, plural(word)))
    for opposite in (one for word in words for one in _OPPOSITES_OF_NOUNS.get(word, "").split("|") if one):
        found += [phrase for noun in nouns for phrase in ((opposite, noun), *((noun, be, opposite) for be in _BE))]
    return [*found, *ready]


def _not_only(words: Iterable[str]) -> Iterator[tuple[str, ...]]:
    """Yield phrases by which a thing is for others, too: "men and women", "not just for women" of `women_only`."""
    for group in (word if word in _OTHERS else plural(word) for word in words):
        yield from ((*negation.split(), group) for negation in _NOT_ONLY)
        for pair in (pair for other in _OTHERS.get(group, ()) for pair in ((group, other), (other, group))):
            yield from ((pair[0], *joint.split(), pair[1]) for joint in ("and", "or", "as well as"))


def _participle(word: str) -> str:
    """Return what a thing is once a need is met: "assembled" for `assembly_needed`."""
    return next((word.removesuffix(end) for end in ("ation", "ing", "y", "e") if word.endswith(end)), word) + "ed"


def _denied(phrase: Sequence[str]) -> frozenset[str]:
    """Return the stems of what a phrase denies: "lactose" of "free of lactose"."""
    return stems(" ".join(word for word in phrase if word not in NEGATIONS and word != _FREE))


def _shared(phrases: Sequence[Sequence[str]]) -> frozenset[str]:
    """Return the one word that all phrases share, which mentions the column alone: "wheelchair"."""
    shared = frozenset.intersection(*(stems(" ".join(phrase)) - PROPERTIES for phrase in phrases))
    return shared if len(shared) == 1 else frozenset()


def _absent(written: list[str]) -> frozenset[str]:
    """Return the keys of words for what a product lacks if the column is yes: "gluten" of "gluten-free"."""
    nouns = [word.removesuffix(f"-{_FREE}") for word in written if word.endswith(f"-{_FREE}")]
    nouns += [word.removeprefix(non) for word in written for non in _NON if word.startswith(non)]
    bases = [noun.removesuffix("er") for noun in nouns if noun.endswith("er")]  # "smoked" of "non-smoker"
    nouns += [f"{base}{end}" for base in bases if len(base) >= _SHORTEST for end in ("e", "ed", "ing")]
    return frozenset(map(key, nouns))


def _endured(written: list[str]) -> frozenset[str]:
    """Return the keys of words for what a product endures if the column is yes: "weather" of "weatherproof"."""
    nouns = [word.removesuffix(end).rstrip("-") for word in written for end in _ENDURING if word.endswith(end)]
    nouns += [word.removeprefix(_ALL) for word in written if word.startswith(_ALL)]
    return frozenset(key(noun) for noun in nouns if len(noun) >= _SHORTEST)


def _forms(word: str) -> tuple[str, ...]:
    """Return the keys of the other verb forms of "delivers" or "delivery": "delivered", "delivering"."""
    base = word[:-1] if word.endswith(("ery", "s")) and not word.endswith("ss") else ""
    return (f"{base}ed", f"{base}ing") if len(base) >= _SHORTEST else ()


def _verb(word: str, is_name: bool) -> tuple[str, ...]:
    """Return the keys of the verb in "foldable", or in a name of one word, such as "parking"."""
    end = next((ending for ending in ("able", *(("ing",) if is_name else ())) if word.endswith(ending)), "")
    base = word.removesuffix(end).rstrip("e")
    if not end or len(base) < _SHORTEST:
        return ()
    return key(base), f"{base}ed", f"{base}ing"
