"""docs/add-a-step.md as it stands: its package, installed outside the tree, changes what is written."""

from __future__ import annotations

import itertools
import json
import pickle
import re
import shutil
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from in_process import allsaid
from packages import install
from scripted_model import NO_NAMES, A, B, C, Scripted, every_text, prompts
from tiny_model import save_tiny_model

from allsaid.decoding.beam import beam_search
from allsaid.decoding.step.request import steps_of_packages
from allsaid.decoding.write import write
from allsaid.modeling import plugins
from allsaid.modeling.config import SearchConfig
from allsaid.modeling.data.vocabulary import END, SPECIALS, START, Vocabulary
from allsaid.modeling.saved import model_folder
from allsaid.modeling.saved.model_folder import load
from batch_infer.proof.texts import read_rows
from schemas.errors import UserError

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "add-a-step.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


@pytest.fixture
def lay_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """What installs the page's package in an empty folder to be in; its code may be changed before."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)

    def install_it(package: str = "varied", change: Callable[[str], str] = str) -> None:
        (name,) = re.findall(r"`varied/(\w+)\.py`", PAGE)
        points = tomllib.loads(blocks("toml")[0].replace('"varied.', f'"{package}.'))["project"]["entry-points"]
        install(tmp_path, package, {name: change(blocks("python")[0])}, points)
        plugins.points.cache_clear()

    plugins.points.cache_clear()
    yield install_it
    plugins.points.cache_clear()


IT, SALT, STOP = A, B, C
WORDS = Vocabulary((*SPECIALS, "it", "salt", "."))
ANY = {IT: 0.4, SALT: 0.2, STOP: 0.3, END: 0.1}
TABLE = {START: {IT: 0.5, SALT: 0.3, STOP: 0.2}, IT: ANY, SALT: ANY, STOP: ANY}
LONGEST = 6
ITEMS = ["salt", "tomatoes"]


def begins_differently(text: list[int]) -> bool:
    first = [word for before, word in itertools.pairwise([STOP, *text]) if before == STOP and word != STOP]
    return len(first) == len({*first})


def test_a_step_forbids_texts_and_no_others(lay_out: Callable[..., None]) -> None:
    lay_out()
    options = SearchConfig(width=1000, max_tokens=LONGEST, finished=2000)
    row: Any = SimpleNamespace(agenda_tokens=[["salt"]])
    steps = pickle.loads(pickle.dumps(steps_of_packages([row], WORDS, options)))  # as on the way to a device worker
    (found,) = beam_search(Scripted([TABLE], {}, NO_NAMES), prompts(1), options, steps)

    every = [one.tokens for one in every_text(Scripted([TABLE], {}, NO_NAMES), 0, LONGEST)]
    wanted = [text for text in every if begins_differently(text)]
    assert sorted(one.tokens for one in found if one.finished) == sorted(wanted)
    assert len(wanted) < len(every) and [IT, STOP, SALT, IT] in wanted


def test_the_command_of_the_page_takes_it(lay_out: Callable[..., None]) -> None:
    """With a model that says "olive oil" again and again; here these are the words of a beginning and of an end."""
    bundle = load(save_tiny_model(Path()))
    with torch.no_grad():
        bundle.model.w_o.mul_(3)
    bundle = replace(bundle, config=replace(bundle.config, search=SearchConfig(width=4, max_tokens=24)))
    model_folder.save(Path("loud"), bundle)
    row: Any = SimpleNamespace(goal="soup", goal_tokens=["soup"], agenda=ITEMS, agenda_tokens=[[one] for one in ITEMS])
    ((plain, *_),) = write(bundle, [row], bundle.config.search)
    assert bundle.words(plain.tokens, row)[:3] == ["olive_oil"] * 3
    words = '"olive_oil", "stir", '
    lay_out("other", lambda code: code.replace('("it", ', f"({words}").replace('(".", ', f'({words}".", '))
    Path("rows.jsonl").write_text(json.dumps({"id": "1", "goal": "soup", "agenda": ITEMS}))
    command = blocks("sh")[0].replace("models:/products/1", "loud").replace("samples/new_products.csv", "rows.jsonl")

    assert allsaid(*command.split()[1:]) == 0

    (written,) = read_rows("texts")
    assert written.text and "olive oil olive oil olive oil" not in written.text.lower()
    shutil.rmtree("other-1.0.dist-info")
    plugins.points.cache_clear()
    assert allsaid(*command.split()[1:]) == 1  # a run goes on only with the package that it began with


def test_a_step_that_is_none_or_fails_to_load_is_named(lay_out: Callable[..., None]) -> None:
    lay_out("lacking", lambda code: code.replace("def begin(", "def start("))
    row: Any = SimpleNamespace(agenda_tokens=[["salt"]])
    with pytest.raises(UserError, match=r"'beginnings' of allsaid.steps gives a Beginnings, which is no step"):
        steps_of_packages([row], WORDS, SearchConfig())
    lay_out("broken", lambda code: f"import nothing_of_this_name\n{code}")
    with pytest.raises(UserError, match="Two packages have an entry point 'beginnings'"):
        steps_of_packages([row], WORDS, SearchConfig())
    shutil.rmtree("lacking-1.0.dist-info")
    plugins.points.cache_clear()
    with pytest.raises(UserError, match=r"broken.beginnings:step, fails to load \(ModuleNotFoundError"):
        steps_of_packages([row], WORDS, SearchConfig())
