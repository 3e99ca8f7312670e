"""WikiBio: boxes, described sentences, ranges of line files, and what is wrong with them."""

from __future__ import annotations

import zipfile
from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from console import UserError
from pipelines import files
from pipelines.source import Kept, Lost, Result
from pipelines.sources.wikibio import Settings, plan, read
from pipelines.sources.wikibio_box import describe, inner_stops, mapped, parse_table
from pipelines.sources.wikibio_lines import MAX_LINE
from schemas.box import BOX, NUMBER, YEAR, Box
from schemas.rejected import Rejected
from schemas.table import to_table

BOXES = (
    "name_1:ada\tname_2:example\timage:<none>\tbirth_date_1:5\tbirth_date_2:may\tbirth_date_3:1905\tteams_1:ada",
    "name_1:Ömer\tyears_1:2001\u00a02004\tsource_1:http://x.org/a_b:c\timage_2::\toffice_2_1:mayor\tgoals_1:2004/05",
    "name_1:lee\tname_2:,\tname_3:jr\tage_1:1905\tage_2:5",
)
SENTENCES = (
    "ada example -lrb- born 5 may 1905 -rrb- paints .",
    "she met 4 of 1,906 people .",
    "ömer was mayor in 2004 .er starb 2005 .",
    "lee , jr is 5 .",
)
NUMBERS = ("2", "1", "1")


def lay_out(
    boxes: Sequence[str] = BOXES, sentences: Sequence[str] = SENTENCES, numbers: Sequence[str] = NUMBERS, **more: str
) -> dict[str, bytes]:
    """The files of one split by their endings."""
    lines = {"box": boxes, "sent": sentences, "nb": numbers}
    found = {kind: "".join(f"{line}\n" for line in each).encode() for kind, each in lines.items()}
    return found | {kind: text.encode() for kind, text in more.items()}


def write(folder: Path, split: str = "train", given: Mapping[str, bytes] | None = None) -> list[str]:
    """The files of one split in the official layout, the sorted paths."""
    (folder / split).mkdir(parents=True, exist_ok=True)
    for kind, data in (given or lay_out()).items():
        (folder / split / f"{split}.{kind}").write_bytes(data)
    return sorted(str(path) for path in (folder / split).iterdir())


def results(paths: Sequence[str], boxes: int = 10_000) -> list[Result]:
    chosen = Settings(boxes)
    return [result for share in plan(paths, chosen) for result in read(share, chosen)]


def kept(found: Sequence[Result]) -> list[Box]:
    return [result.rows["boxes"][0] for result in found if isinstance(result, Kept)]


def rejected(found: Sequence[Result]) -> list[tuple[str, str]]:
    return [(result.reason, result.detail) for result in found if isinstance(result, Rejected)]


def losses(found: Sequence[Result]) -> list[str]:
    return [result.sentence for result in found if isinstance(result, Lost)]


def test_a_table_has_positions_from_both_ends() -> None:
    table = parse_table(BOXES[0])
    assert table.fields == ["name", "name", "birth_date", "birth_date", "birth_date", "teams"]
    assert table.positions == [1, 2, 1, 2, 3, 1]
    assert table.ends == [2, 1, 3, 2, 1, 1]
    assert table.tokens == ["ada", "example", NUMBER, "may", YEAR, "ada"]
    assert table.originals == ["ada", "example", "5", "may", "1905", "ada"]
    assert table.empty_fields == ["image"]


def test_the_token_begins_at_the_first_colon_and_the_position_at_the_last_underscore() -> None:
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
    shares = plan(files.expand([str(tmp_path)]), Settings())
    found = [(Path(share.file).name, share.split, share.last) for share in shares]
    assert found == [("test.box", "test", 3), ("train.box", "train", 3), ("valid.box", "dev", 3)]


