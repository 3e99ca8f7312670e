"""Units of measure that may be between an amount and a name."""

from __future__ import annotations

import re

from allsaid.language.text import listed

# Meal-Master's own codes, case-sensitive: `T` is a tablespoon, `t` a teaspoon.
CODES = listed("x sm md lg cn pk pn dr ds ct bn sl ea t ts T tb fl c pt qt ga oz lb ml cb cl dl l mg cg dg g kg")

# Other spellings, in lower case and without a final full stop; plurals are added below.
_WORDS = """
cup tablespoon tablespoonful tbsp tbs tbl tblsp teaspoon teaspoonful tsp ounce pound lbs lb oz pint quart gallon liter
litre milliliter millilitre deciliter gram gm kilogram kilo pinch dash drop can tin jar bottle package packet pkg pkt
pk box bag carton container envelope env stick slice piece bunch sprig handful clove head stalk rib ear
inch in cm dozen doz
cn ea bn sl pn ds qt pt ml kg dl gal tb ts tbls knob glass bar sheet loaf fillet recipe serving square sack block cube
wedge strip leaf bulb link dessertspoon jigger shot part scoop batch c g sm md lg each whole large medium small med
"""
WORDS = (
    frozenset(_WORDS.split())
    | frozenset(
        word + ("es" if word.endswith(("ch", "sh", "x", "ss")) else "s") for word in _WORDS.split() if len(word) > 2
    )
    | {"leaves", "loaves", "halves"}
)

# Units that are also part of names ("square noodles", "whole milk"): removed only right after an amount.
_IN_NAMES = (
    "whole square squares leaf leaves bar bars glass cube cubes recipe fillet fillets clove cloves part in c g l link"
)
UNITS_IN_NAMES = frozenset(_IN_NAMES.split())

NUMBER = r"(?:\d+(?:[.,]\d+)?(?:[ -]+\d+/\d+)?(?:/\d+)?|\.\d+)"
AMOUNT = re.compile(rf"{NUMBER}(?: ?(?:-|–|to|or|x) ?{NUMBER})?")
