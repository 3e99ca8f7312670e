"""Words derived from a value, by which a text may state it: "Italian" for Italy, "wooden" for wood.

They count as the value only for the row that has it. In texts of other rows they may mean something else ("a French
press"), so they are no known values.
"""

from __future__ import annotations

from functools import lru_cache

from allsaid.language.dates import ORDINALS
from allsaid.language.inflection import plural

Words = tuple[str, ...]

# A country, its other names and its adjectives; underscores join words.
_COUNTRIES = """albania albanian|argentina argentinian argentine|australia australian aussie|austria austrian
bangladesh bangladeshi|belgium belgian|bolivia bolivian|brazil brazilian|bulgaria bulgarian|cambodia cambodian
canada canadian|chile chilean|china chinese|colombia colombian|costa_rica costa_rican|croatia croatian|cuba cuban
cyprus cypriot|czech_republic czechia czech|denmark danish|ecuador ecuadorian|egypt egyptian|england english
estonia estonian|ethiopia ethiopian|finland finnish|france french|georgia georgian|germany german|ghana ghanaian
greece greek hellenic|guatemala guatemalan|hungary hungarian|iceland icelandic|india indian|indonesia indonesian
iran iranian persian|iraq iraqi|ireland irish|israel israeli|italy italian|jamaica jamaican|japan japanese
jordan jordanian|kenya kenyan|south_korea korea korean south_korean|latvia latvian|lebanon lebanese|lithuania lithuanian
luxembourg luxembourgish|madagascar malagasy|malaysia malaysian|malta maltese|mexico mexican|moldova moldovan
mongolia mongolian|morocco moroccan|myanmar burma burmese|nepal nepalese nepali|netherlands holland dutch
new_zealand nz|nicaragua nicaraguan|nigeria nigerian|northern_ireland northern_irish|norway norwegian
pakistan pakistani|panama panamanian|paraguay paraguayan|peru peruvian|philippines filipino philippine
poland polish|portugal portuguese|romania romanian|russia russian|saudi_arabia saudi|scotland scottish scots
senegal senegalese|serbia serbian|singapore singaporean|slovakia slovak slovakian|slovenia slovenian slovene
south_africa south_african|spain spanish|sri_lanka ceylon sri_lankan|sweden swedish|switzerland swiss|syria syrian
taiwan taiwanese|tanzania tanzanian|thailand thai|tunisia tunisian|turkey türkiye turkish|uganda ugandan
ukraine ukrainian
united_arab_emirates uae emirati|united_kingdom uk u.k britain great_britain british
united_states usa u.s america american united_states_of_america|uruguay uruguayan|venezuela venezuelan
vietnam vietnamese|wales welsh|yemen yemeni|zimbabwe zimbabwean"""
_NAMES = [
    [tuple(name.split("_")) for name in country.split()]
    for line in _COUNTRIES.splitlines()
    for country in line.split("|")
]
_COUNTRY = {name: names for names in _NAMES for name in names}
_MATERIALS = {"wool": "woollen", "wood": "wooden", "gold": "golden", "silk": "silken", "oak": "oaken", "wax": "waxen"}
_MATERIALS |= {"wheat": "wheaten", "lead": "leaden", "earth": "earthen", "flax": "flaxen", "linen": "linen"}
# How often: "yearly" is also "a year", "per year", "each year".
_OFTEN = """daily/day weekly/week monthly/month quarterly/quarter yearly/year annual/year annually/year hourly/hour"""
_PERIODS = dict(pair.split("/") for pair in _OFTEN.split())
_PERIODS |= {f"every {period}": period for period in _PERIODS.values()}
_SHORTEST = 3  # fewest letters of a word with an adjective in -y
_VOWELS = "aeiou"
# Last words of compound adjectives: "Italian-made", "steel-framed". Not "coloured" and "packed": "oak-coloured" is no
# oak, and "action-packed" no action.
_PARTICIPLES = """made born built grown speaking based framed topped lined clad plated rimmed legged handled coated
covered trimmed panelled padded filled backed soled bladed tipped walled floored roofed crafted rated priced haired
skinned sleeved shaped sided flavoured scented hand handed powered fuelled fueled fed driven lined"""
_ENDS = {1: "st", 2: "nd", 3: "rd", 21: "st", 22: "nd", 23: "rd", 31: "st"}
_ORDINALS: dict[str, list[str]] = {}  # "2nd" of "second", and the other way round
for _name, _number in ORDINALS.items():
    _ORDINALS[_name] = [f"{_number}{_ENDS.get(_number, 'th')}"]
    _ORDINALS[_ORDINALS[_name][0]] = [_name]
_TITLES = frozenset(("dr", "prof", "professor", "mr", "mrs", "ms", "sir", "dame", "lady", "lord", "captain", "chef"))
_INTENSE = frozenset(("bone", "jet", "pitch", "snow", "pure", "all", "super", "extra"))  # "jet-black"
_MANNERS = frozenset(_PARTICIPLES.split())


@lru_cache(maxsize=1 << 14)
def derived(form: Words) -> tuple[Words, ...]:
    """Return the English words derived from a value, in lower case."""
    form = form[1:] if form[:1] == ("the",) else form
    names = _COUNTRY.get(form, [])
    found = [other for name in names for other in (name, (*name[:-1], plural(name[-1]))) if other != form]
    if period := _PERIODS.get(" ".join(form).replace("per ", "every ")):
        found += [*((before, period) for before in ("a", "per", "each", "every")), ("once", "a", period)]
    for place, word in enumerate(form):
        found += [(*form[:place], other, *form[place + 1 :]) for other in _ORDINALS.get(word, ())]
    if len(form) > 2 and form[0] in _TITLES:
        found.append(form[1:])
    if len(form) > 2 and form[-1].isdigit():  # an address: "4 Mill Lane"
        found.append((form[-1], *form[:-1]))
    if len(form) == 1:
        found += [(adjective,) for adjective in _adjectives(form[0])]
    return tuple(dict.fromkeys(found))


def _adjectives(word: str) -> tuple[str, ...]:
    if word in _MATERIALS:
        return (_MATERIALS[word], _MATERIALS[word].replace("oollen", "oolen"))
    if len(word) < _SHORTEST or not word.isalpha():
        return ()
    if word.endswith("ic"):
        return word + "ity", word + "y"
    if word.endswith("e"):
        return word[:-1] + "y", word + "y"
    is_doubled = word[-1] not in _VOWELS and word[-2] in _VOWELS and word[-3:-2] not in _VOWELS
    return (word + "y", word + word[-1] + "y") if is_doubled else (word + "y",)


@lru_cache(maxsize=1 << 14)
def first_part(word: str) -> Words:
    """Return the first part of a compound adjective: "steel" of "steel-framed", "black" of "jet-black"; () if none."""
    *before, last = word.split("-")
    if before and before[0] in _INTENSE:
        return (last,)
    return tuple(before) if last in _MANNERS else ()
