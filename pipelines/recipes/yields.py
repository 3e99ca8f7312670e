"""Sentences that state a recipe's yield ("Makes 3 dozen cookies.")."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from allsaid.language.numbers import NUMBERS_BY_NAME
from allsaid.language.text import has_any, listed
from pipelines.recipes.advice import advises
from pipelines.recipes.commands import COMMAND, WORK
from pipelines.recipes.credits import CREDIT, sentences
from pipelines.recipes.signatures import is_signature
from pipelines.recipes.wordlists import HEADINGS

COUNT = (
    r"(?:\d|one\b|two\b|three\b|four\b|five\b|six\b|seven\b|eight\b|nine\b|ten\b|twelve\b"
    r"|a dozen|half|enough\b|several\b)"
)
_YIELD = re.compile(
    rf"(?:\(?(?:about |approx\w*\.? )?{COUNT}[\d /a-z()-]{{0,16}}servings?(?:\W*| for \$.{{0,24}})$"
    rf"|\W*(?:about|approx\w*\.?|ca\.) {COUNT}[\d /-]{{0,8}}"
    r"(?:cups?|quarts?|pints?|(?:dozen )?(?:cookies|bars|squares|balls)|dozen|loaves|pieces|stueck|stück)"
    r"(?:\W*|[;,(] ?[\d.]+ k?cal[^.]{0,30}\W*)$"
    r"|(?:for|fuer|für|pour|para) (?:about |ca\.? )?\d[\d /.-]*(?:(?:lb\.?|pounds?) )?"
    r"(?:people|persons?|personen|personnes|servings?|portionen|loaf|loaves|$)\W*$"
    r"|\((?=yields?\b|serves\b|makes\b).{0,60}\)$"
    rf"|(?:this |recipe )?(?:yields?|yeilds?|servings?|serves|makes|portions|portion(?= *[:=]))\b *[:=-]* *"
    rf"(?:about|approximately|approx\.?|enough|from|at least|up to|a|generously)? *{COUNT}"
    r"(?:[^!?]{0,70}|[^!?:]{0,90})$"
    r"|(?:yields?|servings|serves|number of servings) *[:=-].{0,60}$"
    rf"|(?:will )?make (?:about )?{COUNT}[\d /to-]{{0,8}}(?:dozen|servings)\b[^.!?,:;]{{0,20}}\W*$"
    r"|\d+ portions?\W*$)",
    re.IGNORECASE,
)
_ALONE = re.compile(
    r"serve \d+(?:(?: to |-| - )\d+)?(?: people| persons?)?\W*$"
    r"|\d+(?:(?: \d/\d)? (?:cups?|quarts?|pints?)\W*$|(?: to |-| - )\d+|(?: \d/\d)? dozen)"
    r"(?! (?:h(?:ou)?rs?|min\w*|days?|lbs?|oz)\b)"
    r"(?: [a-z]+)?(?: [a-z-]+s)?\W*$",
    re.IGNORECASE,
)
_HINTS = ("yield", "yeild", "serves", "serving", "makes", "portion", "approx", "ca. ")
_INSIDE = ("About ", "ABOUT ", "(about ")  # a sentence begins with these
_FIRST = ("about ", "for ", "fuer ", "für ", "pour ", "para ")  # a text begins with these
_FORGOTTEN = re.compile(
    r" (?=(?:(?:Yields?|YIELDS?|Makes|MAKES|Serves|SERVES|Servings|SERVINGS) ?[:\d]"
    r"|(?:NOTES?|Notes?|VARIATIONS?|HINTS?|TIPS?) ?:))"
)  # full stop
_GLUED = re.compile(r"\.(?<=[a-zA-Z]{2}.)(?=(?:Makes|MAKES|Serves|SERVES|Yields?|YIELDS?)\b|Notes? ?:)")
_GLUED_HINTS = (".M", ".S", ".Y", ".Note")
_LABEL = re.compile(r"(?:recipe )?(?:yields?|yeilds?|servings?|number of servings)\b *[:=-]+ *", re.IGNORECASE)
_TAIL = re.compile(  # begins the text after a note
    rf" (?!Cream ){COMMAND}| \((?:more|continued) on "
    r"| \([Cc]\) ?\d| ==| [A-Z][a-z]+(?: [A-Za-z][a-z]+)? ?:|(?<=\.) an? 19\d\d\b| \*\*|<"
    r"|(?:^| )(?i:(?:[\d.]+ grams )?(?:fat|calories|cholesterol) (?:grams )?per serving)"
    r"|(?: |(?<=[a-z\d]\.))(?:From|Taken|Source|By|Nutri[a-z]+) "
    r"| for \$| (?:Typed|Posted|Submitted|Formatted|Shared|Converted|Contributed) "
    r"| \d+ ?m?g\b| \(?\d+/\d+/\d+|(?i:[-,;(@ ]*(?:\b(?:each|about)\b(?: serving)?[ =]*)?\b[\d.]+ k?cal(?:orie)?s?\b)"
)
_BEHIND = re.compile(r" (?!of |from |for )[^A-Z\s]\S*( )(?=(?!Serving)[A-Z][a-z]+(?: [A-Za-z][a-z]+)? ?: ?[^ :])")
_REMARK = re.compile(rf"\((?:or |about |makes )*{COUNT}[\w/]*(?: [\w/-]+){{0,4}}\W*", re.IGNORECASE)  # of a count
_MARKS = " *~-.,;:"
_NO_COUNT = re.compile(
    r"\W*(?:approx\w*|abt|about|circa|ca)?\W*|(?:k?cal|fat|prot|carb|chol|sod)\w*\W+\d.*", re.IGNORECASE
)
_NUMBER = re.compile(r"[\d/.]*\d|[^\W\d_]+")
_OF_SERVINGS = listed("""serve serves make makes yield yields serving servings people persons portion portions about
approximately approx to""")
_WORD = re.compile(r"[^\W\d_]+")
_MEASURED = listed("cup cups c pint pints quart quarts qt gallon gallons jar jars recipe recipes batch x")
_OPENINGS = frozenset({"makes", "serve", "yield"})  # first letters of a yield above nutrients
_LONGEST = 40  # characters of a part's heading
_LABELS = """
    yield yields yeild serves serving servings makes portion portions per in place combine directions instructions
    method preparation prep procedure ingredients variation variations version note notes tip tips hint hints exchanges
    oven stove
