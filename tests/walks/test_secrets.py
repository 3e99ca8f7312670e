"""Passwords and tokens reach nothing that is printed or stored, whatever characters they have."""

from __future__ import annotations

import json
import logging
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from shlex import split
from socketserver import StreamRequestHandler, ThreadingTCPServer
from threading import Thread
from urllib.parse import quote, quote_plus, unquote

import pytest
from fault_worlds import Worlds
from in_process import allsaid
from recorded_run import record

from allsaid import console, redaction
from allsaid.redaction import ADDRESSES, SECRETS, address_parts, public, public_values
from training.tracking.connection import encoded

ROOT = Path(__file__).resolve().parents[2]
PASSWORDS = (
    "pa/ss",
    "p@ss",
    "p:ss",
    "p ss",
    "p#ss?x",
    "p%40ss",
    '"quoted"',
    "it's",
    "12/3@4",
    "p://x",
    "ü?&=\\",
    "pass",
)


@pytest.fixture(autouse=True)
def own_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (*SECRETS, *ADDRESSES):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(redaction, "_given", set())


@pytest.mark.parametrize("password", PASSWORDS)
def test_an_address_in_a_text_loses_user_and_password(password: str) -> None:
    for form in (password, quote(password, safe=""), quote(password)):
        for text in ("MLflow at {}/ml failed: gone.", "('{}',)", "{}", '"{}/x?token=1"', "one\n{}:5000/api\ntwo"):
            for scheme in ("http://", "postgresql+psycopg2://"):
                address = f"{scheme}cook@inn:{form}@ho-st.org"
                told = public(text.format(address))
                assert told.removesuffix('"') == text.format(f"{scheme}ho-st.org").split("?")[0].removesuffix('"')


@pytest.mark.parametrize(
    "text",
    [
        "MLflow at http://127.0.0.1:5000 failed: 'recipes@champion' is not there.",
        "http://host:5000: no cook@inn.org, http://[::1]:80/x nor a@b",
        "https://host/models/a@b, models:/recipes@champion and models:/recipes@challenger",
        "sqlite:////home/cook@inn/a:b@c/mlflow.db",
        "No file fits s3://kitchen/part-?.csv.",
        "17:/4 at 12:30 by cook@inn.org",
    ],
)
def test_what_is_no_secret_stays(text: str) -> None:
    assert public(text) == text


def test_several_addresses_and_a_user_alone() -> None:
    assert public("http://u:p@a and s3://K:s/e@b/c, git+https://tok@d") == "http://a and s3://b/c, git+https://d"
    assert public("s3:/K:s/e@bucket/x") == "s3:/bucket/x"  # as a path writes it


