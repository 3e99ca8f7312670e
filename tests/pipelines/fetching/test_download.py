"""The HTTP part of `allsaid fetch` against a real server that cuts, stalls and redirects."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from email.message import Message
from io import BytesIO
from pathlib import Path
from urllib.request import Request

import pytest
from dump_server import (
    CONTENT,
    QUICK,
    SHA256,
    Handler,
    Server,
    answer,
    bring,
    chunked,
    corpus_at,
    cut,
    drip,
    serve,
    stall,
    without_ranges,
)

from pipelines.fetching.corpus import Download
from pipelines.fetching.download import Redirects, is_loopback
from pipelines.fetching.fetch import fetch_corpus
from schemas.errors import UserError


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
    with pytest.raises(UserError, match=r"/box.zip answers 500 .*The bytes so far are kept; try again later\."):
        bring(server, tmp_path)
    assert (tmp_path / "box.zip.part").stat().st_size == 100_000
    assert not (tmp_path / "box.zip").exists()
    server.asked.clear()
    assert bring(server, tmp_path) == CONTENT
    assert server.asked == [("/box.zip", "bytes=100000-", '"one"')]


def test_a_run_that_was_killed_is_taken_up(server: Server, tmp_path: Path) -> None:
    server.script = [lambda handler: stall(handler, 400_000)]
    code = (
        "import sys\nfrom dataclasses import replace\nfrom pipelines.fetching import corpora, fetch\n"
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
def test_without_a_strong_etag_the_download_restarts(server: Server, tmp_path: Path, tag: str) -> None:
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
    with pytest.raises(UserError, match="does not send the file's length"):
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
        (answer(302, Location="file:///etc/hostname"), "or in a loop"),
        (answer(302, Location="http://[broken/"), "redirects to an invalid address"),
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
