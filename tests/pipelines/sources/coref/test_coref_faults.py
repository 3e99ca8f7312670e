"""Faults in CoNLL columns: the document is rejected with reason and place, and the others are read."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest
from read_results import rejected
from small_coref import HARBOUR, RAIN, kept, long, results, short, sums

from pipelines.lines import MAX_LINE
from pipelines.source import KeptRecord, Unreadable
from pipelines.sources.coref import documents
from schemas.runs.rejected import Rejected


def assert_is_rejected(folder: Path, bad: bytes, reason: str, detail: str, tokens: int) -> None:
    content = short(RAIN) + bad + long(HARBOUR)
    found = results(folder, content)
    (one,) = [result for result in found if isinstance(result, Rejected)]
    assert (one.stage, one.reason) == ("read", reason)
    assert one.detail.startswith(detail)
    assert one.head and content[one.offset :].startswith(one.head)
    assert [len(row.tokens) for row in kept(found)] == [3, 18]
    assert sums(found, "tokens") == 21 + tokens


@pytest.mark.parametrize(
    ("old", "new", "reason", "detail"),
    [
        (b"harbour\t1)", b"harbour\t_", "unbalanced", "Line 7 of 0.conll opens a mention of 1 that no line"),
        (b"\t(1\n", b"\t_\n", "unbalanced", "Line 9 of 0.conll closes a mention of 1 that no line opens."),
        (b"\t(1\n", b"\t(1(\n", "bad_mentions", "Line 7 of 0.conll has no mentions in its last column"),
        (b"\t(1\n", b"\t12\n", "bad_mentions", "Line 7 of 0.conll has no mentions in its last column: '12'."),
        (b"slept\t_", b"slept", "columns_vary", "Line 10 of 0.conll has 2 columns; the document's first"),
        (b"0\tThe\t", b"The\t", "unknown_columns", "Line 7 of 0.conll has 2 columns; it should have 3, or at least 5"),
        (b"slept", b" ", "empty_word", "Line 10 of 0.conll has no word in its column."),
        (b"slept", b"sl\xe9pt", "not_utf8", "Line 10 of 0.conll is not UTF-8 (invalid continuation"),
        (b"slept", b"s" * MAX_LINE, "too_large", "Line 10 of 0.conll has more than 262,144 bytes."),
        (b"# end document\n", b"", "no_end", "The document has no line '#end document' before Line 25 of"),
        (b"# begin document \n", b"\n", "no_begin", "Line 7 of 0.conll is in no document: no line"),
    ],
)
def test_a_bad_document_is_rejected_and_its_neighbours_are_kept(
    tmp_path: Path, old: bytes, new: bytes, reason: str, detail: str
) -> None:
    good = short(HARBOUR)
    assert old in good
    assert_is_rejected(tmp_path, good.replace(old, new, 1), reason, detail, 18)


@pytest.mark.parametrize(
    ("bad", "reason", "detail", "tokens"),
    [
        (long(RAIN, "\xe9").replace("\xe9".encode(), b"\xe9"), "not_utf8", "Line 6 of 0.conll is not UTF-8", 3),
        (b"# begin document \n\n# end document\n", "no_words", "The document has no line with a word.", 0),
        (b"# end document\n", "no_begin", "Line 6 of 0.conll is in no document: no line '#begin document'", 0),
    ],
)
def test_what_is_hardly_a_document_is_rejected(
    tmp_path: Path, bad: bytes, reason: str, detail: str, tokens: int
) -> None:
    assert_is_rejected(tmp_path, bad, reason, detail, tokens)


def test_a_document_that_is_too_large_is_not_held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents, "MAX_DOCUMENT", 200)
    found = results(tmp_path, long(HARBOUR) + short(RAIN))
    assert rejected(found) == [("too_large", "Line 6 of 0.conll exceeds 200 bytes of one document.")]
    assert len(kept(found)) == 1
    assert sums(found, "tokens") == 21


@pytest.mark.parametrize("change", [lambda data: data.replace(b"\n", b"\r\n"), lambda data: b"\xef\xbb\xbf" + data])
def test_line_ends_of_windows_and_byte_order_marks_are_no_fault(
    tmp_path: Path, change: Callable[[bytes], bytes]
) -> None:
    changed = kept(results(tmp_path, change(long(HARBOUR)), long(HARBOUR)))
    assert changed[0].tokens == changed[1].tokens
    assert changed[0].entities == changed[1].entities


def test_a_packed_file_that_is_cut_off_is_told(tmp_path: Path) -> None:
    packed = gzip.compress(long(HARBOUR) * 50, 1)
    found = results(tmp_path, packed[: len(packed) // 2])
    (loss,) = [result.sentence for result in found if isinstance(result, Unreadable)]
    assert "0.conll is cut off" in loss
    assert isinstance(found[0], KeptRecord)
    assert rejected(found)[-1][0] in ("no_end", "columns_vary")
