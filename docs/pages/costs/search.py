"""The figures of docs/search.md."""

from __future__ import annotations

import dataclasses
from typing import Any

import yaml

from allsaid.markdown import table
from allsaid.modeling.config import SearchConfig
from allsaid.proof.figures import FIGURES
from pages.results import facts, paper_table, result, spread
from training.configs import SHIPPED

PLAIN = "plain beam, ten finished texts"
SETTINGS = ("adjacent_items", "values_once", "rank_by_model_items", "length_power", "consensus", "no_repeat_ngram")


def settings() -> str:
    """Return the settings in which the configurations of recipes and records differ from the default search."""
    paper = dataclasses.asdict(SearchConfig())
    recipes, records = (paper | _configured(name) for name in ("checklist-demo", "dialogue"))
    rows = [[f"`{key}`", *(_switch(search[key]) for search in (paper, recipes, records))] for key in SETTINGS]
    return table(
        ["setting", "the paper and its authors' code", "recipes (`checklist-demo`)", "records (`dialogue`)"], rows
    )


def _configured(name: str) -> dict[str, Any]:
    return yaml.safe_load(SHIPPED[name].read_text(encoding="utf-8"))["search"]


def _switch(value: float) -> str:
    """Return true, false and 0 (off) as words."""
    return ("yes" if value else "no") if isinstance(value, bool) or not value else f"{value:g}"


def consensus() -> str:
    """Return BLEU and METEOR by the source and the number of references."""
    domains = result("consensus")["domains"]
    keys = ("bleu/paper", "bleu/rnnlg", "meteor/paper")
    rows = [
        [
            f"{domain}: {paper_table(domain)['systems'][name]['label']}",
            way,
            *(FIGURES[key].show(figures[key]) for key in keys),
        ]
        for domain, systems in domains.items()
        for name, ways in systems.items()
        for way, figures in ways.items()
    ]
    heads = ["", "references", *(FIGURES[key].short for key in keys)]
    return table(heads, rows)


def acts() -> str:
    """Return the figures with consensus on the test parts of the acts: mean and deviation of the trainings."""
    keys = ("bleu/rnnlg", "bleu/paper", "meteor/paper", "slot_error_percent")
    rows = []
    for domain in ("hotel", "restaurant"):
        found, entries = result(f"acts_{domain}")["systems"], paper_table(domain)["systems"]
        for name in ("ours", "pointer"):
            label = f"{domain}: {entries[name]['label']} (`{entries[name]['config']}`)"
            trainings = len(found[name][keys[0]]["each"])
            rows.append([label, *(spread(found[name], key) for key in keys), str(trainings)])
    heads = ["test part", *(FIGURES[key].short for key in keys), "trainings"]
    return table(heads, rows)


def searches() -> str:
    """Return the figures of several searches on the same rows with one model."""
    found = result("search")["searches"]
    keys = ("percent_given", "extra_items", "bleu")
    times = f"times {PLAIN}"
    rows = [
        [name, *(FIGURES[key].show(figures[key]) for key in keys), f"{figures[times]:.2f}"]
        for name, figures in found.items()
    ]
    counts = facts({"test recipes": found[PLAIN]["texts"]})
    return f"{table(['search', *(FIGURES[key].short for key in keys), 'times the plain beam'], rows)}\n\n{counts}"


def lists() -> str:
    """Return the effect of `once_a_list` on the recipes of each system."""
    found = result("once_a_list")
    again, keys = "again_percent", ("doubled_items", "bleu", "percent_given", "extra_items")
    rows = [
        [
            figures["label"],
            f"{figures['without'][again]:.1f} → {figures['with'][again]:.1f}",
            *(
                f"{FIGURES[key].show(figures['without'][key])} → {FIGURES[key].show(figures['with'][key])}"
                for key in keys
            ),
        ]
        for figures in found["systems"].values()
    ]
    heads = ["system", "% repeated in a list", *(FIGURES[key].short for key in keys)]
    counts = facts(
        {"dev recipes": found["texts"], "% repeated in a list, reference texts": f"{found['true'][again]:.1f}"}
    )
    return f"{table(heads, rows)}\n\n{counts}"


def variety() -> str:
    """Return the effect of `--variety` on rows of the same columns."""
    found = result("variety")["searches"]
    pairs = "pairs_that_differ_in_a_third_percent"
    rows = [
        [
            f"`{name}`" if name.startswith("-") else name,
            str(figures["texts"]),
            f"{figures['percent_equal_texts']:.1f}",
            f"{figures[pairs]:.1f}" if pairs in figures else "-",
            f"{figures['percent_given']:.1f}",
            f"{figures['slot_error_percent']:.2f}",
            f"{figures['log_probability_a_word']:.2f}",
            f"{figures['seconds']:.0f}",
        ]
        for name, figures in found.items()
    ]
    heads = ["search", "texts", "% equal to another row's"]
    heads += ["% of a row's text pairs that differ in a third of their words", "% given"]
    heads += ["slot errors, %", "log-probability a word", "processor seconds"]
    return table(heads, rows)
