"""The schedulers' files: executed or parsed as far as that goes without their services."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from fault_worlds import Worlds

from batch_infer.commands import nightly_file
from pipelines.datasets import snapshot
from pipelines.ingest import config

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"


def run_line(command: str, given: dict[str, Path], folder: Path) -> None:
    """Run the line of the crontab that holds a command, as cron does, with what is ``given`` in the environment."""
    lines = (DEPLOY / "crontab").read_text().splitlines()
    (line,) = [line for line in lines if not line.startswith("#") and command in line]
    fields = line.split(maxsplit=5)
    assert [bool(re.fullmatch(r"\*|[0-9]+", field)) for field in fields[:5]] == [True] * 5
    path = {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    environment = os.environ | path | {name: str(value) for name, value in given.items()}
    words = ["sh", "-c", fields[5].replace("\\%", "%")]  # cron's own escape
    done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_crontab_sets_what_its_lines_name() -> None:
    lines = [line for line in (DEPLOY / "crontab").read_text().splitlines() if not line.startswith("#")]
    values = dict(line.split("=", 1) for line in lines if re.match(r"[A-Z]+=", line))
    named = {name for line in lines for name in re.findall(r"\$([A-Z]+)", line)}
    assert named == {"DUMPS", "DATA", "CONFIG", "SHOP"} == values.keys() - {"PATH"}


@pytest.mark.slow
def test_the_line_of_the_shop_runs(tmp_path: Path, worlds: Worlds) -> None:
    worlds.copy("model", tmp_path)
    config = yaml.safe_load((DEPLOY / "shop.yaml").read_text())
    config["ingest"] |= {"input": "chairs.csv", "mapping": "chairs.yaml"}
    config["generate"] |= {"input": "new.csv", "model": "chairs", "gate": []}
    (tmp_path / "shop.yaml").write_text(yaml.safe_dump(config))
    run_line("allsaid nightly", {"SHOP": tmp_path}, tmp_path.parent)
    assert (tmp_path / "texts" / "current" / "texts.csv").exists()


def test_the_settings_and_gates_of_the_shop_are_valid() -> None:
    request = nightly_file.read(str(DEPLOY / "shop.yaml"))
    assert request.ingest is not None and request.ingest.settings.mapping == "mapping.yaml"
    given = request.texts
    assert (given.model, given.gate.given_fall, given.wait) == ("models:/shop@champion", 2, 30)


@pytest.mark.slow
def test_the_cron_line_runs(tmp_path: Path) -> None:
    given = {"DUMPS": ROOT / "samples", "DATA": tmp_path / "data", "CONFIG": DEPLOY / "nightly.yaml"}
    run_line("allsaid ingest", given, tmp_path)
    assert snapshot.published(str(tmp_path / "data")).run.startswith("run_date=20")


def test_the_settings_and_gates_of_the_night_are_valid() -> None:
    settings, gates = config.read(str(DEPLOY / "nightly.yaml"), "mealmaster", [], ["lost=0.5"])
    assert (settings.dev_share, gates.rejected, gates.lost) == (0.1, 0.25, 0.5)


def test_images_have_the_installed_version_of_beam() -> None:
    (beam,) = re.findall(r"^apache-beam==(\S+)$", (ROOT / "constraints.txt").read_text(), re.MULTILINE)
    images = [re.findall(r"^FROM (apache/\S+)$", path.read_text(), re.MULTILINE) for path in DEPLOY.rglob("Dockerfile")]
    assert len(images) > 1
    assert all(image == [f"apache/beam_python3.11_sdk:{beam}"] for image in images)


def test_the_image_starts_the_script_of_jobs() -> None:
    lines = (DEPLOY / "dataflow" / "Dockerfile").read_text()
    found = re.search(r"^ENV FLEX_TEMPLATE_PYTHON_PY_FILE=/allsaid/(\S+)$", lines, re.MULTILINE)
    assert found is not None
    assert (ROOT / found[1]).is_file()
    assert "[gcp]" in lines


def test_a_cluster_without_java_and_maven_is_told_in_a_sentence(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "deploy.flink", "up"]
    done = subprocess.run(command, cwd=ROOT, env={"PATH": str(tmp_path)}, capture_output=True, text=True)
    sentence = "Flink needs Java 11 or 17 and Maven; there is no `java` and no `mvn` on the PATH."
    assert (done.returncode, done.stderr.startswith(f"Error: {sentence}")) == (1, True)


def is_sent(path: str) -> bool:
    """Whether .dockerignore lets a file into an image: the last pattern that fits it or a folder above it decides."""
    sent = True
    parts = path.split("/")
    for line in (ROOT / ".dockerignore").read_text().splitlines():
        if line and not line.startswith("#"):
            pattern = re.escape(line.lstrip("!").strip("/")).replace(r"\*\*/", "(?:.*/)?").replace(r"\*", "[^/]*")
            if any(re.fullmatch(pattern, "/".join(parts[:end])) for end in range(1, len(parts) + 1)):
                sent = line.startswith("!")
    return sent


def test_images_get_what_they_need_and_no_secret_and_no_data() -> None:
    """Both are built from the root, whose .dockerignore is the one that counts."""
    assert not list((ROOT / "deploy").rglob("*.dockerignore")) and not list((ROOT / "mlflow").glob("*.dockerignore"))
    needed = subprocess.run(["git", "ls-files", "*.py", "*.yaml", "*.j2"], cwd=ROOT, capture_output=True, text=True)
    rooms = ("batch_infer/", "evaluation/", "pipelines/", "schemas/", "training/", "deploy/", "samples/")
    code = [
        path for path in needed.stdout.split() if path.startswith(rooms) or re.fullmatch(r"(?!conftest)\w+\.py", path)
    ]
    assert len(code) > 100
    assert [
        path for path in [*code, "constraints.txt", "pyproject.toml", "README.md", "LICENSE"] if not is_sent(path)
    ] == []
    for secret in (".env", ".env.local", "mlflow/.env", "deploy/.env", "deploy/dataflow/.env.prod", ".git/config"):
        assert not is_sent(secret)
    for data in (
        "data/manifest.json",
        "mlflow.db",
        "training-runs/a/model/model.safetensors",
        "catalogue.xlsx",
        "hotel/x",
    ):
        assert not is_sent(data)
    assert not is_sent(".venv/bin/python") and not is_sent("training/__pycache__/x.pyc")
