"""Texts as `generate` publishes them, good and bad, and runs of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq

from allsaid.proof.coverage import Lexicon, measure
from batch_infer.proof.judge import figures_of
from batch_infer.proof.reasons import Reason, general
from batch_infer.proof.summary import MEANS, summarize
from batch_infer.proof.tally import Tally
from batch_infer.report.cards import Card
from schemas.checks.table import to_table
from schemas.texts.generated import GENERATED, Generated

SALSA = Generated(
    id="salsa",
    goal="Salsa <b>verde</b> & more",
    agenda=["2 Limes, juiced", "1 tb Olive oil", "1 tb Corn oil", "3 cloves Garlic"],
    text="Squeeze the limes. Add olive oil, Tabasco and salt.\nStir in the oil.",
    tokens="squeeze the limes . add olive_oil , tabasco and salt . <br> stir in the oil .".split(),  # noqa: SIM905
    ref_items=[-1] * 17,
    used=["2 Limes, juiced", "1 tb Olive oil", "1 tb Corn oil"],
    missing=["3 cloves Garlic"],
    extra=["tabasco", "salt"],
    percent_given=75.0,
    percent_given_full_name=50.0,
    percent_given_any_word=75.0,
    extra_count=2,
    log_probability=-12.3456,
    model_name="recipes",
    model_version="3",
    texts_found=1,
)


# The fields of a summary that say which run it is of.
RUN = {"model_name": "tiny", "model_version": "3", "input": "a.jsonl", "split": "", "input_fingerprint": "f"}
RUN |= {"seconds": 2.0, "texts_per_second": 9.0}
UNMEASURED = replace(
    SALSA,
    used=[],
    missing=[],
    extra=[],
    **dict.fromkeys(("percent_given", "percent_given_full_name", "percent_given_any_word", "extra_count")),
)


def numbered(number: int, percent: float, extra: int = 0) -> Generated:
    used = SALSA.agenda[: round(percent / 25)]
    return replace(
        SALSA,
        id=f"n{number}",
        goal=f"Dish {number}",
        used=used,
        missing=SALSA.agenda[len(used) :],
        percent_given=percent,
        extra_count=extra,
    )


def broken(number: int, error: str) -> Generated:
    row = replace(UNMEASURED, id=f"n{number}", goal=f"Dish {number}", agenda=[], text="", tokens=[], ref_items=[])
    return replace(row, log_probability=None, error=error)


def write_run(folder: Path, *parts: list[Generated], measured: Sequence[str] = MEANS) -> Path:
    """A finished run of ``allsaid generate``, its parts as given."""
    (folder / "texts").mkdir(parents=True)
    tally = Tally()
    for number, rows in enumerate(parts):
        pq.write_table(to_table(rows, GENERATED), folder / "texts" / f"part-{number:05}.parquet")
        tally.input_rows += len(rows)
        for row in rows:
            if row.error is None:
                coverage = measure(row.tokens, [[item] for item in row.agenda], Lexicon({}))
                said = replace(coverage, given=[item in row.used for item in row.agenda])
                tally.add_text(figures_of(said, len(row.tokens)), False, row.id)
                tally.add_reference(figures_of(replace(coverage, given=[True] * 4), 100))
            else:
                tally.add_error(Reason(general(row.error), 1, row.error, [row.id]))
    facts = {"model_name": "recipes", "model_version": "3", "input": "data", "split": "test"}
    summary = summarize([tally], measured, **facts, input_fingerprint="ab" * 16, seconds=2.5, texts_per_second=3.0)
    (folder / "summary.json").write_text(summary.to_json())
    return folder


def marks(card: Card) -> list[tuple[str, list[int], bool]]:
    """What of a text is marked, the numbers of the items that it mentions, and whether it is an extra."""
    found = [part for line in card.lines for part in line if part.items or part.extra]
    return [(part.text, [item.number for item in part.items], part.extra) for part in found]
