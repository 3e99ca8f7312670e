"""How good texts are after training on few rows of a table: a curve over the number of training texts.

    python -m benchmarks.quality.tables.small_tables --work DIR [--acts DIR] [--tables products laptops]
        [--sizes 50 200]
        [--systems table assemble table+assemble] [--options "--min-coverage 100 --sentence-case"] [--limit 200]

``products`` is the sample table, ``moebel`` the German one, ``laptops`` the table of benchmarks/corpora/laptop_acts.py,
which needs ``--acts`` with RNNLG's folder ``original``. Of the kind `inform` it has 4,257 training texts; more need
``--kinds inform recommend``. The training part is cut to each size. A larger part holds all rows of a smaller one; dev
and test stay the same rows. Sizes above a table's own are left out, and its own is added.

A system is a configuration of `allsaid train`. ``A+B`` takes A's text of a row where it is certified, else B's where
that is, else A's. Every system writes texts for the test part with ``--options``. Each cell holds the certified share,
BLEU-4 against the row's own text, and how varied the texts are once values are placeholders. A certified text that the
proof's other columns contradict is counted as `certified_with_a_fault`; whether a certificate is false is for readers
(benchmarks/quality/tables/reading.py).

Writes ``benchmarks/results/small_tables.json`` after each cell; cells that are there are skipped, so that the same
command goes on where it was stopped. ``--draw`` draws ``docs/small_tables.png`` from the file and stops.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import platform
import random
import shlex
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import matplotlib

from allsaid.language.text import tokenize
from allsaid.modeling.data.dataset import DataSet
from allsaid.proof.scores import bleu
from benchmarks.corpora.laptop_acts import write_table
from benchmarks.quality.certified_texts import has_certificates, has_fault, is_certified, read_texts
from benchmarks.result_file import RESULTS, ROOT, write
from pipelines.linking.acts import rows as supervised
from pipelines.sources.records.mapping import TableMapping, load_mapping
from pipelines.sources.records.supervision import Record, prepared, values_of_row
from schemas.example import Example

RESULT = RESULTS / "small_tables.json"
PICTURE = ROOT / "docs" / "small_tables.png"
ALLSAID = (sys.executable, "-m", "allsaid")
SIZES = {
    "products": [25, 50, 100, 269],
    "moebel": [25, 50, 100, 272],
    "laptops": [50, 100, 200, 500, 1000, 2000, 4000, 7944],
}
OPTIONS = "--min-coverage 100 --sentence-case"
SEED = 1  # of the order in which training rows are taken
BOTH = "+"  # between two systems


@dataclass(frozen=True)
class Table:
    """A table of rows with texts, its mapping, and the data set of all of it."""

    name: str
    csv: Path
    mapping_path: Path
    data: Path

    @property
    def mapping(self) -> TableMapping:
        return load_mapping(str(self.mapping_path))

    def examples(self, split: str) -> list[Example]:
        return list(DataSet(str(self.data)).examples(split))


def prepare(name: str, given: argparse.Namespace) -> Table:
    """Ingest the whole table, unless that is done."""
    folder = given.work / name
    if name == "laptops":
        if given.acts is None:
            raise SystemExit("The table 'laptops' needs --acts: give RNNLG's folder 'original'.")
        table, mapping = write_table(folder, given.acts, given.kinds)
    else:
        table, mapping = (ROOT / "samples" / f"{name}.{ending}" for ending in ("csv", "yaml"))
    return Table(name, table, mapping, ingest(table, mapping, folder / "data"))


def ingest(table: Path, mapping: Path, output: Path) -> Path:
    if not (output / "manifest.json").exists():
        allsaid("ingest", "records", "--input", table, "--mapping", mapping, "--output", output)
    return output


def cut(table: Table, size: int, path: Path, seed: int = SEED) -> Path:
    """Write the table with so many rows of its training part, and all of dev and test, in the table's order.

    A row's split depends on its text alone, so the rows that are left keep theirs.
    """
    training = sorted(example.id for example in table.examples("train"))
    if size > len(training):
        raise ValueError(f"{table.name} has {len(training)} training texts, fewer than {size}")
    left_out = set(random.Random(seed).sample(training, len(training))[size:])  # a smaller part is in a larger one
    delimiter = table.mapping.delimiter or ","
    with table.csv.open(encoding="utf-8", newline="") as source, path.open("w", encoding="utf-8", newline="") as target:
        reader = csv.DictReader(source, delimiter=delimiter)
        writer = csv.DictWriter(target, reader.fieldnames or [], delimiter=delimiter, lineterminator="\n")
        writer.writeheader()
        writer.writerows(row for row in reader if row[table.mapping.id] not in left_out)
    return path


def allsaid(*arguments: object) -> None:
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    subprocess.run([*ALLSAID, *map(str, arguments)], check=True, env=environment, stdout=subprocess.DEVNULL)


def written(
    table: Table, size: int, system: str, given: argparse.Namespace
) -> tuple[list[dict[str, Any]], dict[str, float]]:
    """The texts that a system writes after training on so many rows, and the seconds it took."""
    folder = given.work / table.name / str(size)
    folder.mkdir(parents=True, exist_ok=True)
    part = folder / f"{table.name}.csv"
    if not part.exists():
        cut(table, size, part)
    data = ingest(part, table.mapping_path, folder / "data")
    run, output, took = folder / system, folder / f"{system}-texts", folder / f"{system}-seconds.json"
    if not (output / "summary.json").exists():
        begun = time.monotonic()
        if not took.exists():
            shutil.rmtree(run, ignore_errors=True)  # of a training that was stopped
            settings = [word for setting in given.set for word in ("--set", setting)]
            names = ("--data", data, "--name", f"{table.name}-{size}", "--run-dir", run, "--tracking", "offline")
            allsaid("train", system, *names, *settings)
            took.write_text(json.dumps({"training_seconds": round(time.monotonic() - begun, 1)}))
        limit = ("--limit", given.limit) if given.limit else ()
        asked = ("--model", run / "model", "--input", data, "--split", "test", "--output", output)
        # A row without a text is one without a certificate: no reason to stop.
        allsaid("generate", *asked, *limit, *shlex.split(given.options), "--gate", "errors=1")
    summary = json.loads((output / "summary.json").read_text())
    seconds = json.loads(took.read_text()) | {"search_seconds": summary["search_seconds"]}
    return read_texts(output), seconds


def together(systems: Sequence[list[dict[str, Any]]]) -> list[dict[str, Any]]:
    """Of each row the text of the first system that has a certified one, else the first system's."""
    others = [{row["id"]: row for row in rows} for rows in systems]
    return [
        next((rows[row["id"]] for rows in others if row["id"] in rows and is_certified(rows[row["id"]])), row)
        for row in systems[0]
    ]


