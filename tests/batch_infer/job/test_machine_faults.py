"""Whose fault it is that a text can't be made: a row's becomes an error row, a machine's ends the run's attempt."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from batch_tables import read, write_lines

from allsaid.modeling.config import SearchConfig
from allsaid.modeling.tasks.agenda import AgendaTask
from batch_infer.job import generate
from batch_infer.options.generate import GenerateOptions
from batch_infer.proof.proof import Prover
from batch_infer.rows import sources
from batch_infer.rows.inputs import Row
from batch_infer.rows.sources import SourceFile
from batch_infer.writer import Results, Writer
from schemas.errors import UserError

POISONED = 70
ROWS = [{"id": str(n), "goal": "Soup", "agenda": ["salt", f"{n} tomatoes"]} for n in range(100)]

MACHINES: dict[str, Callable[[], object]] = {
    "can't allocate memory": lambda: torch.empty(1 << 60),
    "MemoryError": lambda: bytearray(1 << 62),
    "FileNotFoundError": lambda: Path("no such model").read_bytes(),
    "CUDA error: device-side assert triggered": lambda: fail(torch.AcceleratorError, "CUDA error: device-side assert"),
    "CUDA out of memory": lambda: fail(torch.OutOfMemoryError, "CUDA out of memory. Tried to allocate 20.00 MiB."),
    "CUBLAS_STATUS_ALLOC_FAILED": lambda: fail(RuntimeError, "CUDA error: CUBLAS_STATUS_ALLOC_FAILED"),
}


def fail(kind: type[Exception], text: str) -> None:
    raise kind(text)


def fails_at(monkeypatch: pytest.MonkeyPatch, module: Any, name: str, fault: Callable[[], object]) -> list[int]:
    """Have a function fail whenever it gets the poisoned row; the numbers of rows that it was called with."""
    whole, calls = getattr(module, name), []

    def poisoned(*given: Any) -> Any:
        rows = next(one for one in given if isinstance(one, list))
        calls.append(len(rows))
        if any(row.agenda[-1] == f"{POISONED} tomatoes" for row in rows):
            fault()
        return whole(*given)

    monkeypatch.setattr(module, name, poisoned)
    return calls


def run(model: Path, given: Path, output: Path) -> list[dict[str, Any]]:
    generate.run(GenerateOptions(str(model), str(given), str(output), width=1, max_tokens=3))
    return read(output)


def test_a_poisoned_row_is_one_error_row(model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given = write_lines(tmp_path / "a.jsonl", ROWS)
    made = fails_at(monkeypatch, Writer, "_make", lambda: None)
    fails_at(monkeypatch, AgendaTask, "prompts", lambda: fail(ValueError, "not my row"))
    rows = run(model, given, tmp_path / "out")
    assert [row["id"] for row in rows if row["error"]] == [str(POISONED)]
    assert rows[POISONED]["error"] == "No text could be made (ValueError: not my row)."
    assert sum(made) < 2 * len(ROWS), "the rows beside it are searched again once or twice, the others never"


def test_one_poisoned_row_of_100_000_is_no_storm_of_attempts(monkeypatch: pytest.MonkeyPatch) -> None:
    """In parts as the job cuts them, with a search that takes no time."""
    tried: list[int] = []

    def search(_: object, rows: list[Row]) -> Results:
        tried.append(len(rows))
        if any(row.id == "77777" and row.error is None for row in rows):
            raise ValueError("not my row")
        return Results([(row, row) for row in rows], len(rows), 0.0, [], None)  # type: ignore[misc, list-item]

    monkeypatch.setattr(Writer, "_make", search)
    writer = object.__new__(Writer)  # without a model
    parts = sources.cut([SourceFile("a", "a", 100_000)], SearchConfig().search_batch, None)
    found: list[Any] = []
    for part in parts:
        rows = [Row("Soup", [], id=str(number)) for number in range(part.start, part.start + part.rows)]
        found += [row for row, _ in writer.make(rows).proven]
    assert [row.id for row in found] == [str(number) for number in range(100_000)]
    assert [(row.id, row.error) for row in found if row.error] == [
        ("77777", "No text could be made (ValueError: not my row).")
    ]
    largest = max(part.rows for part in parts)
    assert sum(tried) <= 100_000 + 3 * largest and len(tried) <= len(parts) + 2 * largest.bit_length() + 2


@pytest.mark.parametrize("step", ["look", "prove"])
def test_a_row_that_breaks_any_step_costs_no_other(
    step: str, model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = write_lines(tmp_path / "a.jsonl", ROWS[POISONED - 4 : POISONED + 3])

    def at(row: Any) -> Any:
        if row.agenda[-1] == f"{POISONED} tomatoes" and row.error is None:
            raise KeyError("a bug")
        return row

    if step == "look":
        from batch_infer.proof.agenda import Judge

        whole = Judge.mark_unfamiliar
        monkeypatch.setattr(Judge, "mark_unfamiliar", lambda self, row, refuse=False: whole(self, at(row), refuse))
    else:
        texts = Prover.texts
        monkeypatch.setattr(Prover, "texts", lambda self, name, row, *more: texts(self, name, at(row), *more))
    rows = run(model, given, tmp_path / "out")
    assert [row["error"] for row in rows if row["error"]] == ["No text could be made (KeyError: 'a bug')."]
    assert len(rows) == 7


@pytest.mark.parametrize("told", MACHINES)
def test_infrastructure_errors_make_no_error_rows(
    told: str, model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given, out = write_lines(tmp_path / "a.jsonl", ROWS), tmp_path / "out"
    with monkeypatch.context() as broken:
        fails_at(broken, AgendaTask, "prompts", MACHINES[told])
        with pytest.raises(UserError, match=r"A worker's machine failed, not a row \(") as fault:
            run(model, given, out)
    assert told.split(":")[0] in str(fault.value) and "[while running" not in str(fault.value)
    assert not (out / "summary.json").exists()
    assert all(row["error"] is None for row in read(out)), "what was written before"
    assert [row["error"] for row in run(model, given, out)] == [None] * len(ROWS)
