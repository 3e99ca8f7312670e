"""Lines of an ingredient block -> ingredients: continuations joined, headings made sections, signatures dropped."""

from __future__ import annotations

import re
from dataclasses import replace

from pipelines.recipes.commands import is_command
from pipelines.recipes.ingredients import split_line
from pipelines.recipes.signatures import is_signature
from pipelines.recipes.units import WORDS
from pipelines.recipes.wordlists import (
    ADJECTIVES,
    BODY_PARTS,
    HEADINGS,
    MODIFIERS,
    OPENERS,
    PARTS,
    PREPARED,
    PREPARED_AFTER,
    SHARED_HEADS,
    STANDALONE,
    UNFINISHED,
)
from pipelines.sources.mealmaster.forms import heads_nutrition, is_nutrient, is_placeholder, says_nothing
from pipelines.sources.mealmaster.lines import NAME_WIDTH, OPEN_END, Line
from schemas.recipe import Ingredient

_MEASURE = re.compile(
    r"(?:-?inch(?:es)?\b|[\"']|cm\b|(?:oz|ounces?|lbs?|pounds?|cups?|each)\.?\)"
    r"|x\b)",
    re.IGNORECASE,
)
_COUNTED = re.compile(r"\d[\d ./-]* [a-z(]", re.IGNORECASE)
_REMARK = re.compile(r"\(.*?\)")
_OF_NUMBER = re.compile(r"\d/\d$")
_RANGE = re.compile(r"(?:-|to )(\d+) +(?=[^\d\s-])(?!\S+ sized?\b)", re.IGNORECASE)  # 8    -10 franks, 6 ea To 8 leeks
_GOES_ON = re.compile(
    r"[*. ]*[(\[]|(\w+)(?: \w+)? (?:into|in|up|on|off|(?:length|cross)wise)\b"
    r"|\w+ly \w+ed and\b"
    r"|(?:tough )?(?:stems|seeds|skin|bones|ends|tops|shells|fat|leaves|caps|stalks) (?:\w+ly )?"
    r"(?:removed|discarded|trimmed|reserved|chopped|sliced|minced|separated|torn)\b"
    r"|(?!se|we)[a-z]{3,}(?<!se)(?<!we)ed[.)]*$",
    re.IGNORECASE,
)
_JOINED = frozenset(  # go on
    {
        "or",
        "and",
        "&",
        "into",
        "with",
        "without",
        "to",
        "in",
        "on",
        "for",
        "if",
        "at",
        "plus",
        "as",
        "such",
        "of",
        "from",
        "not",
    }
)
_SEASONING = re.compile(r"(?:(?:sea|kosher) )?salt\b", re.IGNORECASE)
_ENDED = re.compile(  # of a name that is complete
    r"(?:\b(?:to taste|optional|garnish|[a-z]+-?frying)|\bsalt (?:and|&) (?:freshly |ground |black )*pepper)\W*$",
    re.IGNORECASE,
)
_SERVES = re.compile(r" (?:as|for|to) (?:garnish|taste|serve)$", re.IGNORECASE)  # of a name of its own
_PINCH = re.compile(
    r"(?:a )?(?:dash|pinch) (?:of )?[a-z]|salt ?(?:and|&|/) ?(?:(?:freshly|ground|black) )*pepper", re.IGNORECASE
)
_OPEN_ALTERNATIVE = re.compile(r"[^,;]* or (?:[\d/]+ \w+ )?(\w+)$", re.IGNORECASE)
_OPEN_ADJECTIVES = ADJECTIVES - {"green", "red", "yellow", "white", "black", "brown"}  # "red or white" is complete
_SAYS_HOW = PREPARED_AFTER | ADJECTIVES
_SHORTEST = 3  # letters of a food; less is the rest of a word that was cut
_ENDS_IN_OR = re.compile(r"\bor\W*$", re.IGNORECASE)
_HEADING = re.compile(r"(?!(?:or|plus|minus|and|with)\b)(?:[a-z][a-z ]+:?|[a-z(][\w ()'&/-]+:)$", re.IGNORECASE)
_NO_HEADING = re.compile(
    r"\W*(?:ingredients|directions|preparation|instructions|method|source)\W*$|(?:from|makes|serves) \w|.*#\d{3}"
    r"|(?:yields?|serv(?:ing|e)s?(?: size)?|makes|keywords|copyright|(?:cook|bak|prep)[a-z]* time) *:"
    r"|[a-z]{3,}\d{4,}$|[a-z]+\.[a-z]+$|nutrition|per serving|.*\b19\d\d$",
    re.IGNORECASE,
)
_SURE_PARTS = frozenset({"filling", "marinade", "dough", "crust", "batter", "streusel"})  # in small letters, too
_LABEL = re.compile(r"([A-Z][A-Z ]+):\s*\(.*\)$")  # PIE: (makes 2 pies)
_HYPHENED = re.compile(r"(?<![-=])\b[a-z]+-$", re.IGNORECASE)
_HYPHENATED = re.compile(r"(?!(?:and|or|see|about)\b)[a-z]", re.IGNORECASE)
_LETTER = re.compile(r"[^\W\d_]")
_DECIMAL = re.compile(r"\.\d")  # .70 oz package
_STRAY = "-;,. "  # marks that stand before a name, as in "1 ts -Salt"


