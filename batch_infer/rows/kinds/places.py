"""The places of rows in a file: of every row in a small file, of every n-th row in a large one."""

from __future__ import annotations

from array import array

MOST = 1 << 16  # places that are kept; an even number


class Places:
    """At most :data:`MOST` places, at even distances, so that memory doesn't grow with the rows."""

    def __init__(self) -> None:
        self.rows = 0
        self._step = 1  # rows from one place to the next
        self._offsets, self._numbers = array("q"), array("q")

    def add(self, offset: int, number: int) -> None:
        """Add the next row, with the number of its line, or of the row itself in Excel and Parquet."""
        if self.rows % self._step == 0:
            if len(self._offsets) == MOST:
                self._offsets, self._numbers, self._step = self._offsets[::2], self._numbers[::2], 2 * self._step
            self._offsets.append(offset)
            self._numbers.append(number)
        self.rows += 1

    def before(self, row: int) -> tuple[int, int, int]:
        """Return offset and number of the last place up to a row, and the number of rows between the two."""
        place, skipped = divmod(row, self._step)
        return self._offsets[place], self._numbers[place], skipped
