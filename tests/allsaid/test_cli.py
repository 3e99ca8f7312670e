"""The front door: help, usage mistakes, and faults told in a sentence."""

from __future__ import annotations

import ast
import json
import os
import re
import signal
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import in_process
import pytest
from as_process import ALLSAID, allsaid

from allsaid.modeling.config import DataConfig, FitConfig, SearchConfig, TextSettings
from batch_infer.options.job import TextGates

ROOT = Path(__file__).resolve().parents[2]
COMMANDS = [
    "ingest mealmaster",
    "path",
    "validate",
    "train",
    "sync",
    "promote",
    "generate",
    "prove",
    "nightly",
    "evaluate",
    "compare",
    "trace",
    "rate make",
    "rate read",
    "report",
    "try",
    "demo",
]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_subcommand_has_help_with_an_example(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert in_process.allsaid(*command.split(), "--help") == 0
    assert re.search(rf"Example:.*{command.split()[-1]}", capsys.readouterr().out, re.DOTALL)


@pytest.mark.parametrize("group", [[], ["ingest"], ["rate"]])
def test_the_line_of_each_command_is_a_whole_sentence(group: list[str]) -> None:
    head = "Commands:\n" if group else "Begin:\n"
    listed = [line for line in allsaid(*group, "--help").stdout.partition(head)[2].splitlines() if line[:1] == " "]
    assert listed
    assert all(re.fullmatch(r"  [a-z0-9-]+ +[A-Z].*[^.]\.", line) and len(line) <= 80 for line in listed), listed


def test_the_version_names_the_libraries() -> None:
    pattern = r"allsaid \d+\.\d+\.\d+ \(Python 3\.\S+, torch \S+, apache-beam \S+, pyarrow \S+, mlflow \S+\)"
    answer = allsaid("--version")
    assert re.fullmatch(pattern, answer.stdout.strip()) and not answer.stderr
    figures = json.loads(allsaid("--version", "--log-format", "json").stdout)
    assert figures == {"command": "version", "version": answer.stdout.strip()}


def test_a_stop_while_the_command_line_itself_is_imported(tmp_path: Path) -> None:
    """A typer that takes long to load, as on a slow disk."""
    (tmp_path / "typer.py").write_text("import time\nprint('loading', flush=True)\ntime.sleep(300)\n")
    slow = os.environ | {"PYTHONPATH": os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])}
    pipe = subprocess.PIPE
    with subprocess.Popen([ALLSAID, "--help"], stdout=pipe, stderr=pipe, text=True, env=slow) as process:
        assert process.stdout is not None and process.stdout.readline() == "loading\n"
        process.send_signal(signal.SIGINT)
        news = process.communicate(timeout=60)[1]
    assert (process.returncode, news) == (130, "Stopped.\n")


def test_help_names_training_settings_tables_and_gates(capsys: pytest.CaptureFixture[str]) -> None:
    assert in_process.allsaid("train", "--help") == 0
    told = capsys.readouterr().out
    assert [item.name for item in fields(TextSettings) if item.name not in told] == []
    page = (ROOT / "docs" / "commands.md").read_text()
    for section in (DataConfig, FitConfig, SearchConfig):
        assert [item.name for item in fields(section) if f"| `{item.name}` |" not in page] == []
    assert in_process.allsaid("compare", "--help") == 0
    told = capsys.readouterr().out.replace(",", "").replace(".", "").split()
    assert [name.stem for name in (ROOT / "evaluation" / "tables").glob("*.yaml") if name.stem not in told] == []
    assert in_process.allsaid("generate", "--help") == 0
    told = capsys.readouterr().out
    assert [
        item.name for item in fields(TextGates) if f"{item.name}:" not in told and f"{item.name}," not in told
    ] == []


def test_help_imports_no_room() -> None:
    program = (
        "import sys; sys.argv = ['allsaid', '--help']\n"
        "import allsaid.__main__\n"
        "try: allsaid.__main__.main()\n"
        "except SystemExit: pass\n"
        "heavy = {'torch', 'mlflow', 'apache_beam', 'spacy', 'pandas', 'pyarrow', 'great_expectations', 'matplotlib'}\n"
        "print('heavy:', sorted(heavy & set(sys.modules)))"
    )
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert "heavy: []" in answer.stdout


def test_a_word_that_is_no_option_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = str(tmp_path / "out")
    assert in_process.allsaid("ingest", "mealmaster", "--input", "x", "--output", output, "surplus") == 2
    news = capsys.readouterr().err
    assert "Unknown argument 'surplus'." in news and "Traceback" not in news


@pytest.mark.parametrize(
    ("words", "option", "argument"),
    [
        (["prove", "--texts", "agency.csv", "--input", "x", "--output", "y"], "--texts", "TEXTS"),
        (["nightly", "--runner=PrismRunner", "shop.yaml"], "--runner=PrismRunner", "CONFIG"),
    ],
)
def test_an_option_before_the_argument(
    words: list[str], option: str, argument: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert in_process.allsaid(*words) == 2
    news = " ".join(capsys.readouterr().err.split())
    assert f"'{option}' is no option of `allsaid {words[0]}`. {argument} is given without one" in news


@pytest.mark.parametrize("command", ["path", "validate"])
def test_a_folder_without_a_data_set_is_told_in_a_sentence(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert in_process.allsaid(command, str(tmp_path)) == 1
    news = capsys.readouterr().err
    assert str(tmp_path) in news and "Traceback" not in news


def test_a_command_leaves_the_signals_as_they_were() -> None:
    before = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
    assert in_process.allsaid("path", "nowhere") == 1
    assert [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)] == before


def test_commands_of_three_parameters_have_a_dataclass() -> None:
    modules = [ast.parse(path.read_text()) for path in ROOT.glob("*/commands/*.py")]
    functions = [node for module in modules for node in module.body if isinstance(node, ast.FunctionDef)]
    of_typer = re.compile("Annotated|DataFolder|OutputFolder")
    counts = {
        function.name: sum(of_typer.match(ast.unparse(one.annotation or one)) is not None for one in function.args.args)
        for function in functions
    }
    assert counts["fetch"] == 2
    assert [name for name, count in counts.items() if count > 2] == []