def join_lines(lines: list[Line]) -> list[Ingredient]:
    """Ingredients of a block, each with the heading of its section."""
    items: list[Line] = []
    sections: list[str] = []
    orphans: list[str] = []  # continuations before any item of their section: the right column was written first
    section, start = "", 0
    nutrition = False  # whether the block tells what a serving holds
    width = 0  # of the line before
    dashed = any(line.kind == "dash" for line in lines)
    ended = [*_without_stops(_unwrapped(lines)), Line("rule")]
    for line, following in zip(ended, [*ended[1:], Line("rule")], strict=True):
        heading = _heading(line, following)
        if heading is not None:
            nutrition = line.kind == "rule" and heads_nutrition(line.name)
            if orphans and len(items) > start:
                items[-1] = _extended(items[-1], " ".join(orphans))
            orphans, section, start = [], heading, len(items)
        elif says_nothing(line) or (nutrition and is_nutrient(line.name)):
            continue
        elif len(items) == start and _is_orphan(line):
            orphans.append(line.name)
        elif len(items) > start and _is_upper_end(items[-1], line):
            items[-1] = replace(line, amount=f"{items[-1].amount}-{line.amount}")
        elif len(items) > start and _continues(items[-1], width, line, dashed):
            items[-1], width = _extended(items[-1], line.typed), _width(line)
        elif line.kind == "item" or _LETTER.search(line.name):
            items.append(line)
            sections.append(section)
            width = _width(line)
    return [
        _ingredient(item, heading)
        for item, heading in zip(items, sections, strict=True)
        if item.name.strip(_STRAY) and not is_placeholder(item.name)
    ]


def _unwrapped(lines: list[Line]) -> list[Line]:
    """The lines, the first one last where it carries on an alternative: the right column was written first."""
    if len(lines) < 2 or lines[0].kind != "item" or lines[-1].kind == "rule":
        return lines
    first, last = lines[0], lines[-1].name
    if not _ENDS_IN_OR.search(last) or any(line.kind == "rule" for line in lines):
        return lines
    if first.name.count(")") > first.name.count("(") and last.count("(") > last.count(")"):
        return [*lines[1:-1], replace(lines[-1], name=f"{last} {first.typed}")]
    return [*lines[1:], first]


def _is_upper_end(item: Line, line: Line) -> bool:
    """Whether a line gives the upper end of an amount whose lower one stands alone: "2 To" above "3 ts Salt"."""
    return item.name.lower() == "to" and item.amount.isdigit() and line.amount[:1].isdigit()


def _without_stops(lines: list[Line]) -> list[Line]:
    """The lines without the semicolons after complete names, where more than one stands above another ingredient."""
    pairs = list(zip(lines, [*lines[1:], Line("rule")], strict=False))
    if sum(line.name.endswith(";") and following.kind == "item" for line, following in pairs) < 2:
        return lines
    return [
        line if following.kind == "dash" else replace(line, name=line.name.rstrip(" ;")) for line, following in pairs
    ]


