"""How the rules of docs/coverage.md agree with what was judged by hand."""

from __future__ import annotations

import yaml

from pages.results import ROOT, paragraph

POLARITY = ROOT / "tests" / "allsaid" / "proof" / "judged_polarity.yaml"


def polarity() -> str:
    """Of how many sentences the rule of yes and no says what their sense is; tests hold the rule to the file."""
    cases = yaml.safe_load(POLARITY.read_text(encoding="utf-8"))
    agreeing = sum("rule" not in case for case in cases)
    return paragraph(
        f"""
        The sentences were judged by sense first. The rule agrees with {agreeing} of the {len(cases)}; where it
        does not, the file says why: the negation stands in another clause ("if you have kids, it is not for
        you"), a list goes on behind its comma, two clauses have no mark between them, the price is denied and
        not the thing, "dog free", "no place for children".
        """
    )
