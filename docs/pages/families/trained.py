"""Tables of a paper next to the scores of our trainings of the same systems."""

from __future__ import annotations

from typing import Any

from allsaid import markdown
from allsaid.modeling.tasks import box, pair, sequence, table_dialogue
from allsaid.proof.figures import FIGURES, Figure
from pages.results import facts, paper_table, result
from schemas.example import SPLITS

LABELS: dict[str, Figure] = {**pair.TASK.figures, **FIGURES}
for task in (sequence.TASK, table_dialogue.TASK, box.TASK):
    LABELS |= task.figures

SPARSE = 3  # every third point of a learning curve is shown


def systems(name: str, measured: str = "") -> str:
    """Return the trained systems of a table: our figures / the paper's, and the sizes of data and trainings.

    name: of the table; measured: of the result, by default the table's name.
    """
    found, given = result(measured or name), paper_table(name)
    of_folds = "folds" in given
    rows = [
        [
            given["systems"][key]["label"],
            *(_cell(figure, figures.get(figure), of_folds) for figure in given["figures"]),
        ]
        for key, figures in found["systems"].items()
    ]
    head = ["system", *(LABELS[figure].short for figure in given["figures"])]
    return f"{markdown.table(head, rows)}\n\n{facts(_setup(found, given))}"


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
        setup["minutes of a training on a shared core"] = f"{min(hours):.0f} to {max(hours):.0f}"
    if missing := [entry["label"] for key, entry in entries.items() if key not in found["systems"]]:
        setup["not trained yet"] = ", ".join(missing)
    return setup


def curves(name: str) -> str:
    """Return the training loss of a table's systems by the number of batches."""
    found, given = result(name)["systems"], paper_table(name)["systems"]
    learned = {key: system["training"]["curve"] for key, system in found.items() if "training" in system}
    steps = list(next(iter(learned.values())))[::SPARSE]
    rows = [[given[key]["label"], *(f"{curve[step]:.2f}" for step in steps)] for key, curve in learned.items()]
    return markdown.table(["system", *(f"{int(step):,}" for step in steps)], rows)


def _cell(key: str, figure: dict[str, Any] | None, of_folds: bool) -> str:
    if figure is None:
        return ""
    show = LABELS[key].show
    text = show(figure["ours"])
    if figure.get("deviation") is not None:
        text += f" ± {show(figure['deviation'])}"
    if of_folds:
        text += f" ({show(figure['median'])})"
    elif "low" in figure:
        text += f" [{show(figure['low'])}, {show(figure['high'])}]"
    return text + ("" if figure["paper"] is None else f" / {figure['paper']:g}")
