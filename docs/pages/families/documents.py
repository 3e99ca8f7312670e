"""Table 6 of Yang et al. 2016 on docs/papers.md: language models of documents, next to the paper's."""

from __future__ import annotations

from typing import Any

from allsaid.markdown import table
from pages.results import facts, marked, marks, paper_table, result

KINDS = {"": "all", "_entity": "entity", "_word": "word"}  # endings of the figures' keys
WAYS = {"perplexity": "with their entities", "marginal": "alone"}  # of words
BASE = "lm"
SAME, OTHER, OPEN = "as in the paper", "the other way round", "left open by its interval"


def perplexities() -> str:
    """Return the systems' perplexities, and their differences to the LSTM with the sign that the paper's have."""
    found, entries = result("coref"), paper_table("coref")["systems"]
    systems, splits = found["systems"], found["data"]["splits"]
    trained = [system["training"] for system in systems.values()]
    rows = [
        [
            f"{entries[name]['label']}, words {way}",
            *(marked(_cell(figures[key + end]), paper_table("coref"), name, key + end) for end in KINDS),
        ]
        for name, figures in systems.items()
        for key, way in WAYS.items()
        if name != BASE or key == "perplexity"  # a model without entities has one kind of perplexity
    ]
    rows += [
        [
            f"{entries[name]['label']} less {entries[BASE]['label']}, words {way}",
            *(_difference(figures[key + end], _paper(name, end)) for end in KINDS),
        ]
        for name, figures in found["differences"].items()
        for key, way in WAYS.items()
    ]
    setup = facts(
        {
            "parts of documents, train and test": f"{splits['train']}, {splits['test']}",
            "units of a system": trained[0]["hidden"],
            "passes": trained[0]["epochs"],
            "longest training, minutes on a shared core": f"{60 * max(one['hours'] for one in trained):.0f}",
        }
    )
    of_paper = marks(paper_table("coref"), systems, [key + end for key in WAYS for end in KINDS])
    return f"{table(['perplexity', *KINDS.values()], rows)}\n\n{of_paper}\n\n{setup}"


def _cell(figure: dict[str, Any]) -> str:
    paper = "" if figure["paper"] is None else f" / {figure['paper']:.2f}"
    return f"{figure['ours']:.2f} [{figure['low']:.2f}, {figure['high']:.2f}]{paper}"


def _difference(figure: dict[str, Any], paper: float) -> str:
    sign = OPEN if figure["low"] <= 0 <= figure["high"] else SAME if figure["ours"] * paper > 0 else OTHER
    return f"{figure['ours']:+.2f} [{figure['low']:+.2f}, {figure['high']:+.2f}] / {paper:+.2f}: {sign}"


def _paper(name: str, end: str) -> float:
    """Return the paper's difference; the paper does not say whether words are with their entities or alone."""
    system, base = (paper_table("coref")["systems"][key]["paper"][f"perplexity{end}"] for key in (name, BASE))
    return float(system - base)
