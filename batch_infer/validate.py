"""``allsaid validate DIR`` for the texts of ``allsaid generate``: schema, rules, and the summary's own figures."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

from batch_infer import summary as summary_file
from batch_infer.summary import TEXTS, Summary
from pipelines import files
from pipelines.validate import Part, check, equal, open_part, parquet, write_pages
from schemas.borders import Border
from schemas.generated import GENERATED, RULES
from schemas.validate import Outcome, Suites


def run(folder: str) -> list[Outcome]:
    """Check the texts under ``folder`` and write the pages to ``folder``/validation/.

    Gives one outcome a rule; raises UserError where ``folder`` holds no finished texts.
    """
    summary = summary_file.read(folder)
    paths = [path for path in files.below(folder) if path.startswith(f"{TEXTS}/")]
    schema = _with_ids_of(folder, paths)
    parts = [open_part(folder, path, None, schema) for path in paths]
    outcomes, page = check(Border(TEXTS, schema, RULES), parts, Suites())
    outcomes += _sums(summary, parts)
    what = f"Texts by {summary.model_name} {summary.model_version}".rstrip()
    write_pages(folder, what, outcomes, {TEXTS: page} if page else {})
    return outcomes


def _with_ids_of(folder: str, paths: list[str]) -> pa.Schema:
    """The schema of the texts; ids keep the type that the input gave them, the same in every file."""
    for path in paths:
        try:
            with parquet(files.join(folder, path)) as file:
                found = file.schema_arrow
        except (OSError, pa.ArrowException):
            continue
        if "id" in found.names:
            return GENERATED.set(0, GENERATED.field(0).with_type(found.field("id").type))
    return GENERATED


def _sums(summary: Summary, parts: list[Part]) -> list[Outcome]:
    """The summary says what the rows say; files that can't be checked are left out and so are missed here."""
    rows, texts, errors, below, unfamiliar, given = 0, 0, 0, 0, 0, 0.0
    for part in parts:
        if part.unreadable or part.misfit:
            continue
        with parquet(part.url) as file:
            table = file.read(columns=["error", "percent_given", "text_number", "below_min_coverage", "unfamiliar"])
        is_first = pc.equal(table["text_number"], 0)
        rows += pc.sum(is_first).as_py() or 0
        unfamiliar += pc.sum(pc.and_(is_first, pc.greater(pc.list_value_length(table["unfamiliar"]), 0))).as_py() or 0
        texts += table["error"].null_count
        below += pc.sum(table["below_min_coverage"]).as_py() or 0
        errors += len(table) - table["error"].null_count
        given += pc.sum(table["percent_given"]).as_py() or 0.0
    said, mean = summary.percent_given or 0.0, given / max(texts, 1)
    mean = said if abs(said - mean) < 0.001 else round(mean, 4)  # the order of a sum changes its last digits
    sums: list[tuple[str, float, float]] = [
        ("input_rows is the number of first texts and error rows", summary.input_rows, rows),
        ("errors is the number of error rows", summary.errors, errors),
        ("texts is the number of other rows", summary.texts, texts),
        ("below_min_coverage is the number of texts flagged so", summary.below_min_coverage, below),
        ("unfamiliar_rows is the number of rows that name something unfamiliar", summary.unfamiliar_rows, unfamiliar),
        ("percent_given is the mean over the texts", said, mean),
    ]
    return [equal(summary_file.NAME, rule, left, right) for rule, left, right in sums]
