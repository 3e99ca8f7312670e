"""Keywords of a yes/no column of a table: from `also` of its mapping, else from its name."""

from __future__ import annotations

from functools import lru_cache

from allsaid.language.inflection import plural
from allsaid.language.stems import key
from allsaid.proof.values.facts import Keywords
from pipelines.linking.acts import split_name, stems
from pipelines.sources.records.mapping import Column
from pipelines.sources.records.mapping_keys import YES_NO
from pipelines.sources.records.values import spoken_of

_FREE = "free"
_NON = ("non-", "no-")
_ENDURING = ("proof", "resistant", "repellent", "tight")  # behind what a thing endures
_ALL = "all-"  # "all-weather"
_SHORTEST = 3  # letters of what is endured


def keywords_of(column: Column) -> Keywords:
    """Return the keywords of a column; those of a column that is not yes/no are alone."""
    if column.kind != YES_NO:
        return Keywords(spoken_of(column))
    return _keywords(column)


@lru_cache(maxsize=1 << 12)
def _keywords(column: Column) -> Keywords:
    phrases = [phrase.lower().split() for phrase in column.also]
    written = [word for phrase in phrases for word in phrase if len(phrase) == 1]
    name = split_name(column.name).lower().split()
    alone = frozenset[str]().union(*map(stems, written))
    together = tuple(found for phrase in phrases if len(phrase) > 1 and (found := stems(" ".join(phrase))))
    alone = alone.union(*(one for one in together if len(one) == 1))
    together = tuple(one for one in together if len(one) > 1)
    if not alone and not together:
        written = ["-".join(name)]
        absent, endured = _absent(written), _endured(written)
        named = spoken_of(column).union(key(plural(word)) for word in name if stems(word) <= spoken_of(column))
        alone = named - absent - (endured if len(name) > 1 else frozenset())
        together = (stems(" ".join(name)),) if endured and len(name) > 1 else ()
        alone |= frozenset(form for word in name for form in _verb(word, len(name) == 1)) - absent
        return Keywords(alone, together, absent, endured)
    return Keywords(alone, together, _absent(written), _endured(written))


def _absent(written: list[str]) -> frozenset[str]:
    """Return the keys of the things that a column's words say are absent: "gluten" of "gluten-free"."""
    things = [word.removesuffix(f"-{_FREE}") for word in written if word.endswith(f"-{_FREE}")]
    things += [word.removeprefix(non) for word in written for non in _NON if word.startswith(non)]
    return frozenset(map(key, things))


def _endured(written: list[str]) -> frozenset[str]:
    """Return the keys of what a column's words say is endured: "weather" of "weatherproof" and "all-weather"."""
    things = [word.removesuffix(end).rstrip("-") for word in written for end in _ENDURING if word.endswith(end)]
    things += [word.removeprefix(_ALL) for word in written if word.startswith(_ALL)]
    return frozenset(key(thing) for thing in things if len(thing) >= _SHORTEST)


def _verb(word: str, is_name: bool) -> tuple[str, ...]:
    """Return the keys of the verb in "foldable", or in a name of one word, such as "parking"."""
    end = next((one for one in ("able", *(("ing",) if is_name else ())) if word.endswith(one)), "")
    base = word.removesuffix(end).rstrip("e")
    if not end or len(base) < _SHORTEST:
        return ()
    return key(base), f"{base}ed", f"{base}ing"
