"""What a manifest promises is found again in its files, whatever the source; what was changed is named."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from dumps import cookbook, dump
from fault_worlds import Worlds
from small_allrecipes import SOUP, as_lines
from small_dstc2 import HELLO, OFFER, call, listed, machine, one_turn, user, write_archive
from small_inn import make
from small_wikibio import write

from pipelines.datasets.snapshot import published
from pipelines.ingest.request import Request
from pipelines.ingest.run import run
from pipelines.sources.allrecipes import source as allrecipes
from pipelines.sources.dstc2 import source as dstc2
from pipelines.sources.mealmaster.source import Settings
from pipelines.sources.wikibio import source as wikibio
from pipelines.validation import validate
from pipelines.validation.fingerprint import fingerprint


def inn(folder: Path) -> None:
    make(folder)


def soups(folder: Path) -> None:
    """40 records in two files; the rows of all splits stand in one file of records."""
    titles = [f"Leek Soup {number}" for number in range(40)]
    records = [
        SOUP | {"title": title, "directions": [f"Cook {number} leeks in butter for {number + 1} minutes and add salt."]}
        for number, title in enumerate(titles)
    ]
    for number in range(2):
        (folder / f"{number}.json").write_bytes(as_lines(tuple(records[20 * number :][:20])))
    settings = allrecipes.Settings(dev_share=0.3, test_share=0.2)
    run(Request("allrecipes", [str(folder / "*.json")], str(folder / "data"), settings))


def calls(folder: Path) -> None:
    """Calls with several examples, with one and with none; and the table's restaurants, which belong to no call."""
    files = call("a/one", [HELLO, OFFER, OFFER], [user("thai")] * 3) | one_turn("b/two", machine(" ", ("repeat", {})))
    files |= one_turn("b/three", OFFER) | one_turn("b/four", OFFER) | call("b/five", [OFFER], None)
    files |= listed(train=["a/one", "b/two", "b/three"], dev=["b/four"], test=["b/five"])
    run(Request("dstc2", write_archive(folder, files), str(folder / "data"), dstc2.NoSettings()))


def lives(folder: Path) -> None:
    paths = [*write(folder, "train"), *write(folder, "test")]
    run(Request("wikibio", paths, str(folder / "data"), wikibio.Settings(boxes_per_shard=2)))


def recipes(folder: Path) -> None:
    for number in range(2):
        (folder / f"{number}.mmf").write_bytes(dump(cookbook(range(30 * number, 30 * number + 40))))
    settings = Settings(dev_share=0.2, test_share=0.1, phrase_threshold=3, phrase_min_count=3)
    run(Request("mealmaster", [str(folder / "*.mmf")], str(folder / "data"), settings))


def chairs(folder: Path) -> None:
    Worlds(folder / "worlds").copy("dataset", folder)


@pytest.fixture(scope="module", params=[inn, soups, calls, lives, recipes, chairs], ids=lambda build: build.__name__)
def data(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    build: Callable[[Path], None] = request.param
    if build is chairs:
        (folder / "worlds").mkdir()
    build(folder)
    return folder / "data"


def broken(data: Path) -> dict[tuple[str, str], tuple[str, ...]]:
    found = validate.run(str(data))
    return {(outcome.border, outcome.rule): outcome.places for outcome in found if not outcome.passed}


def test_the_fingerprint_follows_from_the_rows_of_every_border(data: Path) -> None:
    manifest = published(str(data))
    folder = data / "runs" / manifest.run
    assert manifest.kept >= 4
    assert fingerprint(str(folder), manifest) == manifest.fingerprint
    counted = (
        {"examples", "phrases"} if manifest.source == "mealmaster" else manifest.files.keys() - {"rejected", "mapping"}
    )
    for border in counted:
        path = folder / manifest.files[border][0]["path"]
        whole = path.read_bytes()
        table = pq.read_table(path, partitioning=None)
        pq.write_table(table.slice(1), path)
        assert fingerprint(str(folder), manifest) != manifest.fingerprint
        name = next(
            name for name in ("goal", "text", "title", "address", "written", "first") if name in table.column_names
        )
        place = table.column_names.index(name)
        values = table.column(name).to_pylist()
        changed = [["!"] if isinstance(value, list) else f"{value}!" for value in values]
        pq.write_table(table.set_column(place, table.schema.field(place), [changed]), path)
        assert fingerprint(str(folder), manifest) != manifest.fingerprint
        path.write_bytes(whole)


def test_changed_files_and_fingerprints_are_named(tmp_path: Path) -> None:
    calls(tmp_path)
    data = tmp_path / "data"
    assert broken(data) == {}
    manifest = published(str(data))
    forged = replace(manifest, fingerprint="0" * 32)
    (data / "manifest.json").write_text(forged.to_json())
    assert broken(data) == {
        ("manifest", "the fingerprint matches the rows"): (f"{forged.fingerprint} is not {manifest.fingerprint}",)
    }
    named = [(border, entry["path"]) for border, entries in manifest.files.items() for entry in entries]
    named += [("staged", entry["path"]) for shard in manifest.shards for entry in shard["staged"]]
    once = dict(named)
    for path in once.values():
        file = data / "runs" / manifest.run / path
        file.write_bytes(file.read_bytes()[:-9] + b"?" + file.read_bytes()[-8:])
    told = broken(data)
    assert {*once} >= {"dialogues", "examples", "acts", "offers", "staged"}
    for border, path in once.items():
        sentence = f"{path} was changed after it was written. Run `allsaid ingest` again."
        assert told[border, validate.SAME_BYTES] == (sentence,)
