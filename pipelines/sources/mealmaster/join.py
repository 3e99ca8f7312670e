"""Lines of an ingredient block -> ingredients: continuations joined, headings made sections, signatures dropped."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from pipelines.recipes.ingredients import split_line
from pipelines.recipes.signatures import is_mail_box, is_signature
from pipelines.recipes.units import NUMBER
from pipelines.recipes.wordlists import HEADINGS
from pipelines.recipes.yields import is_yield
from pipelines.sources.mealmaster.continuations import (
    continues,
    is_of_other,
    is_orphan,
    is_seasoning,
    stands_off,
)
from pipelines.sources.mealmaster.forms import has_no_ingredient, heads_nutrition, is_nutrient, is_placeholder
from pipelines.sources.mealmaster.lines import MEASURE, NAME_WIDTH, WITHOUT_FOOD, Line, has_open_end
from pipelines.sources.mealmaster.words import SAYS_HOW, extended, is_sum, is_upper_end, whole_word, width_of
from schemas.recipe import Ingredient

_NUMBER = re.compile(NUMBER)
_COUNTED = re.compile(r"\d[\d ./-]* [a-z(]", re.IGNORECASE)
_RANGE = re.compile(
    rf"(?:-(?: (?!\d+ ?oz\b))?|to |or )({NUMBER}) +(?=[^\d\s-])(?!\S+ sized?\b|to\b|or\b)", re.IGNORECASE
)  # 8    -10 franks, 6 ea To 8
_FRACTION = re.compile(r"\d/\d (?!in\b|inch|\d)")  # of a mixed number
_WIDEST = 3  # greatest ratio of the ends of a range after a separate dash
_SUM = re.compile(rf"(?:plus|\+) *({NUMBER}) +(?=[^\d\s-])", re.IGNORECASE)  # 1/4 c  plus 2 ts oil
_ENDS_IN_OR = re.compile(r"\bor\W*$", re.IGNORECASE)
_HEADING = re.compile(
    r"(?!(?:or|plus|minus|and|with)\b)(?!.*\b(?:with|and|or):)"
    r"(?:[a-z][a-z ]+:?|[a-z]+-[a-z]+(?: [a-z]+)+:?|[a-z(][\w ()'&/-]+:)$",
    re.IGNORECASE,
)
_NO_HEADING = re.compile(
    r"\W*(?:ingredients|directions|preparation|instructions|method|source)\W*$|(?:from|makes|serves) \w|.*#\d{3}"
    r"|(?:yields?|serv(?:ing|e)s?(?: size)?|makes|keywords|copyright) *:|(?:cook|bak|prep)[a-z]*(?: time\b|: *\(?\d)"
    r"|per (?:about |ca\.? )?\d[\d /.-]*[a-z. ]{0,16}$"
    r"|.*\b(?:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)[a-z]*[., '-]+\d\d$"
    r"|.*\b(?:cook ?book|magazine)\b|[a-z]{3,}\d{4,}$|[a-z]+\.[a-z]+$|nutrition|per serving|.*\b19\d\d$",
    re.IGNORECASE,
)
_SOURCE = re.compile(r"\W*(?:sources?|credits?)\W*$", re.IGNORECASE)
_SURE_PARTS = frozenset({"filling", "marinade", "dough", "crust", "batter", "streusel"})  # in small letters, too
_LABEL = re.compile(r"([A-Z][A-Z ]+):\s*\(.*\)$")  # PIE: (makes 2 pies)
_ALSO = {"T": "tb", "t": "ts", "pound": "lb", "pounds": "lbs", "ounce": "oz", "ounces": "oz"}
_LETTER = re.compile(r"[^\W\d_]")
_DECIMAL = re.compile(r"\.\d")  # .70 oz package
_JOINT = 4  # characters of a word between the two parts of an amount, at most: "to", "plus"
_LONGEST = 400  # characters of a name; no food needs more lines
_STRAY = "-;,. "  # marks before a name, as in "1 ts -Salt"


def join_lines(lines: list[Line], directions: Sequence[str] = ()) -> list[Ingredient]:
    """Return the ingredients of a block, each with its section's heading; the directions help to separate them."""
    text = ""
    if any(line.kind in ("bare", "dash") for line in lines):
        text = " ".join(" ".join(directions).lower().split())
    items: list[Line] = []
    sections: list[str] = []
    orphans: list[str] = []  # continuations before any item of their section: the right column was written first
    section, start = "", 0
    nutrition = credited = False  # whether the block lists the nutrients of a serving, or where the recipe is from
    width = 0  # of the line before
    dashed = any(line.kind in ("dash", "mark") for line in lines)
    lines = _without_fillers(lines)
    ended = [*_without_stops(_unwrapped(_with_food(_with_headings(lines)))), Line("rule")]
    labelled = any(line.kind == "bare" and line.name[-1:] == ":" and _HEADING.match(line.name) for line in lines)
    for line, following, has_items in zip(ended, [*ended[1:], Line("rule")], _have_items_below(ended), strict=True):
        if line.kind == "dash" and len(items) > start and stands_off(items[-1].name.rstrip(), width, line, text):
            line = line._replace(kind="bare")
        is_open = line.kind != "bare" or (items and has_open_end(items[-1].name))
        is_first = labelled and line is ended[0]
        heading = _heading(line, following, has_items, is_first, "" if is_open else text)
        if heading == "" and len(items) == start and not line.name:  # the line below a heading
            continue
        if heading is not None:
            nutrition = line.kind in ("rule", "heading") and heads_nutrition(line.name)
            credited = line.kind in ("rule", "heading") and _SOURCE.match(line.name) is not None
            if orphans and len(items) > start:
                items[-1] = extended(items[-1], " ".join(orphans))
            orphans, section, start = [], heading, len(items)
        elif (
            has_no_ingredient(line)
            or (nutrition and is_nutrient(line.name))
            or (credited and line.kind != "item")
            or _is_sender(line, following)
        ):
            continue
        elif len(items) == start and is_orphan(line) and not is_seasoning(line):
            orphans.append(line.name)
        elif len(items) > start and len(items[-1].name) <= _JOINT and is_upper_end(items[-1], line):
            items[-1] = line._replace(amount=f"{items[-1].amount}-{line.amount}")
        elif len(items) > start and len(items[-1].name) <= _JOINT and is_sum(items[-1], line):
            items[-1] = line._replace(amount=f"{items[-1].typed.lower()} {line.amount}".strip())
        elif len(items) > start + 1 and is_of_other(items[-2], items[-1], line):
            items[-2] = extended(items[-2], line.name)
        elif len(items) > start and len(items[-1].name) < _LONGEST and continues(items[-1], width, line, dashed, text):
            texts = [*(one.name for one in lines if one.kind == "item"), *directions] if width >= NAME_WIDTH else []
            word = whole_word(items[-1], line, texts)
            is_broken = line.is_broken and width >= NAME_WIDTH - 1
            items[-1], width = extended(items[-1], line.typed, is_broken, word), width_of(line)
        elif line.kind == "item" or _LETTER.search(line.name):
            items.append(line)
            sections.append(section)
            width = width_of(line)
    return [
        _ingredient(item, heading)
        for item, heading in zip(items, sections, strict=True)
        if item.name.strip(_STRAY) and not is_placeholder(item.name)
    ]


