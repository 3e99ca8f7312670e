"""Units of measurement and of money: their spellings, their dimensions, and the ratio of two units."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from decimal import Decimal
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from allsaid.language.numbers import NUMBERS_BY_NAME

Words = tuple[str, ...]


class Unit(NamedTuple):
    dimension: str  # "mass"; units of one dimension can be compared
    size: Decimal  # in the dimension's own unit


# Dimension, size in the dimension's own unit, and spellings in languages of Western Europe, separated by commas.
_TABLE = """
mass 0.001 mg, milligram, milligrams, milligramm
mass 1 g, gr, gram, grams, gramm, gramme, grammes, gramo, gramos
mass 1000 kg, kgs, kilo, kilos, kilogram, kilograms, kilogramm, kilogramme, kilogrammes, kilogramo, kilogramos
mass 1000000 tonne, tonnes
mass 453.59237 lb, lbs, pound, pounds
mass 28.349523125 oz, ounce, ounces
length 0.001 mm, millimetre, millimetres, millimeter, millimeters, millimètre, millimètres
length 0.01 cm, centimetre, centimetres, centimeter, centimeters, zentimeter, centimètre, centimètres, centímetros
length 1 m, metre, metres, meter, meters, mètre, mètres, metro, metros
length 1000 km, kilometre, kilometres, kilometer, kilometers, kilomètres, kilómetros
length 0.0254 inch, inches, zoll, pouce, pouces, pulgada, pulgadas
length 0.3048 foot, feet, ft
length 0.9144 yard, yards
length 1609.344 mile, miles
area 0.0001 cm², cm2, sq cm, square centimetre, square centimetres, square centimeter, square centimeters
area 1 m², m2, sqm, sq m, sq . m, square metre, square metres, square meter, square meters, square-metre, square-meter
area 1 qm, quadratmeter, quadratmetern, mètre carré, mètres carrés, metro cuadrado, metros cuadrados
area 10000 ha, hectare, hectares, hektar
area 1000000 km², km2, sq km, square kilometre, square kilometres, square kilometer, square kilometers
area 0.09290304 ft², ft2, sqft, sq ft, sq . ft, square foot, square feet, square-foot
area 4046.8564224 acre, acres
volume 0.001 cm³, cm3, cc, cubic centimetre, cubic centimetres, cubic centimeter, cubic centimeters
volume 1000 m³, m3, cubic metre, cubic metres, cubic meter, cubic meters, kubikmeter, mètres cubes, metros cúbicos
volume 28.316846592 ft³, cu ft, cubic foot, cubic feet
volume 0.001 ml, millilitre, millilitres, milliliter, milliliters
volume 0.01 cl, centilitre, centilitres, centiliter
volume 0.1 dl
volume 1 l, litre, litres, liter, liters, ltr, litro, litros
time 1 s, sec, secs, second, seconds, sekunde, sekunden
time 60 min, mins, minute, minutes, minuten, minutos
time 3600 h, hr, hrs, hour, hours, stunde, stunden, heure, heures, hora, horas
time 86400 day, days, tag, tage, tagen, jour, jours, día, días
time 604800 week, weeks, woche, wochen, semaine, semaines, semana, semanas
months 1 month, months, monat, monate, monaten, mois, mes, meses
months 12 year, years, yr, yrs, jahr, jahre, jahren, ans, année, années, año, años
days 1 day, days, tag, tage, tagen, jour, jours, día, días
days 7 week, weeks, woche, wochen, semaine, semaines, semana, semanas
days 30 month, months, monat, monate, monaten, mois, mes, meses
days 365 year, years, yr, yrs, jahr, jahre, jahren, ans, année, années, año, años
data 1 kb
data 1000 mb
data 1000000 gb, gigabyte, gigabytes
data 1000000000 tb, terabyte, terabytes
power 0.001 mw, milliwatt, milliwatts
power 1 w, watt, watts
power 1000 kw, kilowatt, kilowatts
power 735.49875 ps, cv
power 745.699872 hp, bhp, horsepower
speed 1 km/h, km / h, kph, kmh
speed 1.609344 mph
energy 1 wh
energy 1000 kwh
charge 1 mah
charge 1000 ah
voltage 1 v, volt, volts
frequency 1 hz
frequency 1000000 mhz
frequency 1000000000 ghz
temperature 1 °c, ° c, degrees celsius, degrees c, degrees
fahrenheit 1 °f, ° f, degrees fahrenheit, degrees f
angle 1 °
share 1 %, percent, per cent, prozent, pourcent
eur 1 €, eur, euro, euros
eur 0.01 cent, cents
usd 1 $, usd, dollar, dollars
gbp 1 £, gbp, pound, pounds, quid
chf 1 chf, franken
"""


def _read(table: str) -> dict[Words, tuple[Unit, ...]]:
    units: dict[Words, tuple[Unit, ...]] = {}
    for line in table.strip().splitlines():
        dimension, size, spellings = line.split(" ", 2)
        for spelling in spellings.split(", "):
            words = tuple(spelling.split())
            units[words] = (*units.get(words, ()), Unit(dimension, Decimal(size)))
    return units


LONGEST = 3  # words of a unit
_RANGES = ("-", "–", "to")
_NAMES = {str(number): (name,) for name, number in NUMBERS_BY_NAME.items()}
_ROUNDED = Decimal("0.05")  # largest share by which a converted number is rounded
_ROUNDED_TO_TENS = Decimal("0.025")  # the same to tens, hundreds or thousands
UNITS: Mapping[Words, tuple[Unit, ...]] = _read(_TABLE)  # spelling -> its meanings: "pound" has two


CELSIUS, FAHRENHEIT = (
    frozenset(words for words, meanings in UNITS.items() if meanings[0].dimension == dimension)
    for dimension in ("temperature", "fahrenheit")
)


@lru_cache(maxsize=1 << 10)
def with_common(units: frozenset[Words]) -> frozenset[Words]:
    """Return some units and the common ones."""
    return units.union(UNITS)


def ratio(words: Words, base_words: Words) -> Decimal | None:
    """Return the size of one unit in another, by their spellings; None if they can't be compared or are unknown."""
    for unit in UNITS.get(words, ()):
        for base in UNITS.get(base_words, ()):
            if unit.dimension == base.dimension:
                return unit.size / base.size
    return None


