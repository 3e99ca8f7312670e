"""Tables of a paper next to the scores of our trainings of the same systems."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from allsaid import markdown
from allsaid.modeling.tasks import box, pair, sequence, table_dialogue
from allsaid.proof.figures import FIGURES, Figure
from pages.results import facts, marked, marks, not_measured, paper_table, result
from schemas.example import SPLITS

LABELS: dict[str, Figure] = {**pair.TASK.figures, **FIGURES}
for task in (sequence.TASK, table_dialogue.TASK, box.TASK):
    LABELS |= task.figures

CLASSES = (  # of words: those that can be generated from a reference, by two definitions each, and all others
    ("perplexity_source", "perplexity_other"),
    ("perplexity_copied", "perplexity_uncopied"),
    ("perplexity_table", "perplexity_word"),
    ("perplexity_whole", "perplexity_rest"),
)
COUNTS = {"perplexity_copied": ("copied_tokens", "tokens"), "perplexity_whole": ("cells", "machine tokens")}
CHANGED = {  # systems of table 4 of Yang et al., by the system that each of them changes in one setting
    "seq2seq": "seq2seq-cells",
    "attention": "attention-cells",
    "pointer-sentence": "pointer-untold",
}
SPARSE = 3  # every third point of a learning curve is shown


def systems(name: str, measured: str = "") -> str:
    """Return the trained systems of a table: our figures / the paper's, and the sizes of data and trainings.

    A figure that no system was measured by has no column.

    name: of the table; measured: of the result, by default the table's name.
    """
    found, given = result(measured or name), paper_table(name)
    of_folds = "folds" in given
    shown = [key for key in given["figures"] if any(key in figures for figures in found["systems"].values())]
    rows = [
        [
            given["systems"][key]["label"],
            *(marked(_cell(figure, figures.get(figure), of_folds), given, key, figure) for figure in shown),
        ]
        for key, figures in found["systems"].items()
    ]
    head = ["system", *(LABELS[figure].short for figure in shown)]
    parts = [markdown.table(head, rows), marks(given, found["systems"], shown), facts(_setup(found, given))]
    return "\n\n".join(filter(None, parts))


def _setup(found: dict[str, Any], given: dict[str, Any]) -> dict[str, object]:
    splits, entries = found["data"]["splits"], given["systems"]
    if "folds" in given:
        setup: dict[str, object] = {f"examples, in {len(given['folds'])} folds": f"{sum(splits.values()):,}"}
    else:
        setup = {"examples, train, dev and test": ", ".join(f"{splits[split]:,}" for split in SPLITS)}
    setup["trainings of a system"] = wanted = len(given.get("folds") or given["seeds"])
    for key, system in found["systems"].items():
        count = max(len(figure.get("each", [0])) for name, figure in system.items() if name != "training")
        if "training" in system and count < wanted:
            setup[f"trainings so far, {entries[key]['label']}"] = count
    hours = [60 * system["training"]["hours"] for system in found["systems"].values() if "training" in system]
    if hours:
        setup["minutes of a training, others beside it"] = _between([min(hours), max(hours)], 0)
    return setup | _only_in_papers(found, given) | not_measured(given, found)


def _only_in_papers(found: dict[str, Any], given: dict[str, Any]) -> dict[str, object]:
    """Return the papers' figures that no measured line has next to it."""
    known = [given["systems"][key].get("paper") for key in found["systems"]]
    return {
        f"{entry['label']}, in papers": "; ".join(
            f"{LABELS[key].short} {value:g}" for key, value in entry["paper"].items()
        )
        for entry in given["systems"].values()
        if "paper" in entry and entry["paper"] not in known
    }


def first_fold() -> str:
    """Return systems of table 4 of Yang et al. on the first fold, each after the system that it changes."""
    given, before, after = paper_table("dstc2"), result("dstc2")["systems"], result("dstc2_fold")["systems"]
    lines = {}
    for old, new in CHANGED.items():
        if new in after:
            lines[old] = {
                key: figure | {"ours": figure["each"][0]} for key, figure in before[old].items() if "each" in figure
            }
            lines[new] = after[new]
    shown = [key for key in given["figures"] if any(key in line for line in lines.values())]
    rows = [
        [given["systems"][name]["label"], *(marked(_shown(key, line.get(key)), given, name, key) for key in shown)]
        for name, line in lines.items()
    ]
    head = ["system, first fold", *(LABELS[key].short for key in shown)]
    return f"{markdown.table(head, rows)}\n\n{marks(given, lines, shown)}".rstrip()


