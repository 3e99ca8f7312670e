"""Continuations: whether a line of an ingredient block carries on the ingredient above it, and how the two join."""

from __future__ import annotations

import re

from allsaid.language.text import listed
from pipelines.recipes.commands import VERBS, is_command
from pipelines.recipes.units import WORDS
from pipelines.recipes.wordlists import (
    ADJECTIVES,
    BODY_PARTS,
    MODIFIERS,
    OPENERS,
    PARTS,
    PREPARED,
    PREPARED_AFTER,
    SHARED_HEADS,
    SIZES,
    STANDALONE,
    TRAILING,
    UNFINISHED,
)
from pipelines.sources.mealmaster.directions import are_one, are_two
from pipelines.sources.mealmaster.lines import NAME_WIDTH, Line, has_open_end
from pipelines.sources.mealmaster.words import (
    HEADS,
    HYPHENED,
    PARTED,
    REMARK,
    SAYS_HOW,
    SHORTEST,
    is_measure,
    is_torn,
    lacks_head,
    names_nothing,
)

_MEASURE = re.compile(
    r"(?:-?inch(?:es)?\b|[\"']|cm\b|(?:oz|ounces?|lbs?|pounds?|cups?|each)\.?\)|x\b)",
    re.IGNORECASE,
)
_OF_NUMBER = re.compile(r"\d/\d$")
_PREPARING = PREPARED_AFTER | {"&"}
_GOES_ON = re.compile(
    r"[*. ]*[(\[]|(\w+)(?:(?: \w+)? (?:into|in|up|on|off|(?:length|cross)wise)\b| with\b|(?<=ed) \()"
    r"|\w+ly \w+ed and\b|(?!(?:jel|assemb|fami|f)ly)[a-z]+ly$|(?:again|quite|is|are|(?:may|can) be)\b"
    r"|(?:tough )?(?:stems|seeds|skin|bones|ends|tops|shells|fat|leaves|caps|stalks) (?:\w+ly )?"
    r"(?:removed|discarded|trimmed|reserved|chopped|sliced|minced|separated|torn)\b"
    r"|about [\d/ ]+ ?(?:lbs?|pounds?|oz|ounces?|cups?)\.?(?: total| each)?$"
    r"|(?!se|we)[a-z]{3,}(?<!se)(?<!we)ed[.)]*$",
    re.IGNORECASE,
)
_JOINED = listed("or and and/or & into with without to in on for if at plus as such of from not through until")
_SEASONING = re.compile(r"(?:(?:sea|kosher) )?salt\b", re.IGNORECASE)
_ENDED = re.compile(  # of a name that is complete
    r"(?:\b(?:to taste|optional|garnish|(?:if|as) (?:available|desired|needed|necessary|possible)|[a-z]+-?frying)"
    r"|\b(?:salt (?:and|&)|ground) (?:fresh |freshly |ground |black |white )*pepper)\W*$",
    re.IGNORECASE,
)
_SERVES = re.compile(r" (?:(?:as|for|to) (?:garnish|taste|serve)|for [a-z]+ing)$", re.IGNORECASE)
_PINCH = re.compile(
    r"(?:a )?(?:dash|pinch) (?:of )?[a-z]|salt ?(?:and|&|/) ?(?:(?:fresh|freshly|ground|black|white) )*pepper"
    r"|(?:salt|(?:freshly )?ground (?:black |white )*pepper)$",
    re.IGNORECASE,
)
_TO_TASTE = re.compile(r"(?:[A-Z]|salt\b|pepper\b).* to(?: taste\W*)?$")
_HALVES = re.compile(r"half[ -](?:and|&|n)[ -]half\b", re.IGNORECASE)  # a cream, no preparation
_LABELLED = re.compile(r"(?!See|Note|Or|Use)[A-Z][a-z]+: [A-Za-z]")  # Decorations: raisins
_COUNT_ONLY = re.compile(r"(?:dozen|doz|cloves?)\W*$", re.IGNORECASE)
_OPEN_ALTERNATIVE = re.compile(r"(?:[^,;]*\b(\w+)|[^,;]*) (?P<by>or|and|&) (?:[\d/]+ \w+(\.)? )?(\w+)$", re.IGNORECASE)
_PAIRS = re.compile(" (?:or|and|&) ", re.IGNORECASE)
_PLACED = re.compile("--| (?:in|into|with|for) ", re.IGNORECASE)
_ALONE = frozenset({"water", "salt"})
_OPEN_ADJECTIVES = {*ADJECTIVES, "heavy", "ground"} - listed("green red yellow white black brown")  # as in "or red"
_PURPOSE = re.compile(r"\b(?:for \w+ing|to (?!taste)\w+)$")  # to coat | pans
_NAMING = ADJECTIVES | MODIFIERS | UNFINISHED | SIZES  # a name that ends with one of these goes on in the next line
_SLACK = 3  # a name this much shorter than NAME_WIDTH still counts as full if the next line begins in lower case
REMARKS = re.compile(
    r"I (?!te?a?sp|tbl?sp|cup|sprig|stalk|pound|lb|oz)\w|.*: \w|.* (?:works?|will do|is (?:fine|ok|good|best))\b"
)  # I use leeks; but "I cup" is a cup
_REFERS = re.compile(r" from (?:[A-Z][\w']* ?){1,3}$")  # Sauce from Summer Leeks
_OWNER = re.compile(r"[A-Z][a-z]+'s$")  # Ada's | Soup
_RANGE = re.compile(r"\d ?- ?\d+$")


