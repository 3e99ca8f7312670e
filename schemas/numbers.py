"""How cells and texts write numbers; for every room that reads some."""

from __future__ import annotations

import re
from collections.abc import Iterator
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


def find_numbers(text: str) -> Iterator[tuple[int, int, Decimal]]:
    """(start, end, number) of the numbers in a text; none of a word such as "mp3", and of "10-15" no -15."""
    for found in WRITTEN.finditer(text):
        before = text[found.start() - 1] if found.start() else " "
        if not before.isalpha():
            yield *found.span(), value_of(found[0].lstrip("+-") if before.isdigit() else found[0])
