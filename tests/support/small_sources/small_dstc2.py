"""Small DSTC2 calls for the tests, written by the project, and a run of the source without Beam."""

from __future__ import annotations

import gzip
import io
import json
import tarfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from surveyed import read_all

from pipelines.source import KeptRecord, NoSettings
from pipelines.sources.dstc2 import source as dstc2
from pipelines.sources.dstc2.table import COLUMNS
from schemas.dialogue import Dialogue
from schemas.runs.rejected import Rejected

SETTINGS = NoSettings()
ROWS = [
    ("red door", "cheap", "thai", "north", "st anne's walk 12 - 14 mill road", "c b 2 1 u f", "01223 100100"),
    ("Ask", "moderate", "modern european", "centre", "1 high street", "c b 5", "01223 200200"),
    ("red door two", "expensive", "thai", "not available", "not available", "not available", "not available"),
    ("the ship", "cheap", "thai", "west", "1 high street", "c b 5 8 p a", "01223 200200"),
]
RED, ASK, TWO, SHIP = range(4)
TABLE = [dict(zip(COLUMNS, row, strict=True)) for row in ROWS]


def machine(text: str, *acts: tuple[str, Mapping[str, str]]) -> dict[str, Any]:
    """A turn of log.json."""
    written = [{"act": name, "slots": [list(pair) for pair in slots.items()]} for name, slots in acts]
    heard = {"live": {"asr-hyps": [{"asr-hyp": "heard words", "score": -1}, {"asr-hyp": "herd", "score": -2}]}}
    return {"output": {"transcript": text, "dialog-acts": written}, "input": heard}


def user(text: str, *acts: tuple[str, Mapping[str, str]]) -> dict[str, Any]:
    """A turn of label.json."""
    written = [{"act": name, "slots": [list(pair) for pair in slots.items()]} for name, slots in acts]
    return {"transcription": text, "semantics": {"json": written}}


HELLO = machine("Hello , you can ask for restaurants", ("welcomemsg", {}))
OFFER = machine(
    "Ask is a nice place serving modern european food",
    ("offer", {"name": "ask"}),
    ("inform", {"food": "modern european"}),
)


def call(folder: str, turns: list[dict[str, Any]], said: list[dict[str, Any]] | None) -> dict[str, bytes]:
    """The files of a call, by their path in the archive."""
    session = folder.partition("/")[2]
    files = {f"data/{folder}/log.json": json.dumps({"session-id": session, "turns": turns}).encode()}
    if said is not None:
        label = {"session-id": session, "turns": said, "task-information": {"goal": {"text": "Find thai food."}}}
        files[f"data/{folder}/label.json"] = json.dumps(label).encode()
    return files


def listed(**splits: Iterable[str]) -> dict[str, bytes]:
    return {f"scripts/config/dstc2_{split}.flist": "\r\n".join(folders).encode() for split, folders in splits.items()}


def one_turn(folder: str, turn: dict[str, Any] = HELLO, text: str = "cheap food") -> dict[str, bytes]:
    return call(folder, [turn], [user(text)])


def pack(files: Mapping[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return stream.getvalue()


def write_table(folder: Path) -> str:
    path = folder / "restaurants.json"
    path.write_text(json.dumps(TABLE))
    return str(path)


def write_archive(folder: Path, files: Mapping[str, bytes]) -> list[str]:
    path = folder / "calls.tar.gz"
    path.write_bytes(gzip.compress(pack(files), 1))
    return [str(path), write_table(folder)]


def write_tree(folder: Path, files: Mapping[str, bytes]) -> list[str]:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return [*sorted(str(folder / name) for name in files), write_table(folder)]


def ingest(paths: list[str]) -> list[Any]:
    """All results of a run."""
    return read_all(dstc2.DSTC2(), paths, SETTINGS)


def dialogues(results: list[Any]) -> dict[str, Dialogue]:
    return {
        result.rows["dialogues"][0].id: result.rows["dialogues"][0]
        for result in results
        if isinstance(result, KeptRecord)
    }


def rejected(results: list[Any]) -> dict[str, Rejected]:
    return {result.id: result for result in results if isinstance(result, Rejected)}
