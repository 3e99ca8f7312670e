"""The one Unicode form in which texts are compared, so that what looks equal is equal.

Files of macOS write "é" as two characters, web editors put zero-width spaces and soft hyphens into words, and word
processors write a hyphen that does not break. Texts are published as they are; only comparisons use this form.
"""

from __future__ import annotations

import re
from unicodedata import normalize

# Zero-width joiners change the words of some scripts, such as Persian; after Latin, Greek or Cyrillic they do nothing.
_INVISIBLE = re.compile(
    "[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]|(?<=[\0-\u058f])[\u200c\u200d]"
)
_MAYBE_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]")  # faster


def comparable(text: str) -> str:
    """Return a text in Unicode's composed form (NFC), without zero-width characters, with one kind of hyphen."""
    if text.isascii():
        return text
    if _MAYBE_INVISIBLE.search(text):
        text = _INVISIBLE.sub("", text)
    return normalize("NFC", text).replace("\u2010", "-").replace("\u2011", "-")
