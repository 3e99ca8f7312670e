"""The prepared folders that the table of faults starts in, each built once, by real commands, and copied for a case."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from contextlib import chdir
from pathlib import Path
from shlex import split

from dumps import cookbook, dump
from in_process import allsaid

MAPPING = """\
id: nr
goal: sort
text: said
columns:
  name: value
  colour: value
  width: {kind: number, unit: cm}
  foldable: {kind: yes/no, also: [folds]}
"""
NAMES = ("Alder", "Birch", "Cedar", "Dogwood", "Elm")
COLOURS = ("blue", "grey", "sea green", "oak")
HEADER = "nr,sort,name,colour,width,foldable"


def chairs(count: int) -> str:
    """Return a CSV table of chairs with their texts."""
    lines = [f"{HEADER},said"]
    for number in range(count):
        name, colour, width = NAMES[number % 5], COLOURS[number % 4], 40 + number
        folds = ("no", "never folds"), ("yes", "folds")
        lines.append(
            f"c{number},chair,{name},{colour},{width},{folds[number % 2][0]},"
            f"The {colour} chair {name} is {width} cm wide and {folds[number % 2][1]}."
        )
    return "\n".join(lines) + "\n"


def _write_table() -> None:
    """60 chairs with their texts, a mapping of their columns, and 3 new ones without a text."""
    Path("chairs.csv").write_text(chairs(60))
    Path("chairs.yaml").write_text(MAPPING)
    Path("new.csv").write_text(
        f"{HEADER}\nn1,chair,Elm,grey,52,no\nn2,chair,Birch,oak,61,yes\nn3,chair,Fir,blue,44,no\n"
    )


def _write_dump() -> None:
    Path("recipes.mmf").write_bytes(dump(cookbook(range(0, 80, 2))))


def _run(command: str) -> None:
    assert allsaid(*split(command)) == 0, command


def _train() -> None:
    small = "--set hidden=8 --set epochs=1 --set width=2 --set max_tokens=20 --set score_texts=1"
    _run(f"train table --data data --name chairs --run-dir training --tracking offline {small}")
    shutil.copytree("training/model", "chairs")
    shutil.rmtree("training")


INGEST_TABLE = "ingest records --input chairs.csv --mapping chairs.yaml --output data"
INGEST_DUMP = "ingest mealmaster --input recipes.mmf --output data"
# Name -> the folder that it adds to, and what is done there.
WORLDS: dict[str, tuple[str, Callable[[], None]]] = {
    "table": ("empty", _write_table),
    "dataset": ("table", lambda: _run(INGEST_TABLE)),
    "model": ("dataset", _train),
    "texts": ("model", lambda: _run("generate --model chairs --input new.csv --output texts")),
    "dump": ("empty", _write_dump),
    "recipes": ("dump", lambda: _run(INGEST_DUMP)),
}


class Worlds:
    """Prepared folders below ``folder``, each built at its first use."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def copy(self, name: str, target: Path) -> None:
        """Copy what a prepared folder holds into ``target``."""
        if name != "empty":
            shutil.copytree(self._built(name), target, symlinks=True, dirs_exist_ok=True)

    def _built(self, name: str) -> Path:
        folder = self.folder / name
        if not folder.exists():
            base, add = WORLDS[name]
            folder.mkdir()
            self.copy(base, folder)
            with chdir(folder):
                add()
        return folder
