"""Options of the section `drift` of a nightly run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from allsaid.gates import Gates
from allsaid.options import option

EVOLVE, FREEZE = "evolve", "freeze"
Change = Literal["evolve", "freeze"]


@dataclass(frozen=True)
class DriftGates(Gates):
    """Limits on the changes of the input since the published run; by default each change passes."""

    columns: Change = option("freeze: no column may be new, missing or renamed.", EVOLVE)
    kinds: Change = option("freeze: no column may change its kind.", EVOLVE)
    values: float = option(
        "Largest share of a column's cells whose value was neither in training nor in the published run.",
        1,
        low=0,
        high=1,
    )