def _shown(key: str, figure: Mapping[str, Any] | None) -> str:
    if figure is None:
        return ""
    return LABELS[key].show(figure["ours"]) + ("" if figure["paper"] is None else f" / {figure['paper']:g}")


def curves(name: str, every: int = SPARSE) -> str:
    """Return the learning curves of a table's systems, by the number of batches or passes; ``every`` n-th point."""
    found, given = result(name)["systems"], paper_table(name)["systems"]
    learned = {key: system["training"]["curve"] for key, system in found.items() if "training" in system}
    steps = list(next(iter(learned.values())))[::every]
    rows = [[given[key]["label"], *(f"{curve[step]:.2f}" for step in steps)] for key, curve in learned.items()]
    return markdown.table(["system", *(f"{int(step):,}" for step in steps)], rows)


def shares(name: str) -> str:
    """Return the share of each class of words: counted, and implied by the perplexities here and in the paper."""
    found, given = result(name)["systems"], paper_table(name)
    here = [figures for system in found.values() for figures in _trainings(system)]
    paper = [entry["paper"] for entry in given["systems"].values()]
    rows = [
        [
            LABELS[one].name.removeprefix("perplexity of "),
            _counted(name, *COUNTS[one]) if one in COUNTS else "",
            *(_between([_share(line, one, other) for line in lines if one in line]) for lines in (here, paper)),
        ]
        for one, other in CLASSES
        if one in given["figures"]
    ]
    return markdown.table(["% of all words", "counted", "implied here", "implied by the paper"], rows)


def ratios(name: str) -> str:
    """Return how many times the paper's our perplexity and BLEU are, over the same class of words: all."""
    found, given = result(name)["systems"], paper_table(name)["systems"]
    keys = ("perplexity", "bleu")
    rows = [
        [given[system]["label"], *(f"{figures[key]['ours'] / figures[key]['paper']:.2f}" for key in keys)]
        for system, figures in found.items()
    ]
    return markdown.table(["ours over the paper's", *(LABELS[key].short for key in keys)], rows)


def _counted(name: str, part: str, whole: str) -> str:
    counts = result("corpus_statistics")[name]["statistics"]["figures"]["all"]
    return f"{100 * counts[part]['sum'] / counts[whole]['sum']:.1f}"


def _trainings(system: Mapping[str, Any]) -> list[dict[str, float]]:
    """Return the figures of each training."""
    figures = {key: figure.get("each", [figure["ours"]]) for key, figure in system.items() if key != "training"}
    return [dict(zip(figures, values, strict=True)) for values in zip(*figures.values(), strict=False)]


def _share(figures: Mapping[str, float], of_class: str, of_others: str) -> float:
    """Return the share of a class from ln(all) = share · ln(class) + (1 − share) · ln(others), in percent."""
    whole, one, other = (math.log(figures[key]) for key in ("perplexity", of_class, of_others))
    return 100 * (whole - other) / (one - other)


def _between(values: list[float], places: int = 1) -> str:
    ends = [f"{value:.{places}f}" for value in (min(values), max(values))] if values else []
    return " to ".join(dict.fromkeys(ends))


def _cell(key: str, figure: dict[str, Any] | None, of_folds: bool) -> str:
    if figure is None:
        return ""
    show = LABELS[key].show
    text = show(figure["ours"])
    if figure.get("deviation") is not None:
        text += f" ± {show(figure['deviation'])}"
    if of_folds and "median" in figure:
        text += f" ({show(figure['median'])})"
    elif "low" in figure:
        text += f" [{show(figure['low'])}, {show(figure['high'])}]"
    return text + ("" if figure["paper"] is None else f" / {figure['paper']:g}")
