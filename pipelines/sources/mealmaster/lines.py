"""Parse single lines of a Meal-Master record."""

from __future__ import annotations

import re
from functools import lru_cache
from string import ascii_letters
from typing import NamedTuple

from allsaid.language.text import listed
from pipelines.recipes.ingredients import split_line
from pipelines.recipes.units import CODES, WORDS
from pipelines.recipes.wordlists import STANDALONE

NAME_WIDTH = 28  # Meal-Master's name column

_NUMBER = r"(?:\d+(?:[.,]\d+)?(?:[ -]\d+/\d+|/\d+)?|\.\d+)"
AMOUNT = rf"[~<>]?{_NUMBER}\+?(?: ?(?:-|to|or) ?{_NUMBER}\+?)?"
_UNITS = CODES | frozenset(["TB", "Tb", "TS", "Ts", "C", "cu", "Cl", "gm", "jr", "pg", "bt"])
_ITEM = re.compile(rf"({AMOUNT})( +)(?:([A-Za-z]{{1,3}}) +)?(\S.*)$")
UNIT_FIELD = 4  # blanks after an amount where the unit is left out
_NO_AMOUNTS = frozenset({"inch", "inches", "in", "cm", "serving", "servings"})  # of food
_TYPED_UNITS = "|".join(sorted(WORDS - _NO_AMOUNTS, key=len, reverse=True))
BESIDE = re.compile(r"(.{3,}?\S) {3,}(\d[\d /.,]* (?:[A-Za-z][A-Za-z. ]|  ) \S.*)")  # two columns
RUN_IN = re.compile(  # another ingredient in the same line
    r"(?<![(/\d&+-])(?<!\bor)(?<!\bto)(?<!\bof)(?<!\babout)(?<!\bplus)(?<!\band)(?<!\bwith)(?<!\bin)(?<!\bx)"
    rf" (?={_NUMBER}(?: {_NUMBER})? (?:(?i:{_TYPED_UNITS})\b|(?:{'|'.join(sorted(CODES))}) ))"
)
MEASURE = re.compile(
    r"(cups?|tablespoons?|teaspoons?|tbsps?|tsps?|ounces?|pounds?|lbs?|quarts?|pints?|gallons?|lit(?:er|re)s?|grams?)"
    r"(?:\(s\)|[.,](?!\d)|(?=\s|$))(?: +of\b)? *",
    re.IGNORECASE,
)
_CONTAINERS = (
    r"cans?|cn|jars?|pkgs?|packages?|pk|containers?|cartons?|box(?:es)?|bottles?|bags?|envelopes?"
    r"|ounces?|oz|lbs?|pounds?|frozen"
)
WITHOUT_FOOD = re.compile(  # a name that only measures: "9-oz. pkg. (2 cups) frozen", "Can"
    rf"(?:\d[\d/. -]*|\([^()]*\)|(?:{_CONTAINERS})\b\.?|[- ])+$", re.IGNORECASE
)
_STANDS_OFF = re.compile(rf":[ \t]{{2,}}(?=[^\s\d*=~-].{{,{NAME_WIDTH}}}$)")
_DOTTED = re.compile(r"[.,] |\.[a-z]")
_OR = re.compile(r"(^|;? )[-=]+OR(?:[-=]+ +|[-=]+$|=-)", re.IGNORECASE)
_UNIT_ONLY = re.compile(rf"({'|'.join(sorted(CODES))}) {{1,2}}(\S.*)$")
_UNIT_WIDTH = 1 + max(map(len, CODES))
_SHORTEST_RULE = "----"
_WIDEST = 120  # characters of a rule; the search for a decorated rule takes time quadratic in the line's width
TEXT_WIDTH = NAME_WIDTH + 12  # a longer line without an amount is text, wherever it is
_DECORATED = re.compile(
    r"(?:[*%=~_]{2,}|<[<-]*|-{3,}|\*-+|[- ]{6,})[ *%=]*([A-Za-z][^*%=~_<>]*?)[ :]*[*%=~_>-]{2,}$"  # ***SAUCE***
    r"|~?-+ *([A-Z][A-Z &'/]*):-+$"  # -GLAZE:--
    r"|~-{4,} *([A-Z][A-Za-z ]*):?$|([A-Z][A-Z ,.&'/]*[A-Z])[ :]*-{4,}$"  # what is left of a rule: SAUCE------
    r"|-?([A-Z][A-Za-z ,.&'/]*?)[ :]*(?:-{5,}|\.{8,}|\+{5,})$|\.{3,} *([A-Za-z][A-Za-z &'-]*?)[ :]*\.{3,}$"
)
_TYPED_RULE = re.compile(r"\d+ (?:x|ea)? *-{2,} *([^-].*?) *-{2,}$")  # 1 x  -----sauce-----
_NO_HEADING = frozenset({"or", "and", "and/or", "plus"})

_OPEN_END = re.compile(  # of a name that the next line carries on
    r"(?:[,&;(/+]|--|-- extra|\b(?:or|and|but|with|of|in|to|into|for|a|the|plus|from|about|before|cut|preferably"
    r"|(?<=preferably )extra|(?<!ed )(?<!cut )(?<!ground )(?<! up )(?:freshly|finely|coarsely|thinly)"
    r"|(?<!-- )(?<![,;] )(?<!-)fresh(?:ly)? ground"
    r"|(?:ground|cracked) (?:black|white)|homemade|such as|to equal|to make|do not)"
    r"(?<!-- about)|>>|\b\d+[\"']?"
    r"|\b(?:with|in|or|(?<!, )plus|equal to) [\d/ ]+(?:teaspoons?|tablespoons?|cups?|tsp\.?|tbsp\.?|tb|ts|oz|lbs?|c))$",
    re.IGNORECASE,
)


