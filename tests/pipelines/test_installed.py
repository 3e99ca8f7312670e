"""A worker that has another Allsaid, or other libraries, than the machine that started the job is refused."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from dumps import cookbook, dump

from pipelines.ingest import run
from pipelines.ingest.job import Job
from pipelines.installed import check_worker, installed
from pipelines.sources.mealmaster.source import Settings
from schemas.errors import UserError


def test_one_that_has_the_same_is_taken() -> None:
    here = installed()
    assert dict(here.versions)["apache-beam"].startswith("2.") and "+" not in dict(here.versions)["torch"]
    check_worker(here)


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"versions": (("allsaid", "0.0.9"), ("torch", "1.0"))}, r"it has allsaid \S+ \(there 0\.0\.9\), torch \S+ \("),
        ({"code": "0" * 16}, r"is not installed as the machine that started the job: it has other code of Allsaid\. "),
    ],
)
def test_another_is_refused_with_a_sentence(
    changed: dict[str, Any], sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = replace(installed(), **changed)
    with pytest.raises(UserError, match=sentence):
        check_worker(other)
    (tmp_path / "a.mmf").write_bytes(dump(cookbook(range(3))))
    monkeypatch.setattr(run, "Job", partial(Job, launcher=other))
    with pytest.raises(UserError, match=sentence):
        run.run(run.Request("mealmaster", [str(tmp_path / "a.mmf")], str(tmp_path / "data"), Settings()))
    assert not (tmp_path / "data" / "manifest.json").exists()
