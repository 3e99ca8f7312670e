"""The figures of README.md, and those of Kiddon et al. 2016 on docs/papers.md."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from allsaid.markdown import table
from allsaid.proof.figures import FIGURES
from evaluation.compare import table as comparison
from pages.results import OLDER, as_measured, beside, facts, is_older, marked, marks, not_measured, paper_table, result

RECIPES = ("bleu", "meteor", "percent_given", "extra_items", "extra_items/training")
DIALOGUE = ("bleu/paper", "meteor/paper", "slot_error_percent", "polarity_error_percent")


def ingests() -> str:
    """Return the numbers of kept and rejected records of real dumps, and the cost of their ingest."""
    demo, (half, library, *_) = result("demo_raw")["table"], result("ingest_library")["cases"]
    rows = [
        [
            "two raw Meal-Master exports",
            *(f"{int(demo[key]):,}" for key in ("recipes in", "kept", "rejected")),
            f"{demo['minutes']} min, the whole demo",
            "",
        ],
        *(
            _ingest(f"{name}, {case['files']} files", case)
            for name, case in (("library", library), ("half of it", half))
        ),
    ]
    return table(["corpus", "recipes in", "kept", "rejected", "time", "peak of a process, MB"], rows)


def _ingest(name: str, case: Mapping[str, Any]) -> list[str]:
    counts = (case["read"], case["kept"], case["read"] - case["kept"])
    time = f"{case['seconds']:.0f} s, {case['processes']} processes"
    return [name, *(f"{count:,}" for count in counts), time, str(max(case["peak_megabytes"]))]


def demo() -> str:
    """Return the coverage of the demo's texts next to that of the reference texts."""
    found = result("demo_raw")["summary"]
    shown = ("percent_given", "extra_items", "tokens")
    rows = [[FIGURES[key].name, *(FIGURES[key].show(texts[key]) for texts in (found, found["true"]))] for key in shown]
    head = table(["mean over texts", "generated", "written by people"], rows)
    return f"{head}\n\n{facts({'test agendas': found['texts']})}"


def searches() -> str:
    """Return table 1 of Kiddon et al. 2016 by both searches."""
    return _systems(result("recipes_cpu"))


def on_gpu() -> str:
    """Return the figures of the Checklist that a GPU trained at the paper's size."""
    found, given = result("recipes_gpu"), paper_table("recipes-paper")
    training = found["training"]
    why = f"{training['passes']} passes of the 35 in the authors' code, by Adam in batches of {training['batch_size']}"
    given = given | {"differs": given["differs"] | {comparison.TRAINED: why}}
    return f"{_table(found, given, RECIPES)}\n\n{facts(training)}"


def _systems(found: Mapping[str, Any]) -> str:
    given = paper_table("recipes-cpu")
    missing = not_measured(given, result("recipes_cpu"))
    return "\n\n".join([_table(found, given, RECIPES), *([facts(missing)] if missing else [])])


def _table(found: Mapping[str, Any], given: Mapping[str, Any], keys: Sequence[str]) -> str:
    given, rows = as_measured(given, found), []
    for system, figures in found["systems"].items():
        cells = [beside(key, figures[key]["ours"], figures[key]["paper"]) if key in figures else "" for key in keys]
        marked_cells = [marked(cell, given, system, key) for cell, key in zip(cells, keys, strict=True)]
        rows.append([given["systems"][system]["label"], *marked_cells])
    head = ["", *(FIGURES[key].short for key in keys)]
    return f"{table(head, rows)}\n\n{marks(given, found['systems'], keys)}".rstrip()


