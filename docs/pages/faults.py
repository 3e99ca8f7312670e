"""The tables of docs/faults.md: every fault that `tests/walks/test_faults.py` causes, by the file of its case."""

from __future__ import annotations

from fault_table import Fault, read_faults

from allsaid.markdown import table

HEADER = ["fault", "command", "exit code", "message", "kept"]
TITLES = {"order": "Commands and options"}  # of files of cases whose name is not their section's title


def faults() -> str:
    """Return a table for each file of cases."""
    found = read_faults()
    sections = dict.fromkeys(fault.room for fault in found)
    return "\n\n".join(_section(name, [fault for fault in found if fault.room == name]) for name in sections)


def _section(name: str, found: list[Fault]) -> str:
    rows = [[cell.replace("<", "&lt;") for cell in _cells(fault)] for fault in found]
    return f"## {TITLES.get(name, name.capitalize())}\n\n{table(HEADER, rows)}"


def _cells(fault: Fault) -> tuple[str, ...]:
    message = " … ".join(fault.says) + (f" ({fault.remedy})" if fault.remedy else "")
    kept = ", ".join(fault.stands) + (f"; absent: {', '.join(fault.gone)}" if fault.gone else "")
    return fault.fault, f"`{fault.command}`", str(fault.exit), message, kept
