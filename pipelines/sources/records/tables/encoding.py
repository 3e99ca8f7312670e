"""Detection of a table's encoding from the bytes of the whole file, line by line, with constant memory.

A byte order mark decides, then NUL bytes at every other place (UTF-16), then whether most of the lines that are not
ASCII are UTF-8. Otherwise each byte above 0x7f votes for the code pages in which the character fits between its
neighbours: a letter next to letters of the same case, a curly quote before or after a word, a currency next to digits.
If no code page fits, the user must name the encoding.
"""

from __future__ import annotations

import codecs
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import BinaryIO

from allsaid.console import counted
from schemas.errors import UserError

UTF_8, UTF_16 = "utf-8", "utf-16"
# The encodings that --encoding accepts, by the names of Python's codecs, in any of their spellings.
NAMES = (
    UTF_8, UTF_16, "utf-16-le", "utf-16-be", "cp1250", "cp1251", "cp1252", "cp1253", "cp1254", "cp1255", "cp1256",
    "cp1257", "cp1258", "latin-1", "iso8859-2", "iso8859-5", "iso8859-7", "iso8859-9", "iso8859-15", "cp437", "cp850",
    "cp852", "cp866", "mac-roman", "mac-latin2", "koi8-r", "cp932", "shift_jis", "euc-jp", "gb18030", "big5", "euc-kr",
)  # fmt: skip
PAGES = ("cp1252", "cp437", "cp850", "iso8859-15", "mac-roman")  # pages that are detected; the first wins a tie
PRIOR = {"cp437": 0.3, "cp850": 0.35, "iso8859-15": 0.4, "mac-roman": 0.5}  # subtracted from votes for rarer pages
LINE = 1 << 16  # at most this many bytes are read together
MAX_TRIPLES = 1 << 16  # at most this many distinct byte triples are counted
SAMPLE = 1 << 14  # bytes of lines for charset-normalizer's guess if no page fits
MISFIT = -2.0  # the vote for a character that can't be where it is
MAX_MISFITS = 0.15  # largest share of bytes above 0x7f that may misfit before a code page is rejected
_WITH_NEIGHBOURS = re.compile(rb"(?=(.[\x80-\xff].))", re.DOTALL)
_SEQUENCE = re.compile(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}")
_HIGH = re.compile(rb"[\x80-\xff]")
_TABLES = {page: bytes(range(256)).decode(page, "replace") for page in PAGES}
_MARKS = ((codecs.BOM_UTF8, UTF_8), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))


def check_encoding(name: str) -> str:
    """Return the standard name of an encoding, "" for ""; raise UserError for one that is not supported."""
    known = {codecs.lookup(name).name: name for name in NAMES}
    try:
        found = known.get(codecs.lookup(name).name) if name else ""
    except (LookupError, ValueError):
        found = None
    if found is None:
        raise UserError(f"--encoding {name} is not supported. Valid ones are {', '.join(NAMES)}.")
    return found


def wide_encoding(start: bytes) -> str:
    """Return the encoding by a byte order mark, or UTF-16 by its NUL bytes; "" if neither is found."""
    for mark, name in _MARKS:
        if start.startswith(mark):
            return name
    half = len(start) // 2
    even, odd = start[::2].count(0), start[1::2].count(0)
    if max(even, odd) > 0.05 * half and min(even, odd) < 0.01 * half:
        return "utf-16-le" if odd > even else "utf-16-be"
    return ""


def find_encoding(stream: BinaryIO) -> tuple[str, str]:
    """Return the encoding of a text that is not UTF-16, or "" if no page fits; and then a guess, "" for none."""
    is_utf_8 = others = 0
    triples: Counter[bytes] = Counter()
    sample = bytearray()
    while line := stream.readline(LINE):
        if line.isascii():
            continue
        if _is_utf_8(line):
            is_utf_8 += 1
            continue
        others += 1
        found = _WITH_NEIGHBOURS.findall(b"\n" + line + b"\n")
        triples.update(found if len(triples) < MAX_TRIPLES else (three for three in found if three in triples))
        if len(sample) < SAMPLE:
            sample += line[:SAMPLE]
    if is_utf_8 * 2 >= others:
        return UTF_8, ""
    page = _page(triples)
    return page, "" if page else _guess(bytes(sample))


def _is_utf_8(line: bytes) -> bool:
    """Return whether a line is UTF-8, apart from fewer invalid bytes than valid sequences."""
    try:
        line.decode()
    except UnicodeDecodeError:
        sequences = _SEQUENCE.findall(line)
        return len(sequences) > len(_HIGH.findall(line)) - sum(map(len, sequences))
    return True


def _guess(sample: bytes) -> str:
    from charset_normalizer import from_bytes  # it takes 0.1 s, and few tables need it

    best = from_bytes(sample).best()
    try:
        return check_encoding(best.encoding) if best else ""
    except UserError:
        return ""


