"""A real HTTP server on loopback that cuts, stalls, redirects and corrupts, for the tests of `allsaid fetch`."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from pipelines.fetching import corpora
from pipelines.fetching.corpus import Corpus, Download
from pipelines.fetching.download import Patience
from pipelines.fetching.fetch import LOCK_NAME, fetch_corpus

CONTENT = bytes(range(256)) * 2000  # 512,000 bytes: more than the sockets' buffers hold
SHA256 = hashlib.sha256(CONTENT).hexdigest()
QUICK = Patience(timeout=1.0, retries=3, wait=0.0)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Server

    def do_GET(self) -> None:
        self.server.asked.append((self.path, self.headers.get("Range"), self.headers.get("If-Range")))
        (self.server.script.pop(0) if self.server.script else serve)(self)

    def log_message(self, format: str, *arguments: object) -> None:
        pass

    def head(self, status: int, **headers: object) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), str(value))
        self.end_headers()


class Server(ThreadingHTTPServer):
    """Serves ``content`` at every path; ``script`` says what to do with the next requests instead."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.content, self.etag = CONTENT, '"one"'
        self.script: list[Callable[[Handler], None]] = []
        self.asked: list[tuple[str, str | None, str | None]] = []
        self.ended = threading.Event()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


def serve(handler: Handler, until: int | None = None) -> None:
    """The file, from where it is asked for; up to ``until`` only, with the length of the whole."""
    content, wanted = handler.server.content, handler.headers.get("Range")
    begin = int(wanted.removeprefix("bytes=").rstrip("-")) if wanted else 0
    if begin and handler.headers.get("If-Range") != handler.server.etag:
        begin = 0
    if begin >= len(content):
        handler.head(416, Content_Range=f"bytes */{len(content)}", Content_Length=0)
        return
    extent = {"Content_Range": f"bytes {begin}-{len(content) - 1}/{len(content)}"} if begin else {}
    handler.head(206 if begin else 200, Content_Length=len(content) - begin, ETag=handler.server.etag, **extent)
    handler.wfile.write(content[begin:until])
    if until is not None:
        handler.close_connection = True


def cut(until: int) -> Callable[[Handler], None]:
    return lambda handler: serve(handler, until)


def stall(handler: Handler, after: int = 1000) -> None:
    """Send a part and then nothing, with the connection open."""
    handler.head(200, Content_Length=len(CONTENT), ETag=handler.server.etag)
    handler.wfile.write(CONTENT[:after])
    handler.server.ended.wait(10)


def drip(handler: Handler) -> None:
    """Slower than the timeout as a whole, never silent for as long."""
    handler.head(200, Content_Length=len(CONTENT), ETag=handler.server.etag)
    for begin in range(0, len(CONTENT), 64_000):
        handler.wfile.write(CONTENT[begin : begin + 64_000])
        handler.server.ended.wait(0.2)


def answer(status: int, body: bytes = b"", **headers: object) -> Callable[[Handler], None]:
    def act(handler: Handler) -> None:
        handler.head(status, **{"Content_Length": len(body), **headers})
        handler.wfile.write(body)

    return act


def without_ranges(until: int | None) -> Callable[[Handler], None]:
    def act(handler: Handler) -> None:
        handler.head(200, Content_Length=len(CONTENT))
        handler.wfile.write(CONTENT[:until])
        handler.close_connection = True

    return act


def chunked(handler: Handler, whole: bool = True) -> None:
    handler.head(200, Transfer_Encoding="chunked")
    for begin in range(0, len(CONTENT) if whole else 128_000, 64_000):
        block = CONTENT[begin : begin + 64_000]
        handler.wfile.write(f"{len(block):x}\r\n".encode() + block + b"\r\n")
    handler.wfile.write(b"0\r\n\r\n" if whole else b"")
    handler.close_connection = True


def corpus_at(server: Server, **known: object) -> Corpus:
    file = Download("box.zip", f"{server.address}/box.zip", **known)  # type: ignore[arg-type]
    return replace(corpora.find("wikibio"), files=(file,), ingests=(("box.zip",),))


def bring(server: Server, folder: Path, **known: object) -> bytes:
    (path,) = fetch_corpus(corpus_at(server, **known), str(folder), QUICK)
    assert sorted(child.name for child in folder.iterdir()) == ["box.zip", LOCK_NAME]
    return path.read_bytes()
