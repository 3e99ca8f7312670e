"""Index of a file: where rows begin, for every row of a small file and every n-th row of a large one."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Sequence

MOST = 1 << 16  # places that are kept of a file; an even number
SURVEYS = r"survey-\d+-\d+\.json"  # names of the files that `rows/survey.py` writes, one for each shard


class Places:
    """A limited number of places, at even distances, so that memory doesn't grow with the rows."""

    def __init__(self, most: int | None = None) -> None:
        """most: places that are kept, an even number; None for :data:`MOST`."""
        self.rows = 0
        self._most = MOST if most is None else most
        self._step = 1  # rows from one place to the next
        self._rows, self._offsets, self._numbers = array("q"), array("q"), array("q")

    def add(self, offset: int, number: int) -> None:
        """Add the next row; ``number`` is that of its line, or in Excel and Parquet that of the row."""
        if self.rows % self._step == 0:
            if len(self._rows) == self._most:
                self._rows, self._offsets, self._numbers = self._rows[::2], self._offsets[::2], self._numbers[::2]
                self._step *= 2
            self._rows.append(self.rows)
            self._offsets.append(offset)
            self._numbers.append(number)
        self.rows += 1

    def before(self, row: int) -> tuple[int, int, int]:
        """Return offset and number of the last place up to a row, and the number of rows between the two."""
        place = bisect_right(self._rows, row) - 1
        return self._offsets[place], self._numbers[place], row - self._rows[place]

    def kept(self) -> list[tuple[int, int, int]]:
        """Return the rows whose places are kept, each with offset and number."""
        return [*zip(self._rows, self._offsets, self._numbers, strict=True)]

    def extend(self, rows: int, kept: Iterable[Sequence[int]], lines: int) -> None:
        """Append the file's next shard: its number of rows, and its places.

        ``lines`` is the number of lines before the shard; the shard's own numbers begin at its first line.
        """
        for row, offset, number in kept:
            self._rows.append(self.rows + row)
            self._offsets.append(offset)
            self._numbers.append(number + lines)
        self.rows += rows
