"""Corpus figures: histograms of whole numbers, and vocabularies, that add up exactly over the parts of a corpus."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from pipelines.text import is_word
from schemas.example import NEW, NO_ITEM, UNSUPERVISED, USED, Example

CUTOFFS = (1, 5, 100, 1000)  # of the vocabularies that are counted; 5 is a model's, the last two the papers' steps
ALL = "all"  # beside train, dev and test

Histograms = dict[str, dict[str, dict[str, int]]]  # split -> figure -> value (as text, for JSON) -> records


def example_figures(example: Example) -> dict[str, int]:
    """The figures of section 5 of Kiddon et al. 2016 for one example, and how many references each type has."""
    return {
        "tokens": len(example.tokens),
        "words": sum(map(is_word, example.tokens)),  # neither punctuation nor line break
        "items": len(example.agenda),
        "linked items": len(set(example.ref_items) - {NO_ITEM}),  # those that a token refers to
        "new": example.ref_types.count(NEW),
        "used": example.ref_types.count(USED),
        "unsupervised": example.ref_types.count(UNSUPERVISED),
    }


def count(histograms: Histograms, split: str, figures: Mapping[str, int]) -> None:
    """Add one record's figures."""
    kinds = histograms.setdefault(split, {})
    for name, value in figures.items():
        values = kinds.setdefault(name, {})
        key = str(value)
        values[key] = values.get(key, 0) + 1


def add_up(parts: Iterable[Histograms]) -> Histograms:
    """The histograms of all parts together, and of all splits together under :data:`ALL`."""
    total: dict[str, dict[str, Counter[str]]] = {}
    for part in parts:
        for split, figures in part.items():
            for name, values in figures.items():
                for place in (split, ALL):
                    total.setdefault(place, {}).setdefault(name, Counter()).update(values)
    return {split: {name: dict(values) for name, values in figures.items()} for split, figures in total.items()}


def describe(histograms: Histograms) -> dict[str, Any]:
    """Of each figure by split: sum, mean, the 5th and 95th percentile (nearest rank) and the largest value."""
    return {
        split: {name: _describe({int(key): n for key, n in values.items()}) for name, values in sorted(figures.items())}
        for split, figures in sorted(histograms.items())
    }


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
    seen = 0
    for value in sorted(values):
        seen += values[value]
        if seen >= rank:
            return value
    raise AssertionError("a rank beyond the number of records")


def vocabulary_marks(word: tuple[str, str], counts: tuple[int, int]) -> Iterable[tuple[str, int]]:
    """What a word adds to the vocabularies' figures; ``counts`` are its uses in the training part and in dev.

    ``("text 5", 1)`` says that it is one of the words seen five times in training, ``("text dev", n)`` counts its uses
    in dev, ``("text dev unknown", n)`` those that training does not know.
    """
    train, dev = counts
    for cutoff in CUTOFFS:
        if train >= cutoff:
            yield f"{word[0]} {cutoff}", 1
    if dev:
        yield f"{word[0]} dev", dev
        if not train:
            yield f"{word[0]} dev unknown", dev


def vocabularies(marks: Mapping[str, int]) -> dict[str, Any]:
    """By vocabulary: its size at each cutoff, and the share of the dev part's words that training does not know."""
    kinds = sorted({mark.removesuffix(" unknown").rpartition(" ")[0] for mark in marks})
    return {
        kind: {
            **{f"seen {cutoff}": marks.get(f"{kind} {cutoff}", 0) for cutoff in CUTOFFS},
            "unknown share": round(marks.get(f"{kind} dev unknown", 0) / max(marks.get(f"{kind} dev", 0), 1), 6),
        }
        for kind in kinds
    }
