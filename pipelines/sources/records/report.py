"""The report on a finished run of a table: the values of its columns, those found in texts, and what looks wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any  # Any: JSON

from allsaid.console import counted
from allsaid.storage import files
from allsaid.storage.rows import read_rows
from pipelines.datasets.statistics import ALL
from pipelines.source import Findings
from pipelines.sources.records.cell_findings import findings, sentences
from pipelines.sources.records.exports import list_in
from pipelines.sources.records.mapping import Column, TableMapping, read_mapping
from pipelines.sources.records.mapping_keys import LIST, NOT_A_NUMBER, NOT_YES_OR_NO, NUMBER, VALUE, YES_NO
from pipelines.sources.records.tables.encoding import encoding_sentences
from pipelines.sources.records.tables.rows import place_of
from pipelines.sources.records.values import UNCLEAR, Value, values_of
from schemas.act import parse_agenda_line
from schemas.runs.manifest import MAPPING_NAME, Manifest

_IS = {NOT_A_NUMBER: "not one number", NOT_YES_OR_NO: "neither yes nor no"}
# The remedy if the texts express a column's values in another way.
_REMEDY = {
    VALUE: "if they use other words, write these under `rewrite:`",
    LIST: "if something else separates the elements of a cell, write it as `separator:`",
    NUMBER: "if they write its unit otherwise, name that under `also:`",
    YES_NO: "if they use other words, name these under `also:`",
}
_FEW = 20  # rows; fewer show nothing about goals and texts
_MOST = 0.9


@dataclass(frozen=True)
class ColumnCount:
    """How many values a column has, and how many of them the texts say."""

    column: str
    filled: int  # of a list its elements
    found: int
    decimal: str = ""  # the mark before decimals

    @property
    def share(self) -> float | None:
        return self.found / self.filled if self.filled else None

    @property
    def line(self) -> str:
        share = "" if self.share is None else f" ({self.share:.0%})"
        decimal = f", decimals after '{self.decimal}'" if self.decimal else ""
        return f"{self.filled:,} filled, {self.found:,} found in texts{share}{decimal}"


def counts_of(manifest: Manifest, mapping: TableMapping) -> list[ColumnCount]:
    """Return the counts of each column that is read, by name."""
    figures = _figures(manifest)
    names = [name.removeprefix("given ") for name in figures if name.startswith("given ")]
    decimals = {column.name: column.decimal for column in mapping.columns if column.kind == NUMBER}
    return [
        ColumnCount(name, figures[f"given {name}"]["sum"], figures[f"found {name}"]["sum"], decimals.get(name, ""))
        for name in names
    ]


def _figures(manifest: Manifest) -> Mapping[str, Any]:
    return manifest.statistics["figures"].get(ALL, {})


def report_of(manifest: Manifest, folder: str) -> Findings:
    """Report each column with what texts say of it, and the findings in bytes and cells; ``folder`` is the run's."""
    mapping = read_mapping(files.read_text(files.join(folder, MAPPING_NAME)), f"The run's {MAPPING_NAME}")
    counts = counts_of(manifest, mapping)
    encodings = {shard["file"]: shard["encoding"] for shard in manifest.shards if shard.get("encoding")}
    found = findings(manifest.statistics)
    columns = {
        one.column: {"filled": one.filled, "found": one.found, "share": one.share, "decimal": one.decimal}
        for one in counts
    }
    warnings = [*_never_found(manifest, folder, mapping, counts), *_flagged(manifest, folder, mapping)]
    warnings += [*_alike(manifest, folder, mapping), *encoding_sentences(encodings), *sentences(found)]
    return Findings(
        figures={"columns": columns, "encodings": encodings, "findings": found},
        lines=[(f"column {one.column}", one.line) for one in counts],
        sentences=warnings,
    )


def _never_found(manifest: Manifest, folder: str, mapping: TableMapping, counts: list[ColumnCount]) -> Iterator[str]:
    """Yield a sentence for each column that is empty, or never found in the texts."""
    columns = {column.name: column for column in mapping.columns}
    for one in counts:
        if not one.filled:
            yield (
                f"The column '{one.column}' is empty in all rows, or has only what `missing:` calls empty. Write "
                f"`{one.column}: ignored`, or change `missing:`."
            )
        elif not one.found:
            column = columns[one.column]
            is_list = column.kind == VALUE and list_in(_first(manifest, folder, column)[0]) is not None
            remedy = f"its cells are lists: write `{one.column}: list`" if is_list else _REMEDY[column.kind]
            yield (
                f"The column '{one.column}' is filled ({counted(one.filled, 'value')}), but never found in its row's "
                f"text. If the texts don't mention it, write `{one.column}: ignored`; {remedy}."
            )


def _flagged(manifest: Manifest, folder: str, mapping: TableMapping) -> Iterator[str]:
    """Yield a sentence for each column with cells that its kind can't hold, or that have two readings."""
    figures = _figures(manifest)
    for column in mapping.columns:
        of, unclear, *flagged = (
            figures.get(f"{name} {column.name}", {"sum": 0})["sum"] for name in ("given", UNCLEAR, *_IS)
        )
        for finding, count in zip(_IS, flagged, strict=True):
            if count:
                value, place = _first(manifest, folder, column, lambda one: bool(one.finding))
                also = f" Most are: write `{column.name}: {VALUE}`." if count > of / 2 else ""
                yield (
                    f"{count:,} of {counted(of, 'cell')} of '{column.name}' {'is' if count == 1 else 'are'} "
                    f"{_IS[finding]}, and read word by word: '{value[:80]}' in {place}.{also}"
                )
        if unclear:
            value, place = _first(manifest, folder, column, lambda one: one.is_unclear)
            yield (
                f"{unclear:,} of {counted(of, 'cell')} of '{column.name}' may have thousands or decimals: "
                f"'{value[:80]}' in {place}. A point was read as before decimals, a comma as before thousands. Write "
                '`decimal: ","` or `decimal: "."` in the mapping.'
            )


def _first(
    manifest: Manifest, folder: str, column: Column, holds: Callable[[Value], bool] = lambda one: True
) -> tuple[str, str]:
    """Return the first value of a column for which ``holds`` is true, and its place."""
    for row in _examples(manifest, folder, ["agenda", "file", "offset"]):
        for slot in map(parse_agenda_line, row["agenda"]):
            if slot.slot == column.name and any(map(holds, values_of(column, slot.value, ()))):
                return slot.value, place_of(row["file"], row["offset"])
    raise AssertionError(f"a figure of '{column.name}' that no row has")


def _alike(manifest: Manifest, folder: str, mapping: TableMapping) -> Iterator[str]:
    """Yield a sentence if nearly all goals differ or nearly all texts are equal: a model learns nothing from them."""
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
            f"{manifest.kept:,} rows have {counted(len(texts), 'text')} among them. Is '{mapping.text}' the right "
            "column for `text`, which describes its own row?"
        )


def _examples(manifest: Manifest, folder: str, columns: list[str]) -> Iterator[dict[str, Any]]:
    for entry in manifest.files["examples"]:
        yield from read_rows(files.join(folder, entry["path"]), columns)
