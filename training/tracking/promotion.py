"""The rule of promotion: which version becomes champion automatically, with a sentence on the reason.

The floors (`training.tracking.floors`) hold for every task and also for a first version. Above them, the task's own
rule compares the version with the champion.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from allsaid.console import counted
from allsaid.proof.figures import FIGURES
from training.tracking.floors import MIN_CERTIFIED, MIN_DEV_TEXTS

if TYPE_CHECKING:  # tasks need PyTorch, which `allsaid promote` does without
    from allsaid.modeling.tasks.contract import Scores, Task

NIGHTLY_FIGURES = (
    "percent_given",
    "extra_items",
    "errors",
    "certified_percent",
)  # figures of the texts of a nightly run
FLOORS = ("texts", "certified_percent", "false_certificates")  # figures with a floor; the last two may be missing


@dataclass(frozen=True)
class Decision:
    promote: bool
    reason: str  # one or more sentences


def decide(challenger: Scores, champion: Scores | None, task: Task) -> Decision:
    """Compare the scores of two models by the rule of their task; None: there is no champion.

    Both have the figures that decide in the task, measured on the same dev set with the same search settings.
    """
    if champion is None:
        return Decision(True, "There was no champion yet.")
    checks = task.checks(challenger, champion)
    failed = [text for passed, text in checks if not passed]
    if failed:
        return Decision(False, f"It stays challenger: {'; '.join(failed)}.")
    return Decision(True, f"It is better: {'; '.join(text for _, text in checks)}.")


def hold_back(scores: Scores, name: str, version: str) -> Decision | None:
    """Return the decision against a version below a floor; None for a version above all floors."""
    missed = missed_floors(scores)
    if not missed:
        return None
    return Decision(
        False,
        f"It stays challenger: {'; '.join(missed)}; `allsaid promote {name} {version}` makes it champion by hand.",
    )


def missed_floors(scores: Scores, what: str = "dev text") -> list[str]:
    """Return a clause for each floor that scores don't reach.

    The floors for certificates apply only to scores that have them. what: the kind of texts that the scores are of.
    """
    texts, certified, false = map(scores.get, FLOORS)
    missed = []
    if texts is None:
        missed.append(f"it isn't recorded on how many {what}s it was measured, and promotion needs {MIN_DEV_TEXTS}")
    elif texts < MIN_DEV_TEXTS:
        missed.append(f"it was measured on {counted(int(texts), what)}, and promotion needs {MIN_DEV_TEXTS}")
    if certified is not None and not certified >= MIN_CERTIFIED:  # a NaN is below
        share = FIGURES["certified_percent"].show(certified)
        missed.append(f"{share}% of its {what}s are certified, and promotion needs {MIN_CERTIFIED:g}%")
    if false:
        missed.append(f"the dev check found {false:.0f} of its certificates false, and promotion allows none")
    return missed


def compare_rows(challenger: Scores, champion: Scores) -> Decision:
    """Compare the texts of two models for the same rows, after their comparison on dev.

    The challenger's texts have to reach the floors, and no figure of ``NIGHTLY_FIGURES`` may be worse. A figure that
    the task does not measure is missing in both.
    """
    failed, passed = missed_floors(challenger, "text"), list[str]()
    for figure in map(FIGURES.__getitem__, NIGHTLY_FIGURES):
        new, old = challenger.get(figure.key), champion.get(figure.key)
        if new is None or old is None:
            continue
        is_worse = new < old if figure.better == "up" else new > old
        comparison = f"{figure.name} {figure.show(new)}, the champion's {figure.show(old)}"
        (failed if is_worse else passed).append(comparison)
    if failed:
        return Decision(False, f"It stays challenger: on the rows of the nightly run, {'; '.join(failed)}.")
    return Decision(True, f"It is no worse on the rows of the nightly run: {'; '.join(passed)}.")


def deciding_scores(scores: Scores, task: Task) -> dict[str, float]:
    """Return the figures that promotion depends on: those of the task's rule, and those with a floor."""
    return {key: float(scores[key]) for key in (*task.deciding, *(key for key in FLOORS if key in scores))}