def _many(boxes: int) -> dict[str, bytes]:
    """Boxes with 0 to 3 sentences each, in turn; the first of every four is rejected."""
    numbers = [n % 4 for n in range(boxes)]
    sentences = [f"s{n} {k} of {count}" for n, count in enumerate(numbers) for k in range(count)]
    ids = "".join(f"i{n}\n" for n in range(boxes))
    return lay_out([f"name_1:s{n}\tage_1:{n}" for n in range(boxes)], sentences, [str(n) for n in numbers], id=ids)


@pytest.mark.parametrize("last_line_ends", [True, False])
@pytest.mark.parametrize("boxes", [1, 7, 50, 101, 1000])
def test_ranges_of_boxes_give_what_the_whole_file_gives(tmp_path: Path, boxes: int, last_line_ends: bool) -> None:
    given = _many(101)
    if not last_line_ends:
        given = {kind: data[:-1] for kind, data in given.items()}
    paths = write(tmp_path, given=given)
    shares = plan(paths, Settings(boxes))
    assert [share.last - share.first for share in shares[:-1]] == [boxes] * (len(shares) - 1)
    found = results(paths, boxes)
    assert found == results(paths)
    assert len(found) == 101
    assert rejected(found)[1] == ("no_sentences", "Line 5 of train.nb is 0.")
    for box in kept(found):
        n = int(box.source_id[1:])
        assert [one.originals for one in box.sentences] == [[f"s{n}", str(k), "of", str(n % 4)] for k in range(n % 4)]


def _zip(tmp_path: Path, given: Mapping[str, bytes]) -> list[str]:
    path = tmp_path / "corpus.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for kind, data in given.items():
            archive.writestr(f"corpus/valid/valid.{kind}", data)
        archive.writestr("__MACOSX/valid/._valid.box", b"\0\1")
        archive.writestr("corpus/README.txt", b"read me\n")
    return [str(path)]


def test_an_archive_gives_what_its_files_give(tmp_path: Path) -> None:
    given = _many(101)
    plain = results(write(tmp_path / "plain", "valid", given))
    packed = results(_zip(tmp_path, given), 10)
    assert [box.id for box in kept(packed)] == [box.id for box in kept(plain)]
    assert rejected(packed) == rejected(plain)
    assert {box.file for box in kept(packed)} == {f"{tmp_path}/corpus.zip/corpus/valid/valid.box"}
    assert len(plan(_zip(tmp_path, given), Settings(10))) == 8  # each reads all before it, so they are few


def test_an_archive_beside_its_files_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"corpus\.zip and unpacked files"):
        plan([*_zip(tmp_path, lay_out()), *write(tmp_path)], Settings())


def test_a_damaged_member_is_a_loss(tmp_path: Path) -> None:
    path = Path(_zip(tmp_path, _many(3000))[0])
    data = bytearray(path.read_bytes())
    data[6000:6003] = b"\xff\xff\xff"
    path.write_bytes(data)
    found = results([str(path)], 100)
    assert losses(found)[0].startswith(f"{path}/corpus/valid/valid.box is damaged after ")
    assert 0 < len(kept(found)) < 2250


