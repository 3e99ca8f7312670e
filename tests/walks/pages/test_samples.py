"""The samples hold the warts that they claim, and the ingest reads them as samples/README.md says."""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pyarrow.dataset as ds
import pytest

from pipelines.datasets import snapshot
from pipelines.ingest import run as ingest
from pipelines.sources.mealmaster.dump import RawRecord, split_records
from pipelines.sources.mealmaster.record import ParseFault, parse
from pipelines.sources.mealmaster.source import Settings
from pipelines.validation.validate import run as validate
from schemas.runs.manifest import Manifest

SAMPLES = Path(__file__).resolve().parents[3] / "samples"
DUMPS = ("mm-v805.mmf", "extracted.mmf", "flattened.mmf.gz", "krecipes.mmf")


def content(name: str) -> bytes:
    data = (SAMPLES / name).read_bytes()
    return gzip.decompress(data) if name.endswith(".gz") else data


def records(name: str) -> Iterator[RawRecord]:
    with (gzip.open if name.endswith(".gz") else open)(SAMPLES / name, "rb") as stream:
        yield from split_records(stream)


def test_each_dump_keeps_its_bytes() -> None:
    """Editors and version control like to mend line ends and bytes; then the warts would be gone."""
    lines = {name: content(name).split(b"\n") for name in DUMPS}
    crlf = {name: sum(line.endswith(b"\r") for line in of) for name, of in lines.items()}
    assert {name for name, count in crlf.items() if count} == {"mm-v805.mmf", "flattened.mmf.gz"}
    assert crlf["mm-v805.mmf"] == len(lines["mm-v805.mmf"]) - 1
    assert b"400\xf8" in content("mm-v805.mmf") and b"Gruy\x8are" in content("mm-v805.mmf")
    assert b"375\xb0" in content("krecipes.mmf") and b"K\xf6ttbullar" in content("krecipes.mmf")
    assert b"\x14\r\n" in content("mm-v805.mmf") and b"\t" in content("mm-v805.mmf")
    assert b"\0" in content("flattened.mmf.gz") and b"\x0c" in content("extracted.mmf")
    assert max(content("extracted.mmf")) < 0x80


@pytest.mark.parametrize(
    ("name", "recipes", "faults", "encodings"),
    [
        ("mm-v805.mmf", 44, {"no_ingredients": 1, "no_directions": 1, "no_title": 1}, {"ascii", "cp437"}),
        ("extracted.mmf", 42, {"no_ingredients": 1}, {"ascii"}),
        ("flattened.mmf.gz", 43, {}, {"ascii", "cp437"}),
        ("krecipes.mmf", 21, {}, {"ascii", "latin-1"}),
        ("more/suppers.mmf", 84, {}, {"ascii", "cp437"}),
        ("more/baking.mmf", 84, {}, {"ascii"}),
        ("more/weekdays.mmf", 84, {}, {"ascii", "latin-1"}),
    ],
)
def test_records_of_each_dump(name: str, recipes: int, faults: dict[str, int], encodings: set[str]) -> None:
    parsed, found = [], Counter[str]()
    for raw in records(name):
        try:
            parsed.append(parse(raw, name))
        except ParseFault as fault:
            found[fault.reason] += 1
    assert (len(parsed), dict(found)) == (recipes, faults)
    assert {recipe.encoding for recipe in parsed} == encodings
    assert max(len(recipe.title) for recipe in parsed) <= 60


@pytest.fixture(scope="module")
def ingested(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Manifest]:
    folder = str(tmp_path_factory.mktemp("samples"))
    inputs = [str(SAMPLES / name) for name in DUMPS]
    return folder, ingest.run(ingest.Request("mealmaster", inputs, folder, Settings()))


def test_the_readme_tells_what_the_ingest_finds(ingested: tuple[str, Manifest]) -> None:
    manifest = ingested[1]
    found = {"read": manifest.read, "kept": manifest.kept}
    found |= {f"{stage}: {reason}": rows for stage, of in manifest.rejected.items() for reason, rows in of.items()}
    told = dict(re.findall(r"^\| ([\w: ]+) \| (\d+) \|$", (SAMPLES / "README.md").read_text(), re.MULTILINE))
    assert {name: int(count) for name, count in told.items()} == found
    assert min(manifest.splits[split] for split in ("train", "dev", "test")) >= 8


def examples(folder: str) -> list[dict]:
    return ds.dataset(f"{snapshot.folder(folder)}/examples", format="parquet").to_table().to_pylist()


def test_the_samples_break_no_rule(ingested: tuple[str, Manifest]) -> None:
    assert [outcome for outcome in validate(ingested[0]) if not outcome.passed] == []


def test_every_sample_ingredient_is_found_in_its_text(ingested: tuple[str, Manifest]) -> None:
    rows = examples(ingested[0])
    items = sum(len(row["agenda"]) for row in rows)
    named = sum(len(set(row["ref_items"]) - {-1}) for row in rows)
    assert items - named <= 2, "the water of the rice pudding is one of them"
    assert all(5 <= len(row["agenda"]) <= 10 and 40 <= len(row["tokens"]) <= 110 for row in rows)
    text = " ".join(row["text"] for row in rows).lower()
    for tail in ("allsaid", "calories", "submitted", "echo", "date:", "mmmmm", "---"):
        assert tail not in text
    assert not re.search("[^\n -~°éèêñ]", text)


def test_what_an_agenda_of_the_samples_holds() -> None:
    rows = [json.loads(line) for line in (SAMPLES / "agendas.jsonl").read_text().splitlines()]
    assert all(set(row) == {"id", "goal", "agenda"} and len(row["agenda"]) >= 5 for row in rows)
    assert len({row["id"] for row in rows}) == len(rows) == 12
    assert rows[0]["goal"] == "pico de gallo"