def _ingredient(item: Line, section: str) -> Ingredient:
    amount, name = item.amount, item.name
    if not amount and not item.unit and _COUNTED.match(name):  # typed with a single blank
        return Ingredient(*split_line(name), section)
    unit = item.unit
    found = _RANGE.match(name) if amount.isdigit() and unit in ("", "ea") else None
    if found and int(found[1]) > int(amount):
        upper = Ingredient(*split_line(name[found.start(1) :]), section)
        amount, unit, name = f"{amount}-{found[1]}", upper.unit or unit, upper.name
    if name[0] in _STRAY and not _DECIMAL.match(name):
        name = name.lstrip(_STRAY)
    return Ingredient(amount, unit, " ".join(name.split()), section)


def _is_orphan(line: Line) -> bool:
    """Whether the first line of a section carries on another: the right column was written before the left one."""
    bracketed = _REMARK.fullmatch(line.name) is not None
    return line.kind == "dash" or (line.kind == "bare" and (bracketed or _prepares(line.name)))


def _width(line: Line) -> int:
    return len(line.name.rstrip()) + (line.kind == "dash")


def _extended(item: Line, more: str) -> Line:
    hyphened = _HYPHENED.search(item.name) and _HYPHENATED.match(more)  # all- | purpose flour
    return replace(item, name=item.name + more if hyphened else f"{item.name} {more}")


def _heading(line: Line, following: Line) -> str | None:
    """The heading that a rule or a bare line ("FILLING:") sets, None where the line is an ingredient's."""
    if line.kind == "rule" or (line.kind == "bare" and line.name.lower() == "ingredients:"):
        return "" if is_signature(line.name) or _NO_HEADING.match(line.name) else line.name
    labelled = _LABEL.match(line.name) if line.kind == "bare" else None
    if labelled:
        return labelled[1]
    if line.kind == "item" and line.name.endswith(":") and not line.unit:  # 1    Icing:
        return line.name.strip(":") if _HEADING.match(line.name) else None
    if line.kind == "item" or not _HEADING.match(line.name):
        return None
    if line.name.endswith(":") and (line.kind == "bare" or line.name.isupper()):
        return line.name.strip(":()")
    if line.kind == "dash":
        return None
    words = line.name.lower().split()
    above_items = following.kind == "item" and not following.name.isupper()
    if line.name.isupper():
        return line.name if words[-1] in HEADINGS or above_items else None
    named = words[-1] in _SURE_PARTS if len(words) == 1 else words[:2] == ["for", "the"] and words[-1] in HEADINGS
    return line.name if named and following.kind == "item" else None


def _continues(item: Line, width: int, line: Line, dashed: bool) -> bool:
    """Whether a line carries on the ingredient before it, whose last line was so wide.

    Most continuations have a dash. Of other lines those do that stand in an open remark or after an open end, that
    say nothing but preparation, or that come where the name before says nothing else. Where others have no dash
    either, width decides: names are cut at a fixed one, so a word that would have fitted into the line before is
    another ingredient's.
    """
    last = item.name.rstrip()
    first = line.name.split(" ", 1)[0].lower().strip(",;:.'")
    in_remark = last.count("(") > last.count(")") and not _is_cut(width, line)
    if line.kind == "item" and line.unit and not in_remark and not last[-1:].isdigit():
        return last.endswith(" -") and not line.amount  # pepper - | md size; most lines: no need to look closer
    is_open = in_remark or _is_open(last, line)
    if line.kind == "item":
        return _measures(last, line, is_open, in_remark)
    if not is_open and is_command(line.name):
        return False
    if line.kind == "dash":
        return is_open or not _PINCH.match(line.name)
    if in_remark or first.strip("*-=") in _JOINED or _prepares(line.name) or len(line.name) < _SHORTEST:
        return True
    if _SEASONING.match(line.name) and not OPEN_END.search(last.rstrip(",;")):
        return False
    if is_open or _goes_on(line.name) or _names_nothing(last):
        return True
    if _SERVES.search(line.name) and first not in PREPARED_AFTER | BODY_PARTS | SHARED_HEADS:
        return False
    if " -- " in last and " -- " in line.name:
        return first in OPENERS
    if _is_complete(last):
        return False
    if last.endswith((")", "]")):  # a remark closes a name; "(28 oz)" and "Stick (4 oz)" are none
        return bool(item.amount) and _is_measure(last)
    if first in PARTS and not line.name[len(first) :].startswith((" of ", " from ")):
        return True
    if first in STANDALONE:
        return False
    cased = len(first) > 1 and line.name[0].islower() and item.name[0].isupper()
    wrapped = not dashed or first in SHARED_HEADS or first in BODY_PARTS
    return cased or (wrapped and width + 1 + len(line.name.split(maxsplit=1)[0]) > NAME_WIDTH)


