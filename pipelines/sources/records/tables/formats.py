"""Numbers and dates of a workbook's cell as its number format shows them.

Thousands and decimals are separated as the format's code writes them, by ``,`` and ``.``. A number without a format
keeps all its digits, and so does a scientific one that has more than its format shows. A fraction is read as a decimal.
Midnight after a date is left out. Names of months and days are English. A date is written as in ISO 8601 if its look
depends on the computer: by Excel's standard format, or by a name in another language.
"""

from __future__ import annotations

import re
from datetime import datetime, time, timedelta
from decimal import ROUND_HALF_UP, Context, Decimal
from functools import lru_cache
from operator import eq, ge, gt, le, lt, ne
from typing import Any  # Any: a date, a time or both, by openpyxl

from openpyxl.utils.datetime import to_excel

from pipelines.sources.records.tables.layout import iso_time, plain_number

_SECTION = re.compile(r'((?:"[^"]*"|\\.|[^;"\\])*)(;|$)')
_CONDITION = re.compile(r"\[([<>=]+)(-?[\d.]+)\]")
_COMPARE = {"<": lt, "<=": le, "=": eq, ">=": ge, ">": gt, "<>": ne}
_FRACTION = re.compile(r"(?:[#0?,]+ +)?[#0?]+ ?/ ?[#0?\d]+")
# A literal, a currency, a width, colour or condition, the place of a digit; any other character is itself.
_TOKEN = re.compile(
    r'"(?P<quoted>[^"]*)"|\\(?P<escaped>.)|\[\$(?P<currency>[^\]-]*)[^\]]*\]|[_*].|\[[^\]]*\]|(?P<general>General|@)'
    r"|(?P<place>[0#?])|(?P<other>.)"
)
_EXACT = Context(prec=400)  # digits, more than any number of a workbook has
_DATE_TOKEN = re.compile(
    r'"(?P<quoted>[^"]*)"|\\(?P<escaped>.)|\[(?P<elapsed>h+|m+|s+)\]|\[[^\]]*\]|[_*].'
    r"|(?P<field>AM/PM|A/P|y+|m+|d+|h+|s+|[beg]+)|\.0+|(?P<other>.)",
    re.IGNORECASE,
)
_FIELDS = {
    "yyyy": "%Y", "yyy": "%Y", "yy": "%y", "y": "%y", "mmmm": "%B", "mmm": "%b", "mm": "%m", "m": "%-m", "dddd": "%A",
    "ddd": "%a", "dd": "%d", "d": "%-d", "hh": "%H", "h": "%-H", "minute mm": "%M", "minute m": "%-M", "ss": "%S",
    "s": "%-S", "am/pm": "%p", "a/p": "%p",
}  # fmt: skip
_STANDARD = ("mm-dd-yy", "m/d/yy h:mm")  # show dates by the settings of the computer
_LANGUAGE = re.compile(r"\[\$-([^\],]*)")
_NAMES = re.compile(r"[md]{3}|a")  # fields of months, days of the week, and halves of the day
_OF_DAYS = re.compile("%-?[YymdBbAa]")
_TIME_BEHIND_DAY = re.compile(r"(?<=%[YmdBby])[ T]%-?[HI]:.*")  # of midnight, which programs write with every date
_ELAPSED = re.compile(r"\[(h+|m+|s+)\]")  # all hours, minutes or seconds of a duration, which may be over a day's
_SECONDS = {"h": 3600, "m": 60, "s": 1}
_SCIENTIFIC = re.compile(r"0?\.?0*E[+-]0+", re.IGNORECASE)
_LITERALS = re.compile(r'"[^"]*"|\\.|\[[^\]]*\]')


def shown_number(value: int | float, code: str) -> str:
    """Return a number as its format's code shows it, such as ``#,##0.00 "kg"``."""
    plain = plain_number(value)
    if code in ("General", "@", ""):
        return plain
    if _SCIENTIFIC.search(code):
        short = f"{value:.{len(code.partition('.')[2].partition('E')[0])}E}"
        return short if float(short) == value else plain
    section, shows_sign = _section_for(value, _FRACTION.sub("General", code))
    shown = _by_section(abs(Decimal(repr(value))), section)
    if not shown:  # a zero that is hidden counts as empty
        return plain if value else ""
    return shown if shows_sign or value >= 0 else f"-{shown}"


def _section_for(value: int | float, code: str) -> tuple[str, bool]:
    """Return the section of a format's code for a number, and whether it shows the sign of negative ones itself."""
    sections = _sections(code)
    if len(sections) > 1 and "@" in _LITERALS.sub("", sections[-1]):  # for texts
        sections = sections[:-1]
    conditions = [_CONDITION.search(section) for section in sections]
    if any(conditions):
        fitting = (
            section
            for section, found in zip(sections, conditions, strict=True)
            if found is None or _COMPARE[found[1]](value, float(found[2]))
        )
        return next(fitting, sections[-1]), False
    place = 1 if value < 0 and len(sections) > 1 else 2 if not value and len(sections) > 2 else 0
    return sections[place], place == 1


