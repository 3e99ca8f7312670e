"""Faults in recipes as JSON: each has its reason and place, and what comes after it is read."""

from __future__ import annotations

import gzip
import io
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from small_allrecipes import CAKE, SOUP, as_array, as_laid_out, as_lines, kept, reasons, results

from allsaid.storage.json_stream import MAX_VALUE, Values
from pipelines.source import Unreadable
from schemas.checks.table import to_table
from schemas.copy import COPY, MAX_INGREDIENT_TOKENS, MAX_TOKENS, MIN_TOKENS
from schemas.runs.rejected import Rejected

LONG = "word " * (MAX_TOKENS - 1)


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        (["title", 5], "not_an_object not_an_object"),
        ("soup", "not_an_object"),
        ({**SOUP, "title": " \n"}, "no_title"),
        ({**SOUP, "title": None}, "no_title"),
        ({**SOUP, "title": 5}, "wrong_type"),
        ({**SOUP, "ingredients": ["", "Sauce:"]}, "no_ingredients"),
        ({"title": "Soup", "directions": ["Cook."]}, "no_ingredients"),
        ({**SOUP, "ingredients": ["salt", 3]}, "wrong_type"),
        ({**SOUP, "ingredients": {"salt": 1}}, "wrong_type"),
        ({**SOUP, "directions": []}, "no_directions"),
        ({**SOUP, "directions": ["1.", "..."]}, "no_directions"),
        ({**SOUP, "directions": [["Cook."]]}, "wrong_type"),
        ({**SOUP, "tags": 1}, "wrong_type"),
        ({**SOUP, "url": []}, "wrong_type"),
        ({**SOUP, "directions": ["One two three four five six seven eight."]}, "too_few_tokens"),
        ({**SOUP, "directions": [LONG + "of."]}, "too_many_tokens"),
        ({**SOUP, "ingredients": ["salt"] * (MAX_INGREDIENT_TOKENS + 1)}, "too_many_ingredient_tokens"),
        ({**SOUP, "directions": ["Cook " * 20 + "a" * 200]}, "too_long_word"),
        ({**SOUP, "note": "x" * MAX_VALUE}, "too_long"),
        ({**SOUP, "note": int("9" * 4000)}, "KeptRecord"),
    ],
)
@pytest.mark.parametrize("lay", [as_lines, as_array, as_laid_out])
def test_a_bad_record_is_rejected_and_reading_goes_on(tmp_path: Path, lay: Any, record: Any, reason: str) -> None:
    data = lay((CAKE, record, SOUP))
    found = results(tmp_path, data)
    assert reasons(found) == ["KeptRecord", *reason.split(), "KeptRecord"]
    for result in found:
        if isinstance(result, Rejected):
            assert data[result.offset :].startswith(result.head) and len(result.head) <= 500
            assert result.file == str(tmp_path / "a.json")
            assert result.detail.endswith(".")
            assert (result.stage == "clean") == bool(result.id)


def test_the_papers_filter_keeps_ten_to_five_hundred_tokens(tmp_path: Path) -> None:
    short = {**SOUP, "directions": ["One two three four five six", "eight nine."]}
    rows = kept(results(tmp_path, as_lines((short, {**SOUP, "directions": [LONG + "."]}))))
    assert [len(row.tokens) for row in rows] == [MIN_TOKENS, MAX_TOKENS]


BROKEN = (
    b"not json at all",
    b'{"title": "Soup", "ingredients": ["salt"',
    b'{"title": "Soup", "ingredi',
    b'{"title": "Soup" "ingredients": ["salt"]}',
    b'{"title": "a\\qb", "ingredients": ["salt"]}',
    b'{"title": ' + b"[" * 100_000 + b"}",
    b'{"title": "Soup", "number": ' + b"9" * 5000 + b"}",
)


@pytest.mark.parametrize("broken", BROKEN)
def test_a_broken_line_is_one_rejected_row(tmp_path: Path, broken: bytes) -> None:
    soup = as_lines((SOUP,))
    found = results(tmp_path, soup + broken + b"\n" + broken + b"\n" + soup)
    assert reasons(found) == ["KeptRecord", "broken_json", "broken_json", "KeptRecord"]
    (bad, again) = [result for result in found if isinstance(result, Rejected)]
    assert (bad.offset, again.offset) == (len(soup), len(soup) + len(broken) + 1)
    assert broken.startswith(bad.head.split(b"\n")[0]) and bad.detail.endswith(".")


