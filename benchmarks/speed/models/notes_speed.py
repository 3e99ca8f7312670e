"""What keeping notes costs: coverage and scratchpad beside plain copying attention, in training and in search.

    python -m benchmarks.speed.models.notes_speed --data DIR [--output benchmarks/results/notes_speed.json]

DIR is a data set of `allsaid ingest wikisql`. The systems take turns as in benchmarks/speed/models/side_by_side.py.
Figures are medians of the rounds; the time of a system is that over plain attention's in the same round.
"""

from __future__ import annotations

from typing import Any

from allsaid.modeling.tasks import pair
from benchmarks.result_file import RESULTS
from benchmarks.speed.models import side_by_side
from benchmarks.speed.models.side_by_side import Case, Rates, medians, shares

CASE = Case("scratchpad", pair, ("copynet", "coverage", "scratchpad"), 7, 4, 32, 20, 5, reads_again=False)
RESULT = RESULTS / "notes_speed.json"


def measure(folder: str) -> dict[str, Any]:
    found = side_by_side.run(CASE, folder)
    return {
        "tokens_per_second": medians(found.training),
        "texts_per_second": medians(found.generation),
        "time_of_copynet": {"training": times(found.training), "generation": times(found.generation)},
        **found.facts,
    }


def times(rates: Rates) -> dict[str, float]:
    return {system: round(1 / share, 3) for system, share in shares(rates).items()}


if __name__ == "__main__":
    side_by_side.main(__doc__, ["data"], measure, RESULT)
