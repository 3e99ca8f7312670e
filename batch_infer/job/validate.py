"""``allsaid validate DIR`` for the texts of ``allsaid generate``: checks of the schema, the rules and the summary."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from allsaid.storage import files
from batch_infer.proof import summary as summary_file
from batch_infer.proof.summary import JOB, TEXTS, Summary
from pipelines.validation.pages import write_pages
from pipelines.validation.rules import Outcome
from pipelines.validation.validate import Part, check, equal, open_part, parquet
from schemas.borders import Border
from schemas.texts.generated import GENERATED, RULES, RULES_BY_FIGURE, Generated

if TYPE_CHECKING:
    from pipelines.validation.suites import Suites

COUNTS = {
    "input_rows": "first texts and error rows",
    "errors": "error rows",
    "texts": "rows without an error",
    "below_min_coverage": "texts flagged so",
    "unfitted_items": "items in unfitted",
    "rows_with_fewer_texts": "rows with a text and fewer than were asked for",
    "unfamiliar_rows": "rows that name something unfamiliar",
}
MEANS = {name: name for name in ("percent_given", "percent_given_full_name", "percent_given_any_word", "tokens")} | {
    "extra_items": "extra_count"
}
COUNTED = ("error", "text_number", "texts_found", "below_min_coverage", "unfitted", "unfamiliar", *MEANS.values())
OF_JOB = {name: name for name in ("model_name", "model_version", "input", "split", "input_fingerprint", "min_coverage")}
OF_JOB |= {"texts_per_row": "texts"}  # name in the summary -> name in the job


def run(folder: str, suites: Suites | None = None) -> list[Outcome]:
    """Check the texts under ``folder`` and write the pages to ``folder``/validation/.

    Returns one outcome per rule, the same with and without suites, which add their own pages. Raises UserError if
    ``folder`` holds no finished texts.
    """
    summary = summary_file.read(folder)
    paths = [path for path in files.below(folder) if path.startswith(f"{TEXTS}/")]
    schema = _with_ids_of(folder, paths)
    parts = [open_part(folder, path, None, schema) for path in paths]
    rules = (*RULES, *(RULES_BY_FIGURE[key] for key in summary.measured if key in RULES_BY_FIGURE))
    parts, outcomes, page = check(Border(TEXTS, Generated, schema, rules), parts, suites)
    outcomes += [*_sums(summary, parts), _job(folder, summary)]
    what = f"Texts by {summary.model_name} {summary.model_version}".rstrip()
    write_pages(folder, what, outcomes, {TEXTS: page} if page else {})
    return outcomes


def _with_ids_of(folder: str, paths: list[str]) -> pa.Schema:
    """Return the schema of the texts; ids have their type in the input, which is the same in every file."""
    for path in paths:
        try:
            with parquet(files.join(folder, path)) as file:
                schema = file.schema_arrow
        except (OSError, pa.ArrowException):
            continue
        if "id" in schema.names:
            return GENERATED.set(0, GENERATED.field(0).with_type(schema.field("id").type))
    return GENERATED


def _sums(summary: Summary, parts: list[Part]) -> list[Outcome]:
    """Check the summary against the rows; unreadable files are left out, so their rows are missing here."""
    sums: Counter[str] = Counter()
    for part in parts:
        if part.is_sound:
            with parquet(part.url) as file:
                sums.update(_count(file.read(columns=list(COUNTED), use_threads=False), summary))
    outcomes = [
        equal(summary_file.NAME, f"{name} is the number of {rule}", getattr(summary, name), sums[name])
        for name, rule in COUNTS.items()
    ]
    for name in MEANS:
        stated, mean = summary.mean(name) or 0.0, sums[name] / max(sums["texts"], 1)
        mean = stated if abs(stated - mean) < 0.001 else round(mean, 4)  # the order of a sum changes its last digits
        outcomes.append(equal(summary_file.NAME, f"{name} is the mean over the texts", stated, mean))
    return outcomes


def _count(rows: pa.Table, summary: Summary) -> dict[str, float]:
    """Return the numbers to add to the summary's counts, and to the sums behind its means."""
    firsts, texts = pc.equal(rows["text_number"], 0), pc.is_null(rows["error"])
    fewer = pc.and_(pc.and_(firsts, texts), pc.less(rows["texts_found"], summary.texts_per_row))
    sums = {
        "input_rows": firsts,
        "texts": texts,
        "errors": pc.invert(texts),
        "below_min_coverage": rows["below_min_coverage"],
        "unfitted_items": pc.list_value_length(rows["unfitted"]),
        "rows_with_fewer_texts": fewer,
        "unfamiliar_rows": pc.and_(firsts, pc.greater(pc.list_value_length(rows["unfamiliar"]), 0)),
    } | {
        name: pc.list_value_length(rows[column]) if column == "tokens" else rows[column]
        for name, column in MEANS.items()
    }
    return {name: pc.sum(values).as_py() or 0 for name, values in sums.items()}


def _job(folder: str, summary: Summary) -> Outcome:
    """Check that the summary belongs to the job next to it."""
    try:
        job = json.loads(files.read_text(files.join(folder, JOB)))
        stated = {name: job[key] for name, key in OF_JOB.items()}
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as fault:
        return Outcome(JOB, "it can be read", 1, 1, (str(fault),))
    differing = tuple(name for name, value in stated.items() if getattr(summary, name) != value)
    return Outcome(JOB, f"it is the job of {summary_file.NAME}", len(stated), len(differing), differing)
