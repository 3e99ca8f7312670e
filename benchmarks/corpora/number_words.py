"""Libraries for numbers in words and for units, beside ours (docs/architecture.md): what they read, and how fast.

    python -m benchmarks.corpora.number_words

Needs text2num; pint and quantulum3 are measured if they are installed. The phrases and pairs below were
written for this script by the author of our rules, so that ours can only do well on them; they show what libraries
lack. Writes benchmarks/results/number_words.json.
"""

from __future__ import annotations

import importlib
import math
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from decimal import Decimal
from typing import Any

from text_to_num import alpha2digit

from allsaid.language.units import ratio
from allsaid.language.word_table import AS_WRITTEN, normalise
from allsaid.proof.values.measures import measures, read_numbers
from benchmarks.result_file import RESULTS, write

RESULT = RESULTS / "number_words.json"
# Language, phrase, and the numbers in it that a reader would find, in order; "" for none.
PHRASES = """
en|it weighs two and a half kilos|2.5
en|it weighs a kilo and a half|1.5
en|rated five out of five|5 5
en|a five-star place|5
en|a two-person tent|2
en|twenty-five euros|25
en|twenty five euros|25
en|a dozen glasses|12
en|half a dozen glasses|6
en|two dozen glasses|24
en|half a litre of water|0.5
en|it takes half an hour|0.5
en|three quarters of an hour|0.75
en|a quarter of a litre|0.25
en|one hundred and twenty grams|120
en|a hundred grams|100
en|eighteen hundred watts|1800
en|two thousand and twelve|2012
en|nineteen ninety-nine|1999
en|two to three hours|2 3
en|one point five litres|1.5
en|1.5 million people|1500000
en|one litre|1
en|one of the best|
en|this one is for no one|
en|the second floor|
en|first class|
en|third person view|
en|for two people|2
en|forty-two inches|42
en|two hours and a half|2.5
en|sixteen gigabytes|16
de|es wiegt zweieinhalb Kilo|2.5
de|anderthalb Stunden|1.5
de|fünfundzwanzig Euro|25
de|für zwei Personen|2
de|ein halbes Kilo|0.5
de|hundertzwanzig Gramm|120
de|ein Tisch und eine Lampe|
fr|vingt-cinq euros|25
fr|deux heures et demie|2.5
fr|pour deux personnes|2
fr|quatre-vingt-dix kilos|90
fr|une table et un vase|
"""
# Two quantities as texts write them, and whether they are the same.
UNITS = """
1.5 kg|1500 g|yes
2 kilos|2 kg|yes
2 kilos|2000 g|yes
12 inches|1 foot|yes
90 minutes|1.5 hours|yes
24 months|2 years|yes
50 cl|0.5 litres|yes
500 ml|0.5 l|yes
1 TB|1000 GB|yes
20 pounds|20 £|yes
3 lbs|3 pounds|yes
1.2 m|120 cm|yes
2 kgs|2 kg|yes
7 days|1 week|yes
1.5 kg|150 g|no
20 €|20 $|no
2 m|2 kg|no
5 mah|5 wh|no
"""
TEXT = "The Heron weighs two and a half kilos and costs twenty-five euros in one of the best shops."
TIMES = 200
Reader = Callable[[str, str], list[Decimal]]


def main() -> None:
    """Measure and write the result."""
    phrases = [line.split("|") for line in PHRASES.strip().splitlines()]
    pairs = [line.split("|") for line in UNITS.strip().splitlines()]
    readers: dict[str, Reader] = {"text2num": by_library, "text2num and ours": by_both}
    if quantulum := load("quantulum3.parser"):
        readers["quantulum3"] = lambda text, language: [Decimal(str(one.value)) for one in quantulum.parse(text)]
    comparers: dict[str, Callable[[str, str], bool]] = {"ours": is_same}
    if pint := load("pint"):
        registry = pint.UnitRegistry()
        comparers["pint"] = lambda one, other: (
            math.isclose(
                registry.Quantity(one).to_base_units().magnitude, registry.Quantity(other).to_base_units().magnitude
            )
            and registry.Quantity(one).is_compatible_with(registry.Quantity(other))
        )
    write(
        RESULT,
        {
            "numbers": {name: read(reader, phrases) for name, reader in readers.items()},
            "units": {name: compared(comparer, pairs) for name, comparer in comparers.items()},
            "seconds to import": {name: seconds_to_load(name) for name in ("text_to_num", "pint", "quantulum3.parser")},
        },
    )


def load(name: str) -> Any:
    """Return a module if it is installed."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def seconds_to_load(name: str) -> float | None:
    """Measure the import of a library in a new process."""
    code = f"import time; start = time.process_time(); import {name}; print(time.process_time() - start)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    return round(float(done.stdout), 2) if done.returncode == 0 else None


def by_library(text: str, language: str) -> list[Decimal]:
    """Read numbers with the library alone."""
    return [one.number for one in measures(alpha2digit(text, language, 0).lower().split())]


def by_both(text: str, language: str) -> list[Decimal]:
    words = normalise(text, AS_WRITTEN)[0]
    return [one.number for one in read_numbers(words, (), language).measures]


def is_same(one: str, other: str) -> bool:
    (number, *unit), (second, *measure) = one.lower().split(), other.lower().split()
    size = Decimal(1) if unit == measure else ratio(tuple(unit), tuple(measure))
    return size is not None and Decimal(number) * size == Decimal(second)


def read(reader: Reader, phrases: Iterable[list[str]]) -> dict[str, Any]:
    """Count the phrases whose numbers are read right, and measure the time for a text."""
    wrong = []
    phrases = list(phrases)
    for language, text, expected in phrases:
        if attempt(reader, text, language) != [*map(Decimal, expected.split())]:
            wrong.append(text)
    start = time.process_time()
    for _ in range(TIMES):
        reader(TEXT, "en")
    spent = 1e6 * (time.process_time() - start) / TIMES
    return {"phrases": len(phrases), "right": len(phrases) - len(wrong), "microseconds": round(spent), "wrong": wrong}


def compared(comparer: Callable[[str, str], bool], pairs: Iterable[list[str]]) -> dict[str, Any]:
    """Count the pairs of quantities that are compared right, and measure the time for one."""
    pairs = list(pairs)
    wrong = [
        f"{one} = {other}"
        for one, other, expected in pairs
        if bool(attempt(comparer, one, other)) is not (expected == "yes")
    ]
    start = time.process_time()
    for _ in range(TIMES):
        comparer("1.5 kg", "1500 g")
    spent = 1e6 * (time.process_time() - start) / TIMES
    return {"pairs": len(pairs), "right": len(pairs) - len(wrong), "microseconds": round(spent), "wrong": wrong}


def attempt(call: Callable[[str, str], Any], one: str, other: str) -> Any:
    """Return what a library says, or None where it raises an error: then it has read nothing, or can't compare."""
    try:
        return call(one, other)
    except Exception:
        return None


if __name__ == "__main__":
    main()
