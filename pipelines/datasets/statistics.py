"""Corpus figures: histograms of whole numbers, and vocabularies. Both add up exactly over the parts of a corpus."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

# A word counts towards the size of a vocabulary if it is used this often. Models use 5, papers report 100 and 1000.
CUTOFFS = (1, 5, 100, 1000)
MIN_DIGITS = 5  # of the numbers that `lost_zeros` takes for codes; shorter ones are mostly amounts
MAX_SHORT = 0.25  # a column has at most this many short numbers for each number of full length
ALL, REJECTED = "all", "rejected"  # in addition to train, dev and test

# Split -> figure -> value -> records. Any: a value is an int, but a string if it is read from JSON.
Histograms = dict[str, dict[str, dict[Any, int]]]
Words = dict[str, Counter[str]]  # vocabulary -> word -> uses
Bucket = tuple[str, int]  # name of a vocabulary, and a part of its words: 0 to BUCKETS - 1
BUCKETS = 64  # parts of a vocabulary, added up separately


def count(histograms: Histograms, split: str, figures: Mapping[str, int]) -> None:
    """Count one record's figures."""
    figures_of_split = histograms.setdefault(split, {})
    for name, value in figures.items():
        values = figures_of_split.setdefault(name, {})
        values[value] = values.get(value, 0) + 1


def add_up(parts: Iterable[Histograms]) -> Histograms:
    """Return the histograms summed over all parts, and over all splits under :data:`ALL`."""
    total: dict[str, dict[str, Counter[str]]] = {}
    for part in parts:
        for split, figures in part.items():
            for name, values in figures.items():
                for place in (split, ALL):
                    total.setdefault(place, {}).setdefault(name, Counter()).update(values)
    return {split: {name: dict(values) for name, values in figures.items()} for split, figures in total.items()}


def describe(histograms: Histograms) -> dict[str, dict[str, dict[str, float]]]:
    """Return for each split and figure the sum, mean, 5th and 95th percentile (nearest rank) and the largest value."""
    return {
        split: {name: _describe({int(key): n for key, n in values.items()}) for name, values in sorted(figures.items())}
        for split, figures in sorted(histograms.items())
    }


def shares_found(figures: Mapping[str, Mapping[str, Mapping[str, float]]]) -> dict[str, float]:
    """Return the share of the rows' values found in texts, from `describe`'s figures.

    The keys are the columns of a table, or "values" for the slots of acts.
    """
    sums = {name: figure["sum"] for name, figure in figures.get(ALL, {}).items()}
    columns = [name.removeprefix("given ") for name in sums if name.startswith("given ")]
    return {
        column: round(sums[f"found {column}"] / sums[f"given {column}"], 6)
        for column in columns
        if sums[f"given {column}"]
    }


def lost_zeros(histograms: Histograms) -> dict[str, int]:
    """Return for each column how many of its whole numbers have fewer digits than most, if none begins with a zero.

    Uses :func:`add_up`'s histograms "digits <column>": the number of digits, or 0 for a number with a leading zero.
    """
    counts = {}
    for name, values in histograms.get(ALL, {}).items():
        digits = {int(key): cells for key, cells in values.items()}
        usual_digits = max(digits, key=digits.__getitem__)
        if name.startswith("digits ") and 0 not in digits and usual_digits == max(digits) >= MIN_DIGITS:
            short = sum(digits.values()) - digits[usual_digits]
            if 0 < short <= MAX_SHORT * digits[usual_digits]:
                counts[name.removeprefix("digits ")] = short
    return counts


def _describe(values: dict[int, int]) -> dict[str, float]:
    records, total = sum(values.values()), sum(value * n for value, n in values.items())
    return {
        "sum": total,
        "mean": round(total / records, 4),
        "p5": _percentile(values, records * 0.05),
        "p95": _percentile(values, records * 0.95),
        "max": max(values),
    }


def _percentile(values: dict[int, int], rank: float) -> int:
    records = 0
    for value in sorted(values):
        records += values[value]
        if records >= rank:
            return value
    raise AssertionError("a rank beyond the number of records")


def bucket_of(word: str) -> int:
    return zlib.crc32(word.encode("utf-8", "replace")) % BUCKETS


def vocabulary_counts(bucket: Bucket, parts: Iterable[Mapping[str, tuple[int, int]]]) -> Iterator[tuple[str, int]]:
    """Yield the counts of a bucket's words; ``parts``: word -> uses in training and in dev.

    ``("text 5", n)``: n words have five uses or more in training; ``("text dev", n)``: n uses of words in dev;
    ``("text dev unknown", n)``: n of these are uses of words that training lacks.
    """
    vocabulary, _ = bucket
    train: Counter[str] = Counter()
    dev: Counter[str] = Counter()
    for part in parts:
        for word, (in_train, in_dev) in part.items():
            train[word] += in_train
            dev[word] += in_dev
    for cutoff in CUTOFFS:
        yield f"{vocabulary} {cutoff}", sum(uses >= cutoff for uses in train.values())
    yield f"{vocabulary} dev", dev.total()
    yield f"{vocabulary} dev unknown", sum(uses for word, uses in dev.items() if not train[word])


def vocabularies(counts: Mapping[str, int]) -> dict[str, dict[str, float]]:
    """Return for each vocabulary its size at each cutoff, and the share of the dev part's words that training lacks.

    ``counts``: from `vocabulary_counts`, summed over buckets.
    """
    names = sorted({key.removesuffix(" unknown").rpartition(" ")[0] for key in counts})
    return {
        name: {
            **{f"seen {cutoff}": counts.get(f"{name} {cutoff}", 0) for cutoff in CUTOFFS},
            "unknown share": round(counts.get(f"{name} dev unknown", 0) / max(counts.get(f"{name} dev", 0), 1), 6),
        }
        for name in names
    }