def _page(triples: Mapping[bytes, int]) -> str:
    """Return the code page with most votes; "" if too many characters can't be where the page puts them."""
    votes = {page: {three: _vote(three, table) for three in triples} for page, table in _TABLES.items()}
    sums = {
        page: sum((vote - PRIOR.get(page, 0)) * triples[three] for three, vote in found.items())
        for page, found in votes.items()
    }
    page = max(PAGES, key=sums.__getitem__)
    misfits = sum(triples[three] for three, vote in votes[page].items() if vote <= MISFIT)
    return "" if misfits > 1 and misfits > MAX_MISFITS * sum(triples.values()) else page


def _vote(three: bytes, table: str) -> float:
    """Return how well the middle byte's character fits between the others, from -4 to 2."""
    before, character, after = (table[byte] for byte in three)
    if character.isalpha() and character not in "ªº":
        return _letter(character, before, after)
    if character in "\ufffd" or "\x80" <= character <= "\x9f":
        return -4.0
    fits = _SIGNS.get(character)
    if fits is not None and fits(before, after):
        return 2.0
    if "\u2500" <= character <= "\u259f":
        return 0.0 if character in (before, after) else MISFIT
    return MISFIT if before.isalpha() and after.isalpha() else -1.0


_COMMON = frozenset("áàâäãåçéèêíìñóòôöõøúùüßæœëïîûÁÀÂÄÅÇÉÈÊÍÑÓÔÖØÚÜÆŒÎ")
_ALONE = frozenset("àáéèóøØÀÉ")  # words of one letter, or the sign of a diameter


def _letter(letter: str, before: str, after: str) -> float:
    weight = 2.0 if letter in "áäåãàâçéèêíñóõöøúüßÄÖÜÉ" else 1.6 if letter in _COMMON else 0.2
    if not before.isalpha() and not after.isalpha():
        return 1.0 if letter in _ALONE else -1.0
    if _is_high(before) and _is_high(after):  # no word of these languages
        return MISFIT
    if letter == "à" and after.isalpha() and not before.isalpha():
        return 0.5
    if before.isdigit() or after.isdigit():
        return 0.2 if letter in _COMMON else -1.0
    if letter.islower() or not letter.isupper():
        return weight if after.islower() or before.islower() or letter == "ß" or not before.isalpha() else MISFIT / 2
    if before.islower():
        return MISFIT
    return weight if after.isalpha() else weight / 2


def _is_high(character: str) -> bool:
    return character.isalpha() and not character.isascii()


def _edge(character: str) -> bool:
    return not character.isalnum()


def _opens(before: str, after: str) -> bool:
    return _edge(before) and after.isalnum()


def _closes(before: str, after: str) -> bool:
    return not before.isspace() and _edge(after)


def _within(before: str, after: str) -> bool:
    return before.isalpha() and after.isalpha()


def _by_digits(before: str, after: str) -> bool:
    """Return whether a sign is next to a number, or next to no letter or digit."""
    return (before.isdigit() or after.isdigit()) or (_edge(before) and _edge(after))


def _behind_digit(before: str, after: str) -> bool:
    return before.isdigit() or (before == " " and after.isupper())


def _raised(before: str, after: str) -> bool:
    return before.isalnum() and not after.islower()


def _apart(before: str, after: str) -> bool:
    return (_edge(before) and _edge(after)) or (before.isdigit() and after.isdigit())


# The signs that texts use, with a test of their neighbours.
_SIGNS: Mapping[str, Callable[[str, str], bool]] = {
    **dict.fromkeys("’´", lambda before, after: _within(before, after) or _closes(before, after)),
    **dict.fromkeys("‘“„‚«‹¿¡§#", _opens),
    **dict.fromkeys("”»›…®™", _closes),
    **dict.fromkeys("–—×÷·•±≤≥≈→", _apart),
    **dict.fromkeys("€£¥¢½¼¾⅓⅔", _by_digits),
    **dict.fromkeys("°ªº‰", _behind_digit),
    **dict.fromkeys("²³¹", _raised),
    "\xa0": lambda before, after: not _within(before, after),
    "\xad": _within,
    "©": _apart,
    "µ": lambda before, after: not before.isalpha() and after.isalpha(),
}


def encoding_sentences(encodings: Mapping[str, str]) -> Iterator[str]:
    """Report the encoding of files that are not UTF-8; ``encodings``: file -> encoding, "" for a file without text."""
    files: dict[str, list[str]] = {}
    for file, encoding in encodings.items():
        files.setdefault(encoding, []).append(file)
    for encoding, names in files.items():
        if encoding not in ("", UTF_8):
            more = f" and {counted(len(names) - 3, 'file')} more" if len(names) > 3 else ""
            yield f"Read as {encoding}: {', '.join(names[:3])}{more}. If characters are wrong, give another --encoding."
