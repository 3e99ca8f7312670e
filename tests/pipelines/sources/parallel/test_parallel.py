"""Two files of as many lines become pairs; which belong together is told by the ends of their names."""

from __future__ import annotations

import gzip
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pytest
from read_results import rejected
from small_pairs import kept, results

from schemas.errors import UserError
from schemas.runs.rejected import Rejected

DE = "Der Hafen  schläft.\nEs regnet.\n".encode()
EN = b"The harbour is asleep.\nIt is raining."
ENDS = {"source": "de", "text": "en"}


def test_lines_are_paired_and_the_files_name_their_part(tmp_path: Path) -> None:
    contents = {"valid.x.de": DE, "valid.x.en": EN, "test.de.gz": gzip.compress(DE), "test.en": EN}
    found = kept(results("parallel", tmp_path, contents, **ENDS))
    assert [(split, row.source, row.text) for split, row in found] == [
        ("test", "Der Hafen schläft.", "The harbour is asleep."),
        ("test", "Es regnet.", "It is raining."),
        ("dev", "Der Hafen schläft.", "The harbour is asleep."),
        ("dev", "Es regnet.", "It is raining."),
    ]
    assert found[0][1].source_tokens == ["der", "hafen", "schläft", "."]
    assert (found[1][1].offset, found[1][1].items) == (DE.index(b"Es"), [])
    assert len({row.id for _, row in found}) == 4


def test_other_pairs_are_parted_by_both_lines(tmp_path: Path) -> None:
    lines = [f"line {number}\n".encode() for number in range(200)]
    shares = {"dev_share": 0.2, "test_share": 0.3}
    found = kept(results("parallel", tmp_path, {"a.source": b"".join(lines), "a.target": b"".join(lines)}, **shares))
    splits = Counter(split for split, _ in found)
    assert 20 < splits["dev"] < 60 and 40 < splits["test"] < 80
    turned = kept(
        results("parallel", tmp_path, {"a.source": b"".join(lines[::-1]), "a.target": b"".join(lines[::-1])}, **shares)
    )
    assert {(split, row.text) for split, row in found} == {(split, row.text) for split, row in turned}


@pytest.mark.parametrize(
    ("side", "bad", "reason", "detail"),
    [
        ("a.de", b"\n", "no_source", "The source is empty."),
        ("a.en", b" \n", "no_text", "The text is empty."),
        ("a.de", b"\xe9\n", "not_utf8", "Line 2 of a.de is not UTF-8"),
        ("a.en", b"\xe9\n", "not_utf8", "Line 2 of a.en is not UTF-8"),
        ("a.de", b"a " * 2001 + b"\n", "long_source", "The source has 2,001 tokens; at most 2,000 are allowed."),
        ("a.en", b"a " * 1001 + b"\n", "long_text", "The text has 1,001 tokens; at most 1,000 are allowed."),
    ],
)
def test_a_bad_line_costs_its_pair_alone(tmp_path: Path, side: str, bad: bytes, reason: str, detail: str) -> None:
    good = b"One.\nTwo.\nThree.\n"
    contents = {"a.de": good, "a.en": good} | {side: good.replace(b"Two.\n", bad)}
    found = results("parallel", tmp_path, contents, **ENDS)
    assert [row.text for _, row in kept(found)] == ["One.", "Three."]
    (one,) = [result for result in found if isinstance(result, Rejected)]
    assert rejected(found)[0][0] == reason and one.detail.startswith(detail)
    assert (Path(one.file).name, one.offset) == ("a.de", 5)


@pytest.mark.parametrize(
    ("contents", "sentence"),
    [
        ({"a.de": DE, "b.txt": EN}, r"--input has no file with the extension '\.en'\. Name the extensions of sources"),
        ({"a.de": DE, "a.en": EN, "b.en": EN}, r"--input has .*b\.en, but not b\.de in its folder\. Give both"),
        ({"a.de": DE, "a.en": EN + b"\n\n"}, r"a\.de has 2 lines, but .*a\.en has 3\. Both must have the same number"),
        ({"a.de": DE, "a.en": b""}, r"a\.de has 2 lines, but .*a\.en has 0\."),
        ({"a.de": b"", "a.en": b""}, r"a\.de is empty"),
    ],
)
def test_files_that_do_not_belong_together_are_refused(
    tmp_path: Path, contents: Mapping[str, bytes], sentence: str
) -> None:
    with pytest.raises(UserError, match=sentence):
        results("parallel", tmp_path, contents, **ENDS)


def test_a_file_of_neither_side_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    results("parallel", tmp_path, {"a.de": DE, "a.en": EN, "notes.md": b"x"}, **ENDS)
    assert "notes.md ends neither with .de nor with .en; it is skipped." in " ".join(capsys.readouterr().err.split())
