"""WikiBio: boxes, described sentences, and ranges of line files."""

from __future__ import annotations

from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from read_results import rejected
from small_wikibio import BOXES, NUMBERS, SENTENCES, kept, lay_out, many, results, write, write_zip

from allsaid.storage.paths import expand
from pipelines.source import KeptRecord
from pipelines.sources.wikibio.box import describe, inner_stops, mapped, parse_table
from pipelines.sources.wikibio.source import Settings, WikiBio
from schemas.box import BOX, NUMBER, YEAR
from schemas.checks.table import to_table
from schemas.errors import UserError


def test_a_table_has_positions_from_both_ends() -> None:
    table = parse_table(BOXES[0])
    assert table.fields == ["name", "name", "birth_date", "birth_date", "birth_date", "teams"]
    assert table.positions == [1, 2, 1, 2, 3, 1]
    assert table.ends == [2, 1, 3, 2, 1, 1]
    assert table.tokens == ["ada", "example", NUMBER, "may", YEAR, "ada"]
    assert table.originals == ["ada", "example", "5", "may", "1905", "ada"]
    assert table.empty_fields == ["image"]


def test_fields_split_at_first_colon_and_last_underscore() -> None:
    table = parse_table(BOXES[1])
    assert table.fields == ["name", "years", "source", "image", "office_2", "goals"]
    assert table.positions == [1, 1, 1, 2, 1, 1]
    assert table.originals == ["Ömer", "2001\u00a02004", "http://x.org/a_b:c", ":", "mayor", "2004/05"]
    assert table.tokens == ["ömer", "2001\u00a02004", "http://x.org/a_b:c", ":", "mayor", NUMBER]


@pytest.mark.parametrize(
    ("line", "fields", "positions", "ends"),
    [
        ("a_1:x\ta_2:y\ta_1:z", ["a", "a", "a"], [1, 2, 1], [2, 1, 1]),  # the field twice
        ("a_1:x\ta_3:y", ["a", "a"], [1, 3], [3, 1]),  # a token is missing
        ("a:x\tb_0:y\tc_1234567:z", ["a", "b_0", "c_1234567"], [1, 1, 1], [1, 1, 1]),  # no positions
        ("\ta_1:x\t\t", ["a"], [1], [1]),
        ("a_2:<none>\tb_1:\tc_1:x", ["c"], [1], [1]),
    ],
)
def test_odd_tables(line: str, fields: list[str], positions: list[int], ends: list[int]) -> None:
    table = parse_table(line)
    assert (table.fields, table.positions, table.ends) == (fields, positions, ends)


@pytest.mark.parametrize(
    ("token", "said"),
    [
        *((year, YEAR) for year in ("1000", "1905", "2099")),
        *((number, NUMBER) for number in ("2100", "905", "1,905.5", "-3", "12%", ".5", "2004/05", "10:30")),
        *((word, word) for word in ("1905s", "4th", "6-3", "-", "", "2001\u00a02004")),
    ],
)
def test_numbers_and_years_are_one_token_each(token: str, said: str) -> None:
    assert mapped(token) == said


def test_a_sentence_knows_all_places_of_its_tokens() -> None:
    sentence = describe(["Ada", "was", "born", "5", "may", "1906", "."], parse_table(BOXES[0]))
    assert sentence.tokens == ["ada", "was", "born", NUMBER, "may", YEAR, "."]
    assert sentence.originals == ["Ada", "was", "born", "5", "may", "1906", "."]
    assert sentence.occurrences == [[0, 5], [], [], [2], [3], [], []]


@pytest.mark.parametrize(
    ("line", "stops"),
    [("a b .", 0), ("a b .er c .", 1), ("a b . c .d .", 2), ("a b .c", 1), ("a.b c", 0), (". a", 0), ("", 0)],
)
def test_inner_stops(line: str, stops: int) -> None:
    assert inner_stops(line) == stops


def test_boxes_and_their_sentences(tmp_path: Path) -> None:
    more = {"id": "11\n12\n13\n", "title": "ada example\nömer\nlee , jr\n", "url": "u1\nu2\nu3\n"}
    found = results(write(tmp_path, given=lay_out(**more, contributors="c1\nc2\nc3\n")))
    first, second, third = boxes = kept(found)
    assert len(found) == 3
    assert [len(box.sentences) for box in boxes] == [2, 1, 1]
    assert second.sentences[0].originals == SENTENCES[2].split(" ")
    assert third.sentences[0].occurrences == [[0], [1], [2], [], [4], []]
    assert (first.source_id, first.title, first.url, first.contributors) == ("11", "ada example", "u1", "c1")
    assert [box.file for box in boxes] == [str(tmp_path / "train" / "train.box")] * 3
    data = (tmp_path / "train" / "train.box").read_bytes()
    assert all(data[box.offset :].decode().startswith(f"name_1:{box.originals[0]}") for box in boxes)
    assert to_table(boxes, BOX).schema.equals(BOX)
    assert found[1].figures == {
        "tokens of the first sentence": 9,
        "tokens of the table": 6,
        "words of the first sentence in the table": 2,
        "fields": 6,
        "sentences": 1,
        "lines with several sentences": 1,
    }


