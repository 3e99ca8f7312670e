"""The table of faults: `tests/faults/*.yaml` as typed rows; `docs/pages/faults.py` makes a page of them."""

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
    """What is set up, what is typed, and what must come of it."""

    fault: str  # what happened, as an operator would say it
    command: str  # as typed in the case's folder
    exit: int
    says: tuple[str, ...]  # stand in the output, blanks and line breaks apart; … stands for anything
    room: str  # the file of tests/faults/ that the case stands in
    given: str = "empty"  # the prepared folder that it starts in (fault_worlds.py)
    setup: str = ""  # lines of bash that make the fault
    not_says: str = "Traceback"
    stands: tuple[str, ...] = (EVERYTHING,)  # paths that are unchanged, byte for byte
    gone: tuple[str, ...] = ()  # paths that must not be there
    remedy: str = ""  # only where the sentence does not say it
    process: bool = False  # in a process of its own, for what one process can do only once

    @property
    def name(self) -> str:
        """Of the test: `paths-the-table-is-empty`."""
        return f"{self.room}-{re.sub(r'[^a-z0-9]+', '-', self.fault.lower()).strip('-')}"


def read_faults() -> list[Fault]:
    """All cases, by file and place in it."""
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
