"""Small documents with coreference chains in both dialects, written by the project, and a run of the source."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pipelines.source import KeptRecord, RejectedFigures, Result
from pipelines.sources.coref.source import Coref, Settings
from schemas.document import NO_ENTITY, Document
from schemas.runs.deferred import Deferred

# Words with their mentions behind a slash; sentences are parted by "|".
HARBOUR = (
    "The/(1 old/_ harbour/1) slept/_ ./_ | Mr./(2 Finch/2) saw/_ it/(1) from/_ his/(3(2) window/3) ./_ | "
    "He/(2) liked/_ the/(1 harbour/1) ./_"
)
RAIN = "Rain/_ fell/_ ./_"

Lines = list[tuple[str, str]]  # a word and its cell; ("", "") between two sentences


def words(text: str) -> Lines:
    pairs = [one.rpartition("/") for one in text.split()]
    return [("", "") if mark == "|" else (word, mark) for word, _, mark in pairs]


def short(text: str) -> bytes:
    """A document in the dialect of OntoGUM: no name, no empty lines."""
    given = [pair for pair in words(text) if pair[0]]
    rows = [f"{number}\t{word}\t{cell}\n" for number, (word, cell) in enumerate(given)]
    return "".join(["# begin document \n", *rows, "# end document\n"]).encode()


def long(text: str, name: str = "harbour") -> bytes:
    """A document in the dialect of CoNLL 2012, as LitBank has it."""
    rows = [_row(word, cell.replace(")(", ")|(").replace("(3(2)", "(3|(2)"), name) for word, cell in words(text)]
    return "".join([f"#begin document ({name}); part 0\n", *rows, "\n#end document\n"]).encode()


def _row(word: str, cell: str, name: str) -> str:
    return "\t".join([name, "0", "0", word, *"_" * 8, cell.replace("_", "")]) + "\n" if word else "\n"


def results(tmp_path: Path, *contents: bytes, most: int = 500) -> list[Result]:
    """What is read of files with these contents; records that wait are finished."""
    for number, content in enumerate(contents):
        (tmp_path / f"{number}.conll").write_bytes(content)
    chosen, paths = Settings(max_tokens=most), sorted(map(str, tmp_path.glob("*.conll")))
    found = [result for shard in Coref().plan(paths, chosen) for result in Coref().read(shard, chosen)]
    return [Coref().finish(result, "train", []) if isinstance(result, Deferred) else result for result in found]


def kept(found: Sequence[Result]) -> list[Document]:
    return [result.rows["documents"][0] for result in found if isinstance(result, KeptRecord)]


def sums(found: Sequence[Result], name: str) -> int:
    """A figure of all that was read, kept or not."""
    return sum(result.figures.get(name, 0) for result in found if isinstance(result, KeptRecord | RejectedFigures))


def shown(row: Document) -> str:
    """A part with the entity of each token that mentions one: "the harbour/0"."""
    pairs = zip(row.originals, row.entities, strict=True)
    return " ".join(word if entity == NO_ENTITY else f"{word}/{entity}" for word, entity in pairs)
