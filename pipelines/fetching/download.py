"""Download of one file over HTTP: resumed if possible, retried with growing pauses, checked for its length.

The bytes so far are in ``NAME.part``. ``NAME.part.json`` has its address and the validator (ETag or date) by which the
server confirms that the file is still the same: only then is a download resumed.
"""

from __future__ import annotations

import fcntl
import http.client
import ipaddress
import json
import os
import re
import time
from dataclasses import dataclass
from http.client import HTTPMessage, HTTPResponse
from pathlib import Path
from typing import IO, Any, BinaryIO  # Any: urllib's response, whose class depends on the address
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from allsaid.console import progress, say
from schemas.errors import UserError

BLOCK = 1 << 16  # bytes read at a time
MAX_REDIRECTS = 5
TEMPORARY = (408, 425, 429, 500, 502, 503, 504)  # status codes to retry


@dataclass(frozen=True)
class Patience:
    """The limits of a download without progress."""

    timeout: float = 30.0  # seconds without a byte
    retries: int = 5  # consecutive attempts without new bytes
    wait: float = 1.0  # seconds before the second attempt, doubled with each further one


class Interrupted(Exception):
    """A temporary error; the message is a sentence without its full stop."""


class Redirects(HTTPRedirectHandler):
    """At most MAX_REDIRECTS redirects, and none from https to http."""

    max_redirections = MAX_REDIRECTS

    def redirect_request(
        self, request: Request, body: IO[bytes], code: int, message: str, headers: HTTPMessage, address: str
    ) -> Request | None:
        before, after = urlsplit(request.full_url), urlsplit(address)
        is_downgrade = before.scheme == "https" and after.scheme == "http" and not is_loopback(after.hostname or "")
        if is_downgrade or after.scheme not in ("http", "https"):
            raise UserError(
                f"{request.full_url} redirects to {address}, which is not safe: {after.scheme} instead of "
                f"{before.scheme}. Nothing was downloaded from there."
            )
        return super().redirect_request(request, body, code, message, headers, address)


def is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def download(address: str, part: Path, size: int | None, patience: Patience) -> None:
    """Complete the file ``part``; ``size`` is its length, if known.

    Raises UserError; the bytes so far are kept for the next call.
    """
    try:
        part.parent.mkdir(parents=True, exist_ok=True)
        with part.open("ab") as stream:
            _claim(stream, part)
            _persist(address, stream, part, size, patience)
    except OSError as fault:  # network errors became Interrupted
        raise UserError(f"{part} can't be written ({fault.strerror}). The bytes so far are kept.") from fault


def _claim(stream: BinaryIO, part: Path) -> None:
    """Lock a file, since two downloads into it would mix their bytes."""
    try:
        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as fault:
        raise UserError(f"{part} is being downloaded by another run. Wait for it.") from fault


def _persist(address: str, stream: BinaryIO, part: Path, size: int | None, patience: Patience) -> None:
    failures, reached = 0, os.fstat(stream.fileno()).st_size
    while True:
        try:
            return _attempt(address, stream, part, size, patience.timeout)
        except Interrupted as fault:
            stream.flush()
            now = os.fstat(stream.fileno()).st_size
            failures = 0 if now > reached else failures + 1
            reached = max(reached, now)
            if failures >= patience.retries:
                raise UserError(f"{fault}. The bytes so far are kept; try again later.") from fault
            say(f"{fault}; trying again.")
            time.sleep(patience.wait * 2 ** max(failures - 1, 0))


def _attempt(address: str, stream: BinaryIO, part: Path, size: int | None, timeout: float) -> None:
    note = part.with_name(part.name + ".json")
    begun = stream.seek(0, os.SEEK_END)
    validator = _saved_validator(note, address) if begun else ""
    response = _open(address, {"Range": f"bytes={begun}-", "If-Range": validator} if validator else {}, timeout)
    with response:
        first, total = _extent(response)
        if response.status == 416 and total == begun:
            return
        if response.status == 416 or (response.status == 206 and (first != begun or _validator(response) != validator)):
            stream.truncate(0)
            raise Interrupted(f"{address} has another file than before; the download starts again")
        _check(address, response, total, size)
        if first == 0:
            stream.truncate(0)
        note.write_text(json.dumps({"address": address, "mark": _validator(response)}))
        _copy(address, response, stream, part, first, total)