@pytest.mark.parametrize("password", [word for word in PASSWORDS if word != "pass"])
def test_the_password_of_the_server_is_hidden_by_itself(password: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MLFLOW_TRACKING_URI", f"http://cook:{password}@127.0.0.1:9/ml")
    plain = unquote(password)
    whole = "".join(f"%{byte:02x}" for byte in plain.encode())
    escaped = json.dumps(plain, ensure_ascii=False)[1:-1], repr(plain)[1:-1]
    for form in (password, plain, quote(plain), quote(plain, safe=""), quote_plus(plain), whole, *escaped):
        assert public(f"no {form}, no") == "no ***, no"


def test_secrets_of_the_environment_and_of_options(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in SECRETS:
        monkeypatch.setenv(name, f"se/cret of {name}")
        assert public(f"Bearer se/cret of {name}.") == "Bearer ***."
    redaction.hide("key+of=an option")
    redaction.hide(None)
    assert public("key+of=an option; key%2Bof%3Dan%20option") == "***; ***"


def test_a_word_that_any_text_may_hold_is_no_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "test")
    monkeypatch.setenv("MLFLOW_TRACKING_URI", "http://u:dev@h")
    assert public("split test of http://u:dev@h") == "split test of http://h"


def test_plain_data_is_cleaned_in_depth() -> None:
    values = {"a": [Path("x"), ("http://u:p@h",)], "http://u:p@h": {"n": 1.5, "t": True, "none": None}}
    assert public_values(values) == {"a": ["x", ["http://h"]], "http://h": {"n": 1.5, "t": True, "none": None}}


@pytest.mark.parametrize("password", PASSWORDS)
def test_libraries_get_the_password_whole(password: str) -> None:
    from sqlalchemy import make_url

    found = make_url(encoded(f"postgresql://cook@inn:{password}@127.0.0.1:5/ml"))
    assert (found.username, found.password, found.host, found.port) == ("cook@inn", unquote(password), "127.0.0.1", 5)
    assert encoded(encoded(f"http://u:{password}@h/x")) == encoded(f"http://u:{password}@h/x")


def test_addresses_without_a_user_are_taken_as_they_are() -> None:
    for uri in ("http://127.0.0.1:5000/x", "sqlite:////a:b@c/mlflow.db", "http://[::1]:5/a@b", "https://tok@h"):
        assert encoded(uri) == uri
    assert address_parts("http://:p@h") == ("http://", "", "p", "h") and encoded("http://:p/@h") == "http://:p%2F@h"


LOUD = """
import logging, sys
from allsaid import __main__, command_line, console
address = "http://cook:pa/ss w@127.0.0.1:9/x"
def app(*words, **options):
    console.say(f"at {address}", place=[address])
    console.result("a", {"at": address}, address, ("at",), [(address,)])
    console.answer("a", path=address)
    logging.getLogger("urllib3").warning("Retrying %s", address)
    try:
        raise OSError(address)
    except OSError:
        logging.getLogger("mlflow").exception("failed")
    raise KeyError(address)
command_line.app = lambda commands: app
__main__.main()
"""


@pytest.mark.parametrize("form", ["text", "json"])
def test_nothing_that_is_said_or_logged_holds_a_password(form: str) -> None:
    command = [sys.executable, "-c", LOUD, "--log-format", form]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    told = done.stdout + done.stderr
    assert done.returncode == 1 and told.count("http://127.0.0.1:9/x") >= (6 if form == "json" else 7), told
    assert "pa/ss" not in told and "ss w" not in told and "cook" not in told, told


class Refusing(BaseHTTPRequestHandler):
    """Answers 401 and repeats the address in its message, as proxies do."""

    def do_GET(self) -> None:
        body = f"who are you? {os.environ['MLFLOW_TRACKING_URI']}".encode()
        self.send_response(401)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_POST = do_PATCH = do_GET

    def log_message(self, *_: object) -> None:
        pass


class Dropping(StreamRequestHandler):
    """Closes each connection without an answer."""

    def handle(self) -> None:
        self.rfile.read(1)


@pytest.fixture(scope="module")
def ports() -> Iterator[dict[str, int]]:
    """Ports on loopback: of a server that answers 401, of one that drops connections, and one where nobody listens."""
    servers = {"401": ThreadingHTTPServer(("127.0.0.1", 0), Refusing)}
    servers["drops"] = ThreadingTCPServer(("127.0.0.1", 0), Dropping)
    for server in servers.values():
        Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}).start()
    yield {name: server.server_address[1] for name, server in servers.items()} | {"refuses": 9}
    for server in servers.values():
        server.shutdown()
        server.server_close()


