"""Sources of pairs through the whole ingest: nothing is lost, nothing is done twice, and the order does not matter."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow.dataset
import pytest
from small_pairs import ENTRIES, KEEPER, as_array, as_lines, entry, question

from pipelines import sources
from pipelines.ingest import run
from pipelines.ingest.request import Request
from pipelines.ingest.run import NOTHING_TO_DO, Outcome
from pipelines.validation import validate

BAD = entry(KEEPER.replace(" = ", " ~ "), question("Who?", var0="a"), question("Where?", var0="b"))
LINES = {side: "".join(f"{side} {number}\n" for number in range(40)).encode() for side in ("source", "target")}
CASES = {
    "wikisql": ({"a.json": as_array([*ENTRIES, BAD]), "b.json": as_array()}, {"read": {"unknown_query": 2}}, 8),
    "webqsp": ({"train.txt": b"who\n" + as_lines(), "test.txt": as_lines()}, {"read": {"no_relations": 1}}, 4),
    "parallel": ({f"a.{side}": b"\n" + text for side, text in LINES.items()}, {"read": {"no_source": 1}}, 40),
}


def ingest(source: str, inputs: list[Path], output: Path) -> Outcome:
    return run.ingest(Request(source, [*map(str, inputs)], str(output), sources.find(source).settings()))


@pytest.mark.parametrize("source", CASES)
def test_pairs_are_ingested_validated_and_not_read_again(source: str, tmp_path: Path) -> None:
    contents, rejected, kept = CASES[source]
    paths = [tmp_path / name for name in contents]
    for path in paths:
        path.write_bytes(contents[path.name])
    outcome = ingest(source, paths, tmp_path / "out")
    manifest = outcome.manifest
    assert (manifest.rejected, manifest.kept) == (rejected, kept)
    assert manifest.read == kept + sum(manifest.rejected["read"].values())
    data: Any = pyarrow.dataset.dataset(Path(outcome.folder) / "pairs", partitioning="hive")
    assert len({row["id"] for row in data.to_table().to_pylist()}) == kept
    assert all(checked.passed for checked in validate.run(str(tmp_path / "out")))
    assert ingest(source, paths, tmp_path / "out").status == NOTHING_TO_DO
    again = ingest(source, paths[::-1], tmp_path / "again").manifest
    assert again.fingerprint == manifest.fingerprint
