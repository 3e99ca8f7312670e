"""docs/add-a-model.md and docs/architecture.md: their package, installed outside the tree, goes the whole way."""

from __future__ import annotations

import json
import re
import shutil
import tomllib
from collections.abc import Callable
from dataclasses import replace
from itertools import chain
from pathlib import Path

import pytest
from in_process import allsaid
from packages import install
from small_data import make_example, publish

from allsaid.modeling import systems
from schemas.runs.manifest import MANIFEST_NAME, Manifest

DOCS = Path(__file__).resolve().parents[3] / "docs"
PARTS = {"train": range(40), "dev": range(40, 46), "test": range(46, 52)}


def section(page: str, title: str) -> str:
    """Return a section of a page, up to the next one of its level."""
    text = (DOCS / f"{page}.md").read_text(encoding="utf-8")
    after = text[text.index(f"\n{title}\n") + 1 :]
    level = len(title.partition(" ")[0])
    return re.split(rf"\n#{{2,{level}}} ", after, maxsplit=1)[0]


MODEL = (DOCS / "add-a-model.md").read_text(encoding="utf-8")
TASK = section("architecture", "## Add a task")
OWN = section("researcher", "## A baseline of your own")


def blocks(page: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", page, re.DOTALL)


def commands(page: str) -> list[list[str]]:
    return [command.split()[1:] for command in blocks(page, "sh")[-1].splitlines()]


@pytest.fixture
def kitchen(tmp_path: Path, empty_database: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """A folder to be in, and what puts pages' package and files there; `lines` may be changed before."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)
    monkeypatch.setenv("PATH", "")  # no Java: METEOR takes half a minute to begin with
    shutil.copy(empty_database, tmp_path)
    systems._find.cache_clear()

    def lay_out(package: str, *pages: str, change: Callable[[str], str] = str) -> None:
        names = re.findall(r"`kitchen/(\w+)\.py`:", "".join(pages))
        code = (text.replace("kitchen", package) for page in pages for text in blocks(page, "python"))
        modules = dict(zip(names, code, strict=True))
        points: dict[str, dict[str, str]] = {}
        for text in (text.replace("kitchen.", f"{package}.") for page in pages for text in blocks(page, "toml")):
            for group, entries in tomllib.loads(text)["project"]["entry-points"].items():
                points.setdefault(group, {}).update(entries)
        install(tmp_path, package, modules | {"lines": change(modules.get("lines", ""))}, points)
        for text in (text for page in pages for text in blocks(page, "yaml")):
            name, content = re.fullmatch(r"# (\w+\.yaml)\n(.*)", text, re.DOTALL).groups()  # type: ignore[union-attr]
            Path(name).write_text(content)

    return lay_out


@pytest.mark.slow
def test_the_pages_hold_all_that_a_model_takes(
    kitchen: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    kitchen("kitchen", MODEL, OWN)
    publish(Path("data"), {split: [*map(make_example, numbers)] for split, numbers in PARTS.items()})
    table = Path("kitchen.yaml")  # compares the page's own model, too
    table.write_text(table.read_text().replace("systems: {", "systems: {bigram: {label: Bigram, config: bigram.yaml},"))

    for words in [*commands(MODEL), *commands(OWN)]:
        assert allsaid(*words) == 0, words

    printed = capsys.readouterr()
    assert re.search(r"Registered as kitchen version 1, from run \w{32}\. It stays challenger: it was", printed.err)
    assert re.search(r"Bigram .*\d", printed.out) and re.search(r"The items alone .*\d", printed.out)
    assert "Bigram" in Path("compare-kitchen/compare.html").read_text()


@pytest.mark.slow
def test_the_page_holds_all_that_a_task_takes(kitchen: Callable[..., None], capsys: pytest.CaptureFixture[str]) -> None:
    kitchen("larder", MODEL, TASK)
    publish(Path("data"), {split: [*map(make_example, numbers)] for split, numbers in PARTS.items()})

    for words in [*commands(TASK), ["report", "texts"]]:
        assert allsaid(*words) == 0, words

    assert "% words that the reference text has" in capsys.readouterr().out  # of train and evaluate
    lines = [" ".join([*one.goal_tokens, *chain(*one.agenda_tokens)]) for one in map(make_example, PARTS["test"])]
    assert any(line in Path("texts/report.html").read_text() for line in lines)


BORDERS = ('borders = ("examples",)', "borders = ()")
EXAMPLES = """with (Path(data.address) / f"{split}.jsonl").open() as file:
            yield from (SimpleNamespace(**json.loads(row)) for row in file)
"""
IMPORTS = "import json\nfrom pathlib import Path\nfrom types import SimpleNamespace\n"


@pytest.mark.slow
def test_a_task_reads_rows_of_its_own(kitchen: Callable[..., None], capsys: pytest.CaptureFixture[str]) -> None:
    def change(lines: str) -> str:
        return IMPORTS + lines.replace("return data.examples(split)\n", EXAMPLES).replace(*BORDERS)

    kitchen("pantry", MODEL, TASK, change=change)
    manifest = Manifest.from_json((publish(Path("data"), {}) / MANIFEST_NAME).read_text(), "data")
    (Path("data") / MANIFEST_NAME).write_text(replace(manifest, files={}, splits={"test": 2}).to_json())
    for split, numbers in {**PARTS, "test": range(46, 53)}.items():
        rows = [
            {name: getattr(one, name) for name in ("id", "text", "tokens", "goal", "goal_tokens", "agenda_tokens")}
            for one in map(make_example, numbers)
        ]
        (Path("data") / f"{split}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))

    assert allsaid("train", "lines.yaml", "--data", "data", "--name", "pantry") == 0
    capsys.readouterr()
    assert allsaid("evaluate", "models:/pantry/1", "--data", "data") == 0
    assert re.search(r"│ texts +│ +7 │", capsys.readouterr().out)  # and not the 2 of the manifest
    Path("rows.jsonl").write_text(json.dumps({"id": "1", "goal": "Baked rice", "agenda": ["2 cups rice"]}) + "\n")
    asked = ("generate", "--model", "models:/pantry/1", "--input", "rows.jsonl", "--output", "texts")
    assert allsaid(*asked) == 0
    assert allsaid("report", "texts") == 0