@pytest.mark.parametrize("broken", BROKEN[1:])
@pytest.mark.parametrize("between", [b",\n", b",\n  "])
def test_an_array_goes_on_after_a_broken_record(tmp_path: Path, broken: bytes, between: bytes) -> None:
    soup = as_lines((SOUP,)).strip()
    found = results(tmp_path, b"[\n" + between.join([soup, broken, soup, soup]) + b"\n]\n")
    assert reasons(found) == ["KeptRecord", "broken_json", "KeptRecord", "KeptRecord"]
    assert kept(found)[1].offset == 2 + len(soup) + len(broken) + 2 * len(between)


def test_bytes_that_are_no_utf8(tmp_path: Path) -> None:
    found = results(
        tmp_path, as_lines((SOUP,)) + json.dumps({**SOUP, "title": "é"}, ensure_ascii=False).encode("cp1252")
    )
    assert reasons(found) == ["KeptRecord", "not_utf8"]
    assert isinstance(found[1], Rejected) and b"\xe9" in found[1].head


def test_a_file_that_is_cut_off_says_so_and_keeps_what_is_whole(tmp_path: Path) -> None:
    records = tuple({**SOUP, "title": f"Soup {number * 7919 % 1000}"} for number in range(200))
    packed = gzip.compress(as_lines(records))
    *rows, last = results(tmp_path, packed[: len(packed) // 2], "a.jsonl.gz")
    assert isinstance(last, Unreadable) and "cut off" in last.sentence
    assert 50 < len(kept(rows)) < 150
    assert set(reasons(rows[:-1])) == {"KeptRecord"}
    array = as_array()
    *rows, last = results(tmp_path, array[:-1])
    assert reasons(rows) == ["KeptRecord"] * 3
    assert isinstance(last, Unreadable) and "before its JSON array does" in last.sentence
    assert reasons(results(tmp_path, array[:-20])) == ["KeptRecord", "KeptRecord", "broken_json", "Unreadable"]
    assert reasons(results(tmp_path, array[:-3] + b"]")) == ["KeptRecord", "KeptRecord", "broken_json"]
    assert results(tmp_path, b"") == results(tmp_path, b" [ ]\n") == []


@pytest.mark.parametrize(("start", "faults"), [(b'{"a": "', ["too_long"]), (b"", ["broken_json"])])
def test_a_long_stretch_without_a_record_takes_little_memory(start: bytes, faults: list[str]) -> None:
    class Stretch(io.RawIOBase):
        left, longest = 400, 0

        def read(self, size: int = -1) -> bytes:
            self.left -= 1
            self.longest = max(self.longest, size)
            return (start if self.left == 399 else b"") + b"x" * 60_000 if self.left >= 0 else b""

    stretch = Stretch()
    assert [element.fault for element in Values(stretch)] == faults  # type: ignore[arg-type]
    assert stretch.left == -1 and stretch.longest <= 2 * MAX_VALUE


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_mutated_file_gives_rows_and_no_exception(tmp_path: Path, data: st.DataObject) -> None:
    lay = data.draw(st.sampled_from([as_lines, as_array, as_laid_out]))
    content = bytearray(lay())
    for _ in range(data.draw(st.integers(1, 6))):
        place = data.draw(st.integers(0, len(content) - 1))
        length = data.draw(st.integers(0, 40))
        content[place : place + length] = data.draw(
            st.binary(max_size=6) | st.sampled_from([b'"', b"{", b"}", b"[", b"\\u"])
        )
    found = results(tmp_path, bytes(content))
    copies = kept(found)
    to_table(copies, COPY)
    for row in copies:
        for token, item, position in zip(row.tokens, row.copy_items, row.copy_tokens, strict=True):
            assert (item, position) == (-1, -1) or row.ingredient_tokens[item][position] == token
    offsets = [
        result.offset if isinstance(result, Rejected) else result.rows["copies"][0].offset
        for result in found
        if not isinstance(result, Unreadable)
    ]  # type: ignore[union-attr]
    assert offsets == sorted(set(offsets))
