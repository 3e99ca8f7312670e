"""The agreement of the rules of docs/coverage.md with judgements by hand."""

from __future__ import annotations

import yaml

from pages.results import ROOT, facts

POLARITY = ROOT / "tests" / "allsaid" / "proof" / "judged_polarity.yaml"


def polarity() -> str:
    """Return the number of judged sentences, and of those on which the rule of yes and no agrees."""
    cases = yaml.safe_load(POLARITY.read_text(encoding="utf-8"))
    return facts({"judged sentences": len(cases), "rule agrees": sum("rule" not in case for case in cases)})
