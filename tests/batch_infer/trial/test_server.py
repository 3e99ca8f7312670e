"""The server of the page: for this machine alone, plain forms, everything escaped, and a clean end."""

from __future__ import annotations

import http.client
import os
import re
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import pytest
from as_process import ALLSAID
from in_process import allsaid
from tiny_trial import MAPPING, save_example, save_own, save_slots, served

from batch_infer.trial import server as serving
from batch_infer.trial.server import FORM, MOST_BYTES, PageServer
from batch_infer.trial.trial import write
from schemas.errors import UserError

SCRIPT = "<script>alert('x')</script>"
ROW = {"row.sort": "chair", "row.name": "Elm", "row.main colour": "", "row.width": "", "row.foldable": "yes"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PageServer]:
    with served(save_slots(tmp_path_factory.mktemp("chairs"), MAPPING)) as running:
        yield running


def ask(
    server: PageServer, method: str = "GET", typed: dict[str, str] | None = None, path: str = "/", **headers: str
) -> tuple[int, str, http.client.HTTPMessage]:
    """Status, page and headers of an answer."""
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=60)
    body = None if typed is None else urlencode(typed)
    own = {} if typed is None else {"Content-Type": FORM}
    connection.request(method, path, body, own | {name.replace("_", "-"): value for name, value in headers.items()})
    answer = connection.getresponse()
    found = answer.read().decode()
    connection.close()
    return answer.status, found, answer.headers


def test_the_page_is_a_plain_form_with_the_texts_below(server: PageServer) -> None:
    status, page, _ = ask(server)
    assert status == 200 and 'name="row.main colour"' in page and "No text yet" in page and "<article" not in page
    status, page, _ = ask(server, "POST", server.trial.at_first | ROW | {"search.min_coverage": "100"})
    assert status == 200 and '<h2 id="answer" tabindex="-1" autofocus>1 text</h2>' in page
    assert page.count("<article") == 1 and "Elm<sup>" in page
    assert 'value="Elm"' in page and '<option value="yes" selected>' in page  # the form keeps what was typed
    assert re.search('value="100" id="field-[0-9]+" name="search.min_coverage"', page)


def test_all_that_is_typed_is_escaped(server: PageServer) -> None:
    hostile = {"row.name": SCRIPT, "row.sort": f'"{SCRIPT}', "search.ban": f"</textarea>{SCRIPT}"}
    for more in ({}, {"search.width": SCRIPT}, {SCRIPT: SCRIPT}):
        _, page, _ = ask(server, "POST", server.trial.at_first | ROW | hostile | more)
        assert SCRIPT not in page and "&lt;script&gt;" in page


def test_a_fault_leads_to_its_field(server: PageServer) -> None:
    status, page, _ = ask(server, "POST", server.trial.at_first | ROW | {"search.length_power": "3"})
    found = re.search('<a href="#(field-[0-9]+)">&#39;Power of the length', page)
    assert status == 200 and found
    assert "must be between 0 and 2; 3.0 is not." in page
    assert f'id="{found[1]}" name="search.length_power" aria-invalid="true"' in page
    assert '<details class="advanced" open>' in page


def test_the_page_loads_nothing_and_is_kept_nowhere(server: PageServer) -> None:
    _, page, headers = ask(server)
    policy = headers["Content-Security-Policy"]
    nonce = re.search(r"script-src 'nonce-([\w-]+)'", policy)
    assert nonce and f'<script nonce="{nonce[1]}">' in page and page.count("<script") == 1
    assert "default-src 'none'" in policy and "form-action 'self'" in policy and "frame-ancestors 'none'" in policy
    assert "http" not in policy and headers["Cache-Control"] == "no-store"
    assert not re.findall(r"https?://|(?:src|href)=\"(?!data:|#)", page)
    assert nonce[1] not in ask(server)[1]


def test_the_text_of_the_example_is_written_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows: list[str] = []
    monkeypatch.setattr(serving, "write", lambda trial, typed: rows.append(typed["row.name"]) or write(trial, typed))
    with served(save_example(save_slots(tmp_path, MAPPING), "chair", ["name=Ash"])) as running:
        for _ in range(3):
            status, page, _ = ask(running)
            assert status == 200 and "1 text</h2>" in page and 'value="Ash"' in page
        ask(running, "POST", running.trial.at_first | ROW)
    assert rows == ["Ash", "Elm"]


