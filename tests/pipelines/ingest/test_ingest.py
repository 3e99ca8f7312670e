"""The whole ingest on small dumps: what is kept, counted, written and published."""

from __future__ import annotations

import bz2
import gzip
import hashlib
import re
from collections import Counter
from pathlib import Path
from random import Random
from string import ascii_letters
from typing import Any

import pyarrow.dataset
import pyarrow.parquet as pq
import pytest
import zstandard
from dumps import cookbook, dump, recipe

from pipelines.datasets import snapshot
from pipelines.ingest.request import Request
from pipelines.ingest.run import run
from pipelines.linking import phrases
from pipelines.linking.splits import bag_key, guard, triple_keys
from pipelines.sources.mealmaster.source import Settings
from schemas.checks.table import check_schema
from schemas.example import EXAMPLE, NEW, SPLITS, USED
from schemas.phrase import PHRASE
from schemas.recipe import RECIPE
from schemas.runs.manifest import Manifest
from schemas.runs.rejected import HEAD_BYTES, REJECTED

SETTINGS = Settings(dev_share=0.2, test_share=0.1, phrase_threshold=3, phrase_min_count=3)
BAD = recipe("Empty pot", ["1|c|Water"], "Boil the water in the pot and pour it over whatever is at hand today.")


def ingest(folder: Path, *dumps: bytes, names: str = "{}.mmf", options: tuple[str, ...] = ()) -> Manifest:
    """Write the dumps into ``folder/in`` and ingest them into ``folder/out``."""
    (folder / "in").mkdir(parents=True, exist_ok=True)
    for number, content in enumerate(dumps):
        (folder / "in" / names.format(number)).write_bytes(content)
    return run(Request("mealmaster", [str(folder / "in" / "*")], str(folder / "out"), SETTINGS, options))


def rows(folder: Path, border: str) -> list[dict[str, Any]]:
    data = pyarrow.dataset.dataset(folder / "out" / "current" / border, format="parquet", partitioning="hive")
    return data.to_table().to_pylist()


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Manifest]:
    """Three files; 200 different recipes, five of them twice, and one that is not usable."""
    folder = tmp_path_factory.mktemp("done")
    three = [*cookbook(range(90)), BAD], cookbook(range(85, 150)), cookbook(range(150, 200))
    return folder, ingest(folder, *map(dump, three))


def test_read_is_kept_and_rejected(done: tuple[Path, Manifest]) -> None:
    folder, manifest = done
    assert [entry["read"] for entry in manifest.inputs] == [91, 65, 50]
    assert manifest.read == 206 == manifest.kept + manifest.rejected_total
    assert manifest.rejected["duplicate"] == {"same_directions": 5}
    assert manifest.rejected["clean"] == {"too_few_items": 1}
    assert manifest.kept == sum(manifest.splits.values()) == len(rows(folder, "examples"))
    assert set(manifest.splits) == set(SPLITS)
    counted = Counter((row["stage"], row["reason"]) for row in rows(folder, "rejected"))
    assert counted == {
        (stage, reason): number for stage, reasons in manifest.rejected.items() for reason, number in reasons.items()
    }


def test_files_are_as_the_manifest_says(done: tuple[Path, Manifest]) -> None:
    folder, manifest = done
    current = folder / "out" / "current"
    schemas = {"records": RECIPE, "examples": EXAMPLE, "rejected": REJECTED, "phrases": PHRASE}
    named = set()
    for border, entries in manifest.files.items():
        for entry in entries:
            file = pq.ParquetFile(current / entry["path"])
            assert file.metadata.num_rows == entry["rows"] > 0
            assert file.metadata.row_group(0).column(0).compression == "ZSTD"
            check_schema(file.schema_arrow, schemas[border], entry["path"])
            named.add(entry["path"])
    found = {str(path.relative_to(current)) for path in current.rglob("*.parquet")}
    found = {path for path in found if not path.startswith("staged/")}
    assert found == named
    assert {entry.name for entry in current.iterdir()} == {
        *schemas.keys() - {"phrases"},
        "phrases.parquet",
        "manifest.json",
        "README.md",
        "staged",
    }
    assert {path.suffix for path in (current / "staged").iterdir()} == {"", ".json", ".parquet"}
    assert snapshot.published(str(folder / "out")) == manifest
    assert Path(snapshot.folder(str(folder / "out"))) == current.resolve()