"""
_PARTS = HEADINGS - {"garnish", "garnishes", "optional"}  # the headings of what may have a volume of its own
_NO_PARTS = frozenset(_LABELS.split())  # first or last words of what is no heading of a part
VOLUME = re.compile(r"(?:\d|\bone|\btwo|\bthree) (?:cups?|pints?|tablespoons?|tbsps?|c)\W*$", re.IGNORECASE)


def parted(text: str) -> str:
    """Return a text with a blank before a yield that has none: "Turn once.Makes 8"."""
    return _GLUED.sub(". ", text) if has_any(text, _GLUED_HINTS) else text


def hints_at_yield(small: str) -> bool:
    """Return whether a text in small letters may state a yield."""
    return has_any(small, _HINTS)


def yields_apart(parts: Sequence[str]) -> list[str]:
    """Return sentences with a yield joined to its remark in brackets, and split from a label after it.

    "Makes 6 jars. (Or 2 large ones.)" is one, "Yield: 1 pint Container: Quart jar" are two.
    """
    found: list[str] = []
    for part in parts:
        if found and part[0] == "(" and _counts(part) and is_yield(f"{found[-1]} {part}"):
            found[-1] += f" {part}"
            continue
        label = _BEHIND.search(part) if ":" in part else None
        apart = label is not None and is_yield(part[: label.start(1)]) and not CREDIT.match(part, label.end())
        found += [part[: label.start(1)], part[label.end() :]] if label and apart else [part]
    return found


def _counts(remark: str) -> bool:
    """Return whether a remark in brackets only gives a count, and no work."""
    return _REMARK.fullmatch(remark) is not None and not (WORK.search(remark) or advises(remark))


def is_yield(sentence: str) -> bool:
    """Return whether a sentence of directions only states the recipe's yield."""
    return _YIELD.match(sentence) is not None


def is_yield_alone(text: str) -> bool:
    """Return whether a paragraph holds nothing but a count of things or people: "12 to 16 leek rolls", "Serve 6"."""
    return (text[:1].isdigit() or text[:5].lower() == "serve") and _ALONE.match(text) is not None


