"""An input that is whole, for `fuzzing` to damage."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from pipelines import sources


@dataclass(frozen=True)
class Corpus:
    """An input that is whole."""

    source: str
    layout: str
    files: Mapping[str, bytes]  # path below the input's folder -> content
    damaged: tuple[str, ...]  # the files that a case may damage
    recovers: int | None = None  # records behind a damage that it may take with it; None: all of them
    packable: bool = True  # the source reads these files compressed as well
    binary: bool = False  # the files to damage are no text
    in_order: bool = False  # a record's place is its first byte, and what stands behind it does not matter to it
    apart: bool = False  # damage to one file does no harm to the records of others

    @property
    def beside(self) -> dict[str, str]:
        """Files that are given by a setting, which has their name: setting -> path."""
        named = {field.name for field in fields(sources.find(self.source).settings)}
        return {Path(file).stem: file for file in self.files if Path(file).stem in named}

    def settings(self, folder: Path) -> Any:
        given = {name: str(folder / file) for name, file in self.beside.items()}
        return sources.find(self.source).settings(**given)


def sample_of(source: str) -> Corpus:
    """The small input that a source's class gives."""
    files = {name: content.encode() for name, content in sources.find(source).sample.items()}
    return Corpus(source, "sample", files, tuple(files), packable=False)
