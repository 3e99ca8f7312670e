"""Every command that the README shows is run, in the order in which it stands there."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
from pathlib import Path

import pytest
from in_process import allsaid

from evaluation.rating.forms import QUESTIONS
from evaluation.rating.key import Key

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def commands() -> list[str]:
    blocks = re.findall(r"```bash\n(.*?)```", README, re.DOTALL)
    lines = "\n".join(blocks).replace("\\\n", " ").splitlines()
    return [line.split("  #")[0].strip() for line in lines if line.strip() and not line.startswith("#")]


def test_the_readme_shows_every_command() -> None:
    shown = {line.split()[1] for line in commands() if line.startswith("allsaid ")}
    rest = {"generate", "prove", "report", "evaluate", "compare", "trace", "rate"}
    assert shown == {"ingest", "path", "validate", "history", "train", "sync", "promote"} | rest
    assert {"make demo", "make test"} <= set(commands())
    assert len(README.splitlines()) < 200


def test_the_make_targets_exist() -> None:
    for line in commands():
        if line.startswith("make "):
            assert subprocess.run([*line.split(), "--dry-run"], cwd=ROOT, capture_output=True).returncode == 0, line


def rate_all(key_path: Path) -> None:
    """Write what the raters' sheets would download: a four for everything."""
    key = Key.read(str(key_path))
    for rater, sheet in enumerate(key.sheets, start=1):
        given = [{"text": text, "question": one, "rating": 4} for text in range(1, len(sheet) + 1) for one in QUESTIONS]
        answers = {"study": key.study, "rater": rater, "answers": given}
        Path(f"answers-{rater}.json").write_text(json.dumps(answers))


@pytest.mark.slow
def test_the_commands_of_the_readme_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All in this process, where each would otherwise need seconds to start; quotes are all they ask of a shell."""
    (tmp_path / "samples").symlink_to(ROOT / "samples")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)
    for line in commands():
        if line.startswith("allsaid "):
            assert not set(line) & set('|&;<>$`"\\'), line
            if line.startswith("allsaid rate read"):
                rate_all(Path("study", "key.json"))
            assert allsaid(*shlex.split(line)[1:]) == 0, line
    assert (tmp_path / "texts" / "report.html").is_file()
    assert json.loads((tmp_path / "texts" / "summary.json").read_text())["texts"] == 5
    rated = json.loads((tmp_path / "study" / "ratings.json").read_text())
    assert rated["systems"]["checklist"]["syntax"] == {"mean": 4.0, "ratings": 8, "paper": 4.58}
