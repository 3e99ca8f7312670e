"""The keys of a mapping for other words and numbers with which texts express a value: `said` and `within`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any  # Any: values of YAML, checked here

from allsaid.language.word_table import WordTable, normalise
from pipelines.sources.mappings import strings_at
from schemas.errors import UserError

Words = tuple[str, ...]
Said = tuple[tuple[str, tuple[Words, ...]], ...]  # value -> phrases, both normalised
YES, NO = "yes", "no"
_PERCENT = re.compile(r"(\d+(?:\.\d+)?) ?%")
_MOST = 50  # percent; a number that is half as large is another number


def said_at(given: Mapping[str, Any], is_yes_no: bool, words: WordTable, where: str) -> Said:
    """Return the other words for the values of a column; raise UserError for an entry that can't be used."""
    said = given.get("said")
    if said is None:
        return ()
    if not isinstance(said, dict) or not said:
        raise UserError(
            f"{where}: 'said' should hold lines of value: phrases, such as cheap: [inexpensive, low-priced]."
        )
    found: dict[str, tuple[Words, ...]] = {}
    for key, phrases in said.items():
        name = {True: YES, False: NO}.get(key, str(key)) if isinstance(key, bool) else str(key)
        if is_yes_no and name not in (YES, NO):
            raise UserError(f"{where}: 'said' has the value '{name}'; a yes/no column has phrases for yes and no.")
        value = " ".join(normalise(name, words)[0])
        if value in found:
            raise UserError(f"{where}: 'said' has the value '{name}' twice. Put all its phrases into one list.")
        found[value] = tuple(
            _phrase(phrase, name, value, words, where) for phrase in strings_at({name: phrases}, name, where)
        )
        if not found[value]:
            raise UserError(f"{where}: 'said' has no phrase for '{name}'. Write one, or leave the value out.")
    for phrase in set(found.get(YES, ())).intersection(found.get(NO, ())) if is_yes_no else ():
        raise UserError(f"{where}: 'said' has '{' '.join(phrase)}' for both yes and no. Take it out of one of them.")
    return tuple(found.items())


def _phrase(phrase: str, name: str, value: str, words: WordTable, where: str) -> Words:
    found = tuple(normalise(phrase, words)[0])
    if not any(character.isalnum() for word in found for character in word):
        raise UserError(
            f"{where}: 'said' has '{phrase}' for '{name}', which has no word. Write what texts say instead."
        )
    if " ".join(found) == value:
        raise UserError(
            f"{where}: 'said' has '{phrase}' for the value '{name}', which is the value itself. Leave it out."
        )
    return found


def never_at(given: Mapping[str, Any], words: WordTable, where: str) -> tuple[str, ...]:
    """Return the words and phrases that do not state or mention a column, with blanks where texts are split."""
    return tuple(" ".join(normalise(entry, words)[0]) for entry in strings_at(given, "never", where))


def within_at(given: Mapping[str, Any], where: str) -> Decimal:
    """Return the share by which a number of a text may differ; raise UserError if it is no percentage."""
    written = given.get("within")
    if written is None:
        return Decimal()
    found = _PERCENT.fullmatch(str(written).strip())
    if not found or Decimal(found[1]) > _MOST:
        raise UserError(f"{where}: 'within' should be a percentage up to {_MOST}%, such as 5%; '{written}' is not.")
    return Decimal(found[1]) / 100
