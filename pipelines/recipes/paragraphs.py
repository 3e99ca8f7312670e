"""Move headings of directions to the paragraphs they introduce, and remove step numbers, rules and mail boxes."""

from __future__ import annotations

import re
from itertools import pairwise

from allsaid.language.text import has_any
from pipelines.recipes.credits import CREDIT
from pipelines.recipes.signatures import MAIL_BOX
from pipelines.recipes.wordlists import FIRST_NAMES
from pipelines.recipes.yields import parted

_HEADING = re.compile(r"(?<=[.!?)]) +([A-Z][A-Za-z'-]+(?: [A-Za-z'&-]+){0,3}:)$")
_ONLY_HEADING = re.compile(
    r"To (?:make|prepare|serve|assemble|finish|store|reheat|freeze) [^.:;!?]{1,50}:$"
    r"|(?!.*\b(?i:notes|ingredients|remarks|information|contains?|or):$)[A-Z][A-Za-z'-]+(?: [A-Za-z'&-]+){0,3}:$"
)
_NOT_UNDER_HEADING = re.compile(r"\d+[.)] |\W|$")  # numbered, begins with a mark, or empty
_NO_HEADING = re.compile(r"(?:source|from|by|notes?|per|serves|yield|makes|time)\b|.*\bcomments?:", re.IGNORECASE)
_ONE = ("1)", "1]", "1.", "1- ")
_NUMBER = re.compile(r"(?<!\S)(?<!# )\(?(\d{1,2})(?:[)\]](?=\s+[A-Za-z])|\.(?=\s*[A-Z])|-(?=\s+[A-Z]))")
_NOISE = re.compile(r"[-=_~*+#<>|](?:\s?[-=_~*+#<>|]){2,}|(?<!Difficulty)(?<!Precision)\s:(?=\s)|\.(?:\s?\.){3,}")
_THIRD_NOTE = re.compile(r"(?<![*\S])\*\*(?!\*).*\s\*\*\*(?= ?[A-Z])")  # * of the leeks ** of the salt *** of the oil
_NOISE_BESIDE_NOTES = re.compile(rf"(?<!\S)(?!\*\*\*(?!\*))(?:{_NOISE.pattern})|(?<=\S)(?:{_NOISE.pattern})")
_CARD = re.compile(  # labels of one author's cards, within the text
    r"(?:Approx\. )?Cook (?:Calories )?Time: ?[\d:]*(?: ?(?:mn|mins?|hrs?)\b)*"
    r"|(?:(?:Cholesterol|Calories|Fat|grams) )*per serving:(?: [\d.]+\b)?|Marks:?"
)
_BYLINE = re.compile(r"\(By (?:[A-Z][\w.]+ ?){2,5}\)\s*")
_NOISE_HINTS = ("--", "==", "__", "**", "++", "~", "##", "- -", "|", "<", ">", "* *", " :", "..", ". .")
_CAPITALS = r"(?:(?:[A-Z][\w'-]+|[A-Z]\.?)[\s,/-]+)"
_SIGNED = re.compile(  # a person's mail box, with the name before it
    rf"(?:(?:^|(?<=[.!?:;)] )){_CAPITALS}{{1,3}}"
    rf"|\b(?i:{'|'.join(sorted(FIRST_NAMES))})[\s,-]+(?:[\w'-]+\.?[\s,/-]+){{0,2}})?"
    rf"\(?{MAIL_BOX}\)?[.,:]?(?=\s|$)"
)
_BOX_HINT = re.compile(r"\d\d[A-Za-z]\b(?<=[A-Za-z]{3}\d\d.)")  # the end of a name at a mail box


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


def without_marks(text: str) -> str:
    """Return the text without rules, labels of cards and mail boxes."""
    if has_any(text, _NOISE_HINTS):
        text = (_NOISE_BESIDE_NOTES if _THIRD_NOTE.search(text) else _NOISE).sub(" ", text)
    text = _BYLINE.sub("", text) if "(By " in text else text
    text = _CARD.sub(" ", text) if "rams per serving:" in text else text
    if _BOX_HINT.search(text):
        text = _SIGNED.sub(" ", text)
    return " ".join(parted(text).split())
