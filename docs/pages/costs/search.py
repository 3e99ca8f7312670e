"""The figures of docs/search.md."""

from __future__ import annotations

import dataclasses
from typing import Any

import yaml

from allsaid.markdown import table
from allsaid.modeling.config import SearchConfig
from allsaid.proof.figures import FIGURES
from pages.results import paper_table, paragraph, result, spread, when
from training.configs import SHIPPED

PLAIN = "plain beam, as in the paper"
SETTINGS = {  # why records are searched otherwise than the paper's recipes
    "adjacent_items": '"3 hotels" tells two slots side by side, which the paper\'s search rules out',
    "values_once": "a value said twice is a slot error",
    "rank_by_model_items": "what a text says is counted on the text, not by the model",
    "length_power": "log-probability is divided by words to this power",
    "consensus": "among texts that say as much, the one most like the others and people's comes first",
    "no_repeat_ngram": "some texts asked the same question twice",
}


def settings() -> str:
    """The settings by which the configurations of recipes and records differ from the paper's search."""
    paper = dataclasses.asdict(SearchConfig())
    recipes, records = (paper | _configured(name) for name in ("checklist-demo", "dialogue"))
    rows = [[f"`{key}`", *(_switch(of[key]) for of in (paper, recipes, records)), why] for key, why in SETTINGS.items()]
    return table(["setting", "the paper", "recipes (`checklist-demo`)", "records (`dialogue`)", "why"], rows)


def _configured(name: str) -> dict[str, Any]:
    return yaml.safe_load(SHIPPED[name].read_text(encoding="utf-8"))["search"]


def _switch(value: float) -> str:
    """True and false, and 0 for off, as words."""
    return ("yes" if value else "no") if isinstance(value, bool) or not value else f"{value:g}"


def consensus() -> str:
    """BLEU and METEOR by where references are drawn from, and how many."""
    domains = result("consensus")["domains"]
    keys = ("bleu/paper", "bleu/rnnlg", "meteor/paper")
    rows = [
        [
            f"{domain}: {paper_table(domain)['systems'][name]['label']}",
            way,
            *(FIGURES[key].show(of[key]) for key in keys),
        ]
        for domain, systems in domains.items()
        for name, ways in systems.items()
        for way, of in ways.items()
    ]
    heads = ["", "references", *(FIGURES[key].short for key in keys)]
    return f"{table(heads, rows)}\n\n{paragraph(when('consensus'))}"


def acts() -> str:
    """What the choice reaches on the test parts of the acts: mean and deviation of the trainings."""
    keys = ("bleu/rnnlg", "bleu/paper", "meteor/paper", "slot_error_percent")
    rows, dates = [], []
    for domain in ("hotel", "restaurant"):
        found, entries = result(f"acts_{domain}"), paper_table(domain)["systems"]
        dates.append(when(f"acts_{domain}"))
        for name, of in found["systems"].items():
            cells = [spread(of, key) for key in keys]
            rows.append([f"{domain}: {entries[name]['label']} (`{entries[name]['config']}`)", *cells])
    heads = ["test part", *(FIGURES[key].short for key in keys)]
    return f"{table(heads, rows)}\n\n{paragraph(' '.join(dict.fromkeys(dates)))}"


def searches() -> str:
    """The searches on the same rows with one model."""
    found = result("search")["searches"]
    keys = ("percent_given", "extra_items", "bleu")
    times = f"times {PLAIN}"
    rows = [[name, *(FIGURES[key].show(of[key]) for key in keys), f"{of[times]:.2f}"] for name, of in found.items()]
    said = paragraph(
        f"""
        `python -m benchmarks.quality.search --model FOLDER --data DIR` compares the searches on the same rows: here
        {found[PLAIN]["texts"]} test recipes and the model of `checklist-cpu`, time by the processor's clock on
        one core. {when("search")}
        """
    )
    return f"{said}\n\n{table(['search', *(FIGURES[key].short for key in keys), 'times the plain beam'], rows)}"


def lists() -> str:
    """What `once_a_list` changes in the recipes of each system."""
    found = result("once_a_list")
    again, keys = "again_percent", ("doubled_items", "bleu", "percent_given", "extra_items")
    rows = [
        [
            of["label"],
            f"{of['without'][again]:.1f} → {of['with'][again]:.1f}",
            *(f"{FIGURES[key].show(of['without'][key])} → {FIGURES[key].show(of['with'][key])}" for key in keys),
        ]
        for of in found["systems"].values()
    ]
    said = paragraph(
        f"""
        `python -m benchmarks.quality.once_a_list --data DIR --work DIR` writes {found["texts"]} dev recipes with the
        models of `allsaid compare everything`, without the setting and with it. Of the reference texts' words that give
        an item, {found["true"][again]:.1f}% say again what their list has said. {when("once_a_list")}
        """
    )
    heads = ["system", "% said again in a list", *(FIGURES[key].short for key in keys)]
    return f"{said}\n\n{table(heads, rows)}"


def variety() -> str:
    """What `--variety` changes on rows of the same columns."""
    found = result("variety")["searches"]
    pairs = "pairs_that_differ_in_a_third_percent"
    rows = [
        [
            f"`{name}`" if name.startswith("-") else name,
            str(of["texts"]),
            f"{of['percent_equal_texts']:.1f}",
            f"{of[pairs]:.1f}" if pairs in of else "-",
            f"{of['percent_given']:.1f}",
            f"{of['slot_error_percent']:.2f}",
            f"{of['log_probability_a_word']:.2f}",
            f"{of['seconds']:.0f}",
        ]
        for name, of in found.items()
    ]
    heads = ["search", "texts", "% equal to another row's", "% of a row's pairs that differ in a third"]
    heads += ["% given", "slot errors, %", "log-probability a word", "processor seconds"]
    said = paragraph(
        f"""
        `python -m benchmarks.quality.variety --model FOLDER --work DIR` measures it on rows that all have the same
        columns. The share of equal texts rises with the number of rows. {when("variety")}
        """
    )
    return f"{said}\n\n{table(heads, rows)}"
