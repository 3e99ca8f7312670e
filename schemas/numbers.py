"""How cells and texts write numbers; for every room that reads some."""

from __future__ import annotations

import re
from decimal import Decimal

WRITTEN = re.compile(r"[-+]?\d+(?:[.,' \u00a0\u202f]\d{3})+(?:[.,]\d+)?(?!\d)|[-+]?\d+(?:[.,]\d+)?|[-+]?[.,]\d+")


def parts(number: str) -> tuple[str, str, str]:
    """Whole part, decimals and sign; a comma or point before three digits parts thousands, a lone point decimals."""
    sign = number[0] if number[0] in "+-" else ""
    digits = re.sub(r"[' \u00a0\u202f]", "", number.removeprefix(sign))
    marks = re.findall(r"[.,]", digits)
    if marks:
        head, _, tail = digits.rpartition(marks[-1])
        alone = len(marks) == 1
        if (alone and (marks[0] == "." or len(tail) != 3)) or (not alone and marks[-1] not in marks[:-1]):
            return re.sub(r"[.,]", "", head) or "0", tail, sign
    return re.sub(r"[.,]", "", digits), "", sign


def value_of(number: str) -> Decimal:
    """The number that a match of ``WRITTEN`` writes."""
    whole, decimals, sign = parts(number)
    return Decimal(f"{sign}{whole}.{decimals or '0'}").normalize()


def numbers_in(text: str) -> list[Decimal]:
    """The numbers that stand in a text; a dash behind a letter or a digit is no sign ("10-15")."""
    return [
        value_of(found[0].lstrip("+-") if _is_joined(text, found) else found[0]) for found in WRITTEN.finditer(text)
    ]


def _is_joined(text: str, found: re.Match[str]) -> bool:
    return found.start() > 0 and text[found.start() - 1].isalnum()
