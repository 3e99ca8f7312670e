"""Every command of the README and of docs/commands.md is run, in its order, and prints what the README shows."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
from pathlib import Path

import pytest
from batch_tables import read
from in_process import allsaid

from evaluation.rating.forms import QUESTIONS
from evaluation.rating.key import Key

ROOT = Path(__file__).resolve().parents[3]
README = (ROOT / "README.md").read_text(encoding="utf-8")
INLINE = re.findall(r"`((?:allsaid|make) [^`]+)`", README)  # commands within a sentence
COMMANDS = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```bash\n(.*?)^```\n(?:^```\n(.*?)^```\n)?", re.DOTALL | re.MULTILINE)
RUN = re.compile(r"\d{8}T\d{6}Z-[0-9a-f]{8}")  # the name of a run


def commands(page: str) -> list[str]:
    return [line for block, _ in BLOCK.findall(page) for line in lines_of(block)]


def lines_of(block: str) -> list[str]:
    """Return the commands of a block, without comments."""
    lines = block.replace("\\\n", " ").splitlines()
    return [line.split("  #")[0].strip() for line in lines if line.strip() and not line.startswith("#")]


def test_the_pages_show_every_command() -> None:
    shown = {line.split()[1] for page in (README, COMMANDS) for line in commands(page) if line.startswith("allsaid ")}
    rest = {"generate", "prove", "report", "evaluate", "compare", "trace", "rate", "nightly"}
    assert shown == {"ingest", "path", "validate", "history", "train", "sync", "promote"} | rest
    assert {"make demo", "make test"} <= set(commands(README))
    assert len(README.splitlines()) <= 140


def test_the_make_targets_exist() -> None:
    for line in commands(README):
        if line.startswith("make "):
            assert subprocess.run([*line.split(), "--dry-run"], cwd=ROOT, capture_output=True).returncode == 0, line


def rate_all(key_path: Path) -> None:
    """Write what the raters' sheets would download: a four for everything."""
    key = Key.read(str(key_path))
    for rater, sheet in enumerate(key.sheets, start=1):
        given = [{"text": text, "question": one, "rating": 4} for text in range(1, len(sheet) + 1) for one in QUESTIONS]
        answers = {"study": key.study, "rater": rater, "answers": given}
        Path(f"answers-{rater}.json").write_text(json.dumps(answers))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the samples, where commands run in this process; each would need seconds to start otherwise."""
    (tmp_path / "samples").symlink_to(ROOT / "samples")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)
    return tmp_path


def run(line: str) -> None:
    """Run a command; quotes are all that it asks of a shell."""
    assert not set(line) & set('|&;<>$`"\\'), line
    assert allsaid(*shlex.split(line)[1:]) == 0, line


@pytest.mark.slow
def test_the_readme_shows_what_its_commands_print(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """But for texts of a trained model, which another processor may word otherwise: those are proven instead."""
    printed = []
    for block, shown in BLOCK.findall(README):
        for line in lines_of(block):
            if line.startswith("allsaid "):
                run(line)
        said = capsys.readouterr()
        is_trained = "--model" in block
        if shown:
            assert is_part(shown, said.err + said.out, is_trained), shown
        printed += [line.strip() for line in shown.splitlines() if is_trained and is_text(line)]
    assert len(printed) == 1
    Path("printed.jsonl").write_text(json.dumps({"sku": "H-9005", "description": printed[0]}) + "\n")
    model = "--model models:/products/1 --output printed --gate errors=1"  # the other five rows have no text
    run(f"allsaid prove printed.jsonl --input samples/new_products.csv {model}")
    texts = [row for row in read(Path("printed")) if row["error"] is None]
    assert [row["certified"] for row in texts] == [True]


def is_text(line: str) -> bool:
    """Whether a line of `--show` is a row's text: indented, without a mark."""
    return line.startswith("  ") and line[2] not in "✓✗+"


def is_part(shown: str, printed: str, is_trained: bool) -> bool:
    """Whether the lines between a page's ellipses stand side by side in what was printed."""
    shown, printed = (RUN.sub("RUN", text) for text in (shown, printed))
    if is_trained:
        shown, printed = (re.sub(r"^  [^✓✗+ ].*$", "  TEXT", text, flags=re.MULTILINE) for text in (shown, printed))
    return all(part.strip("\n") in printed for part in shown.split("…\n"))


def test_the_readme_runs_its_commands_within_sentences(folder: Path) -> None:
    """The demo of a user's own dumps passes them on; tests/evaluation/commands/test_demo.py reads dumps with it."""
    guess, dumps = [line for line in INLINE if "=" in line or "--" in line]
    Path("table.csv").write_bytes((ROOT / "samples" / "products.csv").read_bytes())
    run(guess)
    run("allsaid ingest records --input table.csv --mapping mapping.yaml --output data")
    printed = subprocess.run([*shlex.split(dumps), "--dry-run"], cwd=ROOT, capture_output=True, text=True, check=True)
    assert "/allsaid demo --output 'demo' --dump 'dumps/*.mmf.gz'\n" in printed.stdout


@pytest.mark.slow
def test_the_commands_of_the_page_run(folder: Path) -> None:
    for line in commands(COMMANDS):
        if line.startswith("allsaid rate read"):
            rate_all(Path("study", "key.json"))
        if line.startswith("allsaid "):
            run(line)
    assert (folder / "texts" / "report.html").is_file()
    assert json.loads((folder / "texts" / "summary.json").read_text())["texts"] == 5
    rated = json.loads((folder / "study" / "ratings.json").read_text())
    assert rated["systems"]["checklist"]["syntax"] == {"mean": 4.0, "ratings": 8, "paper": 4.58}
