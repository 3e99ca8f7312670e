"""British and American spellings of English words that name materials, colours, measures and the like."""

from __future__ import annotations

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
_OTHER = {word: pair[1 - place] for pair in map(str.split, _PAIRS.splitlines()) for place, word in enumerate(pair)}


def respelled(forms: Iterable[Words]) -> tuple[Words, ...]:
    """Return the forms in the other spelling; none for a form that has one spelling."""
    others = (tuple(_OTHER.get(word, word) for word in form) for form in forms)
    return tuple(other for form, other in zip(forms, others, strict=True) if other != form)