def continues(item: Line, width: int, line: Line, dashed: bool, text: str) -> bool:
    """Return whether a line carries on the ingredient before it, whose last line had ``width`` characters.

    Most continuations have a dash. A line without one continues if a bracket or phrase is still open, if it has only
    a preparation, or if the name before has only that. If no line of the block is ``dashed``, width decides: names are
    cut at NAME_WIDTH, so a first word that would have fitted into the line before begins another ingredient.
    ``text``: the directions in small letters with single blanks. If they name the words of both lines together, the
    lines are one ingredient; if apart, two.
    """
    last = item.name.rstrip()
    is_cut = _is_cut(width, line, dashed)
    in_remark = last.count("(") > last.count(")") and not is_cut
    if line.kind == "item" and line.unit and not in_remark and not last[-1:].isdigit():
        counts = not line.amount and (last.endswith(" -") or _COUNT_ONLY.match(last) is not None)  # pepper - | md size
        return counts or line.name == "each"  # breasts | 4 oz each; most lines: no need to look closer
    is_open = in_remark or _is_open(last, line)
    if line.kind == "item":
        return _measures(last, line, is_open, in_remark)
    if not is_open and (is_command(line.name) or _LABELLED.match(line.name)):
        return False
    if line.kind == "dash":
        return is_open or names_nothing(last) or not _is_own(last, line, text)
    if is_cut and dashed and last.count("(") > last.count(")") and not is_open:
        return False
    first = _first(line)
    if in_remark or first.strip("*-=") in _JOINED or _prepares(line.name) or is_torn(line.name):
        return True
    if _SEASONING.match(line.name) and not has_open_end(last.rstrip(",;")):
        return False
    if line.name[0].isupper() and _is_styled(last, line.name) and first not in OPENERS | PREPARED_AFTER:
        return False
    if is_open or _goes_on(line.name) or names_nothing(last) or are_one(last, line.name, text):
        return True
    if lacks_head(last, line.name):
        return True
    if _is_prepared(last, line):
        return False
    if _SERVES.search(line.name) and first not in PREPARED_AFTER | BODY_PARTS | SHARED_HEADS:
        return False
    if " -- " in last and " -- " in line.name:
        return first in OPENERS
    if _is_complete(last) and not (" -- " in last and (first in OPENERS | PREPARED_AFTER or first.upper() in VERBS)):
        return False
    if last.endswith((")", "]")):  # a remark closes a name, but "(28 oz)" and "Stick (4 oz)" are no names yet
        return bool(item.amount) and is_measure(last)
    if first in PARTS and not line.name[len(first) :].startswith((" of ", " from ")):
        second = line.name[len(first) :].split(maxsplit=1)[:1]  # Sprigs mint
        return first not in TRAILING or not (second and second[0].isalpha()) or second[0].lower() in _JOINED | SAYS_HOW
    if first in STANDALONE:
        return False
    cased = len(first) > 1 and line.name[0].islower() and item.name[0].isupper()
    wrapped = not dashed or first in SHARED_HEADS or first in BODY_PARTS
    needed = _needed(width, line)
    is_filled = (cased and needed > NAME_WIDTH - _SLACK) or (wrapped and needed > NAME_WIDTH)
    return is_filled and not are_two(last, line.name, text)