@pytest.mark.parametrize(
    ("given", "reason", "detail"),
    [
        (
            lay_out(["name_1:a", "name", "b_1:c"]),
            "no_colon",
            "Line 2 of train.box has an item without a colon: 'name'.",
        ),
        (lay_out(["name_1:a", "", "b_1:c"]), "empty_box", "Line 2 of train.box has no token."),
        (lay_out(["name_1:a", "a:<none>", "b_1:c"]), "empty_box", "Line 2 of train.box has no token."),
        (lay_out(["name_1:a", "_1:x", "b_1:c"]), "no_field", "Line 2 of train.box has an item without a field's name"),
        (lay_out(sentences=[*SENTENCES[:2], " ", "x"]), "empty_sentence", "Line 3 of train.sent is empty."),
        (lay_out(numbers=["2", "0", "2"]), "no_sentences", "Line 2 of train.nb is 0."),
        (lay_out(numbers=["2", "one", "1"]), "bad_number", "Line 2 of train.nb is no number of sentences: b'one\\n'."),
        (lay_out(numbers=["2", "-1", "1"]), "bad_number", "Line 2 of train.nb is no number of sentences: b'-1\\n'."),
        (lay_out() | {"box": b"a_1:b\na_1:\xff\na_1:b\n"}, "not_utf8", "Line 2 of train.box is no UTF-8 text"),
        (lay_out() | {"sent": b"a\nb\n\xe9\nd\n"}, "not_utf8", "Line 3 of train.sent is no UTF-8 text"),
        (lay_out() | {"title": b"a\n\xe9\nd\n"}, "not_utf8", "Line 2 of train.title is no UTF-8 text"),
        (
            lay_out(["a_1:b", "a_1:" + "b" * MAX_LINE, "a_1:c"]),
            "too_large",
            "Line 2 of train.box has more than 262,144",
        ),
        (
            lay_out(["a_1:b", "\t".join(["a_1:b"] * 500), "a_1:c"], ["x", "y", "b " * 500, "z"]),
            "too_large",
            "Line 2 of train.box has more than 200,000 occurrences in its sentences.",
        ),
    ],
)
def test_a_bad_box_is_rejected_and_its_neighbours_are_kept(
    tmp_path: Path, given: dict[str, bytes], reason: str, detail: str
) -> None:
    first, second, third = found = results(write(tmp_path, given=given))
    assert isinstance(first, Kept)
    assert isinstance(third, Kept)
    assert isinstance(second, Rejected)
    assert (second.stage, second.reason) == ("read", reason)
    assert second.detail.startswith(detail)
    assert second.head and given["box"][second.offset :].startswith(second.head)
    assert third.rows["boxes"][0].sentences[-1].originals == given["sent"].decode("latin-1").split("\n")[-2].split(" ")
    assert found == results(write(tmp_path, given=given), 1)


def test_numbers_without_sentences_reject_the_last_boxes(tmp_path: Path) -> None:
    found = results(write(tmp_path, given=lay_out(sentences=SENTENCES[:2])))
    assert len(kept(found)) == 1
    assert rejected(found) == [("sentences_missing", f"train.sent has no line {line}.") for line in (3, 4)]
    (loss,) = losses(found)
    assert "train.nb counts 4 sentences, but" in loss and "train.sent has 2: the last boxes are rejected" in loss


def test_boxes_without_numbers_are_rejected(tmp_path: Path) -> None:
    found = results(write(tmp_path, given=lay_out(numbers=NUMBERS[:2])), 1)
    assert len(kept(found)) == 2
    assert rejected(found) == [("no_number", "train.nb has no line 3.")]
    assert len(losses(found)) == 1


def test_a_loss_within_an_archive_names_the_archive(tmp_path: Path) -> None:
    (path,) = _zip(tmp_path, lay_out(BOXES[:2], title="one\n"))
    lines, further = losses(results([path]))
    assert lines.startswith(f"{path}/corpus/valid/valid.nb has 1 line more than {path}/corpus/valid/valid.box;")
    assert further.startswith(f"{path}/corpus/valid/valid.title has 1 line for 2 boxes;")


@pytest.mark.parametrize(
    ("given", "kept_boxes", "said"),
    [
        (lay_out(sentences=[*SENTENCES, "more", "and more"]), 3, "train.sent has 2 lines more than"),
        (lay_out(BOXES[:2]), 2, "train.nb has 1 line more than"),
        (lay_out([], ["a"], []), 0, "train.sent has 1 line more than"),
    ],
)
def test_lines_that_belong_to_no_box_are_told(
    tmp_path: Path, given: dict[str, bytes], kept_boxes: int, said: str
) -> None:
    found = results(write(tmp_path, given=given))
    assert len(kept(found)) == kept_boxes
    (loss,) = losses(found)
    assert said in loss


