"""The code page of a record is decided by what stands beside its high bytes."""

from __future__ import annotations

import pytest
from cases import cases

from allsaid.language.code_pages import decode


@cases
def test_evidence(written: str, text: str, encoding: str) -> None:
    assert decode(written.encode(encoding)) == (text, encoding)


def test_a_stray_byte_is_read_in_its_own_page() -> None:
    text, encoding = decode(b"Heat to 350\xf8. Saut\x82 at 200\xf8, then pur\xe9e.")
    assert (text, encoding) == ("Heat to 350°. Sauté at 200°, then purée.", "cp437")


@pytest.mark.parametrize("high", [b"", b" \x82t\x82"])
def test_control_bytes_go(high: bytes) -> None:
    text, _ = decode(b"one\x14\r\ntwo\tthree\x00\x1a\x0cfour\rfive\x07" + high)
    assert text.startswith("one\n\ntwo    three\nfour\nfive")
    assert all(character == "\n" or character.isprintable() for character in text)


def test_baked_in_replacement_marks_go() -> None:
    assert decode("Cr\ufffdme at 350\ufffd F".encode()) == ("Crme at 350 F", "utf-8")


def test_any_bytes_give_printable_text() -> None:
    for start in range(256):
        text, _ = decode(bytes((start + step * 7) % 256 for step in range(256)))
        assert "\ufffd" not in text
        assert not any("\x80" <= character <= "\x9f" for character in text)
