"""The drift gate of nightly runs: columns, kinds of cells and values that are new since the published run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from allsaid.gates import Measured
from allsaid.modeling.saved.knowledge import Knowledge
from allsaid.storage.rows import read_rows
from batch_infer.options.drift import FREEZE, DriftGates
from pipelines.sources.records.findings.drift import KIND, Drift
from schemas.act import parse_agenda_line
from schemas.errors import UserError
from schemas.texts.generated import goal_line


class Row(NamedTuple):
    """The values of a row, as lines of an agenda; the goal is one of them."""

    lines: list[str]
    unfamiliar: list[str]  # those unseen in training


def check(gates: DriftGates, knowledge: Knowledge, is_table: bool) -> None:
    """Raise UserError for a gate that needs a table or a model's training values, without one."""
    if FREEZE in (gates.columns, gates.kinds) and not is_table:
        raise UserError("drift: 'columns' and 'kinds' compare tables, and the input is not one. Leave them out.")
    if _limits_values(gates) and knowledge.seen is None:
        raise UserError("drift: 'values' needs a model that knows the values of its training. Leave it out.")


def broken(gates: DriftGates, changes: Sequence[Drift], texts: Sequence[str], last: Sequence[str]) -> list[str]:
    """Return one sentence for each gate that a change breaks.

    changes: of the table's columns. texts, last: files of the run's texts and of the published run's.
    """
    faults = []
    for drift in changes:
        gate, limit = ("kinds", gates.kinds) if drift.change == KIND else ("columns", gates.columns)
        if limit == FREEZE:
            faults.append(f"{drift.sentence} The gate '{gate}' is '{FREEZE}'.")
    return faults + (gates.broken(_measure(texts, last)) if _limits_values(gates) else [])


def _limits_values(gates: DriftGates) -> bool:
    return gates.values < 1  # the largest share of cells with a new value; a share can't be above 1


def _measure(texts: Sequence[str], last: Sequence[str]) -> Iterator[Measured]:
    """Yield each column's share of cells with a new value; in memory are only the values unseen in training."""
    new = {line for row in _rows(texts) for line in row.unfamiliar}
    for row in _rows(last) if new else ():
        new.difference_update(row.lines)
    if not new:
        return
    cells, new_cells = Counter[str](), Counter[str]()
    example: dict[str, str] = {}
    for row in _rows(texts):
        cells.update(_columns(row.lines))
        new_lines = [line for line in row.lines if line in new]
        new_cells.update(_columns(new_lines))
        for line in map(parse_agenda_line, new_lines):
            example.setdefault(line.slot, line.value)
    for column, count in sorted(new_cells.items()):
        share = count / cells[column]
        what = (
            f"{share:.1%} of the values of '{column}' were neither in training nor in the published run, such as "
            f"'{example[column]}'"
        )
        yield Measured("values", share, what)


def _columns(lines: Collection[str]) -> set[str]:
    return {parse_agenda_line(line).slot for line in lines}


def _rows(paths: Sequence[str]) -> Iterator[Row]:
    """Yield each row of some files of texts once, though it may have several texts."""
    for path in paths:
        for row in read_rows(path, ["goal", "agenda", "unfamiliar", "text_number"]):
            if row["text_number"] == 0:
                yield Row([goal_line(row["goal"]), *row["agenda"]], row["unfamiliar"])
