"""The card of a data set: ``README.md`` in a run's folder, for Hugging Face, made from the manifest alone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

import yaml

from allsaid import markdown
from allsaid.console import counted
from allsaid.storage import files
from pipelines.datasets.snapshot import CARD_NAME
from pipelines.fetching.corpora import by_name
from pipelines.fetching.corpus import Corpus
from pipelines.source import Handling
from schemas.checks.json_value import JsonValue
from schemas.runs.manifest import FileEntry, InputEntry, Manifest, Statistics

INPUTS_SHOWN = 20
SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
LARGEST = "1M<n<10M"


def write(folder: str, manifest: Manifest, handling: Handling) -> None:
    """Write the card to a run's folder."""
    files.write_text(files.join(folder, CARD_NAME), render(manifest, handling))


def render(manifest: Manifest, handling: Handling) -> str:
    """Return the text of the card; equal manifests have equal cards."""
    corpus = by_name(manifest.source)
    title = f"{manifest.source}, as read by Allsaid"
    sections = [
        f"# {title}",
        f"Made by `allsaid ingest {manifest.source}` (run `{manifest.run}`, "
        f"{manifest.created}, fingerprint `{manifest.fingerprint}`).",
        "## Counts",
        _counts(manifest),
        "## Cleaning",
        handling.cleaning,
        _rejected(manifest),
        _losses(manifest),
        _table(
            ("setting", "value"),
            [(name, f"`{_base(str(value))}`") for name, value in sorted(manifest.settings.items())],
        ),
        "## Splits",
        handling.splits,
        _table(("split", "records"), sorted(manifest.splits.items())),
        "## Statistics",
        *_statistics(manifest.statistics),
        "## Licence and citation",
        _licence(corpus),
    ]
    return f"---\n{_header(manifest, corpus, title)}---\n\n" + "\n\n".join(filter(None, sections)) + "\n"


def _header(manifest: Manifest, corpus: Corpus | None, title: str) -> str:
    values = {
        "pretty_name": title,
        "license": corpus.licence_id if corpus else "unknown",
        "task_categories": ["table-to-text", "text-generation"],
        "tags": ["allsaid"],
        "size_categories": [next((name for limit, name in SIZES if manifest.kept < limit), LARGEST)],
        "configs": [_config(name, entries, name == manifest.unit) for name, entries in _tables(manifest)],
    }
    return yaml.safe_dump(values, sort_keys=False, allow_unicode=True, width=120)


def _tables(manifest: Manifest) -> list[tuple[str, Sequence[FileEntry]]]:
    """Return the tables that have rows; first the one whose rows the manifest counts as records (its ``unit``)."""
    tables = [(name, entries) for name, entries in sorted(manifest.files.items()) if _rows(entries)]
    return sorted(tables, key=lambda table: table[0] != manifest.unit)


def _rows(entries: Sequence[FileEntry]) -> int:
    return sum(entry["rows"] for entry in entries)


def _config(name: str, entries: Sequence[FileEntry], is_unit: bool) -> dict[str, JsonValue]:
    """Return the files of a table for the library `datasets`, which calls a table without splits "train"."""
    parts: dict[str, set[str]] = {}
    for entry in entries:
        folder, _, file = entry["path"].rpartition("/")
        split_name = re.search(r"split=(\w+)", folder)
        parts.setdefault(split_name[1] if split_name else "train", set()).add(f"{folder}/*.parquet" if folder else file)
    files = [{"split": split, "path": sorted(paths)} for split, paths in sorted(parts.items())]
    return {"config_name": name, "data_files": files, **({"default": True} if is_unit else {})}


def _counts(manifest: Manifest) -> str:
    share = f" ({manifest.rejected_total / manifest.read:.1%})" if manifest.read else ""
    counts = f"Records read: {manifest.read:,}; kept: {manifest.kept:,}; rejected: {manifest.rejected_total:,}{share}."
    tables = [(f"`{name}`", _rows(entries)) for name, entries in _tables(manifest)]
    inputs = [(_files(entry), entry["read"]) for entry in manifest.inputs]
    shown, more = inputs[:INPUTS_SHOWN], inputs[INPUTS_SHOWN:]
    if more:
        shown.append((counted(len(more), "more file"), sum(rows for _, rows in more)))
    return f"{counts}\n\n{_table(('table', 'rows'), tables)}\n\n{_table(('read from', 'records'), shown)}"


def _files(entry: InputEntry) -> str:
    more = f" and {counted(entry['more'], 'file')} read with it" if entry["more"] else ""
    return f"`{_base(entry['file'])}`{more}"


def _base(path: str) -> str:
    """Return the name of a file without its folder, since the card is published."""
    return path.rpartition("/")[2]


def _rejected(manifest: Manifest) -> str:
    rows = [
        (stage, reason, rows)
        for stage, reasons in sorted(manifest.rejected.items())
        for reason, rows in sorted(reasons.items())
    ]
    return _table(("stage", "rejected because", "records"), rows)


def _losses(manifest: Manifest) -> str:
    lines = []
    for loss in manifest.losses:
        for entry in manifest.inputs:
            loss = loss.replace(entry["file"], _base(entry["file"]))
        lines.append(f"- {' '.join(loss.split())}")
    return "What could not be read at all:\n\n" + "\n".join(lines) if lines else ""


def _statistics(statistics: Statistics) -> Iterator[str]:
    """Yield a table of the figures by split, and one of all other statistics."""
    figures = [
        (split, name, *(summary[key] for key in ("mean", "p5", "p95", "max")))
        for split, kinds in sorted(statistics["figures"].items())
        for name, summary in sorted(kinds.items())
    ]
    yield _table(("split", "figure per record", "mean", "5% are at most", "95% are at most", "largest"), figures)
    others = {name: value for name, value in statistics.items() if name != "figures"}
    yield _table(("figure", "value"), [*_flat("", others)])


def _flat(prefix: str, values: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    for name, value in sorted(values.items()):
        if isinstance(value, Mapping):
            yield from _flat(f"{prefix}{name}: ", value)
        else:
            yield prefix + name, value


def _licence(corpus: Corpus | None) -> str:
    if corpus is None:
        return "The table's own terms hold; Allsaid does not know them."
    page = f" Its page is {corpus.page}." if corpus.page else ""
    return (
        f"What follows holds for the corpus {corpus.title}; files from elsewhere have terms of their own.\n\n"
        f"{corpus.what}{page}\n\n{corpus.licence}\n\n{corpus.paper.reference}\n\n```bibtex\n{corpus.paper.bibtex}\n```"
    )


def _table(header: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Return a Markdown table; "" without rows."""
    if not rows:
        return ""
    shown = [[f"{value:,}" if isinstance(value, int | float) else str(value) for value in row] for row in rows]
    return markdown.table(header, shown)