@lru_cache(maxsize=256)
def _sections(code: str) -> tuple[str, ...]:
    """Return the sections of a code, which are for positive and negative numbers, zero, and texts."""
    sections = []
    for section, end in _SECTION.findall(code):
        sections.append(section)
        if not end:
            break
    return tuple(sections)


def _by_section(value: Decimal, section: str) -> str:
    """Return a number without its sign in the form of a section; all digits that are left go to its first place."""
    found = _tokens(section)
    parts = [plain_number(float(value)) if kind == "general" else text for kind, text in found]
    places = [number for number, (kind, _) in enumerate(found) if kind == "place"]
    marks = [(number, text) for number, (kind, text) in enumerate(found) if kind == "other"]
    point = next((number for number, text in marks if text == "."), len(found))
    whole, decimals = [mark for mark in places if mark < point], [mark for mark in places if mark > point]
    commas: list[int] = []
    for number, text in marks:
        if text == "," and (number - 1 in places or number - 1 in commas):
            commas.append(number)
            parts[number] = ""
    thousands = sum(comma > max(whole, default=-1) and comma + 1 not in places for comma in commas)
    scaled = value.scaleb(2 * sum(text == "%" for _, text in marks) - 3 * thousands)
    rounded = scaled.quantize(Decimal(1).scaleb(-len(decimals)), ROUND_HALF_UP, _EXACT)
    front, _, decimal_digits = f"{rounded:f}".partition(".")
    digits = front.lstrip("0")
    for after, place in enumerate(reversed(whole)):
        end = max(len(digits) - after, 0)
        here = digits[:end] if place == whole[0] else digits[max(end - 1, 0) : end]
        here = here or parts[place].strip("#?")
        parts[place] = _grouped(here, after) if len(commas) > thousands else here
    shown = len(decimals)
    while shown and decimal_digits[shown - 1] == "0" and parts[decimals[shown - 1]] != "0":
        shown -= 1
    for place, digit in zip(decimals, decimal_digits[:shown].ljust(len(decimals)), strict=True):
        parts[place] = digit.strip()
    if places and point < len(found):
        parts[point] = ("" if whole else digits) + ("." if shown or not decimals else "")
    return "".join(parts).strip()


@lru_cache(maxsize=256)
def _tokens(section: str) -> list[tuple[str, str]]:
    """Return kind and text of the tokens of a section that are shown."""
    return [(token.lastgroup, token[token.lastgroup]) for token in _TOKEN.finditer(section) if token.lastgroup]


def _grouped(digits: str, after: int) -> str:
    """Put commas between thousands; ``after``: how many digits follow ``digits``."""
    following = range(after + len(digits) - 1, after - 1, -1)
    pairs = zip(digits, following, strict=True)
    return "".join(digit + ("," if left and left % 3 == 0 else "") for digit, left in pairs)


def shown_date(value: Any, code: str) -> str:
    """Return a date, a time or a duration as its format's code shows it, in ISO 8601 if the code leaves that open."""
    form = _strftime(code)
    if _ELAPSED.search(form) and isinstance(value, datetime | time):  # a code whose duration openpyxl does not know
        value = timedelta(seconds=round(to_excel(value) * 86400))
    if isinstance(value, timedelta):
        sign = "-" if value < timedelta() else ""
        seconds = abs(value) // timedelta(seconds=1)
        form = form if _ELAPSED.search(form) else "[h]:%M:%S"
        form = _ELAPSED.sub(lambda all: str(seconds // _SECONDS[all[1][0]]).zfill(len(all[1])), form)
        return sign + (datetime.min + timedelta(seconds=seconds)).strftime(form)
    if not form or (isinstance(value, time) and _OF_DAYS.search(form)):
        return iso_time(value)
    if isinstance(value, datetime) and value.time() == time():
        form = _TIME_BEHIND_DAY.sub("", form)
    return value.strftime(form)


@lru_cache(maxsize=256)
def _strftime(code: str) -> str:
    """Translate the code of a date's format for strftime; "" if the code leaves open how dates look."""
    tokens = list(_DATE_TOKEN.finditer(_sections(code)[0]))
    fields = [(token["elapsed"] or token["field"] or "").lower() for token in tokens]
    named = [place for place, field in enumerate(fields) if field]
    language = _LANGUAGE.search(code)
    is_foreign = language is not None and not (language[1].endswith("09") or language[1].lower().startswith("en"))
    if code in _STANDARD or (is_foreign and any(_NAMES.match(field) for field in fields)):
        return ""
    found = ""
    for place, (token, field) in enumerate(zip(tokens, fields, strict=True)):
        if token["elapsed"]:
            found += f"[{field}]"
        elif not field:
            found += (token["quoted"] or token["escaped"] or token["other"] or "").replace("%", "%%")
        else:
            at = named.index(place)
            before, after = (fields[number] for number in (named[max(at - 1, 0)], named[min(at + 1, len(named) - 1)]))
            is_minute = field in ("m", "mm") and (before[0] == "h" or after[0] == "s")
            name = f"minute {field}" if is_minute else field
            if name not in _FIELDS:
                return ""
            found += _FIELDS[name]
    return (found.replace("H", "I") if "%p" in found else found).strip() if named else ""
