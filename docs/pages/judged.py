"""Judgements by hand and by model readers, next to what the rules say."""

from __future__ import annotations

import yaml

from allsaid.markdown import table
from pages.results import ROOT, facts, result

POLARITY = ROOT / "tests" / "allsaid" / "proof" / "judged_polarity.yaml"


def polarity() -> str:
    """Return the number of judged sentences, and of those on which the rule of yes and no agrees."""
    cases = yaml.safe_load(POLARITY.read_text(encoding="utf-8"))
    return facts({"judged sentences": len(cases), "rule agrees": sum("rule" not in case for case in cases)})


def cookable() -> str:
    """Return the verdicts of three model readers on recipes, by the origin of the texts."""
    found = result("cookable")
    names = {"generated: edit": "`edit`", "generated: nn": "nearest recipe", "people": "people"}
    corpora = {"library": "library", "raw": "raw exports"}
    rows = []
    for origin, of in found["origins"].items():
        by = next(name for key, name in names.items() if origin.startswith(key))
        corpus = next(name for key, name in corpora.items() if origin.endswith(key))
        shares = (of[f"{key}_percent"] for key in ("yes", "usable", "contradicts", "foreign", "fluent"))
        rows.append([f"{by}, {corpus}", str(of["n"]), *(f"{share:.0f}" for share in shares)])
    head = ["text by", "texts", "% yes", "% yes or repairs", "% contradict", "% foreign food", "% fluent"]
    agreement = {"agreement of the readers (Krippendorff's alpha)": found["agreement"]["verdicts"]}
    return f"{table(head, rows)}\n\n{facts(agreement)}"
