"""Kinds of models: our own, those of other packages, and what is wrong with either."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest
from packages import install
from small_data import publish

from allsaid.modeling import systems
from allsaid.modeling.data.dataset import DataSet
from allsaid.modeling.models import checklist
from allsaid.modeling.tasks import agenda
from allsaid.modeling.tasks.choose import own_task, task_for, task_of, task_of_run, views_agendas
from allsaid.modeling.tasks.contract import MeasuresLosses, WritesTexts
from schemas.errors import UserError
from schemas.runs.manifest import MANIFEST_NAME, MAPPING_NAME
from training.baselines import BASELINES


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder on the path to install packages into."""
    monkeypatch.syspath_prepend(tmp_path)
    systems._find.cache_clear()
    yield tmp_path
    systems._find.cache_clear()


def test_our_own_kinds_are_found_by_their_modules() -> None:
    assert systems.kinds() == [
        "assemble",
        "checklist",
        "edit",
        "encdec",
        "entities",
        "kneser_ney",
        "pointer",
        "sclstm",
        "scratchpad",
        "table_nlm",
        "table_pointer",
        "template_kn",
        "transformer",
    ]
    assert systems.find("checklist") is checklist
    assert systems.find("checklist").TASK is agenda.TASK


@pytest.mark.parametrize("kind", systems.kinds())
def test_a_task_writes_texts_or_measures_losses(kind: str) -> None:
    """Also that of a user's table and the view of agendas: the loop chooses by it."""
    for is_table, is_view in product((False, True), repeat=2):
        task = task_of(kind, is_table, is_view)
        assert isinstance(task, WritesTexts) != isinstance(task, MeasuresLosses)


def test_a_kind_of_another_package_is_found_by_its_entry_point(site: Path) -> None:
    module = "from allsaid.modeling.tasks.agenda import TASK\nSettings = build = 1"
    install(site, "given", {"one": module}, {"allsaid.models": {"giv": "given.one"}})
    assert systems.find("giv").build == 1
    assert systems.kinds()[-1] == "giv"


VIEWED = """
from allsaid.modeling.tasks.document import DocumentTask

class Calls(DocumentTask):
    def __init__(self, called, view=None, rows=None):
        self.called, self.view, self.rows = called, view, rows

    borders = ("dialogues",)
    of_agendas = property(lambda self: self.view)
    of_table = property(lambda self: self.rows or self)
    __str__ = lambda self: self.called

TASK = Calls("calls", Calls("view", rows=Calls("rows")))
Settings = build = 1
"""


@pytest.mark.parametrize(
    ("borders", "mapping", "task"),
    [
        (["dialogues", "examples"], "", "calls"),
        (["examples"], "", "view"),
        (["acts", "examples"], "columns: {}", "rows"),
        (["dialogues", "examples"], "columns: {}", "rows"),
        (["acts"], "columns: {}", "calls"),
    ],
)
def test_views_of_agendas_serve_tables_and_missing_borders(
    site: Path, borders: list[str], mapping: str, task: str
) -> None:
    install(site, "viewed", {"calls": VIEWED}, {"allsaid.models": {"giv": "viewed.calls"}})
    run = publish(site / "data", {}) / "runs" / "1"
    manifest = site / "data" / MANIFEST_NAME
    files = {border: [{"path": "", "rows": 1}] for border in borders}
    manifest.write_text(json.dumps(json.loads(manifest.read_text()) | {"files": {"offers": [], **files}}))
    if mapping:
        (run / MAPPING_NAME).write_text(mapping)
    data = DataSet(str(site / "data"))
    assert str(task_for("giv", data)) == task
    logged = {"kind": "giv", "table": str(bool(mapping)), "view": str(views_agendas("giv", data))}
    assert str(task_of_run(logged)) == task
    assert str(task_of_run({"kind": "giv"})) == "calls"


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        ("checklst", "my.yaml asks for a model of kind 'checklst'; the valid ones are .* Did you mean 'checklist'?"),
        (
            "layers",
            "of kind 'layers'; the valid ones are assemble, checklist, edit, encdec, entities, kneser_ney, pointer",
        ),
        (
            "encdec",
            "The model kind 'encdec' exists twice: allsaid.modeling.models.encdec of Allsaid and a.x of the package a",
        ),
        ("same", "'same' exists twice: a.x of the package a and b.y of the package b. Remove one of the packages"),
        (
            "gone",
            r"'gone' can't be used: a.z of the package a fails to load \(ModuleNotFoundError: No module named 'a.z'",
        ),
        ("bad", r"fails to load \(ZeroDivisionError: division by zero\). Update .*, or remove it: pip uninstall b."),
        ("idle", "The TASK of the model kind 'idle' is no object of a class of allsaid.modeling.tasks.contract"),
        ("less", "'less' can't be used: b.less of the package b lacks Settings and build, which such a module must"),
    ],
)
def test_what_is_wrong_with_a_kind(site: Path, kind: str, told: str) -> None:
    install(site, "a", {"x": ""}, {"allsaid.models": {"encdec": "a.x", "same": "a.x", "gone": "a.z"}})
    install(
        site,
        "b",
        {"y": "", "bad": "1 / 0", "less": "TASK = 1", "idle": "TASK = Settings = build = 1"},
        {"allsaid.models": {"same": "b.y", "bad": "b.bad", "less": "b.less", "idle": "b.idle"}},
    )
    with pytest.raises(UserError, match=told):
        systems.find(kind, "my.yaml")
        own_task(kind)


def test_a_baseline_is_no_kind_and_is_found_likewise(site: Path) -> None:
    module = "from allsaid.modeling.tasks.agenda import TASK\ncheck = texts = 1"
    install(site, "plain", {"one": module}, {"allsaid.baselines": {"echo": "plain.one"}})
    assert systems.kinds(BASELINES) == ["handcrafted", "nn", "slot_filling", "echo"] and "nn" not in systems.kinds()
    assert systems.find("echo", family=BASELINES).texts == 1
    with pytest.raises(UserError, match=r"A table asks for the baseline 'ecko'; .* Did you mean 'echo'\?"):
        systems.find("ecko", "A table", BASELINES)
    with pytest.raises(
        UserError,
        match="of kind 'nn'; the valid ones are assemble, checklist, edit, encdec, entities, kneser_ney, pointer",
    ):
        systems.find("nn")


def test_a_model_is_imported_only_when_its_kind_is_asked_for() -> None:
    ask = "import sys; from allsaid.modeling import systems; systems.find('sclstm'); print(*sys.modules)"
    found = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, check=True)
    assert "allsaid.modeling.models.sclstm" in found.stdout.split()
    assert "allsaid.modeling.models.encdec" not in found.stdout.split()
