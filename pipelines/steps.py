"""Directions -> steps: what tells nobody what to do goes (signatures, sources, nutrition, mail tails)."""

from __future__ import annotations

import re

_SENTENCE = re.compile(r"(?<=[.!?])[\"')\]]*\s+(?=[\"'(\[]?[A-Z0-9*])")
_MAIL = r"from|to|date|subject|subj|newsgroups|msg id|reply-to|organization|sender|message-id"
_CREDITS = (
    r"posted|submitted|typed|formatted|shared|contributed|converted|downloaded|reprinted|uploaded|entered|compiled|"
    r"collected|adapted|transcribed|recipe|mm format|mm|mc format|meal-?master format|mastercook format|"
    r"electronic format"
)
# A paragraph or sentence that begins so is no step, nor is what follows it in its paragraph.
_TAIL = re.compile(
    rf"(?:[-~*:\s]*)(?:(?:{_CREDITS})(?:\s+(?:and|&)\s+\w+)?\s*"
    rf"(?:by\b|for you\b|for\b.{{0,12}}\bby\b|from\b|to\b.{{0,30}}\bby\b|in\b.{{0,20}}\bby\b|format|:)"
    rf"|source\s*[-:=]|sources?\s*:|recipe\s*(?:source|from|adapted|courtesy|origin)|from\s*:|date\s*:"
    rf"|isbn\b|copyright\b|\(c\)\s*\d|©"
    rf"|(?:{_MAIL})\s*:\s*\S+"
    rf"|per (?:serving|portion|cookie|slice|piece|muffin|bar|\d)"
    rf"|(?:nutrition(?:al)?|nutritive|nutrients?)\b.{{0,40}}(?::|\d|per)"
    rf"|(?:each|one) (?:serving|portion)\b.{{0,40}}\d|calories\b.{{0,20}}\d|\d+\s*(?:calories|cals?|kcal|kj)\b"
    rf"|exchanges?\s*[:=]|diabetic exchanges?|food exchanges?|cal(?:ories)?\s*[:=]"
    rf"|makes .{{0,20}}servings?\s*[,;:].*\d+ cal"
    rf"|(?:recipe )?by\s*:|mm:|mcformat|approx(?:imate|\.)? (?:nutrition|calories))",
    re.IGNORECASE,
)
# A sentence that is no step by itself; what follows may be one.
_ASIDE = re.compile(
    r"(?:yields?|servings?|serves|makes|portions?|preparation time|prep(?:\.|aration)? ?(?:time)?|cooking time|"
    r"total time)"
    r"\b\s*[:=-]?\s*(?:about|approximately|approx\.?|enough for|from)?\s*"
    r"(?:\d|one|two|three|four|six|eight|ten|twelve|a dozen|half)"
    r"[^.!?]{0,60}[.!?]?$|(?:yield|servings|serves)\s*:.{0,60}$",
    re.IGNORECASE,
)
_HEADING = re.compile(r"(?:directions?|instructions?|method|preparation|procedure)\s*:\s*", re.IGNORECASE)
_BBS_ID = re.compile(r"\b[A-Z]{4}\d{2}[A-Z]\b|\b\S+@\S+\.\S+|\b\d+:\d+/\d+\b")
_NOISE = re.compile(r"[-=_~*+.:#<>|\s]{3,}")
_LETTER = re.compile(r"[^\W\d_]")
_LETTERS_AND_DIGITS = re.compile(r"[\W_]+")
_DROPPED_MARKS = re.compile(r"^[\s:~>|]+|[\s~>|]+$")


def clean_steps(steps: list[str]) -> list[str]:
    """The paragraphs that tell what to do, in written form; blanks normalised."""
    cleaned: list[str] = []
    for paragraph in steps:
        if _is_tail(paragraph):
            continue
        kept = _clean_paragraph(paragraph)
        if kept:
            cleaned.append(kept)
    return cleaned


def _clean_paragraph(paragraph: str) -> str:
    text = _HEADING.sub("", " ".join(_NOISE.sub(_noise, paragraph).split()), count=1)
    kept: list[str] = []
    for sentence in _SENTENCE.split(text):
        if _is_tail(sentence):
            break
        if not _ASIDE.match(sentence) and _LETTER.search(sentence):
            kept.append(sentence)
    return _DROPPED_MARKS.sub("", " ".join(kept))


def _noise(found: re.Match[str]) -> str:
    marks = found.group()
    return marks if marks.strip() in ("...", "..", "--", ". -", "") else " "


def _is_tail(text: str) -> bool:
    return bool(_TAIL.match(text)) or (len(text) < 120 and bool(_BBS_ID.search(text)))


def content_letters(steps: list[str]) -> str:
    """Letters and digits of cleaned directions, lower case: equal for duplicates, hashed for the split."""
    return _LETTERS_AND_DIGITS.sub("", "".join(steps).lower())
