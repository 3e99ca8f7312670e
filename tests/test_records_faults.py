"""Faults of a user's tables that once lost or doubled rows, or ended the run."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from pipelines.source import Kept, Rejected, Result
from pipelines.sources import records_rows
from pipelines.sources.records import Settings, plan, read
from pipelines.sources.records_rows import Row, look, read_table

MAPPING = {"id": "nr", "goal": "kind", "text": "about", "columns": {"name": "value", "price": "number"}}
HEADER = "nr,name,price,kind,about\n"


def lines(first: int, count: int, text: str = "Mug {} is good.") -> list[str]:
    return [f"{i},mug {i},{i}.50,mug,{text.format(i)}\n" for i in range(first, first + count)]


def ingest(folder: Path, tables: dict[str, str], mapping: dict[str, object] = MAPPING) -> dict[str, list[Result]]:
    """The results of each table, by name."""
    for name, table in tables.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(table)
    (folder / "mapping.yaml").write_text(yaml.safe_dump(mapping, sort_keys=False))
    settings = Settings(mapping=str(folder / "mapping.yaml"))
    shares = plan([str(folder / name) for name in sorted(tables)], settings)
    return {name: list(read(share, settings)) for name, share in zip(sorted(tables), shares, strict=True)}


def ids(results: list[Result]) -> list[str]:
    return [one.rows["examples"][0].id for one in results if isinstance(one, Kept)]


def faults(results: list[Result]) -> list[tuple[str, int]]:
    return [(one.reason, one.offset) for one in results if isinstance(one, Rejected)]


@pytest.mark.parametrize("text", ["Mug {} is good.", '"Mug {},\n""good"", is good."', 'Mug {} is "good".'])
@pytest.mark.parametrize("column", range(5))
def test_a_stray_quote_costs_its_own_row_only(column: int, text: str, tmp_path: Path) -> None:
    rows = lines(1, 40, text)
    cells = ["5", "mug 5", "5.50", "mug", "Mug 5 is good."]
    cells[column] = f'"{cells[column]}'
    rows[4] = ",".join(cells) + "\n"
    results = ingest(tmp_path, {"table.csv": HEADER + "".join(rows)})["table.csv"]
    assert ids(results) == [str(number) for number in range(1, 41) if number != 5]
    assert faults(results) == [("open_quote", len(HEADER + "".join(rows[:4])))]


def test_a_quote_that_is_open_at_the_end(tmp_path: Path) -> None:
    results = ingest(tmp_path, {"table.csv": HEADER + "".join(lines(1, 2)) + '3,mug,3,mug,"open'})["table.csv"]
    assert ids(results) == ["1", "2"]
    assert [reason for reason, _ in faults(results)] == ["open_quote"]


def test_a_cell_of_many_lines_is_kept(tmp_path: Path) -> None:
    text = "Mug.\n" * 5000
    results = ingest(tmp_path, {"table.csv": HEADER + f'1,a,2,mug,"{text}"\n' + "".join(lines(2, 2))})["table.csv"]
    assert (ids(results), faults(results)) == (["1", "2", "3"], [])


@pytest.mark.parametrize("line", ['a",",\n', '"a\n', '1,"\n', '","\n'])
def test_lines_that_all_open_a_quote_are_not_read_again_and_again(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    count, path, given = 400_000 // len(line), tmp_path / "table.csv", []
    path.write_text(HEADER + line * count + "".join(lines(1, 3)))
    monkeypatch.setattr(records_rows, "MAX_ROW", 1 << 14)
    monkeypatch.setattr(records_rows, "_text", lambda line: given.append(len(line)) or line.decode())
    layout = look(str(path), ",")
    given.clear()
    rows = [row for row in read_table(str(path), layout) if isinstance(row, Row)]
    assert len(rows) == count + 3
    assert [row.cells["nr"] for row in rows if row.cells] == ["1", "2", "3"]
    assert sum(given) < 8 * path.stat().st_size
