"""Numbers and dates of a workbook's cell as its number format shows them.

Thousands and decimals are parted as the format's code writes them, by ``,`` and ``.``. A number without a format
keeps all its digits, and so does a scientific one that has more than its format shows. A date is ISO's; where its
format shows no year or no day, it is what is shown.
"""

from __future__ import annotations

import re
from datetime import date, datetime, time, timedelta
from decimal import ROUND_HALF_UP, Decimal
from functools import lru_cache
from typing import Any

MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_SECTIONS = re.compile(r'(?:"[^"]*"|\\.|[^;"\\])*')
# A literal, a currency, what is only width, colour or condition, the digits; all else stands for itself.
_TOKEN = re.compile(r'"([^"]*)"|\\(.)|\[\$([^\]-]*)[^\]]*\]|[_*].|\[[^\]]*\]|([0#?](?:[0#?.,]*[0#?])?|\.[0#?]+)|(.)')
_SCIENTIFIC = re.compile(r"0?\.?0*E[+-]0+", re.IGNORECASE)
_LITERALS = re.compile(r'"[^"]*"|\\.|\[[^\]]*\]')


def shown_number(value: int | float, code: str) -> str:
    """A number by its format's code, such as ``#,##0.00 "kg"``."""
    plain = _plain(value)
    if code in ("General", "@", "") or "/" in _LITERALS.sub("", code):
        return plain
    if _SCIENTIFIC.search(code):
        short = f"{value:.{len(code.partition('.')[2].partition('E')[0])}E}"
        return short if float(short) == value else plain
    sections = [found for found in _SECTIONS.findall(code) if found] or [code]
    place = 1 if value < 0 and len(sections) > 1 else 2 if not value and len(sections) > 2 else 0
    sign = "-" if value < 0 and not place else ""
    return sign + _by_section(abs(Decimal(repr(value))), sections[place])


def _plain(value: int | float) -> str:
    if isinstance(value, int) or value.is_integer():
        return str(int(value))
    return f"{Decimal(f'{value:.15g}'):f}"


def _by_section(value: Decimal, section: str) -> str:
    parts, has_digits = [], False
    for text, escaped, currency, digits, other in _TOKEN.findall(section):
        if digits and not has_digits:
            scaled = value * 100 if "%" in _LITERALS.sub("", section) else value
            parts.append(_digits(scaled, digits))
            has_digits = True
        else:
            parts.append(text or escaped or currency or other)
    return "".join(parts).strip()


def _digits(value: Decimal, pattern: str) -> str:
    whole, _, behind = pattern.partition(".")
    rounded = value.quantize(Decimal(1).scaleb(-len(behind)), ROUND_HALF_UP)
    front, _, decimals = f"{rounded:f}".partition(".")
    front = front.zfill(whole.count("0")) if whole.count("0") else front.lstrip("0")
    if "," in whole:
        front = re.sub(r"(?<=\d)(?=(?:\d{3})+$)", ",", front)
    kept = len(behind.rstrip("#?"))
    decimals = decimals[:kept] + decimals[kept:].rstrip("0")
    return f"{front}.{decimals}" if decimals else front or "0"


def shown_date(value: Any, code: str) -> str:
    """A date, a time or a duration by its format's code."""
    if isinstance(value, timedelta):
        minutes, seconds = divmod(round(value.total_seconds()), 60)
        return f"{minutes // 60}:{minutes % 60:02}:{seconds:02}"
    if isinstance(value, time):
        return value.isoformat("auto" if value.second else "minutes")
    if isinstance(value, date):
        has_year, has_day = _fields(code)
        if not has_year:
            return f"{value.day:02}-{MONTHS[value.month - 1]}"
        if not has_day:
            return f"{MONTHS[value.month - 1]}-{value.year % 100:02}"
        if isinstance(value, datetime):
            is_day = value.time() == time()
            return (
                value.date().isoformat() if is_day else value.isoformat(" ", "seconds" if value.second else "minutes")
            )
    return str(value)


@lru_cache(maxsize=256)
def _fields(code: str) -> tuple[bool, bool]:
    """Whether a date's format shows the year, and the day."""
    letters = _LITERALS.sub("", code).lower()
    return "y" in letters or not {"d", "m"} <= {*letters}, "d" in letters or "m" not in letters
