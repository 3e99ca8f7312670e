"""The table of faults: `tests/faults/*.yaml` as typed rows, and as docs/faults.md (`make docs` writes it)."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "tests" / "faults"
PAGE = ROOT / "docs" / "faults.md"
EVERYTHING = "everything"
HEAD = """\
# Faults: look a sentence up

Every fault that a test plays, with the sentence that the command ends with. This page is written by `make docs` from
`tests/faults/`, whose cases `tests/walks/test_faults.py` runs: each in a folder of its own, where afterwards all that
"still stands" is there, byte for byte. "…" stands for what differs from run to run.
"""


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


def page(faults: list[Fault]) -> str:
    """The cases as Markdown, a table a room, the sentence first."""
    rooms = dict.fromkeys(fault.room for fault in faults)
    return HEAD + "".join(_section(room, [fault for fault in faults if fault.room == room]) for room in rooms)


def _section(room: str, faults: list[Fault]) -> str:
    rows = "".join(f"| {' | '.join(map(_cell, _cells(fault)))} |\n" for fault in faults)
    head = "| fault | command | exit | says | still stands |\n|---|---|---|---|---|\n"
    return f"\n## {room.replace('_', ' ').capitalize()}\n\n{head}{rows}"


def _cells(fault: Fault) -> tuple[str, ...]:
    says = " … ".join(fault.says) + (f" ({fault.remedy})" if fault.remedy else "")
    standing = ", ".join(fault.stands) + (f"; not: {', '.join(fault.gone)}" if fault.gone else "")
    return fault.fault, f"`{fault.command}`", str(fault.exit), says, standing


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")


if __name__ == "__main__":
    PAGE.write_text(page(read_faults()))
