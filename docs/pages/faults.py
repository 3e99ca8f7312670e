"""The tables of docs/faults.md: every fault that `tests/walks/test_faults.py` causes, by the file of its case."""

from __future__ import annotations

from fault_table import Fault, read_faults

from allsaid.markdown import table

HEADER = ["fault", "command", "exit", "says", "kept"]


def faults() -> str:
    """Return a table for each file of cases."""
    found = read_faults()
    rooms = dict.fromkeys(fault.room for fault in found)
    return "\n\n".join(_room(room, [fault for fault in found if fault.room == room]) for room in rooms)


def _room(room: str, found: list[Fault]) -> str:
    rows = [[cell.replace("<", "&lt;") for cell in _cells(fault)] for fault in found]
    return f"## {room.replace('_', ' ').capitalize()}\n\n{table(HEADER, rows)}"


def _cells(fault: Fault) -> tuple[str, ...]:
    says = " … ".join(fault.says) + (f" ({fault.remedy})" if fault.remedy else "")
    standing = ", ".join(fault.stands) + (f"; not: {', '.join(fault.gone)}" if fault.gone else "")
    return fault.fault, f"`{fault.command}`", str(fault.exit), says, standing
