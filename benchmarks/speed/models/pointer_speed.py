"""What pointing costs: models that copy beside the attention models of their tasks, in training and in search.

    python -m benchmarks.speed.models.pointer_speed --recipes DIR --dialogues DIR
        [--output benchmarks/results/pointer_speed.json]

The data sets are those of `allsaid ingest allrecipes` and `dstc2`. How the systems take turns stands in
benchmarks/speed/models/side_by_side.py. Figures are medians of the rounds, shares those of a round.
"""

from __future__ import annotations

from typing import Any

from allsaid.modeling.tasks import sequence, table_dialogue
from benchmarks.result_file import RESULTS
from benchmarks.speed.models import side_by_side
from benchmarks.speed.models.side_by_side import Case, medians, shares

SYSTEMS = ("attention", "pointer", "latent")
CASES = {
    "recipes": Case("latent", sequence, SYSTEMS, 5, 6, 16, 120, 10, reads_again=True),
    "dialogues": Case("table-pointer", table_dialogue, SYSTEMS, 5, 6, 16, 20, 5, reads_again=True),
}
RESULT = RESULTS / "pointer_speed.json"


def measure(*folders: str) -> dict[str, Any]:
    return {name: figures(case, folder) for (name, case), folder in zip(CASES.items(), folders, strict=True)}


def figures(case: Case, folder: str) -> dict[str, Any]:
    found = side_by_side.run(case, folder)
    return {
        "tokens_per_second": medians(found.training),
        "texts_per_second": medians(found.generation),
        "of_attention": {"training": shares(found.training), "generation": shares(found.generation)},
        **found.facts,
    }


if __name__ == "__main__":
    side_by_side.main(__doc__, [*CASES], measure, RESULT)
