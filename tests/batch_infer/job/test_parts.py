"""The files of texts: how many rows they have, and that they are whole at any time."""

from __future__ import annotations

from pathlib import Path
from threading import Thread
from typing import Any

import pyarrow.parquet as pq
import pytest
from batch_tables import read, write_lines

from batch_infer.job import folder, generate
from batch_infer.job.handler import TextHandler
from batch_infer.job.prepared import load_model, prepare
from batch_infer.job.staging import StagedModel
from batch_infer.options.generate import GenerateOptions
from batch_infer.rows import inputs, sources
from batch_infer.writer import Writer
from schemas.errors import UserError

AGENDAS = [{"goal": "Salsa", "agenda": [f"{number} tomatoes"]} for number in range(3)]


def run(model: Path, given: Path, output: Path, **options: Any) -> list[dict[str, Any]]:
    generate.run(GenerateOptions(str(model), str(given), str(output), width=2, max_tokens=9, **options))
    return read(output)


def bytes_of(output: Path) -> dict[str, bytes]:
    return {f"{path.parent.name}/{path.name}": path.read_bytes() for path in sorted(output.glob("[tr]*/*"))}


def test_parts_are_batches_of_one_file_within_the_limit() -> None:
    found = [sources.SourceFile("a", "a", 7), sources.SourceFile("b", "b", 5)]
    assert [(part.label, part.start, part.rows) for part in sources.cut(found, 3, None)] == [
        ("a", 0, 6),
        ("a", 6, 1),
        ("b", 0, 5),
    ]
    assert [(part.label, part.start, part.rows) for part in sources.cut(found, 3, 9)] == [
        ("a", 0, 6),
        ("a", 6, 1),
        ("b", 0, 2),
    ]
    assert [part.rows for part in sources.cut([sources.SourceFile("a", "a", 1000)], 5, None)][:2] == [20, 20]


def test_files_have_so_many_rows_as_asked_for_and_never_none(model: Path, tmp_path: Path) -> None:
    for name, rows in (("a", 17), ("b", 2)):
        write_lines(tmp_path / f"{name}.jsonl", [{"goal": "Soup", "agenda": [f"{n} salt"]} for n in range(rows)])
    of_batches_of_3 = {9: [9, 8, 2], 8: [6, 6, 5, 2], 1: [3, 3, 3, 3, 3, 2, 2], 1000: [17, 2]}
    for asked, sizes in of_batches_of_3.items():
        out = tmp_path / str(asked)
        run(model, tmp_path / "?.jsonl", out, rows_per_file=asked)
        found = sorted((out / "texts").iterdir())
        assert [path.name for path in found] == [f"part-{number:05}.parquet" for number in range(len(sizes))]
        assert [pq.read_metadata(path).num_rows for path in found] == sizes
    with pytest.raises(UserError, match="texts of a run that differs in rows_per_file"):
        run(model, tmp_path / "?.jsonl", out)


def test_parts_written_twice_are_always_whole(model: Path, tmp_path: Path) -> None:
    """As by a runner that starts a slow worker's part elsewhere, too."""
    given, out = write_lines(tmp_path / "a.jsonl", AGENDAS), tmp_path / "out"
    asked = GenerateOptions(str(model), str(given), str(out), width=2, max_tokens=9)
    ready = prepare(asked, load_model(asked))
    (part,) = sources.cut(ready.found, 3, None)
    rows = inputs.read(part, ready.source, (), ())
    loaded = ready.loaded
    handler = TextHandler(loaded.settings, StagedModel("", ""))
    (found,) = handler.run_inference([rows], Writer(loaded.bundle, loaded.settings))

    def write() -> None:
        for _ in range(40):
            folder.write_part(found, str(out), ready.source, {})

    write()
    before = bytes_of(out)
    attempts = [Thread(target=write) for _ in range(2)]
    for attempt in attempts:
        attempt.start()
    while any(attempt.is_alive() for attempt in attempts):
        assert bytes_of(out) == before
    assert [path.name for path in (out / "done").iterdir()] == ["part-00000.json"]


def test_a_job_that_lost_a_part_says_so(model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given = write_lines(tmp_path / "a.jsonl", AGENDAS)
    with monkeypatch.context() as lost:
        lost.setattr(folder, "write_part", lambda *_: None)
        with pytest.raises(UserError, match=r"3 rows of 3 left no tally in .*done\. The same command goes on"):
            run(model, given, tmp_path / "out")
    assert len(run(model, given, tmp_path / "out")) == len(AGENDAS)
