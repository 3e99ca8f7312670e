"""Paragraphs of directions that are captions: names of people and books, headings of parts, subtitles."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pipelines.recipes.commands import RESUMES, WORK
from pipelines.recipes.signatures import is_signature
from pipelines.recipes.talk import commands, is_useful
from pipelines.recipes.wordlists import HEADINGS

TITLED = re.compile(r"\W*(?:Mrs?|Miss)\b\.? (?:[A-Z][\w.'-]*(?:[, ]+|$)|\([A-Z][\w ]*\)[, ]*)+$")
_ALLOWS = re.compile(r"\b(?:(?:can|may|should|must|do not|don't) [a-z]|(?:CAN|MAY|SHOULD|MUST|DO NOT|DON'T) [A-Z]{2})")
_SUBTITLE = re.compile(r"(?=.* (?i:from|with|of|in|and|or|for) )[A-Z][^\W\d][^\d:;*]*")
_NAME = re.compile(r"[^\W\d_][^\d:;,.!?]*")
_COMPANY = re.compile(r", (?:Inc|Ltd|Corp|Co)\.$")
_NAME_ALONE = re.compile(r"[A-Z][\w.,'& -]*")
_QUOTED = re.compile(r'"[^".!?]{3,}"\W*')
_SHORT, _LONG = 60, 160  # characters of a name, and of a caption
_NAMED = (2, 3)  # words of a person's name
_SUBTITLES = range(4, 21)  # blanks in a subtitle


def is_caption(text: str) -> bool:
    """Return whether a later paragraph is a name of a book, a person or a show, not a sentence."""
    if len(text) < 60 and ". " not in text and (is_signature(text) or _COMPANY.search(text)):
        return True
    if TITLED.match(text) and len(text) < 100:
        return True
    if len(text) > _LONG or text.endswith((".", "!", ")", ":", ";", ",")):
        return False
    if RESUMES.match(text) or _ALLOWS.search(text):
        return False
    return text.rsplit(" ", 1)[-1].lower() not in HEADINGS and _is_titled(text)


def heads(caption: str, following: Sequence[str]) -> bool:
    """Return whether a caption is the heading of the paragraph below it: "Microwave Version" above a command."""
    if len(caption) > _SHORT // 2 or not _NAME.fullmatch(caption) or is_signature(caption):
        return False
    return any(RESUMES.match(text) for text in following)


def is_stray(text: str, following: Sequence[str]) -> bool:
    """Return whether a first paragraph is a name that nothing below repeats: "ADA EXAMPLE"."""
    words = text.lower().split()
    if not text.isupper() or len(words) not in _NAMED or not following or not is_caption(text):
        return False
    below = " ".join(following).lower()
    return WORK.search(text.lower()) is None and not any(word in below for word in words)


def is_subtitle(text: str) -> bool:
    """Return whether a first paragraph may be the title in other words: "Leek Rolls From the Old Mill"."""
    if text.count(" ") not in _SUBTITLES or text.isupper() or not _SUBTITLE.fullmatch(text):
        return False
    return WORK.search(text.lower()) is None and not commands(text)


def names_part(text: str) -> bool:
    """Return whether a paragraph is the heading of a part of the dish: "LEEK SAUCE"."""
    if len(text) >= 60 or text.rsplit(" ", 1)[-1].lower() not in HEADINGS or not _NAME.fullmatch(text):
        return False
    return _is_titled(text) and not RESUMES.match(text) and not is_signature(text)


def _is_titled(text: str) -> bool:
    words = [word for word in text.split() if word[:1].isalpha()]
    return sum(word[0].isupper() or len(word) < 4 for word in words) >= 0.8 * len(words)


def only_names(text: str) -> bool:
    """Return whether a last paragraph is nothing but a name: "Ada B. Example.", "From one of the cooks at the Mill"."""
    if (text.startswith("From ") and text[-1].isalnum()) or (len(text) < _SHORT and _QUOTED.fullmatch(text)):
        return not is_useful(text)
    return len(text) < _SHORT and _NAME_ALONE.fullmatch(text) is not None and not is_useful(text) and _is_titled(text)
