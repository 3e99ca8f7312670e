"""The figures of docs/search.md."""

from __future__ import annotations

from allsaid.markdown import table
from pages.results import paragraph, result, when
from training.metrics.figures import FIGURES

PLAIN = "plain beam, as in the paper"


def consensus() -> str:
    """BLEU and METEOR by the number of imagined references; "0" is no consensus."""
    domains = result("consensus")["domains"]
    keys = ("bleu/paper", "meteor/paper")
    rows = [
        ["no consensus" if number == "0" else number]
        + [FIGURES[key].show(found[number][key]) for found in domains.values() for key in keys]
        for number in domains["hotel"]
    ]
    heads = [f"{domain} {FIGURES[key].short}" for domain in domains for key in keys]
    return f"{table(['references', *heads], rows)}\n\n{paragraph(when('consensus'))}"


def searches() -> str:
    """The searches on the same rows with one model."""
    found = result("search")["searches"]
    keys = ("percent_given", "extra_items", "bleu")
    times = f"times {PLAIN}"
    rows = [[name, *(FIGURES[key].show(of[key]) for key in keys), f"{of[times]:.2f}"] for name, of in found.items()]
    said = paragraph(
        "`python benchmarks/search.py --model FOLDER --data DIR` compares the searches on the same rows: here",
        f"{found[PLAIN]['texts']} test recipes and the model of `checklist-cpu`, time by the processor's clock",
        "on one core.",
        when("search"),
    )
    return f"{said}\n\n{table(['search', *(FIGURES[key].short for key in keys), 'times the plain beam'], rows)}"
