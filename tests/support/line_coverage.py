"""Line coverage of the short tests beside that of all tests, from the data files that `make coverage` writes."""

from __future__ import annotations

import io
import sys
from pathlib import Path

from coverage import Coverage

LEAST = 95.0  # percent of the lines that all tests run


def percent(paths: list[Path]) -> float:
    """The lines that were run in any of the files, in percent of all lines of the rooms."""
    measured = Coverage(data_file=None)
    measured.combine(list(map(str, paths)), keep=True)
    return measured.report(file=io.StringIO())


def main(folder: Path) -> int:
    short, everything = percent([*folder.glob("short.*")]), percent([*folder.glob("*")])
    share = 100 * short / everything
    print(f"The short tests run {short:.2f}% of all lines, all tests {everything:.2f}%: {share:.1f}% of theirs.")
    return int(share < LEAST)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
