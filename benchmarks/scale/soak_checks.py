"""What must be true of a shop's folders after each nightly run of `soak.py`.

All functions run in a process of their own (`Shop.call`) and return JSON.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from allsaid.storage import files
from allsaid.storage.run_store import CURRENT, LOCKS
from batch_infer.nights import folders
from batch_infer.proof import summary
from pipelines.datasets import snapshot


def reader(data: str, texts: str) -> dict[str, Any]:
    """Return what readers see; raise AssertionError if it is not whole."""
    manifest, seen = snapshot.published(data), snapshot.folder(data)
    hurt = [file["path"] for entries in manifest.files.values() for file in entries if files.damage(seen, file)]
    assert not hurt, f"{seen}: {hurt} are missing or damaged"
    run = (files.read_json(folders.store(texts).pointer) or {})["run"]
    folder = folders.run_folder(texts, run)
    record = files.read_json(folder + folders.LAYOUT.record)
    assert record is not None, f"{folder} has no record"
    hurt = [file["path"] for file in record["files"] if files.damage(folder, file)]
    assert not hurt, f"{folder}: {hurt} are missing or damaged"
    figures = summary.read(folder)
    return {
        "data": {"run": manifest.run, "fingerprint": manifest.fingerprint, "kept": manifest.kept},
        "run": run,
        "folder": folder,
        "data_run": record["data_run"],
        "version": figures.model_version,
        "searched": figures.searched,
        "reused": figures.taken_over,
        "texts": {Path(path).name: files.sha256(path) for path in summary.text_files(folder)},
    }


def links(data: str, texts: str, seen: dict[str, Any], is_settled: bool) -> None:
    """Check where ``current`` leads on a disk: to a complete run, and once all is settled to the published one."""
    for output, run, record in ((data, seen["data"]["run"], "{}/manifest.json"), (texts, seen["run"], "{}.json")):
        link = Path(output) / CURRENT
        if not files.is_local(output):
            continue
        target = link.resolve()
        assert Path(record.format(target)).is_file(), f"{link} leads to {target}, which is not complete"
        assert not is_settled or target.name == run, f"{link} leads to {target.name}, but {run} is published"


def count(data: str, texts: str) -> dict[str, Any]:
    """Count the files, runs, incomplete runs, locks and unfinished files of both folders."""
    found = [(output, path) for output in (data, texts) for path in files.below(output)]
    stores = (snapshot.store(data), folders.store(texts))
    return {
        "files": len(found),
        "runs": [len(store.runs()) for store in stores],
        "incomplete": [sorted({*store.runs()} - {*store.complete()}) for store in stores],
        "locks": sum(path.startswith(f"{LOCKS}/") for _, path in found),
        "unfinished": sorted(f"{output}/{path}" for output, path in found if path.endswith(".new")),
    }