def _is_cut(width: int, line: Line) -> bool:
    """Whether a remark was cut with its name at the full width, so that a line without a dash is an ingredient's."""
    return width >= NAME_WIDTH and line.kind == "bare" and ")" not in line.name and line.name[0].isupper()


def _is_open(name: str, following: Line) -> bool:
    if OPEN_END.search(name) or _HYPHENED.search(name):
        return True
    if following.kind != "item" and _is_unfinished(name):
        return True
    found = _OPEN_ALTERNATIVE.match(name)  # broth or cold | water, cream or vanilla | ice cream
    if found is None:
        return False
    last, first = found[1].lower(), following.name.split(" ", 1)[0].lower()
    return last in _OPEN_ADJECTIVES or (last in MODIFIERS and (first in SHARED_HEADS or first == "ice"))


def _is_unfinished(name: str) -> bool:
    """Whether a name ends with a word that names another: "Finely shredded Monterey", but not "Peppers; red"."""
    before, _, last = name.rpartition(" ")
    return last.lower() in UNFINISHED and before[-1:].isalpha()


def _is_complete(name: str) -> bool:
    """Whether a name ends with how it is prepared: "Carrots, chopped"."""
    tail = re.split("[,;]", name)[1:][-1:]
    return _ENDED.search(name) is not None or (tail != [] and all(word in PREPARED for word in tail[0].lower().split()))


def _measures(last: str, line: Line, is_open: bool, in_remark: bool) -> bool:
    """Whether a line with an amount gives a measure of the ingredient before it: "(about | 1 1/2 lbs)"."""
    if in_remark and line.name.count(")") > line.name.count("("):
        return True
    if last[-1:].isdigit() and _OF_NUMBER.match(line.amount):  # (15 | 1/2 oz) can
        return is_open and line.unit in ("", "oz", "lb")
    if line.unit:
        return last[-1:].isdigit() and is_open and not line.amount  # -- or 14 | oz can
    if last.endswith((" about", "--")) and line.name.lower().strip(".") in WORDS:
        return True
    return bool(_MEASURE.match(line.name)) and (is_open or _prepares(line.name))


def _goes_on(text: str) -> bool:
    """Whether a line begins with a remark or tells how to cut: "sliced in half"."""
    found = _GOES_ON.match(text)
    return found is not None and (found[1] is None or (found[1].lower() in PREPARED or found[1].lower() == "cut"))


def _names_nothing(name: str) -> bool:
    """Whether a name says only how or how much so far: "Condensed (10 3/4 ounce)", "Freshly grated"."""
    words = _REMARK.sub(" ", name).lower().replace(",", " ").split()
    return bool(words) and "half" not in words and all(word in _SAYS_HOW for word in words)


def _is_measure(name: str) -> bool:
    words = re.split(r"[(\[]", name, maxsplit=1)[0].split()
    return not words or words[-1].lower().strip(",.") in WORDS


def _prepares(text: str) -> bool:
    return all(word.strip(",;:.()-\"'").lower() in PREPARED_AFTER for word in text.split())