def test_other_names_of_the_address_are_refused(server: PageServer) -> None:
    for host in ("127.0.0.1", "localhost", "localhost:9000"):
        assert ask(server, Host=host)[0] == 200
    evil = ("evil.example", f"evil.example:{server.server_port}", "127.0.0.1.evil.example")
    for host in (*evil, "a@localhost", "[::1]", ""):
        status, page, headers = ask(server, Host=host)
        assert status == 421 and "form" not in page and headers["Content-Type"].startswith("text/plain"), host
    assert server.server_address[0] == "127.0.0.1"


def test_what_another_site_sends_is_refused(server: PageServer) -> None:
    own = f"http://127.0.0.1:{server.server_port}"
    assert ask(server, "POST", server.trial.at_first | ROW, Origin=own)[0] == 200
    for origin in ("http://evil.example", "null", "http://127.0.0.1:1", own.replace("http:", "https:")):
        status, page, _ = ask(server, "POST", ROW, Origin=origin)
        assert status == 403 and "Another site has sent this" in page


def test_what_is_no_form_of_the_page_is_refused(server: PageServer) -> None:
    assert ask(server, path="/favicon.ico")[0] == 404
    assert ask(server, "POST", ROW, Content_Type="application/json")[0] == 400
    assert ask(server, "POST", ROW, Content_Length="-1")[0] == 400
    assert ask(server, "POST", {f"a{number}": "" for number in range(2000)})[0] == 400
    status, page, _ = ask(server, "POST", {"row.name": "x" * MOST_BYTES})
    assert status == 413 and "1,048,576 can be read" in page
    assert ask(server)[0] == 200


def test_internal_errors_are_shown_on_page_and_terminal(
    server: PageServer, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(serving, "write", lambda trial, typed: 1 / 0)
    _, page, _ = ask(server, "POST", ROW)
    assert "This is a fault of Allsaid (ZeroDivisionError). The terminal shows its traceback." in page
    assert "Traceback" in capsys.readouterr().err
    monkeypatch.undo()
    assert "1 text</h2>" in ask(server, "POST", server.trial.at_first | ROW)[1]


def test_a_port_that_is_taken_is_told_in_a_sentence(server: PageServer) -> None:
    with pytest.raises(UserError, match=rf"--port {server.server_port} can't be listened on"):
        PageServer(server.trial, server.server_port)


@pytest.mark.parametrize(
    ("model", "sentence"),
    [("nowhere", "There is no model folder nowhere."), ("entities", "measures texts and writes none.")],
)
def test_a_model_that_can_not_be_tried_is_told_in_a_sentence(
    model: str, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    if model != "nowhere":
        save_own(tmp_path, model)
    assert allsaid("try", model) == 1
    assert sentence in capsys.readouterr().err


def test_ctrl_c_closes_the_page_while_a_text_is_written(tmp_path: Path) -> None:
    model = save_slots(tmp_path, MAPPING)
    command, pipe = [ALLSAID, "try", str(model)], subprocess.PIPE
    quiet = os.environ | {"OMP_NUM_THREADS": "1"}
    with subprocess.Popen(command, stderr=pipe, stdout=pipe, text=True, env=quiet) as process:
        assert process.stderr is not None
        said = next(line for line in process.stderr if "The page is at" in line)
        port = urlsplit(said.split()[4]).port
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        slow = {"search.width": "100", "search.max_tokens": "2000", "search.texts": "20", "search.finished": "500"}
        connection.request("POST", "/", urlencode(ROW | slow | {"search.min_coverage": "100"}), {"Content-Type": FORM})
        with pytest.raises(TimeoutError):
            connection.sock.settimeout(0.3)
            connection.getresponse()
        process.send_signal(signal.SIGINT)
        news = process.communicate(timeout=60)[1]
    assert (process.returncode, news) == (130, "Stopped. The page is closed.\n")