def _saved_validator(note: Path, address: str) -> str:
    """Return the server's validator of the bytes so far; "" if it sent none."""
    try:
        noted = json.loads(note.read_text())
        return str(noted["mark"]) if noted["address"] == address else ""
    except (FileNotFoundError, ValueError, KeyError, TypeError):
        return ""


def _validator(response: HTTPResponse) -> str:
    """Return a strong ETag, else the date of the last change."""
    tag = response.headers.get("ETag", "")
    return tag if tag and not tag.startswith("W/") else response.headers.get("Last-Modified", "")


def _open(address: str, headers: dict[str, str], timeout: float) -> Any:
    """Send a request; return an HTTPResponse, or for 416 an HTTPError, which has the same interface."""
    request = Request(address, headers={"User-Agent": "allsaid", "Accept-Encoding": "identity", **headers})
    try:
        return build_opener(Redirects).open(request, timeout=timeout)
    except HTTPError as fault:
        if fault.code == 416:
            return fault
        fault.close()
        if fault.code in TEMPORARY:
            raise Interrupted(f"{address} answers {fault.code} {fault.reason}") from fault
        if fault.code in (301, 302, 303, 307, 308):
            raise UserError(f"{address} redirects more than {MAX_REDIRECTS} times, or in a loop.") from fault
        raise UserError(f"{address} answers {fault.code} {fault.reason}. Look at the corpus's page.") from fault
    except ValueError as fault:
        raise UserError(f"{address} redirects to an invalid address ({fault}).") from fault
    except (OSError, http.client.HTTPException) as fault:
        raise Interrupted(f"{address} can't be reached ({fault or type(fault).__name__})") from fault


def _extent(response: HTTPResponse) -> tuple[int, int | None]:
    """Return the position of the body in the file, and the file's length; None if the server does not send it."""
    if response.status == 200:
        length = response.headers.get("Content-Length", "")
        return 0, int(length) if length.isdecimal() else None
    found = re.fullmatch(r"bytes (?:(\d+)-\d+|\*)/(\d+|\*)", response.headers.get("Content-Range", "").strip())
    first, total = found.groups() if found else (None, "*")
    return int(first) if first else -1, int(total) if total.isdecimal() else None


def _check(address: str, response: HTTPResponse, total: int | None, size: int | None) -> None:
    """Raise UserError for a response with another content, before its first byte is written."""
    if response.status not in (200, 206):
        raise UserError(f"{address} answers {response.status} {response.reason}. Look at the corpus's page.")
    if response.headers.get_content_type() == "text/html":
        raise UserError(f"{address} answers with a web page instead of the file. Look at the corpus's page.")
    if total is None and size is None and not response.chunked:
        raise UserError(f"{address} does not send the file's length, so that truncation can't be detected.")
    if None not in (total, size) and total != size:
        raise UserError(f"{address} has {total:,} bytes, but {size:,} are expected. It was not downloaded.")


def _copy(address: str, response: HTTPResponse, stream: BinaryIO, part: Path, first: int, total: int | None) -> None:
    size = first
    with progress(f"{part.name.removesuffix('.part')}, bytes", total) as bar:
        bar.advance(first)
        while block := _read(address, response):
            stream.write(block)
            size += len(block)
            bar.advance(len(block))
    if total is not None and size != total:
        raise Interrupted(f"{address} was cut off after {size:,} of {total:,} bytes")


def _read(address: str, response: HTTPResponse) -> bytes:
    try:
        return bytes(response.read1(BLOCK))
    except (OSError, http.client.HTTPException) as fault:
        raise Interrupted(f"{address} stopped sending ({fault or type(fault).__name__})") from fault
