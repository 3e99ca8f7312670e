"""Faults: the entries of `tests/faults/*.yaml` as typed rows, which `docs/pages/faults.py` writes to a page."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[3]
FOLDER = ROOT / "tests" / "faults"
EVERYTHING = "everything"


@dataclass(frozen=True)
class Fault:
    """A fault: its set-up, the command, and the expected outcome."""

    fault: str  # what happened, in an operator's words
    command: str  # as typed in the case's folder
    exit: int
    says: tuple[str, ...]  # messages in the output; blanks may differ, … matches any text
    room: str  # name of the file in tests/faults/
    given: str = "empty"  # the prepared folder to start in (fault_worlds.py)
    setup: str = ""  # lines of bash that cause the fault
    not_says: str = "Traceback"
    stands: tuple[str, ...] = (EVERYTHING,)  # paths that are unchanged, byte for byte
    gone: tuple[str, ...] = ()  # paths that must not be there
    remedy: str = ""  # only if the message does not contain it
    process: bool = False  # whether to use a new process, for what a process can do only once

    @property
    def name(self) -> str:
        """The test's id: `paths-the-table-is-empty`."""
        return f"{self.room}-{re.sub(r'[^a-z0-9]+', '-', self.fault.lower()).strip('-')}"


def read_faults() -> list[Fault]:
    """Return all cases in the order of their files."""
    return [
        _fault(entry, path.stem)
        for path in sorted(FOLDER.glob("*.yaml"))
        for entry in yaml.safe_load(path.read_text()) or ()
    ]


def _fault(entry: dict[str, Any], room: str) -> Fault:
    unknown = entry.keys() - {field.name for field in fields(Fault)}
    if unknown:
        raise ValueError(f"tests/faults/{room}.yaml: '{entry.get('fault')}' has the unknown keys {sorted(unknown)}.")
    lists = {key: _texts(entry[key]) for key in ("says", "stands", "gone") if key in entry}
    return Fault(**entry | lists, room=room)


def _texts(value: str | list[str]) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(value)