_ENDING = 48  # characters of a name; no open end is longer
_ENDINGS = listed("""or and but not with of in to into for a the plus from about before make cut extra preferably
freshly finely coarsely thinly ground black white homemade as equal teaspoon teaspoons tablespoon tablespoons cup
cups tsp tbsp tb ts oz lb lbs c""")  # last words of all open ends that end with a letter
_CLOSED = frozenset(")]*!?:")  # marks with which no open end ends


class Line(NamedTuple):
    """A parsed line; a named tuple, since a dump has millions."""

    kind: str  # "item" (amount or unit), "dash" (continuation), "bare" (name column only), "text", "rule", "blank",
    # "mark" (the place of a heading), "heading" (one of those that are listed below the block)
    amount: str = ""
    unit: str = ""
    name: str = ""
    is_free_form: bool = False  # an item as people type it, "2 cups rice", not as Meal-Master writes it
    is_broken: bool = False  # a continuation of the last word of the line before

    @property
    def typed(self) -> str:
        return " ".join(filter(None, self[1:4]))


BLANK = Line("blank")


def has_open_end(name: str) -> bool:
    """Return whether a name ends with a word that the next line continues: "Salt and"."""
    last = name[len(name.rstrip(ascii_letters)) :].lower()
    if last not in _ENDINGS if last else name[-1:] in _CLOSED:  # as most
        return False
    return _OPEN_END.search(name, max(0, len(name) - _ENDING)) is not None


def is_unit(word: str) -> bool:
    """Return whether a word is a unit of Meal-Master's column."""
    return word in _UNITS


def rule_heading(line: str) -> str | None:
    """Return the heading of a section rule (``-----SAUCE-----``), "" for a bare rule, None if the line is no rule."""
    if len(line) > _WIDEST or (_SHORTEST_RULE not in line and "MMMMM" not in line):
        return None
    line = line.strip(" \t")
    rule = line.removeprefix("MMMMM")
    is_rule = rule == "" or (rule.startswith(_SHORTEST_RULE) and rule.endswith(_SHORTEST_RULE))
    return rule.strip(" \t-:*=~_") if is_rule else None


def is_text(line: str) -> bool:
    """Return whether a line is clearly text: wide, and without a unit or an amount at its beginning."""
    return len(line) > TEXT_WIDTH and line[0].isalpha() and " " not in line[:_UNIT_WIDTH] and line[-2:] != "--"


@lru_cache(maxsize=1 << 16)  # ingredients repeat
def read_line(line: str) -> Line:
    """Read one stripped line of an ingredient block."""
    is_number = line[0].isdigit()
    if not is_number and line.strip("-= ").lower() in _NO_HEADING:
        return Line("bare", name=line.strip("-= ").lower())
    if "OR-" in line or "OR=" in line or "or=" in line or "or-" in line:
        line = _OR.sub(lambda found: f"{found[1] and ' '}or ", line).rstrip()  # Pecans; -=OR=- walnuts
    if is_number and line[-2:] != "--":
        return _read_item(line)
    if line[0] == ":":  # of MasterCook's export; a separate one marks a continuation
        line = _STANDS_OFF.sub(";", line) if _STANDS_OFF.match(line) else line.lstrip(": ") or ":"
    if len(line) <= _WIDEST and (line[0] in "-*%=~_<." or line.endswith(("--", "...", "+++"))):
        heading = _decorated(line)
        if heading:
            return Line("heading" if line[0].isalpha() else "rule", name=heading)
        if not line.strip("*%=~_") and len(line) >= len(_SHORTEST_RULE):
            return Line("rule")
    if line == "-":
        return Line("mark")
    if line[0] == "~" and line[1:2].islower():  # of a line that its author broke
        return Line("dash", name=line[1:])
    if line[0] in "-;" or (line[0] in ".," and _DOTTED.match(line)):
        name = line.lstrip("-;., " if line[0] in ".," else "-; ")
        own = line[0] in ";," and name.split(" ", 1)[0].lower() in STANDALONE  # ";water", ", Juice of 1 lemon"
        own = own or line.startswith(_SHORTEST_RULE)
        return Line("bare" if own else "dash", name=name)
    if line == ":":
        return Line("dash")
    return Line("text", name=line) if is_text(line) else _read_item(line)


def _read_item(line: str) -> Line:
    """Read a line that is an ingredient if it has an amount or a unit."""
    found = _ITEM.match(line)
    if found:
        if found[3] and is_unit(found[3]) and len(found[2]) < UNIT_FIELD:
            return Line("item", found[1], found[3], found[4])
        if len(found[2]) > 1:
            return Line("item", found[1], "", line[found.end(2) :])
        amount, unit, name = split_line(line)
        if unit and unit.lower() not in _NO_AMOUNTS:  # 2 cups rice, 3 lbs. beef
            return Line("item", amount, unit, name, is_free_form=True)
    found = None if line[0].isdigit() else _UNIT_ONLY.match(line)
    if found:
        return Line("item", "", found[1], found[2])
    return Line("text" if len(line) > TEXT_WIDTH else "bare", name=line)


def _decorated(line: str) -> str:
    """Return the heading between marks in the name column, "" if there is none."""
    if line[0].isdigit():  # 1 x  -----sauce-----
        found = _TYPED_RULE.match(line)
        return found[1].strip(" :") if found else ""
    found = _DECORATED.match(line)
    heading = next(filter(None, found.groups())).strip(" -:") if found else ""
    return "" if heading.lower() in _NO_HEADING else heading
