"""Tables of a paper beside what our trainings of their systems score, on docs/pointing.md."""

from __future__ import annotations

from typing import Any

from allsaid import markdown
from allsaid.modeling.tasks import box, pair, sequence, table_dialogue
from allsaid.proof.figures import FIGURES, Figure
from pages.results import paper_table, paragraph, result, when

LABELS: dict[str, Figure] = {**pair.TASK.figures, **FIGURES}
for task in (sequence.TASK, table_dialogue.TASK, box.TASK):
    LABELS |= task.figures

SPARSE = 3  # of a learning curve's points each third is shown


def systems(name: str, said: str = "", measured: str = "") -> str:
    """The systems of a table that have been trained: ours, and behind a stroke the paper's; ``said`` stands before.

    ``measured`` is the result, where a table has several; by default it is called as the table.
    """
    measured = measured or name
    found, given = result(measured), paper_table(name)
    entries = given["systems"]
    missing = [entry["label"] for key, entry in entries.items() if key not in found["systems"]]
    several = len(given.get("folds") or given["seeds"])
    spread = f"Mean ± deviation over {several} {'folds' if 'folds' in given else 'trainings'}" if several > 1 else ""
    spread += ", in brackets the median." if "folds" in given else "." if spread else ""
    papers = "Behind the stroke the paper's figures." if any(entry.get("paper") for entry in entries.values()) else ""
    text = paragraph(
        f"""
        {said} {_parts(found["data"]["splits"], given)} {papers}
        {spread}
        {"" if "folds" in given else "In square brackets the 95% bootstrap interval over the texts of one training."}
        {f"Not trained yet: {', '.join(missing)}." if missing else ""} {_fewer(found["systems"], entries, several)}
        {_trained(found["systems"])} {when(measured)}
        """
    )
    rows = [
        [
            entries[key]["label"],
            *(_cell(figure, of.get(figure), bool(given.get("folds"))) for figure in given["figures"]),
        ]
        for key, of in found["systems"].items()
    ]
    return f"{text}\n\n{markdown.table(['system', *(LABELS[figure].short for figure in given['figures'])], rows)}"


def curves(name: str) -> str:
    """What the systems of a table had learned after so many batches."""
    found, given = result(name)["systems"], paper_table(name)["systems"]
    learned = {key: of["training"]["curve"] for key, of in found.items() if "training" in of}
    steps = list(next(iter(learned.values())))[::SPARSE]
    rows = [[given[key]["label"], *(f"{curve[step]:.2f}" for step in steps)] for key, curve in learned.items()]
    said = "Training loss in nats a word, by batches learned; in one pass each text is new to the model."
    return f"{said}\n\n{markdown.table(['system', *(f'{int(step):,}' for step in steps)], rows)}"


def _parts(splits: dict[str, int], table: dict[str, Any]) -> str:
    if "folds" in table:
        return f"{sum(splits.values()):,} in {len(table['folds'])} folds."
    return f"{splits['train']:,} to learn from, {splits['dev']:,} for dev and {splits['test']:,} for test."


def _fewer(found: dict[str, Any], entries: dict[str, Any], several: int) -> str:
    """The systems with fewer trainings than the table asks for."""
    labels: dict[int, list[str]] = {}
    for key, of in found.items():
        count = max(len(one.get("each", [0])) for name, one in of.items() if name != "training")
        if "training" in of and count < several:
            labels.setdefault(count, []).append(entries[key]["label"])
    told = {count: "once" if count == 1 else f"{count} times" for count in sorted(labels)}
    return " ".join(f"Trained {times} so far: {', '.join(labels[count])}." for count, times in told.items())


def _trained(found: dict[str, Any]) -> str:
    hours = [60 * of["training"]["hours"] for of in found.values() if "training" in of]
    return f"One training took {min(hours):.0f} to {max(hours):.0f} minutes on a shared core." if hours else ""


def _cell(key: str, one: dict[str, Any] | None, of_folds: bool) -> str:
    if one is None:
        return ""
    show = LABELS[key].show
    text = show(one["ours"])
    if one.get("deviation") is not None:
        text += f" ± {show(one['deviation'])}"
    if of_folds:
        text += f" ({show(one['median'])})"
    elif "low" in one:
        text += f" [{show(one['low'])}, {show(one['high'])}]"
    return text + ("" if one["paper"] is None else f" / {one['paper']:g}")
