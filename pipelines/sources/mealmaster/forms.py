"""Lines of an ingredient block that name no ingredient: placeholders, labels of cards, nutrients of a serving."""

from __future__ import annotations

import re

from pipelines.recipes.signatures import has_mail_box, is_signature
from pipelines.sources.mealmaster.lines import Line

_PLACEHOLDER = re.compile(
    r"(?:no ingredients?(?: found)?|text(?: (?:only|file|reference))?|info(?:rmation)?(?:/help| text| only)?|none"
    r"|read below|ingredients?|see (?:below|directions?|recipe|notes?|text|part \w+)"
    r"|(?:recipe|ingredients?) (?:below|follows?)"
    r"|directions|instructions|servings?\W*|recipe|calories|tb|x|approx\.? cook time.*|fat grams +per serving.*)$",
    re.IGNORECASE,
)
_FORM = re.compile(  # of one diet cook's cards; yields
    r"(?:approx\.? )?(?:cook|prep|preparation|bake|baking|total) time\b"
    r"|(?:makes|serves|yields?):? (?:about )?\d[\d /-]*[a-z]*$"
    r"|.*[a-z] (?:(?:\d\d?[-/]){1,2}|(?:jan|feb|mar|apr|may|june|july|aug|sept?|oct|nov|dec)\.? )9\d$"  # Leek News 9-95
    r"|fat grams +per serving|: ?\d+$|\((?:makes|serves|about)? ?[\d -]+ servings\)$",
    re.IGNORECASE,
)
_LABELLED = re.compile(r"(?i:approx\. cook time:? *[\d:]+ *(?:hrs?|hours?|mins?|mn|minutes?)?)\b\.?[ \d.]+([A-Z].*)$")
_NUTRITION = re.compile(r"\W*(?:data )?(?:nutrition|(?:per|each) (?:serving|portion))", re.IGNORECASE)
_NUTRIENT = re.compile(
    r"\W*(?:(?:total|saturated|sat|dietary|gm?|mg) )*(?:calories|cal|protein|fat|carbo\w*|fib(?:er|re)"
    r"|cholesterol|chol|iron|sodium|calcium|potassium|vitamin|sugars)\b",
    re.IGNORECASE,
)
_CONTENT = re.compile(  # what a serving holds, without a heading above
    r"[<.\d][\d., /]* *(?:(?:mg|gm?|x|ea|grams?|milligrams?)\.? +)?(?:of )?(?:total )?"
    r"(?:(?:sat(?:\.|urated)?|unsaturated) +fat|chol(?:\.|esterol)?|(?:dietary )?fib(?:er|re)|protein|sodium"
    r"|carb(?:s|\.|ohydrates?|o)?|(?:k?cal(?:orie)?s?\.?)(?: per serving| from fat)?)\W*",
    re.IGNORECASE,
)
_WEIGHTS = frozenset({"g", "mg", "gm", "grams", "gram"})
_CONTENT_UNITS = _WEIGHTS | {"", "x", "ea"}
_EMPTY = re.compile(r"(?:[^)\]a-z\d]*|\d{1,2}\))$", re.IGNORECASE)  # also the number of a step


def has_no_ingredient(line: Line) -> bool:
    """Return whether a line is empty, a signature, a card's label or yield, or states a serving's nutrients."""
    begins = (line.amount or line.name)[:1]
    if line.kind != "dash" and not begins.isalpha() and line.unit in _CONTENT_UNITS and _CONTENT.fullmatch(line.typed):
        return True
    if line.kind == "item":
        return not line.name or (line.unit in _CONTENT_UNITS and has_mail_box(line.name))
    return _EMPTY.match(line.name) is not None or is_signature(line.name) or _FORM.match(line.name) is not None


def after_label(name: str) -> str:
    """Return the text after a card's label: "Place" of "Approx. Cook Time: :09 Place"."""
    found = _LABELLED.match(name)
    return found[1] if found else ""


def is_placeholder(name: str) -> bool:
    """Return whether a name is a placeholder for missing ingredients: "see below"."""
    return _PLACEHOLDER.match(name.strip(" .*")) is not None


def states_nutrients(line: Line) -> bool:
    """Return whether a line with an amount states a serving's nutrients: "12 g fat", "49 mg sodium, 15 mg"."""
    if line.unit not in _CONTENT_UNITS:
        return False
    return _CONTENT.match(line.typed) is not None or (line.unit in _WEIGHTS and is_nutrient(line.name))


def heads_nutrition(heading: str) -> bool:
    return _NUTRITION.match(heading) is not None


def is_nutrient(name: str) -> bool:
    """Return whether a line below a heading of nutrition names a nutrient."""
    return _NUTRIENT.match(name) is not None
