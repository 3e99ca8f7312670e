"""What a finished run says of a table's columns: what they hold, what the texts say of it, and what looks wrong."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from allsaid.console import counted
from allsaid.storage import files
from allsaid.storage.rows import read_rows
from pipelines.datasets.statistics import ALL
from pipelines.source import Findings
from pipelines.sources.records.cell_findings import findings, sentences
from pipelines.sources.records.mapping import LIST, NUMBER, VALUE, YES_NO, TableMapping, read_mapping
from pipelines.sources.records.tables.encoding import encoding_sentences
from pipelines.sources.records.tables.rows import place_of
from pipelines.sources.records.values import NOT_A_NUMBER, NOT_YES_OR_NO, values_of
from schemas.act import parse_agenda_line
from schemas.runs.manifest import MAPPING_NAME, Manifest

_IS = {NOT_A_NUMBER: "not one number", NOT_YES_OR_NO: "neither yes nor no"}
# What may be the reason where no text says a column's values.
_REMEDY = {
    VALUE: "if they say it in other words, write these under `rewrite:`",
    LIST: "if the cells are parted by something else, write it as `separator:`",
    NUMBER: "if they write its unit otherwise, name that under `also:`",
    YES_NO: "if they speak of it in other words, name these under `also:`",
}
_FEW = 20  # rows that tell nothing of goals and texts
_MOST = 0.9


@dataclass(frozen=True)
class Told:
    """How often rows fill a column, and texts say what stands there."""

    column: str
    filled: int  # values; of a list its elements
    found: int

    @property
    def share(self) -> float | None:
        return self.found / self.filled if self.filled else None

    @property
    def line(self) -> str:
        share = "" if self.share is None else f" ({self.share:.0%})"
        return f"{self.filled:,} filled, {self.found:,} found in texts{share}"


def columns_of(manifest: Manifest) -> list[Told]:
    """Each column that is read, by name."""
    figures = _figures(manifest)
    names = [name.removeprefix("given ") for name in figures if name.startswith("given ")]
    return [Told(name, figures[f"given {name}"]["sum"], figures[f"found {name}"]["sum"]) for name in names]


def _figures(manifest: Manifest) -> Mapping[str, Any]:
    return manifest.statistics["figures"].get(ALL, {})


def report_of(manifest: Manifest, folder: str) -> Findings:
    """The columns with what texts say of them, and what was found in bytes and cells; ``folder`` is the run's."""
    told = columns_of(manifest)
    encodings = {shard["file"]: shard["encoding"] for shard in manifest.shards if shard.get("encoding")}
    found = findings(manifest.statistics)
    columns = {one.column: {"filled": one.filled, "found": one.found, "share": one.share} for one in told}
    return Findings(
        figures={"columns": columns, "encodings": encodings, "findings": found},
        lines=[(f"column {one.column}", one.line) for one in told],
        sentences=[*warnings(manifest, folder), *encoding_sentences(encodings), *sentences(found)],
    )


def warnings(manifest: Manifest, folder: str) -> Iterator[str]:
    """A sentence for each thing that looks wrong in a run, with the remedy."""
    mapping = read_mapping(files.read_text(files.join(folder, MAPPING_NAME)), f"The run's {MAPPING_NAME}")
    yield from _never_found(manifest, mapping)
    yield from _flagged(manifest, folder, mapping)
    yield from _alike(manifest, folder, mapping)
    doubled = sum(reasons.get("doubled_id", 0) for reasons in manifest.rejected.values())
    if doubled > manifest.read / 2:
        yield (
            f"The ids of {doubled:,} of {manifest.read:,} rows stood in a row before. Is '{mapping.id}' the right "
            "column for `id`? Without `id`, each row gets one of its own."
        )


def _never_found(manifest: Manifest, mapping: TableMapping) -> Iterator[str]:
    kinds = {column.name: column.kind for column in mapping.columns}
    for told in columns_of(manifest):
        if not told.filled:
            yield (
                f"The column '{told.column}' holds nothing in any row but what `missing:` calls empty. Write "
                f"`{told.column}: ignored`, or change `missing:`."
            )
        elif not told.found:
            yield (
                f"The column '{told.column}' is filled ({counted(told.filled, 'value')}), but never found in its row's "
                f"text. If the texts don't speak of it, write `{told.column}: ignored`; {_REMEDY[kinds[told.column]]}."
            )


def _flagged(manifest: Manifest, folder: str, mapping: TableMapping) -> Iterator[str]:
    """A sentence for each column with cells that its kind can't hold."""
    figures = _figures(manifest)
    for column in mapping.columns:
        for finding, said in _IS.items():
            cells, rows = (figures.get(f"{what} {column.name}", {"sum": 0})["sum"] for what in (finding, "given"))
            if cells:
                example = _first_flagged(manifest, folder, mapping, column.name)
                also = f" Most are: write `{column.name}: {VALUE}`." if cells > rows / 2 else ""
                yield (
                    f"{cells:,} of {counted(rows, 'cell')} of '{column.name}' {'is' if cells == 1 else 'are'} {said}, "
                    f"and told word by word: {example}.{also}"
                )


def _first_flagged(manifest: Manifest, folder: str, mapping: TableMapping, name: str) -> str:
    (column,) = [one for one in mapping.columns if one.name == name]
    for row in _examples(manifest, folder, ["agenda", "file", "offset"]):
        for slot in map(parse_agenda_line, row["agenda"]):
            if slot.slot == name and any(one.finding for one in values_of(column, slot.value, ())):
                return f"'{slot.value[:80]}' in {place_of(row['file'], row['offset'])}"
    raise AssertionError(f"a figure of '{name}' that no row has")


def _alike(manifest: Manifest, folder: str, mapping: TableMapping) -> Iterator[str]:
    """Goals that are all different, and texts that are all the same, tell a model nothing."""
    if manifest.kept < _FEW:
        return
    goals: set[str] = set()
    texts: set[str] = set()
    for row in _examples(manifest, folder, ["goal", "content_hash"]):
        goals.add(row["goal"])
        texts.add(row["content_hash"])
    if len(goals) > _MOST * manifest.kept:
        yield (
            f"{manifest.kept:,} rows have {len(goals):,} different goals. A goal is the kind of thing that a text "
            f"is about, which many rows share: is '{mapping.goal}' the right column for `goal`?"
        )
    if len(texts) < (1 - _MOST) * manifest.kept:
        yield (
            f"{manifest.kept:,} rows have {counted(len(texts), 'text')} between them. Is '{mapping.text}' the right "
            "column for `text`, which tells of its own row?"
        )


def _examples(manifest: Manifest, folder: str, columns: list[str]) -> Iterator[dict[str, Any]]:
    for entry in manifest.files["examples"]:
        yield from read_rows(files.join(folder, entry["path"]), columns)
