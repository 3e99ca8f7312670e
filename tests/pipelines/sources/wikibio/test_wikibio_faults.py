"""Faults in WikiBio's files: rejected with reason and place, or told as a loss; what is whole is kept."""

from __future__ import annotations

import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from read_results import lost, rejected
from small_wikibio import BOXES, NUMBERS, SENTENCES, kept, lay_out, many, results, write, write_zip

from pipelines.lines import MAX_LINE
from pipelines.source import KeptRecord, Unreadable
from pipelines.sources.wikibio.source import Settings, WikiBio
from schemas.box import BOX
from schemas.checks.table import to_table
from schemas.errors import UserError
from schemas.runs.rejected import Rejected


def test_a_damaged_member_is_a_loss(tmp_path: Path) -> None:
    path = Path(write_zip(tmp_path, many(3000))[0])
    data = bytearray(path.read_bytes())
    data[6000:6003] = b"\xff\xff\xff"
    path.write_bytes(data)
    found = results([str(path)], 100)
    assert lost(found)[0].startswith(f"{path}/corpus/valid/valid.box is damaged after ")
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
        (lay_out() | {"box": b"a_1:b\na_1:\xff\na_1:b\n"}, "not_utf8", "Line 2 of train.box is not UTF-8"),
        (lay_out() | {"sent": b"a\nb\n\xe9\nd\n"}, "not_utf8", "Line 3 of train.sent is not UTF-8"),
        (lay_out() | {"title": b"a\n\xe9\nd\n"}, "not_utf8", "Line 2 of train.title is not UTF-8"),
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
    assert isinstance(first, KeptRecord)
    assert isinstance(third, KeptRecord)
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
    (loss,) = lost(found)
    assert "train.nb counts 4 sentences, but" in loss and "train.sent has 2: the last boxes are rejected" in loss


def test_boxes_without_numbers_are_rejected(tmp_path: Path) -> None:
    found = results(write(tmp_path, given=lay_out(numbers=NUMBERS[:2])), 1)
    assert len(kept(found)) == 2
    assert rejected(found) == [("no_number", "train.nb has no line 3.")]
    assert len(lost(found)) == 1


def test_an_archive_without_boxes_beside_a_good_one_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = write_zip(tmp_path, lay_out())
    with zipfile.ZipFile(tmp_path / "other.zip", "w"):
        pass
    assert len(kept(results([*paths, str(tmp_path / "other.zip")]))) == len(BOXES)
    told = " ".join(capsys.readouterr().err.split())
    assert f"{tmp_path}/other.zip has no .box file of WikiBio; it is skipped." in told
    assert "corpus.zip" not in told


def test_a_loss_within_an_archive_names_the_archive(tmp_path: Path) -> None:
    (path,) = write_zip(tmp_path, lay_out(BOXES[:2], title="one\n"))
    lines, further = lost(results([path]))
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
    (loss,) = lost(found)
    assert said in loss


@pytest.mark.parametrize("boxes", [1, 2, 10])
def test_a_bad_number_that_can_not_be_one_hides_all_behind_it(tmp_path: Path, boxes: int) -> None:
    """Its box may have any number of sentences, so nobody knows whose the others are."""
    given = lay_out([BOXES[0]] * 4, ["a", "b", "c", "d", "e", "f"], ["1", "x", "1", "1"])
    found = results(write(tmp_path, given=given), boxes)
    assert len(kept(found)) == 1
    assert [reason for reason, _ in rejected(found)] == ["bad_number", "unaligned", "unaligned"]
    assert rejected(found)[1][1] == "The sentences of box 3 are unknown: line 2 of train.nb is no number."
    assert len(lost(found)) == 1


def test_a_further_file_of_another_length_is_left_aside(tmp_path: Path) -> None:
    found = results(write(tmp_path, given=lay_out(title="one\ntwo\n", id="1\n2\n3\n")))
    assert [(box.source_id, box.title) for box in kept(found)] == [("1", ""), ("2", ""), ("3", "")]
    (loss,) = lost(found)
    assert loss.endswith("train.title has 2 lines for 3 boxes; it was ignored.")


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
        WikiBio().plan(
            write(tmp_path, split, {kind: data for kind, data in lay_out().items() if kind != dropped}), Settings()
        )


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
    assert sum(not isinstance(one, Unreadable) for one in found) == data.count(b"\n") + (
        not data.endswith(b"\n") and data != b""
    )
    to_table(kept(found), BOX)
    for box in kept(found):
        for sentence in box.sentences:
            for original, places in zip(sentence.originals, sentence.occurrences, strict=True):
                said = [n for n, other in enumerate(box.originals) if other.lower() == original.lower()]
                assert places == said