def test_the_manifest_has_the_size_and_the_hash_of_every_file(done: tuple[Path, Manifest]) -> None:
    folder, manifest = done
    current = folder / "out" / "current"
    named = [entry for entries in manifest.files.values() for entry in entries]
    named += [entry for shard in manifest.shards for entry in shard["staged"]]
    for entry in named:
        content = (current / entry["path"]).read_bytes()
        assert (entry["bytes"], entry["sha256"]) == (len(content), hashlib.sha256(content).hexdigest()), entry["path"]
    found = {str(path.relative_to(current)) for path in current.rglob("*.*")} - {"README.md", "manifest.json"}
    assert found == {entry["path"] for entry in named}


def test_rejected_rows_lead_back_to_the_dump(done: tuple[Path, Manifest]) -> None:
    folder, _ = done
    for row in rows(folder, "rejected"):
        content = Path(row["file"]).read_bytes()
        assert content[row["offset"] :].startswith(b"MMMMM----- Recipe via")
        assert content[row["offset"] :].replace(b"\r\n", b"\n", 1).startswith(row["head"])
        assert 200 < len(row["head"]) <= HEAD_BYTES
    double = next(row for row in rows(folder, "rejected") if row["stage"] == "duplicate")
    assert double["file"].endswith("1.mmf")
    assert "0.mmf has the same directions at" in double["detail"]


