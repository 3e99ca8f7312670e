"""Tables of a paper beside what our trainings of their systems score, on docs/pointing.md and docs/wikibio.md."""

from __future__ import annotations

from typing import Any

from allsaid import markdown
from pages.results import paper_table, paragraph, result, when
from training.metrics.figures import FIGURES, Figure
from training.tasks import box, sequence, table_dialogue

LABELS: dict[str, Figure] = {**FIGURES, **sequence.FIGURES, **table_dialogue.FIGURES, **box.FIGURES}


def systems(name: str, said: str = "", table: str = "") -> str:
    """The systems of a table that have been trained: ours, and behind a stroke the paper's; ``said`` stands before.

    ``table`` is its name where that is not the result's.
    """
    found, given = result(name), paper_table(table or name)
    entries = given["systems"]
    missing = [entry["label"] for key, entry in entries.items() if key not in found["systems"]]
    several = len(given.get("folds") or given["seeds"])
    spread = f"Mean ± deviation over {several} {'folds' if 'folds' in given else 'trainings'}" if several > 1 else ""
    spread += ", in brackets the median." if "folds" in given else "." if spread else ""
    papers = "Behind the stroke the paper's figures." if any(entry.get("paper") for entry in entries.values()) else ""
    splits = found["data"]["splits"]
    text = paragraph(
        f"""
        {said} {splits["train"]:,} to learn from, {splits["dev"]:,} for dev and {splits["test"]:,} for test. {papers}
        {spread}
        {"" if "folds" in given else "In square brackets the 95% bootstrap interval over the texts of one training."}
        {f"Not trained yet: {', '.join(missing)}." if missing else ""} {_trained(found["systems"])} {when(name)}
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


DATA = {"products": "The sample table of products"}


def families() -> str:
    """One model of each family on the same rows, data set by data set."""
    return "\n\n".join(systems(f"families_{name}", f"{called}:", "families") for name, called in DATA.items())


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