def _is_sender(line: Line, following: Line) -> bool:
    """Return whether a line is a person's name in capitals, whose mail box alone is in the next line."""
    return (
        line.kind == "bare"
        and line.name.isupper()
        and following.kind in ("bare", "dash")
        and is_mail_box(following.name)
    )


def _without_fillers(lines: list[Line]) -> list[Line]:
    """Return the lines; a line with the amount "1 x" that continues the line before becomes a continuation."""
    if not any(line.unit == "x" for line in lines):
        return lines
    kept: list[Line] = []
    for line in lines:
        if line.amount == "1" and line.unit == "x" and kept and kept[-1].kind in ("item", "dash", "bare"):
            first = line.name.lstrip("-; ").split(" ", 1)[0].strip(",;").lower()
            goes_on = kept[-1].unit != "x" and kept[-1].name.endswith(",")
            goes_on = goes_on and (first in SAYS_HOW or "," not in line.name or "(" in kept[-1].name)
            goes_on = goes_on or (kept[-1].name.endswith(";") and line.name.lstrip("-; ")[:1].islower())
            goes_on = goes_on or line.name[0] in "([" or line.name.lower().startswith("or ")
            line = Line("dash", name=line.name.lstrip("-; ")) if goes_on else line
        kept.append(line)
    return kept