def with_notes(stated: str, texts: Iterable[str]) -> str:
    """Return a recipe's stated yield with the notes on it in its texts: "8 servings; makes 3 dozen cookies".

    A volume below the heading of a part ("Frosting: ... Makes 2 cups.") is the part's, and left out.
    """
    notes = [stated] if stated else []
    texts = [*texts]
    for place, text in enumerate(texts, 1):
        small = text.lower()
        notes_on: list[str] = []
        is_hinted = hints_at_yield(small) or has_any(text, _INSIDE)
        is_hinted = is_hinted or ("make " in small and "dozen" in small)
        if is_hinted or small.startswith(_FIRST):
            notes_on = _notes(" ".join(parted(text).split()))
        elif is_yield_alone(text):
            notes_on = [text.strip(_MARKS)]
        for note in notes_on:
            of_part = VOLUME.search(note) and _is_known(stated)
            of_part = of_part and (_names_things(stated) or any(map(_names_part, texts[:place])))
            if not (of_part or _repeats(note, stated) or note.lower() in map(str.lower, notes)):
                notes.append(note)
    return "; ".join(notes)


def _is_known(stated: str) -> bool:
    """Return whether a stated yield is not just the value that programs fill in, "1 servings"."""
    return _numbers(stated) not in ([], ["1"])


def _names_things(stated: str) -> bool:
    """Return whether a stated yield counts things that no volume measures: "12 pancakes"."""
    words = _words(stated)
    return words != frozenset() and not words & _MEASURED


def heads_part(text: str) -> bool:
    """Return whether a text begins with the heading of a part of the dish: "Frosting: Beat the butter."."""
    heading, colon, _ = text.partition(":")
    words = heading.lower().split()
    return (
        colon != ""
        and heading[:1].isalpha()
        and len(heading) <= _LONGEST
        and not {words[0], words[-1]} & _NO_PARTS
        and not CREDIT.match(text)
    )


def _names_part(text: str) -> bool:
    """Return whether a text begins with the heading of a part, or is one: "PLUM SAUCE"."""
    return heads_part(text) or (len(text) <= _LONGEST and text.rpartition(" ")[2].lower() in _PARTS)


def _notes(text: str) -> list[str]:
    """Return the sentences of a text about the yield, without a label such as "Yield:"."""
    whole = text[:4].lower() == "for " and len(text) <= _LONGEST and is_yield(text)  # For 1-1/2 lb. loaf
    texts = [text] if whole else yields_apart(sentences(text))
    parts = [part.lstrip(_MARKS) for sentence in texts for part in _FORGOTTEN.split(sentence)]
    stated = [(part, is_yield(part)) for part in parts]
    cut = [
        (_TAIL.split(_LABEL.sub("", part, count=1), maxsplit=1)[0], is_whole)
        for part, is_whole in stated
        if is_whole or part[:5].lower() in _OPENINGS
    ]
    notes = [_without_name(_without_brackets(note)) for note, is_whole in cut if is_whole or _is_cut(note)]
    return [
        note[0].lower() + note[1:] if note[1:2].islower() else note for note in notes if not _NO_COUNT.fullmatch(note)
    ]


def _without_brackets(note: str) -> str:
    note = note.strip(_MARKS)
    bare = note[1:-1] if note[:1] == "(" and note[-1:] == ")" and "(" not in note[1:] else note
    return bare.strip(_MARKS)


def _is_cut(note: str) -> bool:
    """Return whether a text is a yield before a note on nutrients: "Makes 24 rolls" before "each 56 calories"."""
    return len(note) <= _LONGEST and ". " not in note and is_yield(note)


def _without_name(note: str) -> str:
    """Return a note without the name of a person after it: "one plump loaf Ada Example"."""
    before, *name = note.rsplit(" ", 2)
    return before if before.rpartition(" ")[2].islower() and len(name) > 1 and is_signature(" ".join(name)) else note


def _repeats(note: str, stated: str) -> bool:
    """Return whether a note only repeats the stated yield: "serves 4" for "4 servings"."""
    if _numbers(note) != _numbers(stated):
        return False
    words, known = _words(note), _words(stated)
    return words <= known or bool(known and known <= words)


def _numbers(text: str) -> list[str]:
    found = (str(NUMBERS_BY_NAME.get(part, part)) for part in _NUMBER.findall(text.lower()))
    return [part for part in found if part[-1].isdigit()]


def _words(text: str) -> frozenset[str]:
    """Return the words of a yield that say what is made, other than servings."""
    return frozenset(_WORD.findall(text.lower())) - _OF_SERVINGS - NUMBERS_BY_NAME.keys()
