"""The figures of README.md."""

from __future__ import annotations

import math
from collections.abc import Iterator

from allsaid.markdown import table
from allsaid.proof.figures import FIGURES
from pages.results import beside, paper_table, paragraph, result, when

RECIPES = ("bleu", "meteor", "percent_given", "extra_items", "extra_items/training")
DIALOGUE = ("bleu/paper", "meteor/paper", "slot_error_percent", "polarity_error_percent")
TRAINED = ("ours", "checklist", "sclstm")


def ingests() -> str:
    """What the ingest keeps of real dumps, and what it costs."""
    demo, library = result("demo_raw")["table"], result("ingest_library")["cases"][1]
    half = result("ingest_library")["cases"][0]
    rejected, peak = library["rejected"], max(library["peak_megabytes"])
    minutes = f"{demo['minutes']} min, the whole demo"
    counted = [f"{int(demo[key]):,}" for key in ("recipes in", "kept", "rejected")]
    rows = [
        ["two raw Meal-Master exports", *counted, minutes],
        [
            f'"Now You\'re Cooking!" library, {library["files"]} files',
            *(f"{count:,}" for count in (library["read"], library["kept"], library["read"] - library["kept"])),
            f"{library['seconds']:.0f} s, ingest with {library['processes']} processes",
        ],
    ]
    text = paragraph(
        f"""
        The library is split with `--set dev_share=0.011 --set test_share=0.011`, about the 1,000 recipes each
        of the paper. Most of what is rejected there are duplicates ({sum(rejected["duplicate"].values()):,})
        and recipes that look like a dev or test one ({sum(rejected["guard"].values()):,}). No process needs
        more than {peak} MB; half of the library needs {max(half["peak_megabytes"])} MB.
        {when("ingest_library")}
        """
    )
    return f"{table(['corpus', 'recipes in', 'kept', 'rejected', 'time'], rows)}\n\n{text}"


def demo() -> str:
    """What the demo's model reaches on raw exports."""
    found = result("demo_raw")["summary"]
    shown = ("percent_given", "extra_items", "tokens")
    rows = [[FIGURES[key].name, *(FIGURES[key].show(of[key]) for of in (found, found["true"]))] for key in shown]
    head = paragraph(
        f"""
        The demo on the raw exports writes texts for its {found["texts"]} test agendas (`allsaid generate`).
        {when("demo_raw")}
        """
    )
    means = table(["mean over texts", "generated", "written by people"], rows)
    return f"{head}\n\n{means}"


def recipes() -> str:
    """Table 1 of Kiddon et al. 2016, as two cores train it."""
    found, systems = result("recipes_cpu"), paper_table("recipes-cpu")["systems"]
    rows = [[systems[name]["label"], *_cells(figures)] for name, figures in found["systems"].items()]
    missing = [f'"{systems[name]["label"]}"' for name in systems if name not in found["systems"]]
    hours = sum(figures["training"]["hours"] for figures in _trained(found).values())
    text = paragraph(
        f"""
        Recipes (`allsaid compare recipes-cpu`, {found["data"]["splits"]["test"]:,} test recipes): half the
        paper's size and one pass over the library, {hours:.1f} hours of training on one core; in brackets the
        paper's, of twice the size and 35 passes. From Checklist down the search adds a bonus for new items; "o
        = h" is the model without interpolation. Not trained: {", ".join(missing)}.
        {when("recipes_cpu", above="ingest_library")}
        """
    )
    return f"{text}\n\n{table(['', *(FIGURES[key].short for key in RECIPES)], rows)}\n\n{_paper_size()}"


def _paper_size() -> str:
    """What the paper's size brings so far, beside the half of it."""
    found, labels = result("recipes_paper"), paper_table("recipes-paper")["systems"]
    systems = found["systems"]
    trained = {name: one["training"] for name, one in _trained(found).items()}
    hours = sum(one["hours"] for one in trained.values())
    said = "; ".join(
        f"{labels[name]['label']}: "
        + ", ".join(f"{FIGURES[key].short} {FIGURES[key].show(one[key]['ours'])}" for key in RECIPES if key in one)
        for name, one in systems.items()
    )
    passes = {one["epochs"] for one in trained.values()}
    return paragraph(f"""
        At the paper's size (`recipes-paper`, passes: {max(passes)}, hours: {hours:.1f}): {said}.
        {when("recipes_paper")}""")


def _cells(figures: dict) -> Iterator[str]:
    for key in RECIPES:
        # Runs from before the list of foods have the extra items of the older rule only.
        yield beside(key, figures[key]["ours"], figures[key]["paper"]) if key in figures else ""


def _trained(found: dict) -> dict:
    """The systems with a training of their own; several are searched with one model."""
    own = {str(figures["training"]): name for name, figures in found["systems"].items() if "training" in figures}
    return {name: found["systems"][name] for name in own.values()}


def dialogue() -> str:
    """Table 3 of Kiddon et al. 2016."""
    found = result("dialogue")["domains"]
    minutes = max(m for systems in found.values() for name in TRAINED for m in systems[name]["training_minutes"])
    rows = []
    for domain, systems in found.items():
        entries = paper_table(domain)["systems"]
        for name in TRAINED:
            cells = [beside(key, systems[name][key]["mean"], systems[name][key]["paper"]) for key in DIALOGUE]
            rows.append([f"{domain}: {entries[name]['label']} (`{entries[name]['config']}`)", *cells])
    text = paragraph(
        f"""
        Dialogue acts (`allsaid compare hotel`, `allsaid compare restaurant`): test parts, mean of three seeds,
        each trained in at most {math.ceil(minutes)} minutes on one core; in brackets the paper's. By the
        paper's protocol a text is scored against all references of the same delexicalised act;
        [docs/coverage.md](docs/coverage.md) defines the errors. {when("dialogue")}
        """
    )
    return f"{text}\n\n{table(['', *(FIGURES[key].short for key in DIALOGUE)], rows)}"