@pytest.mark.parametrize("boxes", [1, 2, 10])
def test_a_bad_number_that_can_not_be_one_hides_all_behind_it(tmp_path: Path, boxes: int) -> None:
    """Its box may have any number of sentences, so nobody knows whose the others are."""
    given = lay_out([BOXES[0]] * 4, ["a", "b", "c", "d", "e", "f"], ["1", "x", "1", "1"])
    found = results(write(tmp_path, given=given), boxes)
    assert len(kept(found)) == 1
    assert [reason for reason, _ in rejected(found)] == ["bad_number", "unaligned", "unaligned"]
    assert rejected(found)[1][1] == "The sentences of box 3 can't be told: line 2 of train.nb is no number."
    assert len(losses(found)) == 1


def test_a_further_file_of_another_length_is_left_aside(tmp_path: Path) -> None:
    found = results(write(tmp_path, given=lay_out(title="one\ntwo\n", id="1\n2\n3\n")))
    assert [(box.source_id, box.title) for box in kept(found)] == [("1", ""), ("2", ""), ("3", "")]
    (loss,) = losses(found)
    assert loss.endswith("train.title has 2 lines for 3 boxes; it was left aside.")


@pytest.mark.parametrize(
    ("split", "dropped", "said"),
    [
        ("train", "nb", "has no train.nb beside it"),
        ("training", "", "belongs to no split"),
        ("train", "box", "no WikiBio"),
    ],
)
def test_what_is_no_such_corpus_is_refused(tmp_path: Path, split: str, dropped: str, said: str) -> None:
    with pytest.raises(UserError, match=said):
        plan(write(tmp_path, split, {kind: data for kind, data in lay_out().items() if kind != dropped}), Settings())


_BYTES = st.lists(
    st.tuples(st.sampled_from(["box", "sent", "nb", "id"]), st.integers(0, 1 << 16), st.binary(max_size=3))
)


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(_BYTES, st.integers(1, 4))
def test_mutated_files_give_rows_and_reasons(
    tmp_path: Path, changes: Sequence[tuple[str, int, bytes]], boxes: int
) -> None:
    given_files = lay_out(id="1\n2\n3\n")
    for kind, place, replacement in changes:
        data = given_files[kind]
        place %= len(data) + 1
        given_files[kind] = data[:place] + replacement + data[place + len(replacement) // 2 :]
    found = results(write(tmp_path, given=given_files), boxes)
    data = given_files["box"]
    assert sum(not isinstance(one, Lost) for one in found) == data.count(b"\n") + (
        not data.endswith(b"\n") and data != b""
    )
    to_table(kept(found), BOX)
    for box in kept(found):
        for sentence in box.sentences:
            for original, places in zip(sentence.originals, sentence.occurrences, strict=True):
                said = [n for n, other in enumerate(box.originals) if other.lower() == original.lower()]
                assert places == said


def _counted(paths: Sequence[str]) -> Iterator[tuple[str, Counter[str]]]:
    chosen = Settings()
    for share in plan(paths, chosen):
        sums: Counter[str] = Counter()
        for result in read(share, chosen):
            assert isinstance(result, Kept)
            sums.update({"boxes": 1, **result.figures})
        yield share.split, sums


def test_byte_order_marks_are_no_part_of_a_field(tmp_path: Path) -> None:
    given = {kind: BOM_UTF8 + data for kind, data in lay_out().items()}
    marked = kept(results(write(tmp_path / "marked", given=given)))
    plain = kept(results(write(tmp_path / "plain")))
    assert [(box.fields, box.sentences) for box in marked] == [(box.fields, box.sentences) for box in plain]


@pytest.mark.corpus
def test_the_sample_and_table_2_of_the_paper(data_root: Path) -> None:
    """Table 2: 26.1, 53.1, 9.5 and 19.7 on the mean; the sample is a thousandth of the corpus."""
    found = dict(_counted(files.expand([str(data_root / "wikibio" / "wikipedia-biography-dataset")])))
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
    found = dict(_counted(files.expand([str(data_root / "wikibio" / "german")])))
    assert {split: sums["boxes"] for split, sums in found.items()} == {"train": 7589, "dev": 949, "test": 948}
    assert sum(sums["sentences"] for sums in found.values()) == 9486
    assert sum(sums["lines with several sentences"] for sums in found.values()) == 8811
