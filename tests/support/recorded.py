"""What a training tells its recorder."""

from __future__ import annotations

from typing import Any


class Recorded:
    """A recorder that keeps what it is told."""

    def __init__(self) -> None:
        self.told: dict[str, list[Any]] = {}

    def __getattr__(self, name: str) -> Any:
        return lambda *values: self.told.setdefault(name, []).append(values)