def _have_items_below(lines: Sequence[Line]) -> list[bool]:
    """Return for each line whether its section has an item below it."""
    found: list[bool] = []
    has_items = False
    for line in reversed(lines):
        found.append(has_items)
        has_items = line.kind == "item" or (has_items and line.kind not in ("rule", "heading"))
    return found[::-1]


def _with_headings(lines: list[Line]) -> list[Line]:
    """Move the headings that are listed below the block to their marks above the ingredients.

    If lines follow the list, the right column was written first, so they are put first.
    """
    marks = sum(line.kind == "mark" for line in lines)
    ends = [place for place, line in enumerate(lines, 1) if line.kind == "heading"]
    if not marks or len(ends) != marks or ends[-1] - ends[0] != marks - 1:
        return [line for line in lines if line.kind != "mark"]
    headings = iter(lines[ends[0] - 1 : ends[-1]])
    ordered = lines[ends[-1] :] + lines[: ends[0] - 1]
    return [next(headings) if line.kind == "mark" else line for line in ordered]


def _unwrapped(lines: list[Line]) -> list[Line]:
    """Return the lines, the first one last if it continues an alternative: the right column was written first."""
    if len(lines) < 2 or lines[0].kind != "item" or lines[-1].kind == "rule":
        return lines
    first, last = lines[0], lines[-1].name
    if not _ENDS_IN_OR.search(last) or any(line.kind == "rule" for line in lines):
        return lines
    if first.name.count(")") > first.name.count("(") and last.count("(") > last.count(")"):
        return [*lines[1:-1], lines[-1]._replace(name=f"{last} {first.typed}")]
    return [*lines[1:], first]


def _with_food(lines: list[Line]) -> list[Line]:
    """Return the lines, with the last one moved below the only amount without a food: "Beans" below "1 sm Can"."""
    if len(lines) < 3 or lines[-1].kind != "bare" or has_open_end(lines[-2].name):
        return lines
    last = lines[-1]
    if is_orphan(last) or is_seasoning(last) or WITHOUT_FOOD.match(last.name) or not last.name[0].isupper():
        return lines
    hungry = [
        place
        for place, (line, following) in enumerate(pairwise(lines), 1)
        if line.kind == following.kind == "item" and WITHOUT_FOOD.match(line.name)
    ]
    if len(hungry) != 1 or any(line.kind in ("rule", "heading") for line in lines[hungry[0] :]):
        return lines
    return [*lines[: hungry[0]], last, *lines[hungry[0] : -1]]


def _without_stops(lines: list[Line]) -> list[Line]:
    """Return the lines without semicolons after complete names, if several of these are above another ingredient."""
    pairs = list(zip(lines, [*lines[1:], Line("rule")], strict=False))
    if sum(line.name.endswith(";") and following.kind == "item" for line, following in pairs) < 2:
        return lines
    return [
        line if following.kind == "dash" else line._replace(name=line.name.rstrip(" ;")) for line, following in pairs
    ]


def _ingredient(item: Line, section: str) -> Ingredient:
    amount, name = item.amount, item.name
    if not amount and not item.unit and _COUNTED.match(name):  # typed with a single blank
        return Ingredient(*split_line(name), section)
    unit = item.unit
    if not unit and amount.isdigit() and _FRACTION.match(name):  # 1    1/2 cups oil
        amount, unit, name = split_line(f"{amount} {name}")
    found = _RANGE.match(name)
    if found and _NUMBER.fullmatch(amount) and _is_range(amount, found):
        _, upper, rest = split_line(name[found.start(1) :])
        other = not upper and unit not in ("", "ea", "x") and name[:3].lower() == "or "  # 2 lb or 4 apples
        if not other and (not upper or _is_same(unit, upper)):
            amount, unit = (
                f"{amount}-{found[1].replace('-', ' ')}",
                upper if upper and unit in ("", "ea", "x") else unit,
            )
            name = rest.removeprefix("of ")
    found = _SUM.match(name) if amount and unit else None
    if found:
        _, added, rest = split_line(name[found.start(1) :])
        if added:
            amount, unit, name = f"{amount} {unit} plus {found[1]}", added, rest
    measure = MEASURE.match(name) if amount and not unit else None
    if measure and name[measure.end() :].strip():  # 1    cup oil
        unit, name = measure[1], name[measure.end() :]
    if name[0] in _STRAY and not _DECIMAL.match(name):
        name = name.lstrip(_STRAY)
    return Ingredient(amount, unit, " ".join(name.split()), section)


