"""Reader of JSON values from a stream, one in memory at a time: JSON lines, an array, or one value over several lines.

It takes blanks, line breaks, commas and the array's brackets as separators, so one reader serves all three. After a
broken value it continues with the next line of JSON lines, else with the next object.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass
from json import JSONDecodeError, JSONDecoder
from typing import Any, BinaryIO  # Any: JSON

from schemas.runs.rejected import HEAD_BYTES

CHUNK = 1 << 16  # bytes read at a time
MAX_VALUE = 1 << 17  # bytes; a longer value is skipped
_LITERAL = 16  # characters; an error this close to the end of the buffer may be a literal cut in two
_OVERLAP = 64  # characters kept while searching for the next value

_parse = JSONDecoder().raw_decode
_BETWEEN = re.compile(r"[ \t\r\n,\[\]\ufeff]*")
_NEXT_LINE = re.compile(r"\n")
_NEXT_OBJECT = re.compile(r"\}\s*,\s*(?=\{)|\n(?=[ \t\r]*\{)")  # looks ahead within a line only, so time is linear
_BEGINNING = re.compile(r'\{\s*"[^"\\]*"\s*:')
_LAID_OUT = re.compile(r"[^\n]*[{,:\[]\s*\n")  # a first line that ends within a value


@dataclass(frozen=True)
class Element:
    """A value, or input that could not be read as one."""

    offset: int  # of its first byte in the stream
    head: bytes  # its first HEAD_BYTES bytes
    value: Any
    fault: str = ""  # "broken_json", "not_utf8", "too_long"
    detail: str = ""  # a sentence about the fault


class Values:
    """Iterator over the values of a decompressed stream.

    ``unclosed`` is true while an array is open, so afterwards if it was never closed. ``offset`` is the position of the
    stream's first byte in the file; if it isn't 0, a file of JSON lines was split there.
    """

    def __init__(self, stream: BinaryIO, offset: int = 0) -> None:
        self._stream = stream
        # Bytes that are not UTF-8 become lone surrogates, so that characters can be mapped back to bytes.
        self._decode = codecs.getincrementaldecoder("utf-8")("surrogateescape").decode
        self._text, self._at = "", 0  # buffered characters; index of the next one
        self._offset = offset  # of the next character, in bytes of the file
        self._is_later_part = offset > 0  # of a file that was split
        self._ended = False
        self._next_value = _NEXT_LINE
        self.unclosed = False

    def __iter__(self) -> Iterator[Element]:
        self._skip_between()
        if not self._is_later_part and (self.unclosed or _LAID_OUT.match(self._text, self._at)):
            self._next_value = _NEXT_OBJECT
        while self._at < len(self._text):
            element = self._next_element()
            if element is not None:
                yield element
                self._skip_between()

    @property
    def is_splittable(self) -> bool:
        """Whether another reader may start at the last value: the file is JSON lines, and no array is open."""
        return self._next_value is _NEXT_LINE and not self.unclosed

    def _next_element(self) -> Element | None:
        """Return the value that begins here; None if it is not wholly buffered, after reading more of the stream."""
        try:
            value, end = _parse(self._text, self._at)
        except (ValueError, RecursionError) as fault:
            if not self._may_be_incomplete(fault):
                return self._reject_broken(fault)
        else:
            if self._ended or end < len(self._text) or isinstance(value, dict):  # a number could go on
                return self._accept(value, end)
        if len(self._text) - self._at > MAX_VALUE:
            return self._reject("too_long", f"The value is longer than {MAX_VALUE:,} bytes.", len(self._text))
        self._read_more()
        return None

    def _accept(self, value: Any, end: int) -> Element:
        """Move past a parsed value and return it, or its fault if it is too long or not UTF-8."""
        offset = self._offset
        raw = self._advance(end)
        head = raw[:HEAD_BYTES]
        if len(raw) > MAX_VALUE:
            return Element(offset, head, None, "too_long", f"The value has {len(raw):,} bytes.")
        if not raw.isascii():
            try:
                raw.decode()
            except UnicodeDecodeError as fault:
                detail = f"Byte {offset + fault.start:,} of the file is no UTF-8."
                return Element(offset, head, None, "not_utf8", detail)
        return Element(offset, head, value)

    def _may_be_incomplete(self, fault: Exception) -> bool:
        """Return whether the error may disappear when more of the stream has been read."""
        if self._ended or not isinstance(fault, JSONDecodeError):
            return False
        return fault.pos > len(self._text) - _LITERAL or fault.msg.startswith("Unterminated string")

    def _reject_broken(self, fault: Exception) -> Element:
        if not isinstance(fault, JSONDecodeError):
            return self._reject("broken_json", f"The value can't be read ({fault}).", self._at)
        detail = f"After {fault.pos - self._at:,} characters of the value: {fault.msg}."
        return self._reject("broken_json", detail, fault.pos)

    def _reject(self, fault: str, detail: str, reached: int) -> Element:
        """Return the fault as an element and move to the next value; parsing stopped at ``reached``."""
        head = self._text[self._at : self._at + HEAD_BYTES].encode("utf-8", "surrogateescape")[:HEAD_BYTES]
        element = Element(self._offset, head, None, fault, detail)
        if self._next_value is _NEXT_LINE:
            self._skip(self._at)
            return element
        beginning = _BEGINNING.match(self._text, self._at)
        next_start = self._text.find(beginning[0], beginning.end(), reached) if beginning else -1
        if next_start >= 0:  # the next value begins before the fault, within a list that was not closed
            self._advance(next_start)
        else:  # search from the fault, or from the line end right before it
            self._skip(self._at + len(self._text[self._at : reached].rstrip()))
        return element

    def _skip(self, start: int) -> None:
        """Move past the next separator at or after ``start``, or to the end of the stream."""
        while not (separator := self._next_value.search(self._text, start)) and not self._ended:
            self._advance(max(self._at, len(self._text) - _OVERLAP))
            self._read_more()
            start = 0
        if not separator:
            self.unclosed &= not self._text.rstrip().endswith("]")
        self._advance(separator.end() if separator else len(self._text))

    def _skip_between(self) -> None:
        """Move to the next value, or to the end of the stream."""
        while True:
            separators = _BETWEEN.match(self._text, self._at)
            assert separators is not None
            between = self._advance(separators.end())
            self.unclosed = b"]" not in between and (self.unclosed or b"[" in between)
            if self._at < len(self._text) or self._ended:
                return
            self._read_more()

    def _advance(self, to: int) -> bytes:
        """Move to an index of the buffer; return the bytes in between."""
        raw = self._text[self._at : to].encode("utf-8", "surrogateescape")
        self._offset += len(raw)
        self._at = to
        return raw

    def _read_more(self) -> None:
        """Read more; the buffer doubles for a long value, so that parsing it repeatedly stays cheap."""
        data = self._stream.read(max(CHUNK, len(self._text) - self._at))
        self._ended = not data
        self._text = self._text[self._at :] + self._decode(data, not data)
        self._at = 0
