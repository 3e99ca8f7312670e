"""Single lines of a Meal-Master record: what they hold, and how much they look like ingredients."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pipelines.recipes.ingredients import split_line
from pipelines.recipes.wordlists import OPENERS, PREPARED, STANDALONE

NAME_WIDTH = 28  # Meal-Master's name column

_AMOUNT = r"\d+(?:[.,]\d+)?(?:[ -]\d+/\d+|/\d+)?|\.\d+|\d+-\d+"
_CODES = "x|sm|md|lg|cn|pk|pn|dr|ds|ct|bn|sl|ea|t|ts|T|tb|fl|c|pt|qt|ga|oz|lb|ml|cb|cl|dl|l|mg|cg|dg|g|kg"
_CODE = rf"(?:{_CODES}|TB|Tb|TS|Ts|C|cu|Cl|gm|jr|pg|bt)"
_PADDED = re.compile(rf"({_AMOUNT}) (?:([A-Za-z]{{2}}|[A-Za-z] )|  ) ?(\S.*)$")
_STANDS_OFF = re.compile(rf":[ \t]{{2,}}(?=[^\s\d].{{,{NAME_WIDTH}}}$)")
_DOTTED = re.compile(r"[.,] |\.[a-z]")
_GLUED = re.compile(r"[a-z]{0,8}\.?(?: |$|\))")
_OR = re.compile(r"(^|;? )[-=]+OR(?:[-=]+ +|[-=]+$|=-)", re.IGNORECASE)
_UNIT_ONLY = re.compile(rf"({_CODES}) {{1,2}}(\S.*)$")
_RULE = re.compile(r"[ \t]*(?:M{5})?-{4,}[ \t]*(.*?)[ \t]*-{4,}[ \t]*$|[ \t]*(?:M{5})?-{4,}[ \t]*$|[ \t]*M{5}[ \t]*$")
_WIDEST = 120  # characters of a rule; the search for one takes the cube of a line's width
_KNOWN_CODE = re.compile(rf"{_CODE}$")
_TEXT_WIDTH = NAME_WIDTH + 12  # a line without amount that is longer is text, wherever it stands
_DECORATED = re.compile(
    r"(?:[*%=~_]{2,}|<[<-]*|-{3,}|\*-+|[- ]{6,})[ *%=]*([A-Za-z][^*%=~_<>]*?)[ :]*[*%=~_>-]{2,}$"  # ***SAUCE***
    r"|([A-Z][A-Z ,.&'/]*[A-Z])[ :]*-{4,}$"  # what is left of a rule: SAUCE------
)
_TYPED_RULE = re.compile(r"\d+ (?:x|ea)? *-{2,} *([^-].*?) *-{2,}$")  # 1 x  -----sauce-----
_NO_HEADING = frozenset({"or", "and", "and/or", "plus"})

_SEASONS = re.compile(r"salt\b.*\bto taste\W*$", re.IGNORECASE)

OPEN_END = re.compile(  # of a name that the next line carries on
    r"(?:[,&;(/+]|--|\b(?:or|and|with|of|in|to|into|for|a|the|plus|from|about|cut|freshly|finely|preferably|coarsely"
    r"|thinly|(?<!-- )(?<![,;] )freshly ground|(?:ground|cracked) (?:black|white)|homemade|such as)"
    r"(?<!-- about)|>>|\b\d+[\"']?"
    r"|\b(?:with|in|or|(?<!, )plus) [\d/ ]+(?:teaspoons?|tablespoons?|cups?|tsp\.?|tbsp\.?|tb|ts|oz|lbs?))$",
    re.IGNORECASE,
)

_NO_INGREDIENT = re.compile(
    r"(?:makes|serves|yields?|servings?|source|from|posted|typed|submitted|copyright|recipe by|prep(?:aration)?|"
    r"cooking(?! (?:oil|spray|sherry|wine))|baking(?! (?:soda|powder))|total|oven|temperature|cook|calories|per|cal"
    r"|note|notes|mm|title|categories)\b.{0,14}(?:\d|:|by\b)"
    r"|(?:directions|method|instructions|procedure|preparation|source|isbn)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Line:
    kind: str  # "item" (amount or unit), "dash" (continuation), "bare" (name column only), "text", "rule", "blank"
    amount: str = ""
    unit: str = ""
    name: str = ""

    @property
    def typed(self) -> str:
        return " ".join(part for part in (self.amount, self.unit, self.name) if part)


_BLANK = Line("blank")


def rule_heading(line: str) -> str | None:
    """Heading of a section rule (``-----SAUCE-----``), "" for a bare rule, None where the line is none."""
    if len(line) > _WIDEST or ("----" not in line and "MMMMM" not in line):
        return None
    found = _RULE.match(line)
    return None if found is None else (found[1] or "").strip(" -:*=~_")


def read_line(line: str) -> Line:
    """Read one stripped line of an ingredient block."""
    if "OR-" in line or "OR=" in line or "or=" in line or "or-" in line:
        line = _OR.sub(lambda found: f"{found[1] and ' '}or ", line).rstrip()  # Pecans; -=OR=- walnuts
    if line[0] == ":":  # of MasterCook's export; one that stands off is a continuation
        line = _STANDS_OFF.sub(";", line) if _STANDS_OFF.match(line) else line.lstrip(": ") or ":"
    if len(line) <= _WIDEST and (line[0] in "-*%=~_<" or line.endswith("--")):
        heading = _decorated(line)
        if heading:
            return Line("rule", name=heading)
    if line[0] in "-;" or _DOTTED.match(line):
        name = line.lstrip("-;., " if line[0] in ".," else "-; ")
        own = line[0] == ";" and name.split(" ", 1)[0].lower() in STANDALONE  # ";water"
        return Line("bare" if own else "dash", name=name)
    if line == ":":
        return Line("dash")
    found = _PADDED.match(line)
    if found and (found[2] is None or _KNOWN_CODE.match(found[2].strip())):
        if found[2] and found.end(2) == found.start(3) and _GLUED.match(found[3]):  # 2 cups rice, 3 lbs. beef
            return Line("item", *split_line(line))
        return Line("item", found[1], (found[2] or "").strip(), found[3])
    found = _UNIT_ONLY.match(line)
    if found:
        return Line("item", "", found[1], found[2])
    return Line("text" if len(line) > _TEXT_WIDTH else "bare", name=line)


def _decorated(line: str) -> str:
    """The heading that stands between marks in the name column, "" where there is none."""
    if line[0].isdigit():  # 1 x  -----sauce-----
        found = _TYPED_RULE.match(line)
        return found[1].strip(" :") if found else ""
    found = _DECORATED.match(line)
    heading = (found[1] or found[2]).strip(" -:") if found else ""
    return "" if heading.lower() in _NO_HEADING else heading


def read_with_evidence(lines: list[str]) -> Iterator[tuple[Line, float]]:
    """Each stripped line of a flattened record with the evidence for an ingredient line (below 0: it is none).

    Meal-Master cuts names at 28 characters and writes no blank line within the block; directions are wrapped at
    about 70. So width, amounts and blank lines weigh most; the rest decides on the lines beside the border.
    """
    after_text = after_blank = False
    bare = 0  # ingredients so far, where none has an amount
    before = ""
    remark = 0  # brackets that are open
    for place, line in enumerate(lines):
        if not line:
            after_blank = any(lines[:place])
            before, remark = "", 0
            yield _BLANK, 0.0
            continue
        heading = rule_heading(line)
        if heading is not None:
            before, remark = "", 0
            yield Line("rule", name=heading), 0.0
            continue
        read = read_line(line)
        if read.kind == "item":
            points, remark, bare = _item_evidence(read, after_text), 0, -len(lines)
        elif (remark > 0 and len(line) <= NAME_WIDTH + 1) or line in PREPARED:  # a remark goes on; "removed"
            points = 1.0
        else:
            points = _evidence(read, before) - 2.0 * after_text - 1.5 * after_blank
            closes = (bare > 1 or _SEASONS.match(line)) and not after_blank and _directions_follow(lines, place)
            points -= 2.5 * (lines[place + 1 : place + 2] == [""] and not closes)
            bare += points > 0
        after_text, before = points <= -4, line
        remark = 0 if after_text else remark + line.count("(") - line.count(")")
        yield read, points


def _evidence(read: Line, before: str) -> float:
    """Evidence of a line without amount, given the line before it."""
    if not read.name:
        return 0.0
    value = _width_evidence(len(read.name))
    if _NO_INGREDIENT.match(read.name):
        value -= 4.0
    if read.kind == "dash":
        return value + 1.0
    if _opens_directions(read.name) and not OPEN_END.search(before):
        value -= 3.0
    if read.name.endswith((".", "!", "?", ":")):
        value -= 1.0
    return value


def _width_evidence(width: int) -> float:
    if width <= NAME_WIDTH + 1:
        return 1.5
    return -1.0 if width <= NAME_WIDTH + 4 else -2.5 if width <= NAME_WIDTH + 9 else -6.0


def _opens_directions(line: str) -> bool:
    return line[0] in "*~" or line.split(maxsplit=1)[0].strip(",.:").lower() in OPENERS


def _directions_follow(lines: list[str], place: int) -> bool:
    """Whether the next text begins directions, so that a line above it without amount may close the block."""
    following = next(filter(None, lines[place + 1 :]), "")
    return len(following) > NAME_WIDTH + 9 or (following != "" and _opens_directions(following))


def _item_evidence(read: Line, after_text: bool) -> float:
    if len(read.name) > NAME_WIDTH + 12 and "   " not in read.name:
        return -4.0
    value = 5.0 if read.unit else 4.0
    if len(read.name) > NAME_WIDTH + 1:
        value -= 2.0
    if read.name[0].islower() and not (read.unit and read.amount):
        value -= 2.0
    if after_text:
        value -= 2.0
    return value