def _trainings(found: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the distinct trainings; several systems may search with one model."""
    every = [system["training"] for system in found["systems"].values() if "training" in system]
    return [*{str(training): training for training in every}.values()]


def dialogue() -> str:
    """Return table 3 of Kiddon et al. 2016: the mean of our trainings, with the paper's figures in brackets."""
    rows, known = [], dict[str, Any]()
    for domain in ("hotel", "restaurant"):
        found = result(f"acts_{domain}")
        given = as_measured(paper_table(domain), found)
        for name, entry in given["systems"].items():
            if "config" not in entry or not (figures := found["systems"].get(name)):
                continue
            known[f"{domain}: {name}"] = entry | {"label": f"{domain}: {entry['label']}"}
            shown = [beside(key, figures[key]["ours"], figures[key]["paper"]) for key in DIALOGUE]
            cells = [marked(cell, given, name, key) for cell, key in zip(shown, DIALOGUE, strict=True)]
            trainings = str(len(figures[DIALOGUE[0]]["each"]))
            rows.append([f"{domain}: {entry['label']} (`{entry['config']}`)", *cells, trainings])
    head = ["", *(FIGURES[key].short for key in DIALOGUE), "trainings"]
    return f"{table(head, rows)}\n\n{marks({'systems': known}, known, DIALOGUE)}".rstrip()


def setup() -> str:
    """Return the sizes and times of the trainings of both tables."""
    found = result("recipes_cpu")
    acts = [system for domain in ("hotel", "restaurant") for system in result(f"acts_{domain}")["systems"].values()]
    hours = max(system["training"]["hours"] for system in acts if "training" in system)
    return facts(
        {
            "recipes: test recipes": f"{found['data']['splits']['test']:,}",
            "recipes: hours of all trainings on one core": f"{sum(one['hours'] for one in _trainings(found)):.1f}",
            "dialogue acts: longest training, minutes on one core": math.ceil(60 * hours),
        }
    )


def compared() -> str:
    """Return what Allsaid reaches next to what a user would take instead."""
    read = result("reading")["origins"]
    fluent = result("fluent")["sets"]
    tuned, newest = fluent["second"], _newest_unseen()
    unseen = result("fluent")[f"{newest}, unseen"]
    hotel = result("acts_hotel")["systems"]
    sources = ["reading", *["fluent"] * 3, "acts_hotel", "cookable_4", "cookable_6"]  # of each row
    cooked, later = (result(name)["origins"] for name in ("cookable_4", "cookable_6"))
    rows = [
        [
            "% of texts of a table that are wrong, incomplete or no sentences",
            f"{read['generated']['false_certificates_percent']:.1f} ({read['generated']['n']} certified texts)",
            f"{100 - read['people']['true_percent']:.0f} ({read['people']['n']} texts that people wrote)",
        ],
        [
            "texts by others: % of planted errors found, % of right texts flagged",
            _shares(tuned, ""),
            f"{_shares(tuned, ' by string search')} (a search for the cells)",
        ],
        [
            "the same in texts that no rule was made for",
            _unseen_shares(unseen),
            _shares(fluent[newest], " by string search"),
        ],
        [
            "the same, on half of these texts, after 20 minutes of the owner's work on the mapping",
            _unseen_shares(unseen["second half, by the owners' mappings"]),
            _shares(fluent[f"{newest}, second half, mapping.yaml"], " by string search"),
        ],
        [
            "% slot errors in texts of hotel acts",
            f"{hotel['ours']['slot_error_percent']['ours']:.3f}",
            f"{hotel['sclstm']['slot_error_percent']['ours']:.3f} (SC-LSTM, trained on the same rows)",
        ],
        [
            "% of recipes that a cook can follow with small repairs",
            f"{cooked['generated: edit-library']['usable_percent']:.0f}",
            f"{cooked['generated: nn-library']['usable_percent']:.0f} (nearest recipes), "
            f"{cooked['people: library']['usable_percent']:.0f} (recipes by people)",
        ],
        [
            "the same of other recipes, by other readers",
            f"{later['generated: edit-library']['usable_percent']:.0f}",
            f"{later['people: library']['usable_percent']:.0f} (recipes by people)",
        ],
    ]
    old = [*map(is_older, sources)]
    for row, is_old in zip(rows, old, strict=True):
        row[0] += r" \*" if is_old else ""
    note = f"\n\n\\* {OLDER}: [provenance](docs/figures.md#measurements)" if any(old) else ""
    return table(["what", "Allsaid", "instead"], rows) + note


def _newest_unseen() -> str:
    """Return the newest set of fluent texts that was counted before any rule was made for it."""
    return [name.removesuffix(", unseen") for name in result("fluent") if name.endswith(", unseen")][-1]


def _unseen_shares(found: Mapping[str, int]) -> str:
    return " and ".join(
        f"{100 * found[part] / found[whole]:.1f}" for part, whole in (("found", "planted"), ("flagged", "right"))
    )


def _shares(found: Mapping[str, Any], by: str) -> str:
    return f"{found[f'% planted errors found{by}']} and {found[f'% right texts flagged{by}']}"