@pytest.fixture
def logs_of_its_own(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What --log-format json changes in this process is taken back."""
    for part, name in ((console, "_as_json"), (console.out, "quiet")):
        monkeypatch.setattr(part, name, getattr(part, name))
    root, made = logging.getLogger(), logging.getLogRecordFactory()
    handlers = list(root.handlers)
    yield
    root.handlers[:] = handlers
    logging.captureWarnings(False)
    logging.setLogRecordFactory(made)


def leaks(text: str, password: str) -> list[str]:
    """The forms of a password that stand in a text, the user's name, and the parts into which a library cuts it."""
    plain = unquote(password)
    parts = [part for part in re.split(r"[/@:#?% ]", plain) if len(part) > 2]
    forms = [password, plain, quote(plain), quote(plain, safe=""), quote_plus(plain), json.dumps(plain)[1:-1], *parts]
    return [form for form in (*forms, "head-cook") if form in text]


def written(folder: Path) -> str:
    return "".join(path.read_bytes().decode("latin-1") for path in sorted(folder.rglob("*")) if path.is_file())


AWAY = [
    ("http", "401"),
    ("http", "drops"),
    ("http", "refuses"),
    ("postgresql+psycopg2", "drops"),
    ("postgresql+psycopg2", "refuses"),
]
NASTY = "xq/zk@kq:qz zq#qk?kx%40'\"qx"
SMALL = "--set hidden=8 --set epochs=1 --set width=2 --set max_tokens=20 --set score_texts=1"


@pytest.fixture
def away(
    request: pytest.FixtureRequest, ports: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> Callable[[str], None]:
    """Names a server that is away, with a password in its address."""
    import mlflow.store.db.utils

    monkeypatch.setenv("MLFLOW_HTTP_REQUEST_MAX_RETRIES", "0")
    monkeypatch.setattr(mlflow.store.db.utils, "MAX_RETRY_COUNT", 1)  # of ten that wait longer and longer
    scheme, kind = request.param

    def name(password: str) -> None:
        monkeypatch.setenv("MLFLOW_TRACKING_URI", f"{scheme}://head-cook:{password}@127.0.0.1:{ports[kind]}/ml")

    return name


@pytest.mark.usefixtures("logs_of_its_own")
@pytest.mark.parametrize("away", AWAY, indirect=True, ids="-".join)
def test_unreachable_servers_reveal_no_password(
    away: Callable[[str], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for position, password in enumerate((*PASSWORDS, NASTY)):
        away(password.replace("pa", "xqz").replace("ss", "zkq"))
        assert allsaid("promote", "chairs", "1", "--log-format", ("text", "json")[position % 2]) == 1
        told = "".join(capfd.readouterr())
        assert "127.0.0.1" in told and "failed" in told, told
        assert not leaks(told, password.replace("pa", "xqz").replace("ss", "zkq")), told
    assert written(tmp_path) == ""


@pytest.mark.usefixtures("logs_of_its_own")
@pytest.mark.parametrize(
    ("away", "form"), [(AWAY[0], "text"), (AWAY[-1], "json")], indirect=["away"], ids=("http-text", "postgresql-json")
)
def test_no_file_of_a_run_holds_the_password(
    away: Callable[[str], None],
    form: str,
    worlds: Worlds,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    worlds.copy("model", tmp_path)
    monkeypatch.chdir(tmp_path)
    away(NASTY)
    monkeypatch.setenv("MLFLOW_TRACKING_TOKEN", "tok/en of it")
    record(tmp_path / "run").finish()
    store = ["--s3_secret_access_key", "key/of the store", f"--azure_connection_string=AccountKey={NASTY}"]
    commands = {
        f"train table --data data --name chairs --run-dir {form} {SMALL}": int(
            form == "json"
        ),  # a database is asked at once
        "sync run": 1,
        "evaluate models:/chairs/1 --data data": 1,
        "generate --model models:/chairs@champion --input new.csv --output texts": 1,
        "generate --model chairs --input new.csv --output texts": 0,
    }
    told = ""
    for command, code in commands.items():
        words = [*split(command), *store * command.startswith("generate")]
        found = allsaid(*words, "--log-format", form)
        told += "".join(capfd.readouterr())
        assert found == code, told
    for text in (told, written(tmp_path)):
        assert not leaks(text, NASTY) and "tok/en" not in text and "key/of" not in text, told
    assert "127.0.0.1" in told
