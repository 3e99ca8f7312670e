"""Documents with coreference through the whole ingest: parts stay together, doubles go, nothing is done twice."""

from __future__ import annotations

from pathlib import Path

import pyarrow.dataset
from small_coref import HARBOUR, RAIN, long, short

from pipelines.ingest.request import Request
from pipelines.ingest.run import NOTHING_TO_DO, ingest
from pipelines.sources.coref.source import Coref, Settings
from pipelines.validation import validate


def test_documents_are_ingested_validated_and_not_read_again(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    documents = [short(HARBOUR.replace("Finch", f"Finch{number}")) for number in range(12)]
    bad = short(RAIN).replace(b"fell\t_", b"fell\t(1")
    for name, content in {"a": b"".join(documents), "b": long(HARBOUR) * 2, "c": bad + short(RAIN)}.items():
        (tmp_path / "in" / f"{name}.conll").write_bytes(content)
    out = str(tmp_path / "out")
    request = Request("coref", [str(tmp_path / "in")], out, Settings(max_tokens=10, dev_share=0.3, test_share=0.3))
    outcome = ingest(request)
    manifest = outcome.manifest
    assert manifest.rejected == {"read": {"unbalanced": 1}, "duplicate": {"same_document": 3}}
    assert (manifest.read, manifest.kept) == (44, 40)
    assert manifest.statistics["figures"]["all"]["tokens"]["sum"] == 14 * 18 + 3 + 3
    rows = pyarrow.dataset.dataset(Path(outcome.folder) / "documents", partitioning="hive").to_table().to_pylist()
    splits = {(row["content_hash"], row["split"]) for row in rows}
    assert len(splits) == 14 and len({split for _, split in splits}) == 3
    assert Coref().report(manifest, outcome.folder).figures["documents"] == 14
    assert all(checked.passed for checked in validate.run(out))
    assert ingest(request).status == NOTHING_TO_DO