def _is_own(last: str, line: Line, text: str) -> bool:
    """Return whether a line with a dash names another food: a seasoning, or with a preparation of its own."""
    if last.endswith("pepper") and _PINCH.fullmatch(last) and _first(line) not in SAYS_HOW | OPENERS:
        words = PARTED.split(line.name.lower())[0].split()  # salt & pepper | peanut oil; oil for the pan; figs, cut
        foods = SHARED_HEADS | HEADS | STANDALONE
        return line.name[0].isalpha() and (not foods.isdisjoint((words[0], words[-1])) or words[-1][:-1] in text)
    is_prepared = " -- " in last and " -- " in line.name and not _is_unit_first(line)
    return is_prepared or (is_seasoning(line) and not last.lower().endswith((" fresh", " freshly", " tsp")))


def _needed(width: int, line: Line) -> int:
    """Return the characters that the line before would have with the first word of this one."""
    return width + 1 + len(line.name.split(maxsplit=1)[0])


def _is_capital(line: Line) -> bool:
    """Return whether a line begins with a capital, in a word that does not usually continue a name."""
    return line.name[:1].isupper() and _first(line) not in OPENERS | PREPARED_AFTER | _JOINED


def stands_off(last: str, width: int, line: Line, text: str) -> bool:
    """Return whether a line with a dash begins with a capital, would have fitted in the line before, and names a food.

    A line like this is an ingredient of its own in spite of its dash.
    """
    if not _is_capital(line) or _needed(width, line) > NAME_WIDTH - _SLACK:
        return False
    word, first = last.lower().rpartition(" ")[2], _first(line)
    if REMARKS.match(line.name) or has_open_end(last.rstrip("-=*")) or _REFERS.search(last):
        return False
    if PARTED.search(last):
        return True
    is_part = first in BODY_PARTS and not line.name[len(first) :].startswith((" of ", " from "))
    if word in _OPEN_ADJECTIVES or is_part or f" {word} {first}" in text:
        return False
    is_word = " " not in line.name
    is_head = (first in SHARED_HEADS and word in MODIFIERS) or (is_word and first in HEADS)
    return first in STANDALONE or not (is_head or (is_word and last.islower()))


def _first(line: Line) -> str:
    return line.name.split(" ", 1)[0].lower().strip(",;:.'")


def _is_styled(last: str, name: str) -> bool:
    """Return whether two names separate food and preparation by the same marks: "Leeks -- sliced", "Salt -- coarse"."""
    if " -- " in last and " -- " in name[1:]:
        return not last.lower().endswith(" or")
    return "; " in name and (last.endswith(";") or (";" in last and not has_open_end(last)))


def is_of_other(first: Line, second: Line, line: Line) -> bool:
    """Return whether mixed columns put an ingredient before a line's own one: "Apples; pared and", "Salt", "sliced"."""
    if line.kind not in ("dash", "bare") or not first.name.endswith((" and", " but")):
        return False
    return PARTED.search(first.name) is not None and not has_open_end(second.name) and _prepares(line.name)


def is_seasoning(line: Line) -> bool:
    """Return whether a line names a seasoning, which has no amount: "Salt and pepper", "Mint to taste"."""
    return _PINCH.match(line.name) is not None or (
        _first(line) in STANDALONE and _TO_TASTE.match(line.name) is not None
    )


def is_orphan(line: Line) -> bool:
    """Return whether a section's first line continues an ingredient, since the right column was written first."""
    bracketed = REMARK.fullmatch(line.name) is not None
    return line.kind == "dash" or (line.kind == "bare" and (bracketed or _prepares(line.name)))


def _is_cut(width: int, line: Line, dashed: bool) -> bool:
    """Return whether a name fills its line, and the next line is an ingredient even if a bracket is still open."""
    is_own = line.kind == "bare" and ")" not in line.name and (dashed or line.name[0].isupper())
    return width >= NAME_WIDTH and is_own


