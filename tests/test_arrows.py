"""The arrows of docs/architecture.md: which room may import which, read off every module's syntax tree."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from pipelines import sources
from pipelines.closure import closure

ROOT = Path(__file__).resolve().parents[1]
ROOMS = ("allsaid", "schemas", "pipelines", "training", "batch_infer", "evaluation")
GROUND = ("console", "markdown", "redaction", "settings", "stops")  # modules of `allsaid` that stand below all rooms
COMMANDS = "allsaid.commands"
OURS = {*ROOMS[1:], COMMANDS, "samples", *(f"allsaid.{name}" for name in GROUND)}

# What a room must not import, at the top of a module or inside a function.
FORBIDDEN = {
    "schemas": OURS - {"schemas", "allsaid.console"},
    "pipelines": {"torch", "mlflow", "training", "batch_infer", "evaluation", COMMANDS},
    "training": {"apache_beam", "spacy", "great_expectations", "pipelines", "batch_infer", "evaluation", COMMANDS},
    "batch_infer": {"mlflow", "great_expectations", "evaluation", COMMANDS},
    "evaluation": {"mlflow", "great_expectations", COMMANDS},
    "allsaid": OURS,
    "allsaid.__main__": OURS - {COMMANDS, "allsaid.console", "allsaid.redaction", "allsaid.stops"},
    "allsaid.commands": {"mlflow", "great_expectations"},
    "allsaid.settings": OURS - {"allsaid.settings", "allsaid.console"},
    "allsaid.stops": OURS - {"allsaid.console", "allsaid.stops"},
    "allsaid.console": OURS - {"allsaid.console", "allsaid.redaction"},
    "allsaid.markdown": OURS - {"allsaid.markdown"},
    "allsaid.redaction": OURS - {"allsaid.redaction"},
}
MODULES = sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py"))


def imported(source: str) -> set[str]:
    """Names of the modules that the source imports anywhere, dotted; relative ones begin with a dot."""
    names = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names |= {f"{'.' * node.level}{node.module or ''}"}
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Call) and ast.unparse(node.func) in ("__import__", "importlib.import_module"):
            names |= {argument.value for argument in node.args if isinstance(argument, ast.Constant)}
    return names


def room_of(name: str) -> str:
    """A dotted name's first part; of our own package the first two."""
    parts = name.split(".")
    return ".".join(parts[:2] if parts[0] == "allsaid" else parts[:1])


def rooms_of(source: str) -> set[str]:
    return {room_of(name) for name in imported(source)}


def label(path: Path) -> str:
    return str(path.relative_to(ROOT))


def test_the_reader_of_imports_sees_every_form() -> None:
    source = (
        "import torch.nn as n\nfrom mlflow import x\ndef f():\n    from training.a import b\n    __import__('spacy')\n"
    )
    assert rooms_of(source) == {"torch", "mlflow", "training", "spacy"}
    assert "" in rooms_of("from . import a")
    assert len(MODULES) > 15


@pytest.mark.parametrize("path", MODULES, ids=label)
def test_imports_run_one_way(path: Path) -> None:
    room = room_of(dotted(path))
    assert rooms_of(path.read_text()) & FORBIDDEN[room] == set()


@pytest.mark.parametrize("path", MODULES, ids=label)
def test_imports_are_absolute(path: Path) -> None:
    assert not [name for name in imported(path.read_text()) if name.startswith(".")]


def test_only_the_connection_imports_mlflow() -> None:
    talking = {label(path) for path in MODULES if "mlflow" in rooms_of(path.read_text())}
    assert talking == {"training/tracking/connection.py"}


def test_only_validation_loads_great_expectations() -> None:
    """It takes seconds to load, so nothing may pay for it but a command that checks data."""
    heavy = {label(path) for path in MODULES if "great_expectations" in rooms_of(path.read_text())}
    users = {label(path) for path in MODULES if "schemas.checks.validate" in imported(path.read_text())}
    checks = {"pipelines.validation.validate", "batch_infer.job.validate"}
    callers = {label(path) for path in MODULES if checks & imported(path.read_text())}
    assert heavy == {"schemas/checks/validate.py"}
    assert users == {"pipelines/validation/validate.py", "batch_infer/job/validate.py"}
    assert callers == {"allsaid/commands/data.py", "batch_infer/job/validate.py"}


def dotted(path: Path) -> str:
    """The name by which a module or a package is imported; a package's own code stands in its ``__init__.py``."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def rooms_within(package: str) -> dict[str, set[str]]:
    """Each folder of a package that holds modules, and the folders of the same package that it imports."""
    paths = {dotted(path): path for path in (ROOT / package).rglob("*.py")}
    folders = {name: dotted(path.parent) for name, path in paths.items()}
    arrows: dict[str, set[str]] = {}
    for name, path in paths.items():
        if path.name == "__main__.py":  # the door stands above all rooms
            continue
        reached = {folders[found] for found in imported(path.read_text()) if found in folders}
        arrows[folders[name]] = arrows.get(folders[name], set()) | reached - {folders[name]}
    return arrows


def circles(arrows: dict[str, set[str]]) -> set[str]:
    """The rooms that can't be put in an order; none where all arrows run one way."""
    left = dict(arrows)
    while free := [room for room, below in left.items() if not below & left.keys()]:
        for room in free:
            del left[room]
    return set(left)


def test_a_package_s_own_code_counts_as_its_room() -> None:
    assert "training.configs" in rooms_within("training")["training"]


def test_circles_are_seen() -> None:
    assert circles({"a": {"b"}, "b": {"c"}, "c": set()}) == set()
    assert circles({"a": {"b"}, "b": {"a"}, "c": set()}) == {"a", "b"}


@pytest.mark.parametrize("package", ROOMS[1:])
def test_arrows_between_the_rooms_of_a_package_run_one_way(package: str) -> None:
    assert circles(rooms_within(package)) == set()


@pytest.mark.parametrize("name", sources.names())
def test_a_source_and_all_that_it_imports_need_no_beam(name: str) -> None:
    found = closure([sources.module_of(name)], ROOT)
    assert {"pipelines.source", "pipelines.storage.files"} < found.keys()
    assert not [module for module, path in found.items() if "apache_beam" in rooms_of(path.read_text())]


def test_of_the_ingest_the_batch_job_loads_the_runner_alone() -> None:
    found = closure(set().union(*(imported(path.read_text()) for path in (ROOT / "batch_infer").rglob("*.py"))), ROOT)
    runner = {f"pipelines.ingest.{name}" for name in ("runner", "cluster", "local_workers")}
    assert {name for name in found if name.startswith("pipelines.ingest.")} == runner


def test_the_folder_mlflow_holds_no_python() -> None:
    """With a module in it, it would shadow the library of that name."""
    assert list((ROOT / "mlflow").rglob("*.py")) == []
