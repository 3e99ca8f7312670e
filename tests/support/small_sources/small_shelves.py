"""A table of shelves and stools with texts that are told in one way, and its mapping."""

from __future__ import annotations

import random
from pathlib import Path

MAPPING = {
    "id": "nr",
    "goal": "sort",
    "text": "said",
    "missing": ["-", "n/a"],
    "columns": {
        "name": "value",
        "colour": "value",
        "width": {"kind": "number", "unit": "mm", "also": ["millimetres"]},
        "foldable": {"kind": "yes/no", "also": ["folds"]},
    },
}
NAMES = ("alder", "birch", "cedar", "dogwood", "elm", "fir")
COLOURS = ("blue", "grey", "sea green")
SORTS = ("shelf", "step stool")
HEADER = "nr,sort,name,colour,width,foldable"


def write_shelves(path: Path) -> None:
    """72 shelves and stools, told in one way."""
    chance = random.Random(5)
    lines = [f"{HEADER},said"]
    for number in range(72):
        name, colour, width = chance.choice(NAMES), chance.choice(COLOURS), chance.randint(100, 1999)
        folds = number % 2 == 0
        sort = SORTS[number % 3 == 0]
        said = f"the {colour} {sort} {name} is {width:,} mm wide and {'folds' if folds else 'never folds'} ."
        lines.append(f'{number},{sort},{name},{colour},{width},{"yes" if folds else "no"},"{said}"')
    path.write_text("\n".join(lines) + "\n")


NEW = f"""{HEADER}
a1,shelf,Yew Deluxe,rose pink,"1,250",yes
a2,Shelf,Elm,grey,90,no
a2,shelf,Fir,blue,95,no
a4,shelf,Oak,blue,wide,no
a5,shelf,Oak,blue,95,no,1,2
,shelf,Oak,blue,95,no
a7,,Oak,blue,95,no
a8,shelf,,-,,n/a
"""
SPOILT = f"""{HEADER}
s1,shelf,1.23E+12,rose,90,yes
s2,shelf,Elm,<b>grey</b>,90,no
s3,,4.5E+13,<i>blue</i>,90,no
s4,shelf,Fir,03-Apr,#N/A,no
s5,shelf,Yew,oak,90,no
"""
STRANGE = f"""{HEADER}
b1,  STEP  Stool ,elm,blue,300,no
b2,hammock,elm,teal,300,yes
b3,step stools,elm,blue,300,yes
"""