def _is_open(name: str, following: Line) -> bool:
    if name[-1] == "-" and HYPHENED.search(name):
        return True
    if has_open_end(name):
        is_whole = _RANGE.search(name) or (name[-1] == '"' and " " in following.name and following.name[-1] != ".")
        return not (is_whole and _is_capital(following) and not _is_unit_first(following))
    if name.endswith("'s") and following.kind != "item" and " -- " not in name and _OWNER.search(name):
        return True
    if following.kind != "item" and _is_unfinished(name) and following.name.lower() not in _ALONE:
        return True
    found = _OPEN_ALTERNATIVE.match(name) if _PAIRS.search(name) else None
    if found is None:  # broth or cold | water, cream or vanilla | ice cream
        return False
    head, text = (found[1] or "").lower(), following.name.lower()
    last, first = found[4].lower(), following.name.split(" ", 1)[0].lower()
    lacks_food = head != "" and head not in SAYS_HOW and last in PREPARED and last.endswith("ed")  # or grated | cheese
    if found["by"].lower() != "or":  # not oil and vinegar | salt, leeks -- washed and dried | mint
        return (lacks_food or last in _OPEN_ADJECTIVES) and head not in SAYS_HOW and not _PLACED.search(name)
    if head and (text.endswith(f" {head}") or text.startswith((f"{head},", f"{head};"))):
        return True  # walnut oil or light | olive oil, chuck steak or round | steak, boneless
    if found[3]:
        return False
    return lacks_food or last in _OPEN_ADJECTIVES or (last in MODIFIERS and (first in SHARED_HEADS or first == "ice"))


def _is_unit_first(line: Line) -> bool:
    """Return whether a line begins with a unit, to which a number at the end of the line before belongs."""
    return line.kind == "item" or _MEASURE.match(line.name) is not None or _first(line) in WORDS


def _is_unfinished(name: str) -> bool:
    """Return whether a name ends with a word that needs a noun: "Finely shredded Monterey", not "Peppers; red"."""
    before, _, last = name.rpartition(" ")
    return last.lower() in UNFINISHED and before[-1:].isalpha()


def _is_complete(name: str) -> bool:
    """Return whether a name ends with a preparation, also if cut at NAME_WIDTH: "Carrots, chopped" or ", grate"."""
    if _ENDED.search(name):
        return True
    words = re.split("[,;]|--", name)[-1].lower().split() if PARTED.search(name) else []
    if len(name) >= NAME_WIDTH and words and len(words[-1]) > SHORTEST and words[-1] not in PREPARED:
        words[-1] = next((word for word in PREPARED if word.startswith(words[-1])), words[-1])
    return words != [] and all(word in PREPARED for word in words)


def _is_prepared(last: str, line: Line) -> bool:
    """Return whether a name ends with its preparation, so that the next line begins another: "Leeks; sliced thin"."""
    # A single word after " -- " mostly continues a name, so nothing is searched for: no name contains a line feed.
    mark = ";" if ";" in last else " -- " if " " in line.name else "\n"
    _, parted, how = last.rpartition(mark)
    if not parted or not _is_capital(line) or last.count("(") > last.count(")") or _PURPOSE.search(how):
        return False
    word, first = how.rpartition(" ")[2].lower().strip("."), _first(line)
    is_named = word in _NAMING or word.endswith("ly") or len(word) == 1
    is_work = first.upper() in VERBS or f"{first}d" in PREPARED  # "reserve", as "reserved" is a preparation
    return not (is_named or is_work or first in BODY_PARTS | PARTS)


def _measures(last: str, line: Line, is_open: bool, in_remark: bool) -> bool:
    """Return whether a line with an amount gives a measure of the ingredient before it: "(about | 1 1/2 lbs)"."""
    if in_remark and line.name.count(")") > line.name.count("("):
        return True
    if last[-1:].isdigit() and _OF_NUMBER.match(line.amount):  # (15 | 1/2 oz) can
        return is_open and line.unit in ("", "oz", "lb")
    if line.unit:
        return last[-1:].isdigit() and is_open and not line.amount and line.unit != "x"  # -- or 14 | oz can
    if last.endswith((" about", " to make", " to equal", "--")) and line.name.lower().strip(".") in WORDS:
        return True
    return bool(_MEASURE.match(line.name)) and (is_open or _prepares(line.name))


def _goes_on(text: str) -> bool:
    """Return whether a line begins with a remark or a way to cut: "sliced in half"."""
    found = _GOES_ON.match(text)
    return found is not None and (found[1] is None or (found[1].lower() in PREPARED or found[1].lower() == "cut"))


def _prepares(text: str) -> bool:
    return not _HALVES.match(text) and all(word.strip(",;:.()-\"'").lower() in _PREPARING for word in text.split())
