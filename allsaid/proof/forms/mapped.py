"""Reader of the keys of a table's mapping that the phrasebook needs; ingestion has already checked the YAML."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache

import yaml

from allsaid.language.word_table import WordTable, normalise
from allsaid.proof.forms.claims import ALLOWED, FORBIDDEN
from allsaid.proof.polarity import Idioms


@dataclass(frozen=True)
class Say:
    """A sentence for a column that training texts may never express."""

    column: str
    text: str  # "It comes in {}."
    answer: str = ""  # "yes" or "no", of a yes/no column
    is_list: bool = False
    language: str = ""  # of the table's texts, by its code


@dataclass(frozen=True)
class MappingTexts:
    """Claims, words and sentences of a mapping."""

    allowed: tuple[str, ...] = ()  # claims
    forbidden: tuple[str, ...] = ()
    words: tuple[str, ...] = ()  # names of columns, units, and other words for them
    says: tuple[Say, ...] = ()
    idioms: Mapping[str, Idioms] = field(default_factory=dict)  # yes/no column -> phrases that mean yes or no


@lru_cache(maxsize=16)
def read(mapping: str) -> MappingTexts:
    """Read the YAML of a mapping; "" for a model of another source."""
    found = yaml.safe_load(mapping) if mapping else None
    if not isinstance(found, dict):
        return MappingTexts()
    claims = found.get("claims") or {}
    language = str(found.get("language") or "")
    words: list[str] = []
    says: list[Say] = []
    table = WordTable({str(word).lower(): str(other) for word, other in (found.get("rewrite") or {}).items()}, language)
    idioms: dict[str, Idioms] = {}
    for key, column in (found.get("columns") or {}).items():
        name = str(key)
        words.append(name)
        if isinstance(column, dict):
            words += [*_strings(column.get("unit")), *_strings(column.get("also"))]
            if isinstance(synonyms := column.get("said"), dict) and column.get("kind") in ("yes/no", True, False):
                idioms[name] = {
                    answer in (True, "yes"): [tuple(normalise(phrase, table)[0]) for phrase in _strings(phrases)]
                    for answer, phrases in synonyms.items()
                }
            says += [replace(say, language=language) for say in _says(name, column)]
    allowed, forbidden = _strings(claims.get(ALLOWED)), _strings(claims.get(FORBIDDEN))
    return MappingTexts(allowed, forbidden, tuple(words), tuple(says), idioms)


def _says(name: str, column: Mapping[str, object]) -> list[Say]:
    say = column.get("say")
    if isinstance(say, dict):  # YAML reads a bare yes or no as a bool
        answers = {True: "yes", False: "no"}
        return [Say(name, str(text), answers.get(answer, str(answer))) for answer, text in say.items()]
    return [Say(name, str(say), is_list=column.get("kind") == "list")] if say else []


def _strings(value: object) -> tuple[str, ...]:
    if value is None:
        return ()
    return tuple(" ".join(str(phrase).split()) for phrase in (value if isinstance(value, list) else [value]))
