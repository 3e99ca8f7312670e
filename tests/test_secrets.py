"""Passwords and tokens reach nothing that is printed or stored, whatever characters they have."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from urllib.parse import quote, quote_plus, unquote

import pytest

import console
from console import ADDRESSES, SECRETS, address_parts, public, public_values
from training.connection import encoded

ROOT = Path(__file__).resolve().parent.parent
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
    monkeypatch.setattr(console, "_given", set())


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
    console.hide("key+of=an option")
    console.hide(None)
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
import logging, sys, allsaid, console
address = "http://cook:pa/ss w@127.0.0.1:9/x"
def app(*words, **options):
    console.say(f"at {address}", place=[address])
    console.result("a", {"at": address}, address, ("at",), [(address,)])
    console.answer("a", address)
    logging.getLogger("urllib3").warning("Retrying %s", address)
    try:
        raise OSError(address)
    except OSError:
        logging.getLogger("mlflow").exception("failed")
    raise KeyError(address)
allsaid.app = app
allsaid.main()
"""


@pytest.mark.parametrize("form", ["text", "json"])
def test_nothing_that_is_said_or_logged_holds_a_password(form: str) -> None:
    command = [sys.executable, "-c", LOUD, "--log-format", form]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    told = done.stdout + done.stderr
    assert done.returncode == 1 and told.count("http://127.0.0.1:9/x") >= (6 if form == "json" else 7), told
    assert "pa/ss" not in told and "ss w" not in told and "cook" not in told, told
