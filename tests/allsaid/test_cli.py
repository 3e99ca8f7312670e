"""The front door: help, usage mistakes, and faults told in a sentence."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from pathlib import Path

import in_process
import pytest
from as_process import allsaid

COMMANDS = [
    "ingest mealmaster",
    "path",
    "validate",
    "train",
    "sync",
    "promote",
    "generate",
    "evaluate",
    "compare",
    "trace",
    "rate make",
    "rate read",
    "report",
    "demo",
]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_subcommand_has_help_with_an_example(command: str) -> None:
    answer = allsaid(*command.split(), "--help")
    assert answer.returncode == 0
    assert re.search(rf"Example:.*{command.split()[-1]}", answer.stdout, re.DOTALL)


def test_help_imports_no_room() -> None:
    program = (
        "import sys; sys.argv = ['allsaid', '--help']\n"
        "import allsaid.commands.cli\n"
        "try: allsaid.commands.cli.main()\n"
        "except SystemExit: pass\n"
        "heavy = {'torch', 'mlflow', 'apache_beam', 'spacy', 'pandas', 'pyarrow', 'great_expectations', 'matplotlib'}\n"
        "print('heavy:', sorted(heavy & set(sys.modules)))"
    )
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert "heavy: []" in answer.stdout


def test_a_word_that_is_no_option_is_refused(tmp_path: Path) -> None:
    answer = allsaid("ingest", "mealmaster", "--input", "x", "--output", str(tmp_path / "out"), "surplus")
    assert answer.returncode == 1
    assert "'surplus' is no option of this command" in answer.stderr
    assert "Traceback" not in answer.stderr


def test_a_folder_without_a_data_set_is_told_in_a_sentence(tmp_path: Path) -> None:
    for command in (["path"], ["validate"]):
        answer = allsaid(*command, str(tmp_path))
        assert answer.returncode == 1
        assert str(tmp_path) in answer.stderr
        assert "Traceback" not in answer.stderr


def test_a_command_leaves_the_signals_as_they_were() -> None:
    before = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
    assert in_process.allsaid("path", "nowhere") == 1
    assert [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)] == before