def _is_range(lower: str, upper: re.Match[str]) -> bool:
    """Return whether the number after an amount is its upper end; "1 - 10 oz can" is a can of ten ounces."""
    first, last = _value(lower), _value(upper[1])
    return last > first and (not upper[0].startswith("- ") or last <= _WIDEST * first)


def _is_same(code: str, unit: str) -> bool:
    """Return whether a unit means the same as a code ("T" or "tablespoons" and "tb"), or the code fits any unit."""
    code, unit = _ALSO.get(code, code).lower(), _ALSO.get(unit, unit).lower()
    letters = iter(unit)
    return code in ("", "ea", "x", unit, unit.removesuffix("s")) or all(letter in letters for letter in code)


def _value(number: str) -> float:
    """Return the value of a number as cooks write it, "1 1/2" -> 1.5; 0 if it has none, as "1/0"."""
    try:
        return sum(float(Fraction(part.replace(",", "."))) for part in re.split("[ -]+", number))
    except (ValueError, ZeroDivisionError):
        return 0.0


def _heading(line: Line, following: Line, has_items: bool, is_first: bool, text: str) -> str | None:
    """Return the heading that a rule or a bare line ("FILLING:") sets; None if the line belongs to an ingredient.

    ``has_items``: whether the section has an item below the line. ``is_first``: whether the line is the first of a
    block with headings that have a colon further below. ``text``: the directions in small letters.
    """
    if line.kind == "item":  # 1    Icing:
        is_heading = line.name.endswith(":") and not line.unit and _HEADING.match(line.name)
        return line.name.strip(":") if is_heading else None
    ends = ("-", "=", "++") if line.kind == "bare" else "--"  # DOUGH--
    marked = line.kind in ("bare", "dash") and line.name.endswith(ends) and following.kind == "item"
    marked = marked and line.name.isupper() and line.name[0].isalpha() and line.name.count(")") == line.name.count("(")
    marked = marked or (line.kind == "bare" and line.name[-2:] == "--" and line.name[:-2].lower() in HEADINGS)
    if line.kind in ("rule", "heading") or marked or (line.kind == "bare" and line.name.lower() == "ingredients:"):
        name = line.name.rstrip("-=+: ") if marked else line.name
        return "" if is_signature(name) or _NO_HEADING.match(name) or is_yield(name) else name
    labelled = _LABEL.match(line.name) if line.kind == "bare" else None
    if labelled:
        return labelled[1]
    starred = line.name.removesuffix("*")  # LEEK GLAZE*
    if starred != line.name and starred.isupper() and starred.split()[-1].lower() in HEADINGS:
        line = line._replace(name=starred)
    if not _HEADING.match(line.name) or is_signature(line.name):
        return None
    words = line.name.lower().rstrip(":").split()
    if line.name.endswith(":") and (line.kind == "bare" or line.name.isupper() or words[-1] in HEADINGS):
        return "" if _NO_HEADING.match(line.name) or is_yield(line.name) else line.name.strip(":()")
    if line.kind == "dash":
        return None
    above_items = following.kind == "item" and not following.name.isupper()
    if line.name.isupper():
        return line.name if (words[-1] in HEADINGS and (has_items or words[0] == "for")) or above_items else None
    if is_first and len(words) == 1 and words[0] in HEADINGS and following.kind == "item":
        return line.name
    named = words[-1] in _SURE_PARTS if len(words) == 1 else words[:2] == ["for", "the"] and words[-1] in HEADINGS
    named = named or (words[-1] in HEADINGS and f"{line.name.lower()}:" in text)
    return line.name if named and following.kind == "item" else None
