"""Move headings of directions to the paragraphs they introduce, and remove step numbers."""

from __future__ import annotations

import re
from itertools import pairwise

from allsaid.language.text import has_any
from pipelines.recipes.credits import CREDIT

_HEADING = re.compile(r"(?<=[.!?)]) +([A-Z][A-Za-z'-]+(?: [A-Za-z'&-]+){0,3}:)$")
_ONLY_HEADING = re.compile(
    r"(?!.*\b(?i:notes|ingredients|remarks|information|contains?|or):$)[A-Z][A-Za-z'-]+(?: [A-Za-z'&-]+){0,3}:$"
)
_NOT_UNDER_HEADING = re.compile(r"\d+[.)] |\W|$")  # numbered, begins with a mark, or empty
_NO_HEADING = re.compile(r"(?:source|from|by|notes?|per|serves|yield|makes|time)\b|.*\bcomments?:", re.IGNORECASE)
_ONE = ("1)", "1]", "1.", "1- ")
_NUMBER = re.compile(r"(?<!\S)(?<!# )\(?(\d{1,2})(?:[)\]](?=\s+[A-Za-z])|\.(?=\s*[A-Z])|-(?=\s+[A-Z]))")


def headed(paragraphs: list[str]) -> list[str]:
    """Move each heading at the end of a paragraph ("Stir well. Filling:"), or alone, to the beginning of the next."""
    if not any(paragraph.endswith(":") for paragraph in paragraphs):
        return paragraphs
    texts = [*paragraphs]
    for place, (text, following) in enumerate(pairwise(paragraphs)):
        if (
            _ONLY_HEADING.match(text)
            and not _NO_HEADING.match(text)
            and not _NOT_UNDER_HEADING.match(following)
            and following[-1] != ":"
        ):
            texts[place], texts[place + 1] = "", f"{text} {following}"
            continue
        found = _HEADING.search(text) if text.endswith(":") else None
        if found and not _NO_HEADING.match(found[1]):
            texts[place] = texts[place][: found.start() - len(text)].rstrip()
            texts[place + 1] = f"{found[1]} {following}"
    return [text for text in texts if text]


def without_numbers(paragraphs: list[str]) -> list[str]:
    """Remove step numbers in running text ("1) … 2) …") that count from one, at least to two.

    The first one ends a paragraph if that is a credit.
    """
    if not has_any("\n".join(paragraphs), _ONE):  # most recipes have none
        return paragraphs
    found = [(place, mark) for place, text in enumerate(paragraphs) for mark in _NUMBER.finditer(text)]
    counted: list[tuple[int, re.Match[str]]] = []
    for place, mark in found:
        if int(mark[1]) == len(counted) + 1:
            counted.append((place, mark))
    if len(counted) < 2:
        return paragraphs
    texts = [*paragraphs]
    for place, mark in reversed(counted):
        before, after = texts[place][: mark.start()].rstrip(), texts[place][mark.end() :].lstrip()
        stop = "." if before[-1:].isalnum() and after[0].isupper() else ""
        texts[place] = f"{before}{stop} {after}"
        if mark[1] == "1" and CREDIT.match(before):
            texts[place : place + 1] = [before, after]
    return texts
