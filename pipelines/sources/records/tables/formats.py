"""Numbers and dates of a workbook's cell as its number format shows them.

Thousands and decimals are separated as the format's code writes them, by ``,`` and ``.``. A number without a format
keeps all its digits, and so does a scientific one that has more than its format shows. Names of months and days are
English. A date whose look depends on the computer, by Excel's standard format or a name in another language, is ISO's.
"""

from __future__ import annotations

import re
from datetime import datetime, time, timedelta
from decimal import ROUND_HALF_UP, Decimal
from functools import lru_cache
from typing import Any

_SECTIONS = re.compile(r'(?:"[^"]*"|\\.|[^;"\\])*')
# A literal, a currency, a width, colour or condition, the digits; any other character is itself.
_TOKEN = re.compile(r'"([^"]*)"|\\(.)|\[\$([^\]-]*)[^\]]*\]|[_*].|\[[^\]]*\]|([0#?](?:[0#?.,]*[0#?])?|\.[0#?]+)|(.)')
_DATE_TOKEN = re.compile(
    r'"(?P<quoted>[^"]*)"|\\(?P<escaped>.)|\[(?P<elapsed>h+)\]|\[[^\]]*\]|[_*].|(?P<field>AM/PM|A/P|y+|m+|d+|h+|s+)|\.0+'
    r"|(?P<other>.)",
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
_ELAPSED = "[h]"  # hours of a duration, which may be more than 24
_SCIENTIFIC = re.compile(r"0?\.?0*E[+-]0+", re.IGNORECASE)
_LITERALS = re.compile(r'"[^"]*"|\\.|\[[^\]]*\]')


def shown_number(value: int | float, code: str) -> str:
    """Return a number as its format's code shows it, such as ``#,##0.00 "kg"``."""
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
    """Return a date, a time or a duration as its format's code shows it; as ISO's if the code leaves that open."""
    form = _strftime(code)
    if isinstance(value, timedelta):
        hours, rest = divmod(value, timedelta(hours=1))
        form = form if _ELAPSED in form else f"{_ELAPSED}:%M:%S"
        return (datetime.min + rest).strftime(form.replace(_ELAPSED, str(hours)))
    if not form or _ELAPSED in form or (isinstance(value, time) and _OF_DAYS.search(form)):
        return _iso(value)
    return value.strftime(form)


def _iso(value: Any) -> str:
    if isinstance(value, time):
        return value.isoformat("auto" if value.second else "minutes")
    if not isinstance(value, datetime):
        return str(value)
    is_day = value.time() == time()
    return value.date().isoformat() if is_day else value.isoformat(" ", "seconds" if value.second else "minutes")


@lru_cache(maxsize=256)
def _strftime(code: str) -> str:
    """Translate the code of a date's format for strftime; "" if the code leaves open how dates look."""
    tokens = list(_DATE_TOKEN.finditer(next(filter(None, _SECTIONS.findall(code)), "")))
    fields = ["h" if token["elapsed"] else (token["field"] or "").lower() for token in tokens]
    named = [place for place, field in enumerate(fields) if field]
    language = _LANGUAGE.search(code)
    is_foreign = language is not None and not (language[1].endswith("09") or language[1].lower().startswith("en"))
    if code in _STANDARD or (is_foreign and any(_NAMES.match(field) for field in fields)):
        return ""
    found = ""
    for place, (token, field) in enumerate(zip(tokens, fields, strict=True)):
        if token["elapsed"]:
            found += _ELAPSED
        elif not field:
            found += (token["quoted"] or token["escaped"] or token["other"] or "").replace("%", "%%")
        else:
            at = named.index(place)
            before, after = (fields[one] for one in (named[max(at - 1, 0)], named[min(at + 1, len(named) - 1)]))
            is_minute = field in ("m", "mm") and (before[0] == "h" or after[0] == "s")
            name = f"minute {field}" if is_minute else field
            if name not in _FIELDS:
                return ""
            found += _FIELDS[name]
    return (found.replace("H", "I") if "%p" in found else found).strip() if named else ""
