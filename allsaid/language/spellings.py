"""British and American spellings of English words that name materials, colours and the like, and of codes."""

from __future__ import annotations

import re
from collections.abc import Iterable

Words = tuple[str, ...]

# British, American.
_PAIRS = """aluminium aluminum
armour armor
artefact artifact
catalogue catalog
centre center
centred centered
colour color
coloured colored
cosy cozy
favourite favorite
fibre fiber
flavour flavor
flavoured flavored
grey gray
harbour harbor
honour honor
jewellery jewelry
labelled labeled
litre liter
mould mold
moulded molded
moustache mustache
neighbourhood neighborhood
odour odor
organised organized
panelled paneled
plough plow
pyjamas pajamas
savoury savory
sceptre scepter
sulphur sulfur
theatre theater
travelling traveling
tyre tire
tyres tires
vapour vapor
woollen woolen
yoghurt yogurt"""
_CODE = re.compile(r"([^\W\d]{2,})[- ]?(\d+)")  # "IPX4"; not "A4", since "a 4 kg tent" is no paper
_OTHER = {word: pair[1 - place] for pair in map(str.split, _PAIRS.splitlines()) for place, word in enumerate(pair)}


def respelled(forms: Iterable[Words]) -> tuple[Words, ...]:
    """Return the forms in the other spelling; none for a form that has one spelling."""
    others = (tuple(_OTHER.get(word, word) for word in form) for form in forms)
    return tuple(other for form, other in zip(forms, others, strict=True) if other != form)


def codes(forms: Iterable[Words]) -> tuple[Words, ...]:
    """Return the forms of two words with a hyphen, and other spellings of codes: "UV 400" and "UV-400" of "UV400"."""
    found: list[Words] = [("-".join(form),) for form in forms if len(form) == 2 and all(map(str.isalpha, form))]
    for form in forms:
        if match := _CODE.fullmatch(" ".join(form)):
            name, number = match.groups()
            found += [(name + number,), (name, number), (name, "-", number), (f"{name}-{number}",)]
    return tuple(found)
