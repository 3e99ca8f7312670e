"""``--log-format json``: every line of standard error is an object, standard output holds nothing but figures."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
from as_process import json_lines
from packages import install

from allsaid import console
from allsaid.modeling.systems import MODELS
from pipelines import sources

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.slow
def test_figures_on_standard_output_and_news_on_standard_error(tmp_path: Path) -> None:
    options, written_otherwise = ("--log-format", "json"), "--log-format=json"
    data = str(tmp_path / "data")
    ingest = ("ingest", "mealmaster", "--input", str(ROOT / "samples" / "*.mmf"), "--output", data)
    code, (figures,), news = json_lines(*ingest, *options)
    manifest = json.loads((tmp_path / "data" / "manifest.json").read_text())
    assert code == 0 and figures["command"] == "ingest" and figures["seconds"] > 0
    assert {name: figures[name] for name in ("run", "read", "kept", "rejected")} == {
        name: manifest[name] for name in ("run", "read", "kept", "rejected")
    }
    assert (figures["status"], figures["shards"], figures["reused"]) == ("published", 3, 0)
    code, (figures,), news = json_lines(written_otherwise, *ingest)
    assert code == 0 and news[0]["message"].startswith("Nothing to do")
    assert (figures["status"], figures["reused"]) == ("nothing to do", 3)
    code, (figures,), news = json_lines(*options, *ingest, "--set", "dev_share=0.3", "--gate", "rejected=0")
    assert code == 2 and "kept aside in" in news[-1]["message"]
    assert (figures["status"], figures["reused"]) == ("kept aside", 3)
    code, (checked,), _ = json_lines("validate", data, written_otherwise)
    assert code == 0 and checked["rules"] > 20 and checked["broken"] == []
    code, (past,), _ = json_lines("history", data, *options)
    assert [run["status"] for run in past["runs"]] == ["published", "aside"]
    assert past["picture"] == "" and not (tmp_path / "data" / "history.png").exists()
    code, (past,), _ = json_lines("history", data, "--picture", *options)
    assert Path(past["picture"]) == tmp_path / "data" / "history.png"
    assert Path(past["picture"]).read_bytes().startswith(b"\x89PNG")


@pytest.mark.slow
def test_faults_are_objects_too(tmp_path: Path) -> None:
    json_logs = ("--log-format", "json")
    code, figures, (fault,) = json_lines("validate", str(tmp_path), *json_logs)
    assert (code, figures, fault["level"], fault["exit_code"]) == (1, [], "error", 1)
    assert str(tmp_path) in fault["message"]
    ingest = ("ingest", "mealmaster", "--input", str(ROOT / "samples" / "*.mmf"), "--output", str(tmp_path / "data"))
    code, figures, news = json_lines(*ingest, "--gate", "rejected=0", *json_logs)
    assert (code, news[-1]["level"], news[-1]["exit_code"]) == (2, "error", 2)
    assert "rejected" in news[-1]["message"]


CRASH = """
from allsaid import __main__, command_line
def app(*words, **options):
    raise KeyError("salt")
command_line.app = lambda commands: app
__main__.main()
"""


def test_a_crash_is_one_object_with_its_traceback() -> None:
    command = [sys.executable, "-c", CRASH]
    done = subprocess.run([*command, "--log-format", "json"], cwd=ROOT, capture_output=True, text=True)
    fault = json.loads(done.stderr)
    assert (done.returncode, done.stdout, fault["level"], fault["exit_code"]) == (1, "", "error", 1)
    assert fault["message"].startswith("This is a fault of Allsaid (KeyError: 'salt').")
    assert fault["traceback"].startswith("Traceback (most recent call last)") and "in app" in fault["traceback"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 1 and done.stderr.startswith("Traceback")
    assert "Error: This is a fault of Allsaid (KeyError: 'salt'). Please report it" in done.stderr


@pytest.mark.parametrize("group", [MODELS.group, sources.GROUP])
def test_a_crash_in_a_plugin_is_not_ours(
    group: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    module = "def step(glasses):\n    return sorted(glasses)"
    install(tmp_path, "cellar", {"wine": module}, {group: {"wine": "cellar.wine"}})
    with pytest.raises(TypeError) as fault:
        import_module("cellar.wine").step([1, "two"])
    assert console.crash(fault.value) == 1
    assert "This is a fault of cellar.wine of the package cellar (TypeError: " in capsys.readouterr().err


def test_what_libraries_log_and_what_progress_tells() -> None:
    program = """
import logging, warnings
from allsaid import console
console.log_json()
logging.getLogger("beam").warning("%s is slow", "it")
logging.getLogger("beam").info("too much to tell")
warnings.warn("old")
with console.progress("texts", 5) as bar:
    bar.every = 0
    bar.advance(2, "fast")
console.out.print("not here")
console.result("train", {"bleu": 4.5, "path": __import__("pathlib").Path("a")}, "", (), [])
"""
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    news = [json.loads(line) for line in done.stderr.splitlines()]
    assert [(line["level"], line["message"]) for line in news[::2]] == [
        ("warning", "it is slow"),
        ("info", "texts: 2 of 5, fast"),
    ]
    assert news[0]["logger"] == "beam" and "UserWarning: old" in news[1]["message"]
    assert (news[2]["step"], news[2]["done"], news[2]["total"]) == ("texts", 2, 5)
    assert json.loads(done.stdout) | {"seconds": 0} == {"command": "train", "seconds": 0, "bleu": 4.5, "path": "a"}
