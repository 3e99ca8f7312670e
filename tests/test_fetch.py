"""`allsaid fetch` against a real HTTP server that cuts, stalls, redirects and corrupts."""

from __future__ import annotations

import fcntl
import hashlib
import json
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path
from urllib.request import Request

import pytest

from console import UserError
from pipelines import corpora
from pipelines.corpora import CORPORA, Corpus, Download
from pipelines.download import Patience, Redirects, is_loopback
from pipelines.fetch import LOCK_NAME, Locked, _record, fetch, fetch_corpus, read_lock

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


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    running = Server()
    thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield running
    running.ended.set()
    running.shutdown()
    thread.join()
    running.server_close()


def corpus_at(server: Server, **known: object) -> Corpus:
    file = Download("box.zip", f"{server.address}/box.zip", **known)  # type: ignore[arg-type]
    return replace(corpora.find("wikibio"), files=(file,), ingests=(("box.zip",),))


def bring(server: Server, folder: Path, **known: object) -> bytes:
    (path,) = fetch_corpus(corpus_at(server, **known), str(folder), QUICK)
    assert sorted(child.name for child in folder.iterdir()) == ["box.zip", LOCK_NAME]
    return path.read_bytes()


def test_first_download_tells_licence_and_citation_and_records_the_hash(
    server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert bring(server, tmp_path / "new" / "folder") == CONTENT
    said = capsys.readouterr().err
    assert "Licence: Creative Commons Attribution-ShareAlike 3.0" in said
    assert said.index("Please cite: Rémi Lebret, David Grangier and Michael Auli (2016).") < said.index("unverified")
    assert "@inproceedings{lebret-etal-2016-neural," in said
    assert f"Next: allsaid ingest wikibio --input {tmp_path}/new/folder/box.zip --output DIR" in said
    assert read_lock(tmp_path / "new" / "folder") == {
        "box.zip": Locked(f"{server.address}/box.zip", len(CONTENT), SHA256, verified=False)
    }

    assert bring(server, tmp_path / "new" / "folder") == CONTENT
    again = capsys.readouterr().err
    assert "was there already; its SHA-256 is the expected one" in again
    assert "unverified" not in again
    assert "Licence" not in again
    assert len(server.asked) == 1


def test_a_known_hash_is_verified(server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert bring(server, tmp_path, size=len(CONTENT), sha256=SHA256) == CONTENT
    assert "unverified" not in capsys.readouterr().err
    assert read_lock(tmp_path)["box.zip"].verified


def test_what_was_cut_goes_on_where_it_stopped(server: Server, tmp_path: Path) -> None:
    server.script = [cut(100_000), cut(300_000)]
    assert bring(server, tmp_path) == CONTENT
    assert server.asked == [
        ("/box.zip", None, None),
        ("/box.zip", "bytes=100000-", '"one"'),
        ("/box.zip", "bytes=300000-", '"one"'),
    ]


def test_a_later_run_goes_on_too(server: Server, tmp_path: Path) -> None:
    server.script = [cut(100_000), answer(503), answer(429), answer(500)]
    with pytest.raises(UserError, match=r"/box.zip answers 500 .*What has come so far is kept; try again later\."):
        bring(server, tmp_path)
    assert (tmp_path / "box.zip.part").stat().st_size == 100_000
    assert not (tmp_path / "box.zip").exists()
    server.asked.clear()
    assert bring(server, tmp_path) == CONTENT
    assert server.asked == [("/box.zip", "bytes=100000-", '"one"')]


def test_a_run_that_was_killed_is_taken_up(server: Server, tmp_path: Path) -> None:
    server.script = [lambda handler: stall(handler, 400_000)]
    code = (
        "import sys\nfrom dataclasses import replace\nfrom pipelines import corpora, fetch\n"
        "file = corpora.Download('box.zip', sys.argv[1])\n"
        "fetch.fetch_corpus(replace(corpora.find('wikibio'), files=(file,)), sys.argv[2], fetch.Patience())\n"
    )
    command = [sys.executable, "-c", code, f"{server.address}/box.zip", str(tmp_path)]
    part = tmp_path / "box.zip.part"
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as run:
        while run.poll() is None and not (part.exists() and part.stat().st_size > 100_000):
            time.sleep(0.01)
        run.send_signal(signal.SIGKILL)
    come = part.stat().st_size
    assert 100_000 < come <= 400_000
    assert bring(server, tmp_path) == CONTENT
    assert server.asked[1:] == [("/box.zip", f"bytes={come}-", '"one"')]


def test_a_server_that_always_cuts_is_given_up(server: Server, tmp_path: Path) -> None:
    server.script = [cut(1000)] * 10
    with pytest.raises(UserError, match=r"was cut off after 1,000 of 512,000 bytes"):
        bring(server, tmp_path)
    assert len(server.asked) == 1 + QUICK.retries  # the first one did bring something


def test_a_file_that_changed_meanwhile_is_begun_anew(server: Server, tmp_path: Path) -> None:
    def change(handler: Handler) -> None:
        server.content, server.etag = CONTENT[::-1], '"two"'
        serve(handler)

    server.script = [cut(100_000), change]
    assert bring(server, tmp_path) == CONTENT[::-1]
    assert len(server.asked) == 2


def test_a_server_that_ignores_if_range_does_not_mix_two_files(server: Server, tmp_path: Path) -> None:
    changed = CONTENT[::-1]
    part = answer(206, changed[100_000:], Content_Range=f"bytes 100000-511999/{len(changed)}", ETag='"two"')
    server.script = [cut(100_000), part]
    assert bring(server, tmp_path) == CONTENT
    assert [asked[1] for asked in server.asked] == [None, "bytes=100000-", None]


def test_a_part_from_the_wrong_place_is_not_used(server: Server, tmp_path: Path) -> None:
    wrong = answer(206, CONTENT[5:], Content_Range=f"bytes 5-511999/{len(CONTENT)}", ETag='"one"')
    server.script = [cut(100_000), wrong]
    assert bring(server, tmp_path) == CONTENT


@pytest.mark.parametrize("tag", ["", 'W/"weak"'])
def test_without_a_strong_mark_the_whole_file_is_downloaded_again(server: Server, tmp_path: Path, tag: str) -> None:
    server.etag = tag
    server.script = [cut(100_000)]
    assert bring(server, tmp_path) == CONTENT
    assert [asked[1] for asked in server.asked] == [None, None]


def test_a_server_without_ranges(server: Server, tmp_path: Path) -> None:
    server.script = [cut(100_000), without_ranges(300_000), without_ranges(None)]
    assert bring(server, tmp_path) == CONTENT


def test_a_part_that_is_whole_already_is_only_checked(server: Server, tmp_path: Path) -> None:
    (tmp_path / "box.zip.part").write_bytes(CONTENT)
    (tmp_path / "box.zip.part.json").write_text(json.dumps({"address": f"{server.address}/box.zip", "mark": '"one"'}))
    assert bring(server, tmp_path) == CONTENT
    assert server.asked == [("/box.zip", "bytes=512000-", '"one"')]


def test_a_part_from_another_address_or_too_long_is_not_used(server: Server, tmp_path: Path) -> None:
    (tmp_path / "box.zip.part").write_bytes(b"x" * 1000)
    (tmp_path / "box.zip.part.json").write_text(json.dumps({"address": "http://127.0.0.1/other", "mark": '"one"'}))
    assert bring(server, tmp_path) == CONTENT
    (tmp_path / "box.zip").unlink()
    (tmp_path / "box.zip.part").write_bytes(b"x" * 600_000)
    (tmp_path / "box.zip.part.json").write_text(json.dumps({"address": f"{server.address}/box.zip", "mark": '"one"'}))
    assert bring(server, tmp_path) == CONTENT


def test_silence_ends_an_attempt_and_slowness_does_not(
    server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    server.script = [stall]
    assert bring(server, tmp_path / "a") == CONTENT
    assert "stopped sending (timed out); trying again." in capsys.readouterr().err
    assert server.asked[1][1] == "bytes=1000-"
    server.script = [drip]
    assert bring(server, tmp_path / "b") == CONTENT
    assert len(server.asked) == 3


def test_no_server(server: Server, tmp_path: Path) -> None:
    gone = replace(corpus_at(server), files=(Download("box.zip", "http://127.0.0.1:1/box.zip"),))
    with pytest.raises(UserError, match=r"http://127\.0\.0\.1:1/box\.zip can't be reached \(.*refused"):
        fetch_corpus(gone, str(tmp_path), QUICK)


def test_chunks_have_an_end_of_their_own(server: Server, tmp_path: Path) -> None:
    server.script = [lambda handler: chunked(handler, whole=False), chunked]
    assert bring(server, tmp_path) == CONTENT
    assert len(server.asked) == 2


def test_a_server_that_tells_no_length(server: Server, tmp_path: Path) -> None:
    def endless(handler: Handler) -> None:
        handler.head(200)
        handler.wfile.write(CONTENT)
        handler.close_connection = True

    server.script = [endless]
    with pytest.raises(UserError, match="does not say how long the file is"):
        bring(server, tmp_path)
    server.script = [endless]
    assert bring(server, tmp_path, size=len(CONTENT), sha256=SHA256) == CONTENT


@pytest.mark.parametrize(
    ("behaviour", "said"),
    [
        (answer(404), "answers 404 Not Found. Look at the corpus's page."),
        (answer(403), "answers 403 Forbidden"),
        (answer(204), "answers 204 No Content"),
        (answer(200, b"<p>Sign in</p>", Content_Type="text/html; charset=utf-8"), "a web page instead of the file"),
        (answer(302, Location="ftp://127.0.0.1/box.zip"), "which is not safe: ftp instead of http"),
        (answer(302, Location="file:///etc/hostname"), "or where it must not"),
        (answer(302, Location="http://[broken/"), "redirects to what is no address"),
    ],
)
def test_answers_that_will_not_change(
    server: Server, tmp_path: Path, behaviour: Callable[[Handler], None], said: str
) -> None:
    server.script = [behaviour]
    with pytest.raises(UserError) as fault:
        bring(server, tmp_path)
    assert said in str(fault.value)
    assert len(server.asked) == 1
    assert not (tmp_path / "box.zip").exists()


def test_redirects_are_followed_a_few_times(server: Server, tmp_path: Path) -> None:
    server.script = [cut(100_000), answer(302, Location="/a"), answer(307, Location="/b"), answer(308, Location="/c")]
    assert bring(server, tmp_path) == CONTENT
    assert [asked[0] for asked in server.asked] == ["/box.zip", "/box.zip", "/a", "/b", "/c"]
    assert server.asked[-1][1:] == ("bytes=100000-", '"one"')

    server.script = [answer(302, Location=f"/{step}") for step in range(20)]
    with pytest.raises(UserError, match="redirects more than 5 times"):
        bring(server, tmp_path / "many")
    server.script = [answer(302, Location="/box.zip")] * 20
    with pytest.raises(UserError, match="redirects more than 5 times"):
        bring(server, tmp_path / "circle")


def test_https_is_not_given_up_but_on_loopback() -> None:
    def redirect(before: str, after: str) -> Request | None:
        return Redirects().redirect_request(Request(before), BytesIO(), 302, "Found", Message(), after)

    with pytest.raises(UserError, match="http instead of https"):
        redirect("https://corpus.example/a", "http://corpus.example/a")
    for before, after in [
        ("https://corpus.example/a", "https://files.example/b"),
        ("http://corpus.example/a", "http://files.example/b"),
        ("https://corpus.example/a", "http://127.0.0.1:8000/b"),
    ]:
        request = redirect(before, after)
        assert request is not None
        assert request.full_url == after
    assert is_loopback("::1")
    assert is_loopback("localhost")
    assert not is_loopback("localhost.example")
    assert not is_loopback("128.0.0.1")


def test_a_file_of_another_size_than_known_is_not_downloaded(server: Server, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="has 512,000 bytes, but the file is known to have 5"):
        bring(server, tmp_path, size=5, sha256=SHA256)
    assert (tmp_path / "box.zip.part").read_bytes() == b""


def test_what_does_not_match_is_kept_aside(server: Server, tmp_path: Path) -> None:
    damaged = CONTENT[:-1] + b"\0"
    server.content = damaged
    with pytest.raises(UserError, match=rf"but {SHA256} is known for it\. It came damaged or has changed"):
        bring(server, tmp_path, size=len(CONTENT), sha256=SHA256)
    assert (tmp_path / "box.zip.rejected").read_bytes() == damaged
    assert sorted(child.name for child in tmp_path.iterdir()) == ["box.zip.rejected"]
    server.content = CONTENT
    fetch_corpus(corpus_at(server, sha256=SHA256), str(tmp_path), QUICK)
    assert (tmp_path / "box.zip").read_bytes() == CONTENT


def test_what_another_download_recorded_meanwhile_stays(server: Server, tmp_path: Path) -> None:
    """Two corpora go into one folder: the one that ends last must not forget the other's files."""

    def serve_late(handler: Handler) -> None:
        _record(tmp_path, "quick.bin", Locked("http://example.org/quick.bin", 1, SHA256, False))
        serve(handler)

    server.script = [serve_late]
    fetch_corpus(corpus_at(server), str(tmp_path), QUICK)
    assert read_lock(tmp_path).keys() == {"quick.bin", "box.zip"}


def test_later_downloads_must_match_the_lock_file(server: Server, tmp_path: Path) -> None:
    bring(server, tmp_path)
    lock = (tmp_path / LOCK_NAME).read_bytes()
    (tmp_path / "box.zip").unlink()
    server.content, server.etag = CONTENT[1:], '"two"'
    with pytest.raises(UserError, match=rf"but {SHA256} is recorded in fetch\.lock\.json\..*kept aside"):
        fetch_corpus(corpus_at(server), str(tmp_path), QUICK)
    assert (tmp_path / "box.zip.rejected").read_bytes() == CONTENT[1:]
    assert (tmp_path / LOCK_NAME).read_bytes() == lock
    assert not (tmp_path / "box.zip").exists()


def test_a_file_that_was_changed_here_is_not_overwritten(server: Server, tmp_path: Path) -> None:
    bring(server, tmp_path)
    (tmp_path / "box.zip").write_bytes(b"mine")
    with pytest.raises(UserError, match=r"box\.zip has the SHA-256 .*Move it away, then fetch again\."):
        fetch_corpus(corpus_at(server), str(tmp_path), QUICK)
    assert (tmp_path / "box.zip").read_bytes() == b"mine"
    assert len(server.asked) == 1


def test_an_archive_is_never_unpacked_and_a_link_not_followed_out(server: Server, tmp_path: Path) -> None:
    (tmp_path / "inside").mkdir()
    for name in ("box.zip", "box.zip.part", "box.zip.part.json", "box.zip.rejected"):
        link = tmp_path / "inside" / name
        link.symlink_to(tmp_path / "outside")
        with pytest.raises(UserError, match=r"leads out of"):
            fetch_corpus(corpus_at(server), str(tmp_path / "inside"), QUICK)
        link.unlink()
    assert not (tmp_path / "outside").exists()
    assert server.asked == []
    away = replace(corpus_at(server), files=(Download("../box.zip", f"{server.address}/box.zip"),))
    with pytest.raises(UserError, match=r"leads out of"):
        fetch_corpus(away, str(tmp_path / "inside"), QUICK)


def test_folders_and_lock_files_that_will_not_do(server: Server, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for output in ("s3://bucket/folder", str(tmp_path / "file")):
        with pytest.raises(UserError, match="is no local folder"):
            fetch_corpus(corpus_at(server), output, QUICK)
    for content in ("{", "[]", '{"version": 2, "files": {}}', '{"version": 1, "files": {"a": {"sha256": 1}}}'):
        (tmp_path / LOCK_NAME).write_text(content)
        with pytest.raises(UserError, match=r"fetch\.lock\.json is no lock file of `allsaid fetch`"):
            fetch_corpus(corpus_at(server), str(tmp_path), QUICK)
    assert server.asked == []


def test_two_at_once(server: Server, tmp_path: Path) -> None:
    with (tmp_path / "box.zip.part").open("ab") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        with pytest.raises(UserError, match=r"box\.zip\.part is being downloaded by another run"):
            fetch_corpus(corpus_at(server), str(tmp_path), QUICK)


def test_what_can_not_be_written_is_told(server: Server, tmp_path: Path) -> None:
    (tmp_path / "box.zip.part").mkdir()
    with pytest.raises(UserError, match=r"box\.zip\.part can't be written \(Is a directory\)"):
        fetch_corpus(corpus_at(server), str(tmp_path), QUICK)


@pytest.mark.parametrize("name", [corpus.name for corpus in CORPORA if not corpus.files])
def test_a_corpus_without_an_address_tells_how_to_get_it(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(UserError, match=f"nothing to download for '{name}'.*allsaid ingest {name}"):
        fetch(name, str(tmp_path / "new"))
    assert "Licence: No licence is stated" in capsys.readouterr().err
    assert not (tmp_path / "new").exists()


def test_an_unknown_corpus(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"There is no corpus 'rnnlg'\. These are known:\n  mealmaster: "):
        fetch("rnnlg", str(tmp_path))


def test_the_table_of_corpora() -> None:
    assert [corpus.name for corpus in CORPORA] == ["mealmaster", "allrecipes", "dstc2", "wikibio", "dialogue-acts"]
    for corpus in CORPORA:
        assert corpus.files or corpus.obtain
        assert corpus.licence.endswith(".")
        assert bool(corpus.files) == bool(corpus.ingests)
        for file in corpus.files:
            assert file.address.startswith("https://")
            assert file.address.endswith(Path(file.name).name)
            assert (file.size is None) == (file.sha256 == "")
    assert corpora.find("dstc2").paper.reference == (
        "Matthew Henderson, Blaise Thomson and Jason D. Williams (2014). The Second Dialog State Tracking Challenge. "
        "Proceedings of the 15th Annual Meeting of the Special Interest Group on Discourse and Dialogue, pages 263-272."
        " https://aclanthology.org/W14-4337/"
    )
    assert "  pages = {263--272},\n  year = {2014},\n" in corpora.find("dstc2").paper.bibtex


def test_the_known_hashes_are_those_of_the_files_at_hand(data_root: Path) -> None:
    for file in corpora.find("dialogue-acts").files:
        content = (data_root / "rnnlg" / "original" / file.name).read_bytes()
        assert (len(content), hashlib.sha256(content).hexdigest()) == (file.size, file.sha256)