def measure(table: Table, texts: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The figures of a cell: of texts of the table's test part."""
    examples = {example.id: example for example in table.examples("test")}
    mapping, cells = table.mapping, cells_of(table)
    certified = [text for text in texts if is_certified(text)]
    plain = [without_values(text["text"], cells[text["id"]], mapping) for text in texts if text["text"]]
    references = [words(examples[text["id"]].text) for text in texts]
    return {
        "texts": len(texts),
        "has_certificates": not plain or any(map(has_certificates, texts)),  # no text, no need of one
        "certified": len(certified),
        "certified_percent": percent(len(certified), len(texts)),
        "certified_with_a_fault": sum(map(has_fault, certified)),
        "bleu": round(bleu([words(text["text"]) for text in texts], references), 2),
        **variety(plain),
        "people": variety([without_values(examples[text["id"]].text, cells[text["id"]], mapping) for text in texts]),
    }


def variety(plain: Sequence[str]) -> dict[str, float]:
    """How many texts without their values differ from each other, and how many are equal to another row's."""
    counts = Counter(plain)
    return {
        "distinct_per_100": percent(len(counts), len(plain)),
        "equal_percent": percent(sum(count for count in counts.values() if count > 1), len(plain)),
    }


def percent(count: int, of: int) -> float:
    return round(100 * count / of, 2) if of else 0.0


def words(text: str) -> list[str]:
    return [word.lower() for word in tokenize(text)]


def cells_of(table: Table) -> dict[str, dict[str, Any]]:
    with table.csv.open(encoding="utf-8", newline="") as file:
        return {row[table.mapping.id]: row for row in csv.DictReader(file, delimiter=table.mapping.delimiter or ",")}


def without_values(text: str, cells: dict[str, Any], mapping: TableMapping) -> str:
    """A text with placeholders for the values of its row, as the ingest makes them."""
    record = Record("", cells[mapping.goal], text, values_of_row(cells, mapping))
    return " ".join(supervised(prepared(record, mapping, "", 0), mapping.words)[0].tokens)


def sizes_of(table: Table, asked: Iterable[int] | None) -> list[int]:
    """The sizes that the table has rows for, its own whole size among them."""
    whole = len(table.examples("train"))
    sizes = [size for size in asked or SIZES[table.name] if size <= whole]
    return sizes if asked or whole in sizes else [*sizes, whole]


def cell(table: Table, size: int, system: str, given: argparse.Namespace) -> dict[str, Any]:
    found = [written(table, size, one, given) for one in system.split(BOTH)]
    texts = together([rows for rows, _ in found])
    seconds = {key: round(sum(of[key] for _, of in found), 2) for key in ("training_seconds", "search_seconds")}
    pace = {"texts_per_second": round(len(texts) / seconds["search_seconds"], 2) if seconds["search_seconds"] else None}
    return {"table": table.name, "size": size, "system": system, **measure(table, texts), **seconds, **pace}


def draw(cells: Iterable[dict[str, Any]], path: Path) -> None:
    """Certified share, BLEU and variety by the number of training texts, a row of pictures for each table."""
    matplotlib.use("agg")
    from matplotlib import pyplot

    cells = list(cells)
    tables, systems = ([*dict.fromkeys(one[key] for one in cells)] for key in ("table", "system"))
    figures = {"certified_percent": "% certified", "bleu": "BLEU-4", "distinct_per_100": "different texts of 100"}
    figure, axes = pyplot.subplots(
        len(tables), len(figures), figsize=(9, 2.7 * len(tables)), layout="constrained", squeeze=False
    )
    for row, table in zip(axes, tables, strict=True):
        for place, (key, label) in zip(row, figures.items(), strict=True):
            for system in systems:
                of = sorted(
                    (one["size"], one[key]) for one in cells if (one["table"], one["system"]) == (table, system)
                )
                place.plot([size for size, _ in of], [value for _, value in of], marker="o", label=system)
            place.set(xscale="log", xlabel=f"training texts of {table}", ylabel=label, ylim=(0, None))
            place.xaxis.set_major_formatter("{x:,.0f}")
            place.xaxis.set_minor_formatter("")
    axes[0][0].legend(fontsize=8)
    figure.savefig(path, dpi=150)
    pyplot.close(figure)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=lambda path: Path(path).absolute(), help="a folder for tables, models and texts")
    parser.add_argument("--acts", type=Path, help="RNNLG's folder 'original', for laptops")
    parser.add_argument("--kinds", nargs="+", default=["inform"], help="kinds of acts of the laptops [default: inform]")
    parser.add_argument("--tables", nargs="+", choices=SIZES, default=["products", "laptops"])
    parser.add_argument("--sizes", type=int, nargs="+", help="training texts; by default those of the curve")
    parser.add_argument("--systems", nargs="+", default=["table", "assemble", "table+assemble"])
    parser.add_argument("--set", nargs="+", default=[], help="settings of the trainings, as KEY=VALUE")
    parser.add_argument("--options", default=OPTIONS, help=f"of `allsaid generate` [default: {OPTIONS}]")
    parser.add_argument("--limit", type=int, help="only the first rows of the test part")
    parser.add_argument("--result", type=Path, default=RESULT)
    parser.add_argument("--picture", type=Path, default=PICTURE)
    parser.add_argument("--draw", action="store_true", help="draw the picture from the result, and stop")
    given = parser.parse_args()
    before = json.loads(given.result.read_text()) if given.result.exists() else {}
    if given.draw:
        return draw(before["cells"].values(), given.picture)
    if given.work is None:
        parser.error("give --work")
    asked = {"options": given.options, "limit": given.limit, "kinds": given.kinds, "set": given.set}
    if before and {key: before[key] for key in asked} != asked:
        raise SystemExit(f"{given.result} was measured with other options. Give these, or another --result.")
    cells = before.get("cells", {})
    machine = {"processors": os.cpu_count(), "python": platform.python_version(), "machine": platform.machine()}
    for name in given.tables:
        table = prepare(name, given)
        for size in sizes_of(table, given.sizes):
            for system in given.systems:
                key = f"{name}-{size}-{system}"
                if key in cells:
                    continue
                cells[key] = cell(table, size, system, given)
                print(json.dumps(cells[key]), flush=True)
                write(given.result, {**machine, **asked, "cells": cells})
    draw(cells.values(), given.picture)


if __name__ == "__main__":
    main()