def is_comparable(unit: Words, units: Collection[Words]) -> bool:
    """Return whether a number in one unit could be written in one of some others."""
    return any(other == unit or ratio(other, unit) is not None for other in units)


def is_near(number: Decimal, expected: Decimal, within: Decimal, is_converted: bool = False) -> bool:
    """Return whether a number is the expected one, up to a share of it; a converted one may be rounded."""
    if abs(number - expected) <= within * abs(expected):
        return True
    if not is_converted or number == 0:
        return False
    digits = -int(number.normalize().as_tuple().exponent)  # below 0 for a round number: "17,800 miles"
    is_close = abs(number - expected) <= (_ROUNDED if digits >= 0 else _ROUNDED_TO_TENS) * abs(expected)
    return is_close and (round(expected, max(digits, 0)) == number or round(expected, digits) == number)


@lru_cache(maxsize=1 << 14)
def other_spellings(words: Words) -> tuple[Words, ...]:
    """Return other ways to write an amount or a range: "three to four minutes" of "3 - 4 min"; none of other words."""
    unit = next((words[-size:] for size in range(LONGEST, 0, -1) if words[-size:] in UNITS), ())
    numbers = words[: len(words) - len(unit)]
    is_range = len(numbers) == 3 and numbers[1] in _RANGES
    if not unit or not (len(numbers) == 1 or is_range) or not all(number[0].isdigit() for number in numbers[::2]):
        return ()
    units = [other for other, meanings in UNITS.items() if meanings[0] == UNITS[unit][0]]
    ways = [(number, *_NAMES.get(number, ())) for number in numbers]
    ways[1:2] = [_RANGES] if is_range else []
    return tuple((*number, *other) for number in product(*ways) for other in units)
