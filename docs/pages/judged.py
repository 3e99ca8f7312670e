"""Judgements by hand and by model readers, next to what the rules say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import yaml

from allsaid.markdown import table
from pages.results import ROOT, facts, result

CORPORA = {"library": "library", "raw": "raw exports"}
POLARITY = ROOT / "tests" / "allsaid" / "proof" / "judged_polarity.yaml"


def polarity() -> str:
    """Return the number of judged sentences, and of those on which the rule of yes and no agrees."""
    cases = yaml.safe_load(POLARITY.read_text(encoding="utf-8"))
    return facts({"judged sentences": len(cases), "rule agrees": sum("rule" not in case for case in cases)})


def cookable() -> str:
    """Return the verdicts of model readers on recipes, by the origin of the texts, by reading."""
    readings = {"first": result("cookable"), "second": result("cookable_2"), "third": result("cookable_3")}
    agreement = {
        f"{name} reading: agreement of {found['readers']} readers (Krippendorff's alpha)": found["agreement"][
            "verdicts"
        ]
        for name, found in readings.items()
    }
    head = ["text by", "texts", "% yes", "% yes or repairs", "% contradict", "% foreign food", "% fluent"]
    rows = [[f"{by}, {name} reading", *cells] for name, found in readings.items() for by, *cells in _judged(found)]
    answered = {
        f"third reading, {corpus}: % usable of the {share}% of highest confidence": value
        for corpus in ("library", "raw")
        for share, value in readings["third"]["origins"][f"generated: edit-{corpus}"][
            "usable_percent_of_answered"
        ].items()
    }
    return f"{table(head, rows)}\n\n{facts(agreement | answered)}"


def _judged(found: Mapping[str, Any]) -> Iterator[list[str]]:
    names = {
        "generated: edit": "`edit`",
        "generated: nn-swap": "NN-Swap",
        "generated: nn": "nearest recipe",
        "people": "reference texts",
    }
    for origin, of in found["origins"].items():
        by = next(name for key, name in names.items() if origin.startswith(key))
        corpus = next(name for key, name in CORPORA.items() if origin.endswith(key))
        shares = (of[f"{key}_percent"] for key in ("yes", "usable", "contradicts", "foreign", "fluent"))
        yield [f"{by}, {corpus}", str(of["n"]), *(f"{share:.0f}" for share in shares)]


def cookable_pairs() -> str:
    """Return the verdicts of model readers on pairs of recipes, before and after a change, by corpus."""
    found = result("cookable_pairs")
    head = [
        "corpus",
        "pairs",
        "pairs with equal texts",
        "% better before",
        "% same",
        "% better after",
        "% yes",
        "% yes or repairs",
    ]
    rows = [
        [
            CORPORA[corpus],
            str(of["pairs"]),
            str(of["equal_texts"]),
            *(f"{of[key]:.0f}" for key in ("before_better_percent", "same_percent", "after_better_percent")),
            *(f"{of[f'before_{name}_percent']:.0f} → {of[f'after_{name}_percent']:.0f}" for name in ("yes", "usable")),
        ]
        for corpus, of in found["origins"].items()
    ]
    agreement = {
        f"agreement of {found['readers']} readers on {name} (Krippendorff's alpha)": value
        for name, value in found["agreement"].items()
        if value is not None
    }
    return f"{table(head, rows)}\n\n{facts(agreement)}" if agreement else table(head, rows)
