"""Words derived from a value, by which a text may state it: "Italian" for Italy, "wooden" for wood.

They count as the value only for the row that has it. In texts of other rows they may mean something else ("a French
press"), so they are not among the known values.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache

from allsaid.language.dates import ORDINALS
from allsaid.language.inflection import plural
from allsaid.language.numbers import FRACTIONS, NUMBERS_BY_NAME

Words = tuple[str, ...]
Rate = tuple[str, Fraction]  # how often, per hour or per month: "twice a day" is ("hour", 2/24)

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
COUNTRIES = frozenset(_COUNTRY)
_ISLES: dict[Words, str] = dict.fromkeys([("england",), ("scotland",), ("wales",)], "british") | {
    ("northern", "ireland"): "british irish"
}
_MATERIALS = {"wool": "woollen", "wood": "wooden", "gold": "golden", "silk": "silken", "oak": "oaken", "wax": "waxen"}
_MATERIALS |= {"wheat": "wheaten", "lead": "leaden", "earth": "earthen", "flax": "flaxen", "linen": "linen"}
# How often: "yearly" is also "a year", "per year", "each year".
_OFTEN = """daily/day weekly/week fortnightly/fortnight monthly/month quarterly/quarter yearly/year annual/year
annually/year hourly/hour"""
_ADVERBS = dict(pair.split("/") for pair in _OFTEN.split())
_PERIODS = _ADVERBS | {f"every {period}": period for period in _ADVERBS.values()}
_SIZES = {"hour": ("hour", 1), "day": ("hour", 24), "week": ("hour", 168), "fortnight": ("hour", 336)}
_SIZES |= {"month": ("month", 1), "quarter": ("month", 3), "year": ("month", 12)}
_TIMES = {"once": 1, "twice": 2, "thrice": 3}
SEVERAL = dict(NUMBERS_BY_NAME, twin=2, double=2, pair=2, triple=3)
_NUMBERS = dict(NUMBERS_BY_NAME, other=2, second=2, third=3, fourth=4)  # "every other day"
_EACH = frozenset(("a", "an", "per", "each", "every"))
_RANGES = ("to", "until", "through")
_LONGEST_SIZE = 4  # letters of the ends of a range: "S-XXXL"
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
_FRACTIONS = {digits: mark for mark, digits in FRACTIONS.items()}
_THOUSANDS = re.compile(r"[1-9]\d{0,2}(,\d{3})+|[1-9]\d{3,}")
_NAMES_OF_FRACTIONS = {"½": ("half", "half an", "half a"), "¼": ("quarter", "quarter of an"), "⅓": ("third",)}
_NAMES_OF_FRACTIONS["¾"] = ("three-quarter", "three quarter", "three-quarters of an", "three quarters of an")
_TITLES = frozenset(("dr", "prof", "professor", "mr", "mrs", "ms", "sir", "dame", "lady", "lord", "captain", "chef"))
_INTENSE = frozenset(("bone", "jet", "pitch", "snow", "pure", "all", "super", "extra"))  # "jet-black"
_MANNERS = frozenset(_PARTICIPLES.split())
_ALL_DAY = ("24/7", "00:00-24:00", "0:00-24:00", "00:00-23:59", "00:00-00:00", "24hoursaday", "roundtheclock")
_AROUND_THE_CLOCK = """24/7|24 hours a day|open 24 hours|open day and night|around the clock|round the clock
around-the-clock|round-the-clock""".replace("\n", "|").split("|")


@lru_cache(maxsize=1 << 14)
def derived(form: Words) -> tuple[Words, ...]:
    """Return the English words derived from a value, in lower case."""
    form = form[1:] if form[:1] == ("the",) else form
    names = _COUNTRY.get(form, [])
    found = [other for name in names for other in (name, (*name[:-1], plural(name[-1]))) if other != form]
    if "".join(form) in _ALL_DAY:
        found += [tuple(phrase.split()) for phrase in _AROUND_THE_CLOCK if phrase != " ".join(form)]
    if period := _PERIODS.get(" ".join(form).replace("per ", "every ")):
        found += [*((before, period) for before in ("a", "per", "each", "every")), ("once", "a", period)]
    for place, word in enumerate(form):
        found += [(*form[:place], other, *form[place + 1 :]) for other in _ORDINALS.get(word, ())]
        if place < len(form) - 1 and _THOUSANDS.fullmatch(word):  # "1000 pages", no year
            other = word.replace(",", "") if "," in word else f"{int(word):,}"
            found.append((*form[:place], other, *form[place + 1 :]))
        if 0 < place < len(form) - 1 and word in ("-", "–"):  # "S–4XL"
            found += [(*form[:place], joint, *form[place + 1 :]) for joint in _RANGES]
    ends = form[0].split("-") if len(form) == 1 else []
    if len(ends) == 2 and all(0 < len(end) <= _LONGEST_SIZE for end in ends):  # "S-XL"
        found += [(ends[0], joint, ends[1]) for joint in _RANGES]
    found += [*_parts_in_other_words(form), *_fractions(form)]
    if len(form) == 2 and form[0] == "1" and form[1].isalpha():  # "1 pair"
        found += [*((one, form[1]) for one in ("a", "one", "per", "single")), ("by", "the", form[1])]
    if "and" in form and all(map(str.isalpha, form)):  # "Tuesdays and Fridays"
        found.append(tuple(word if word == "and" else plural(word) for word in form))
    if len(form) > 2 and form[0] in _TITLES:
        found.append(form[1:])
    if len(form) > 2 and form[-1].isdigit():  # an address: "4 Mill Lane"
        found.append((form[-1], *form[:-1]))
    if len(form) == 1:
        found += [(adjective,) for adjective in _adjectives(form[0])]
    return tuple(dict.fromkeys(found))


def are_apart(country: Words, other: Words) -> bool:
    """Return whether both are countries and neither is a part of the other, as Scotland is of the United Kingdom."""
    pairs = ((country, other), (other, country))
    return {country, other} <= COUNTRIES and not any(
        (whole,) in _COUNTRY[large] for part, large in pairs for whole in _ISLES.get(_COUNTRY[part][0], "").split()
    )


def _parts_in_other_words(form: Words) -> list[Words]:
    """Return a composition in other words: "65 % wool and 35 % silk" of "65% wool / 35% silk", "pure wool"."""
    found = []
    if form[:2] == ("100", "%"):
        found.append(("pure", *form[2:]))
    joints = ("/", "and", ",", "with", "&", "+") if "/" in form else ("/",)
    for percent in (("%",), ("per", "cent"), ("percent",)):
        for joint in joints:
            words = (percent if word == "%" else (joint,) if word == "/" else (word,) for word in form)
            found.append(tuple(part for parts in words for part in parts))
    return [other for other in found if other != form]


def _fractions(form: Words) -> list[Words]:
    """Return an amount with a fraction in other words: "half-inch" of "1/2 inch", "1¼-inch" of "1 1/4 inch"."""
    fraction = next((place for place, word in enumerate(form[:2]) if word in _FRACTIONS or word in FRACTIONS), -1)
    *whole, written = form[: fraction + 1] or ("",)
    unit = form[fraction + 1 :]
    if fraction < 0 or len(unit) != 1 or not all(map(str.isdigit, whole)):
        return []
    mark = written if written in FRACTIONS else _FRACTIONS[written]
    numbers = ["".join((*whole, mark)), " ".join((*whole, mark)), " ".join((*whole, FRACTIONS[mark]))]
    names = _NAMES_OF_FRACTIONS.get(mark, ())
    fronts = [f"{number} and {one} " for number in whole for one in ("a", "one")] or [""]
    numbers += [f"{front}{name}" for front in fronts for name in names]
    units = {unit[0], plural(unit[0]), *(('"', "″") if unit[0].startswith("inch") else ())}
    found = [(*number.split(), other) for number in numbers for other in sorted(units)]
    found += [(*number.split()[:-1], f"{number.split()[-1]}-{unit[0]}") for number in numbers]
    found += [(f"{number}-{unit[0]}",) for number in numbers if " " not in number]
    return [other for other in dict.fromkeys(found) if other != form]


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


def rates(words: Sequence[str]) -> Iterator[tuple[int, int, Rate]]:
    """Yield (start, end, rate) of each passage that says how often: "weekly", "every 14 days", "twice a day"."""
    for place, word in enumerate(words):
        number, end = 1, place + 1
        if word in _EACH:
            if word != "a" and (number := _whole(words[end : end + 1])):
                end += 1
            size = _SIZES.get("".join(words[end : end + 1]).removesuffix("s"))
            number, end = number or 1, end + 1
        else:
            size = _SIZES[_ADVERBS[word]] if word in _ADVERBS else None
        if size is None:
            continue
        times, start = _times(words, place)
        if times:
            yield start, end, (size[0], Fraction(times, number * size[1]))


def _times(words: Sequence[str], place: int) -> tuple[int, int]:
    """Return how many times, 0 if unknown, and where the words for it begin: "twice" a day, "3 times" daily."""
    before = words[place - 1] if place else ""
    if before in _TIMES:
        return _TIMES[before], place - 1
    if before in ("times", "x"):  # 0 of "several times daily"
        return _whole(words[max(place - 2, 0) : place - 1]), max(place - 2, 0)
    if before[:1].isdigit() and before.endswith("x"):
        return _whole([before[:-1]]), place - 1
    if words[place] in ("a", "an", "per"):  # not of "open at 9 every day"
        return _whole([before]), place - 1
    return 1, place


def _whole(words: Sequence[str]) -> int:
    word = "".join(words)
    return int(word) if word.isdecimal() and len(word) < 4 else _NUMBERS.get(word, 0)


def rate_of(form: Words) -> Rate | None:
    """Convert a value to a rate; None if it is not one."""
    return next((rate for start, end, rate in rates(form) if (start, end) == (0, len(form))), None)


def rate_of_interval(number: Decimal, units: Sequence[Words]) -> Rate | None:
    """Return how often a thing is done at an interval, such as 14 days; None if the number is no interval."""
    size = next((_SIZES[one] for unit in units[:1] if (one := " ".join(unit).removesuffix("s")) in _SIZES), None)
    return (size[0], 1 / (Fraction(number) * size[1])) if size and number > 0 else None


@lru_cache(maxsize=1 << 14)
def first_part(word: str) -> Words:
    """Return the first part of a compound adjective: "steel" of "steel-framed", "black" of "jet-black"; () if none."""
    *before, last = word.split("-")
    if before and before[0] in _INTENSE:
        return (last,)
    return tuple(before) if last in _MANNERS else ()
