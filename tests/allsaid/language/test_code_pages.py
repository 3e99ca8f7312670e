"""The code page of a record is decided by what stands beside its high bytes."""

from __future__ import annotations

import pytest

from allsaid.language.code_pages import decode


@pytest.mark.parametrize(
    ("data", "text", "encoding"),
    [
        (b"Bake at 350 F.", "Bake at 350 F.", "ascii"),
        (b"Bake at 350\xf8 F.", "Bake at 350° F.", "cp437"),
        (b"Bake at 350\xb0F.", "Bake at 350°F.", "latin-1"),
        (b"Bake at 350\xa1F.", "Bake at 350°F.", "mac-roman"),
        (b"saut\x82 the leeks", "sauté the leeks", "cp437"),
        (b"saut\xe9 the leeks", "sauté the leeks", "latin-1"),
        (b"saut\x8e the leeks", "sauté the leeks", "mac-roman"),
        ("sauté the crème".encode(), "sauté the crème", "utf-8"),
        (b"SOUFFL\x82 MASH", "SOUFFLé MASH", "cp437"),
        (b"1\xab cups", "1 1/2 cups", "cp437"),
        (b"1\xbd cups, 400\xb0 F", "1 1/2 cups, 400° F", "latin-1"),
        ("2 ½ cups, ¼ c".encode(), "2 1/2 cups, 1/4 c", "utf-8"),
        (b"\xc4\xc4\xc4\xc4\xc4 Sauce", "----- Sauce", "cp437"),
        (b"butter\xff\xff\xffsoft", "butter   soft", "cp437"),
        (b"version 1.80\xe1", "version 1.80ß", "cp437"),
        (b"St. Patrick\x92s day at 350\xb0", "St. Patrick's day at 350°", "latin-1"),
    ],
)
def test_evidence(data: bytes, text: str, encoding: str) -> None:
    assert decode(data) == (text, encoding)


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
