"""The command that checks a data set or generated texts against their rules."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

import typer

from allsaid import console


def validate(
    data: Annotated[str, typer.Argument(metavar="DIR", help="A data set's folder, or the output of `generate`.")],
) -> None:
    """Check a data set or generated texts against their rules.

    The Arrow schemas come first, then Great Expectations; pages go to DIR/validation/. Exits with 1 when a rule is
    broken.

    Example: allsaid validate data
    """
    if not run_validation(data):
        raise typer.Exit(1)


def run_validation(data: str) -> bool:
    """Check a data set or texts and tell what was found; whether all rules hold."""
    outcomes = outcomes_of(data)
    broken = [outcome for outcome in outcomes if not outcome.passed]
    rows = [(o.border, o.rule, o.failed, o.checked, ", ".join(o.places)) for o in broken]
    figures = {"rules": len(outcomes), "broken": [asdict(outcome) for outcome in broken]}
    header = ("border", "rule", "failed", "checked", "first places")
    console.result("validate", figures, "Broken rules", header, rows)
    console.say(
        f"{len(outcomes) - len(broken)} of {len(outcomes)} rules hold; the pages are in {data.rstrip('/')}/validation/."
    )
    return not broken


def outcomes_of(data: str) -> list[Any]:
    """What each rule of a data set or of texts finds, as `pipelines.validation.suites` says it."""
    from allsaid.storage import files

    if files.exists(files.join(data, "job.json")):
        from batch_infer.job import validate as texts

        return texts.run(data)
    from pipelines.validation import validate as room

    return room.run(data)