def test_ids_tell_content_and_corpus_number(tmp_path: Path) -> None:
    plain = kept(results(write(tmp_path / "a")))
    again = kept(results(write(tmp_path / "b", "valid", lay_out(BOXES[1:], SENTENCES[2:], NUMBERS[1:]))))
    numbered = kept(results(write(tmp_path / "c", given=lay_out(id="1\n2\n3\n"))))
    assert [box.id for box in plain[1:]] == [box.id for box in again]
    assert len({box.id for box in plain + numbered}) == 6


def test_splits(tmp_path: Path) -> None:
    for split in ("train", "valid", "test"):
        write(tmp_path, split)
    shards = WikiBio().plan(expand([str(tmp_path)]).paths, Settings())
    found = [(Path(shard.file).name, shard.split, shard.last) for shard in shards]
    assert found == [("test.box", "test", 3), ("train.box", "train", 3), ("valid.box", "dev", 3)]


@pytest.mark.parametrize("last_line_ends", [True, False])
@pytest.mark.parametrize("boxes", [1, 7, 50, 101, 1000])
def test_ranges_of_boxes_give_what_the_whole_file_gives(tmp_path: Path, boxes: int, last_line_ends: bool) -> None:
    given = many(101)
    if not last_line_ends:
        given = {kind: data[:-1] for kind, data in given.items()}
    paths = write(tmp_path, given=given)
    shards = WikiBio().plan(paths, Settings(boxes))
    assert [shard.last - shard.first for shard in shards[:-1]] == [boxes] * (len(shards) - 1)
    found = results(paths, boxes)
    assert found == results(paths)
    assert len(found) == 101
    assert rejected(found)[1] == ("no_sentences", "Line 5 of train.nb is 0.")
    for box in kept(found):
        n = int(box.source_id[1:])
        assert [one.originals for one in box.sentences] == [[f"s{n}", str(k), "of", str(n % 4)] for k in range(n % 4)]


def test_an_archive_gives_what_its_files_give(tmp_path: Path) -> None:
    given = many(101)
    plain = results(write(tmp_path / "plain", "valid", given))
    packed = results(write_zip(tmp_path, given), 10)
    assert [box.id for box in kept(packed)] == [box.id for box in kept(plain)]
    assert rejected(packed) == rejected(plain)
    assert {box.file for box in kept(packed)} == {f"{tmp_path}/corpus.zip/corpus/valid/valid.box"}
    shards = WikiBio().plan(write_zip(tmp_path, given), Settings(10))
    assert len(shards) == 8  # each reads all before it, so they are few


def test_an_archive_beside_its_files_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"corpus\.zip and unpacked files"):
        WikiBio().plan([*write_zip(tmp_path, lay_out()), *write(tmp_path)], Settings())


def _counted(paths: Sequence[str]) -> Iterator[tuple[str, Counter[str]]]:
    chosen = Settings()
    for shard in WikiBio().plan(paths, chosen):
        sums: Counter[str] = Counter()
        for result in WikiBio().read(shard, chosen):
            assert isinstance(result, KeptRecord)
            sums.update({"boxes": 1, **result.figures})
        yield shard.split, sums


def test_byte_order_marks_are_no_part_of_a_field(tmp_path: Path) -> None:
    given = {kind: BOM_UTF8 + data for kind, data in lay_out().items()}
    marked = kept(results(write(tmp_path / "marked", given=given)))
    plain = kept(results(write(tmp_path / "plain")))
    assert [(box.fields, box.sentences) for box in marked] == [(box.fields, box.sentences) for box in plain]


@pytest.mark.corpus
def test_the_sample_and_table_2_of_the_paper(data_root: Path) -> None:
    """Table 2: 26.1, 53.1, 9.5 and 19.7 on the mean; the sample is a thousandth of the corpus."""
    found = dict(_counted(expand([str(data_root / "wikibio" / "wikipedia-biography-dataset")]).paths))
    assert {split: sums["boxes"] for split, sums in found.items()} == {"train": 582, "dev": 72, "test": 72}
    total = sum(found.values(), Counter())
    names = (
        "tokens of the first sentence",
        "tokens of the table",
        "words of the first sentence in the table",
        "fields",
    )
    assert [round(total[name] / 726, 2) for name in names] == [26.15, 53.46, 9.33, 19.58]
    assert total["sentences"] == 726


@pytest.mark.corpus
def test_the_german_boxes(data_root: Path) -> None:
    found = dict(_counted(expand([str(data_root / "wikibio" / "german")]).paths))
    assert {split: sums["boxes"] for split, sums in found.items()} == {"train": 7589, "dev": 949, "test": 948}
    assert sum(sums["sentences"] for sums in found.values()) == 9486
    assert sum(sums["lines with several sentences"] for sums in found.values()) == 8811
