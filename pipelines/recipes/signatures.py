"""Signatures of a recipe: people, mail boxes and shows, between ingredients, in ruled lines and after directions."""

from __future__ import annotations

import re
from functools import lru_cache

from pipelines.recipes.wordlists import FIRST_NAMES

MAIL_BOX = r"\b(?:[A-Z]{3}\d\d[A-Z]|[A-Za-z]{4}\d\d[A-Za-z])\b"  # Prodigy's names
_LAST_BOX = re.compile(rf"{MAIL_BOX}$")
_BOX = re.compile(
    rf"{MAIL_BOX}|\b[A-Z]{{4}}\d\d\b|\S@\S+\.\S|\b\d:\d{2, 4}/\d+|\b[Pp]rodigy\b"
    r"|\bMM ?: ?[A-Z]{2}|\w!\w+!\w|\bBBS\b|GEnie\b|CompuServe\b"
)
_SHOW = re.compile(r"\bSHOW\b.{0,4}#|^[A-Z .'!&]+ SHOW\b|#[A-Z]{2}\d[A-Z0-9]{2,}")
_MARKS = frozenset("0123456789@!:#")
_SERVICES = ("rodigy", "BBS", "GEnie", "CompuServe", "SHOW")  # one of these is in each match without a mark
_BY = re.compile(
    r"(?:(?:re)?posted|typed|submitted|formatted|shared|contributed|entered|compiled|mm(?:ed)?|recipe|courtesy|from"
    r"|source|adapted|via|collected|converted|meal-?master format)\b[^.]{0,25}?(?:\bby\b|:)"
    r"|(?:courtesy|from the)\b[^.]{0,25}? of\b"
    r"|by:? +[A-Z]\S+ +[A-Z]",
    re.IGNORECASE,
)
_NAME = re.compile(r"([A-Z][A-Za-z]*)\.?(?: +[A-Z]\.?)?(?: +(?:[Vv]an|VAN|[Dd]e|DE|Mc) ?)?[ -]+[A-Z][A-Za-z'-]+$")
_PLACE = re.compile(r",(?: [A-Z][A-Za-z.]+,?){1,3}$|, [\d/-]{6,8}(?:, \d\d:\d\d)?$")  # Ada Example, Springfield, Ohio
_NAMES = r"[A-Z](?:[a-z'-]+|\.)(?: [A-Z](?:[a-z'-]+|\.))"
_TOWN = re.compile(rf"{_NAMES}{{1,3}}, {_NAMES}{{0,2}}, [A-Z]{{2}}$")  # Ada May Example, Springfield, OH
_INITIAL = re.compile(r"[A-Z][A-Za-z]+ [A-Z]\. ?[A-Z][A-Za-z'-]+(?: \([A-Z]\.[A-Z]+\d*)?$")  # Ada M. Example
_COMPANY = re.compile(r"\w,? (?:Inc|INC|Ltd|Corp)\b\.?$")
_CUT_BOX = re.compile(r"([a-z]+)(?: [a-z]+)+ [b-df-hj-np-tv-z]{4}$")  # ada van example vghc
_FOOD_BRANDS = frozenset({"crocker", "dean", "daniels", "lee", "white", "beam", "newman"})


def is_mail_box(line: str) -> bool:
    """Return whether a line holds nothing but a mail box."""
    return re.fullmatch(rf"\W*{MAIL_BOX}\W*", line) is not None


def has_mail_box(line: str) -> bool:
    """Return whether a line ends with a mail box."""
    return line[-1:].isalpha() and _LAST_BOX.search(line) is not None


@lru_cache(maxsize=1 << 14)  # names of food repeat
def is_signature(line: str) -> bool:
    """Return whether a short line names a person, a mail box or a show instead of a food or a direction."""
    bare = line.strip(" -*~=<>[]().,")
    if not bare:
        return False
    is_marked = not _MARKS.isdisjoint(bare) or any(name in bare for name in _SERVICES)  # most names are not
    if (is_marked and (_BOX.search(bare) or _SHOW.search(bare))) or _BY.match(bare) or _TOWN.match(bare):
        return True
    if _INITIAL.match(bare) or _COMPANY.search(bare):
        return True
    cut = _CUT_BOX.match(bare)
    if cut and cut[1] in FIRST_NAMES:
        return True
    found = _NAME.match(_PLACE.sub("", bare))
    if found is None or found[1].lower() not in FIRST_NAMES:
        return False
    return bare.split()[-1].lower() not in _FOOD_BRANDS
