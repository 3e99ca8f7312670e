"""The command that checks a data set or generated texts against their rules."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from allsaid import console

if TYPE_CHECKING:
    from pipelines.validation.rules import Outcome


def validate(
    data: Annotated[str, typer.Argument(metavar="DIR", help="A data set's folder, or the output of `generate`.")],
) -> None:
    """Check a data set or generated texts against their rules.

    The Arrow schemas come first, then Great Expectations; pages go to DIR/validation/. Exits with 1 when a rule is
    broken.

    Example: allsaid validate data
    """
    if not run_validation(data, with_suites=True):
        raise typer.Exit(1)


def run_validation(data: str, with_suites: bool = False) -> bool:
    """Check a data set or texts and report the broken rules; return whether all hold."""
    outcomes = outcomes_of(data, with_suites)
    broken = [outcome for outcome in outcomes if not outcome.passed]
    rows = [(o.border, o.rule, o.failed, o.checked, ", ".join(o.places)) for o in broken]
    figures = {"rules": len(outcomes), "broken": [asdict(outcome) for outcome in broken]}
    # A border is a table with a versioned schema (docs/glossary.md).
    header = ("border", "rule", "failed", "checked", "first places")
    console.result("validate", figures, "Broken rules", header, rows)
    console.say(
        f"{len(outcomes) - len(broken)} of {len(outcomes)} rules for columns and counts hold; "
        f"the pages are in {data.rstrip('/')}/validation/."
    )
    return not broken


def outcomes_of(data: str, with_suites: bool = False) -> list[Outcome]:
    """Return the outcome of each rule of a data set or of texts.

    Great Expectations' suites come to the same outcomes and add pages of their own, but take seconds to load.
    """
    from allsaid.storage import files

    suites = None
    if with_suites:
        from pipelines.validation.suites import Suites

        suites = Suites()
    if files.exists(files.join(data, "job.json")):
        from batch_infer.job import validate as validate_texts

        return validate_texts.run(data, suites)
    from pipelines.validation import validate as validate_data_sets

    return validate_data_sets.run(data, suites)