def test_each_example_refers_to_its_own_items(done: tuple[Path, Manifest]) -> None:
    folder, manifest = done
    examples = rows(folder, "examples")
    for row in examples:
        assert "olive_oil" in row["tokens"]
        assert ["olive_oil"] in row["agenda_tokens"]
        for kind, item in zip(row["ref_types"], row["ref_items"], strict=True):
            assert (item in range(len(row["agenda"]))) == (kind in (NEW, USED))
    training = [row for row in examples if row["split"] == "train"]
    figures = manifest.statistics["figures"]["train"]
    lengths = [len(row["tokens"]) for row in training]
    assert figures["tokens"]["sum"] == sum(lengths)
    assert figures["tokens"]["max"] == max(lengths)
    assert figures["tokens"]["mean"] == round(sum(lengths) / manifest.splits["train"], 4)
    assert figures["tokens"]["p5"] == sorted(lengths)[-(-len(lengths) // 20) - 1]
    assert figures["new"]["sum"] == sum(row["ref_types"].count(NEW) for row in training)
    counts = Counter(token for row in training for token in row["tokens"])
    text = manifest.statistics["vocabularies"]["text"]
    assert text["seen 1"] == len(counts)
    assert text["seen 5"] == sum(number >= 5 for number in counts.values())
    known = {word for row in training for word in row["goal_tokens"]}
    dev = [word for row in examples if row["split"] == "dev" for word in row["goal_tokens"]]
    unknown = manifest.statistics["vocabularies"]["title"]["unknown share"]
    assert unknown == round(sum(word not in known for word in dev) / len(dev), 6) > 0


def test_phrases_come_from_the_training_ingredients_only(done: tuple[Path, Manifest]) -> None:
    folder, _ = done
    training = [row for row in rows(folder, "examples") if row["split"] == "train"]
    names = [[word for token in name for word in token.split("_")] for row in training for name in row["agenda_tokens"]]
    found = [row for row in rows(folder, "phrases.parquet") if row["step"] == 1]
    expected = phrases.choose(phrases.count(names), SETTINGS.phrase_threshold, SETTINGS.phrase_min_count, step=1)
    assert [vars(row) for row in expected] == found


def test_no_training_title_is_near_a_dev_or_test_title(done: tuple[Path, Manifest]) -> None:
    folder, manifest = done
    examples = rows(folder, "examples")
    held_out: set[int] = set()
    for row in examples:
        if row["split"] != "train":
            held_out |= {bag_key(row["goal_tokens"]), *triple_keys(row["goal_tokens"])}
    assert not [row["goal"] for row in examples if row["split"] == "train" and guard(row["goal_tokens"], held_out)]
    assert manifest.rejected["guard"]["same_title"] > 5


def test_same_fingerprint_in_any_file_order_and_layout(done: tuple[Path, Manifest], tmp_path: Path) -> None:
    _, manifest = done
    everything = [*cookbook(range(200)), *cookbook(range(85, 90)), BAD]
    turned = ingest(tmp_path / "turned", *map(dump, (everything[::-2], everything[-2::-2])))
    assert turned.fingerprint == manifest.fingerprint
    assert turned.splits == manifest.splits
    assert turned.rejected == manifest.rejected
    assert turned.statistics == manifest.statistics
    fewer = ingest(tmp_path / "fewer", dump(everything[:150]))
    assert fewer.fingerprint != manifest.fingerprint


@pytest.mark.slow
def test_same_fingerprint_with_two_processes(
    done: tuple[Path, Manifest], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    _, manifest = done
    three = [*cookbook(range(90)), BAD], cookbook(range(85, 150)), cookbook(range(150, 200))
    options = ("--direct_num_workers", "2", "--direct_running_mode", "multi_processing")
    again = ingest(tmp_path, *map(dump, three), options=options)
    assert not re.search("INFO|WARNING", capfd.readouterr().err), "the workers' logs are not for the user"
    assert again.fingerprint == manifest.fingerprint
    assert again.rejected == manifest.rejected


def test_settings_change_the_fingerprint_other_files_do_not(tmp_path: Path) -> None:
    ingest(tmp_path / "one", dump(cookbook(range(40))))
    ingest(tmp_path / "two", dump(cookbook(range(40))), dump(cookbook(range(40, 90))))
    one = {row["id"]: row["split"] for row in rows(tmp_path / "one", "examples")}
    two = {row["id"]: row["split"] for row in rows(tmp_path / "two", "examples")}
    held_out = {name: split for name, split in one.items() if split != "train"}
    assert held_out
    assert held_out.items() <= two.items()
    assert all(two.get(name, "train") == split for name, split in one.items())


def test_compressed_files_are_told_by_their_bytes(tmp_path: Path) -> None:
    parts = [dump(cookbook(range(start, start + 7))) for start in (0, 7, 14, 21)]
    packed = (parts[0], gzip.compress(parts[1][:900]) + gzip.compress(parts[1][900:]), bz2.compress(parts[2]),
              zstandard.compress(parts[3]))  # fmt: skip
    plain = ingest(tmp_path / "plain", *parts)
    assert plain.read == 28
    assert ingest(tmp_path / "packed", *packed, names="{}.dump").fingerprint == plain.fingerprint


def test_of_equal_directions_the_smallest_id_is_kept(tmp_path: Path) -> None:
    body = ["1|c|Rice", "2|c|Water"], "Boil the rice in the water until it is soft and then serve it at once."
    titles = ("Rice one", "Rice two", "Rice three")
    ingest(tmp_path, *(dump([recipe(title, *body)]) for title in titles))
    kept = rows(tmp_path, "examples")
    assert [row["id"] for row in kept] == [min(row["id"] for row in rows(tmp_path, "records"))]
    assert len(rows(tmp_path, "rejected")) == 2


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, zstandard.compress])
def test_a_file_that_is_cut_off_keeps_what_was_readable(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], pack: Any
) -> None:
    noise = Random(7)
    between = ("".join(noise.choices(ascii_letters, k=6000)) + "\r\n" for _ in range(315))
    content = dump([text + letters for text, letters in zip(cookbook(), between, strict=True)])
    whole = pack(content)
    manifest = ingest(tmp_path, whole[: len(whole) * 2 // 3], names="{}.gz")
    assert len(manifest.losses) == 1
    assert "is cut off" in manifest.losses[0]
    assert "0.gz is cut off" in capsys.readouterr().err
    assert 100 < manifest.read == manifest.kept + manifest.rejected_total < 315
    assert "read" not in manifest.rejected, "the file ends in the text below a record"
