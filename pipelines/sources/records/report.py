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

_DESCRIPTIONS = {NOT_A_NUMBER: "not a single number", NOT_YES_OR_NO: "neither yes nor no"}
# The remedy if the texts express a column's values in another way.
_REMEDY = {
    VALUE: "if they use other words, such as 'three minutes' for '3 min', write these under `said:`",
    LIST: "if something else separates the elements of a cell, write it as `separator:`",
    NUMBER: "if they write its unit otherwise, name that under `also:`",
    YES_NO: "if they use other words, name these under `also:`",
}
_FEW = 20  # rows; fewer show nothing about goals and texts
_MOST = 0.9


@dataclass(frozen=True)
class ColumnCount:
    """The number of values of a column, and how many of them are found in the texts."""

    column: str
    filled: int  # for a list column, the number of elements
    found: int
    decimal: str = ""  # the decimal separator

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
    """Report how often texts mention each column, and the findings; ``folder``: the run's folder."""
    mapping = read_mapping(files.read_text(files.join(folder, MAPPING_NAME)), f"The run's {MAPPING_NAME}")
    counts = counts_of(manifest, mapping)
    encodings = {shard["file"]: shard["encoding"] for shard in manifest.shards if shard.get("encoding")}
    cell_findings = findings(manifest.statistics)
    columns = {
        count.column: {"filled": count.filled, "found": count.found, "share": count.share, "decimal": count.decimal}
        for count in counts
    }
    warnings = [*_never_found(manifest, folder, mapping, counts), *_flagged(manifest, folder, mapping)]
    warnings += [*_uninformative(manifest, folder, mapping), *encoding_sentences(encodings), *sentences(cell_findings)]
    return Findings(
        figures={"columns": columns, "encodings": encodings, "findings": cell_findings},
        lines=[(f"column {count.column}", count.line) for count in counts],
        sentences=warnings,
    )


def _never_found(manifest: Manifest, folder: str, mapping: TableMapping, counts: list[ColumnCount]) -> Iterator[str]:
    """Yield a sentence for each column that is empty, or never found in the texts."""
    columns = {column.name: column for column in mapping.columns}
    for count in counts:
        if not count.filled:
            yield (
                f"The column '{count.column}' is empty in all rows, or has only marks under `missing:`. Write "
                f"`{count.column}: ignored`, or change `missing:`."
            )
        elif not count.found:
            column = columns[count.column]
            is_list = column.kind == VALUE and list_in(_first(manifest, folder, column)[0]) is not None
            remedy = f"its cells are lists: write `{count.column}: list`" if is_list else _REMEDY[column.kind]
            yield (
                f"The column '{count.column}' is filled ({counted(count.filled, 'value')}), but never found in its "
                f"row's text. If the texts don't mention it, write `{count.column}: ignored`; {remedy}."
            )


def _flagged(manifest: Manifest, folder: str, mapping: TableMapping) -> Iterator[str]:
    """Yield a sentence for each column with cells that don't fit its kind, or that have two readings."""
    figures = _figures(manifest)
    for column in mapping.columns:
        filled, unclear, *flagged = (
            figures.get(f"{name} {column.name}", {"sum": 0})["sum"] for name in ("given", UNCLEAR, *_DESCRIPTIONS)
        )
        for finding, count in zip(_DESCRIPTIONS, flagged, strict=True):
            if count:
                value, place = _first(manifest, folder, column, lambda value: bool(value.finding))
                also = f" Most cells are like this: write `{column.name}: {VALUE}`." if count > filled / 2 else ""
                yield (
                    f"{count:,} of {counted(filled, 'cell')} of '{column.name}' {'is' if count == 1 else 'are'} "
                    f"{_DESCRIPTIONS[finding]}; read as words: '{value[:80]}' in {place}.{also}"
                )
        if unclear:
            value, place = _first(manifest, folder, column, lambda value: value.is_unclear)
            yield (
                f"{unclear:,} of {counted(filled, 'cell')} of '{column.name}' may be read in two ways: "
                f"'{value[:80]}' in {place}. A point was read as a decimal separator, a comma as a thousands "
                'separator. Write `decimal: ","` or `decimal: "."` in the mapping.'
            )


def _first(
    manifest: Manifest, folder: str, column: Column, holds: Callable[[Value], bool] = lambda value: True
) -> tuple[str, str]:
    """Return the first value of a column for which ``holds`` is true, and its place."""
    for row in _examples(manifest, folder, ["agenda", "file", "offset"]):
        for slot in map(parse_agenda_line, row["agenda"]):
            if slot.slot == column.name and any(map(holds, values_of(column, slot.value, ()))):
                return slot.value, place_of(row["file"], row["offset"])
    raise AssertionError(f"a figure of '{column.name}' that no row has")


def _uninformative(manifest: Manifest, folder: str, mapping: TableMapping) -> Iterator[str]:
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
            f"{manifest.kept:,} rows share {counted(len(texts), 'text')}. Is '{mapping.text}' the right "
            "column for `text`, which describes its own row?"
        )


def _examples(manifest: Manifest, folder: str, columns: list[str]) -> Iterator[dict[str, Any]]:
    for entry in manifest.files["examples"]:
        yield from read_rows(files.join(folder, entry["path"]), columns)
