"""The arrows of docs/architecture.md: which room may import which, read off syntax trees; and the sizes of rooms."""

from __future__ import annotations

import ast
import re
import tomllib
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
import yaml

from allsaid import PACKAGES
from pipelines import sources
from pipelines.closure import closure

ROOT = Path(__file__).resolve().parents[1]
# A package may import those before it. What follows a name is that package's order within itself.
LAYERS = (
    "schemas",
    "allsaid",  # the modules of the folder itself: console, settings and such
    "allsaid.language",
    "allsaid.stores",  # object stores; only `allsaid.storage.files` loads it, at an address of one
    "allsaid.storage",
    "allsaid.proof",
    "allsaid.modeling",
    "allsaid.decoding",
    "pipelines",
    "training",
    "batch_infer",
    "evaluation",
)
TABLE = "allsaid.__main__"  # of commands, the only place that names what is above it
# Two layers of one height may not import each other; nor may heavy libraries be loaded but where they run.
ASIDE = {
    "pipelines": {"training", "torch", "mlflow"},
    "training": {"pipelines", "apache_beam", "spacy", "great_expectations"},
    "batch_infer": {"mlflow", "great_expectations"},
    "evaluation": {"mlflow", "great_expectations"},
}
LIBRARIES = {"torch", "apache_beam", "mlflow", "great_expectations"}
WITHOUT = {
    **{layer: LIBRARIES | {"spacy"} for layer in ("schemas", "allsaid")},
    "allsaid.language": LIBRARIES,
    "allsaid.stores": LIBRARIES - {"apache_beam"} | {"spacy"},
    "allsaid.storage": LIBRARIES | {"spacy"},
    "allsaid.proof": LIBRARIES | {"spacy"},
    "allsaid.modeling": LIBRARIES - {"torch"} | {"spacy"},
    "allsaid.decoding": LIBRARIES - {"torch"} | {"spacy"},
}
LONGEST, MOST = 300, 16  # lines of a module, and modules of a folder
MODULES = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
SCRIPTS = sorted((ROOT / "benchmarks").rglob("*.py"))
TESTS = sorted((ROOT / "tests").rglob("*.py"))
NAMES = {".".join(path.relative_to(ROOT).with_suffix("").parts) for path in MODULES}


def layer_of(name: str) -> str:
    """The layer of a dotted name: the longest that it begins with; "" for a library."""
    return max((layer for layer in LAYERS if f"{name}.".startswith(f"{layer}.")), key=len, default="")


def above(layer: str) -> set[str]:
    """What a layer must not import."""
    return {*LAYERS[LAYERS.index(layer) + 1 :], *ASIDE.get(layer, ()), *WITHOUT.get(layer, ())}


def called(node: ast.Call) -> str:
    """Return the called function's name, after a dot if it is an attribute; "" for an expression."""
    return f".{node.func.attr}" if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


@cache  # several tests read each module
def imported(source: str) -> set[str]:
    """Names of the modules that the source imports anywhere, dotted; relative ones begin with a dot."""
    names = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names |= {f"{'.' * node.level}{node.module or ''}"}
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Call) and called(node) in ("__import__", ".import_module"):
            names |= {argument.value for argument in node.args if isinstance(argument, ast.Constant)}
    return names


def reached(source: str) -> set[str]:
    """The layers and libraries that a source imports."""
    return {layer_of(name) or name.partition(".")[0] for name in imported(source)}


def label(path: Path) -> str:
    return str(path.relative_to(ROOT))


def test_the_reader_of_imports_sees_every_form() -> None:
    source = (
        "import torch.nn as n\nfrom mlflow import x\ndef f():\n    from training.a import b\n    __import__('spacy')\n"
    )
    assert reached(source) == {"torch", "mlflow", "training", "spacy"}
    assert "" in reached("from . import a")
    assert len(MODULES) > 15


@pytest.mark.parametrize("path", MODULES, ids=label)
def test_imports_run_one_way(path: Path) -> None:
    assert reached(path.read_text()) & above(layer_of(dotted(path))) == set()


@pytest.mark.parametrize("path", MODULES, ids=label)
def test_no_text_names_a_module_above(path: Path) -> None:
    texts = {node.value for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Constant)}
    named = {str(text).partition(":")[0] for text in texts if isinstance(text, str)} & NAMES
    if dotted(path) != TABLE:
        assert {layer_of(name) for name in named} & above(layer_of(dotted(path))) == set()


@pytest.mark.parametrize("path", MODULES, ids=label)
def test_imports_are_absolute(path: Path) -> None:
    assert not [name for name in imported(path.read_text()) if name.startswith(".")]


def test_no_module_is_too_long_to_read_at_once() -> None:
    lines = {label(path): len(path.read_text().splitlines()) for path in [*MODULES, *SCRIPTS, *TESTS]}
    long = [f"{name} has {count} lines" for name, count in lines.items() if count > LONGEST]
    assert not long, f"A module may have at most {LONGEST} lines. Split along a natural seam: {', '.join(long)}."


def test_no_folder_has_too_many_modules_to_look_through() -> None:
    counts = Counter(label(path.parent) for path in [*MODULES, *SCRIPTS, *TESTS])
    full = [f"{name} has {count} modules" for name, count in counts.items() if count > MOST]
    assert not full, f"A folder may have at most {MOST} modules. Move some into one of their own: {', '.join(full)}."


def test_only_the_connection_imports_mlflow() -> None:
    talking = {label(path) for path in MODULES if "mlflow" in reached(path.read_text())}
    assert talking == {"training/tracking/connection.py"}


def test_only_validation_loads_great_expectations() -> None:
    """It takes seconds to load, so nothing may pay for it but a command that checks data."""
    heavy = {label(path) for path in MODULES if "great_expectations" in reached(path.read_text())}
    users = {label(path) for path in MODULES if "pipelines.validation.suites" in imported(path.read_text())}
    checks = {"pipelines.validation.validate", "batch_infer.job.validate"}
    callers = {label(path) for path in MODULES if checks & imported(path.read_text())}
    assert heavy == {"pipelines/validation/suites.py"}
    assert users == {
        "pipelines/validation/validate.py",
        "batch_infer/job/validate.py",
        "batch_infer/commands/validate.py",
    }
    assert callers == {"batch_infer/commands/validate.py", "batch_infer/job/validate.py"}


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
    assert "pipelines.sources" in rooms_within("pipelines")["pipelines.commands"]


def test_circles_are_seen() -> None:
    assert circles({"a": {"b"}, "b": {"c"}, "c": set()}) == set()
    assert circles({"a": {"b"}, "b": {"a"}, "c": set()}) == {"a", "b"}


@pytest.mark.parametrize("package", PACKAGES)
def test_arrows_between_the_rooms_of_a_package_run_one_way(package: str) -> None:
    assert circles(rooms_within(package)) == set()


def test_modules_run_one_way() -> None:
    """A package that is named only to import a module of it is not counted."""
    paths = {dotted(path): path for path in MODULES}
    arrows = {}
    for name, path in paths.items():
        found = imported(path.read_text()) & paths.keys() - {name}
        arrows[name] = found - {below.rpartition(".")[0] for below in found}
    assert circles(arrows) == set()


@pytest.mark.parametrize("name", sources.names())
def test_a_source_and_all_that_it_imports_need_no_beam(name: str) -> None:
    found = closure([sources.module_of(name)], ROOT)
    assert {"pipelines.source", "allsaid.storage.files"} < found.keys()
    assert not [module for module, path in found.items() if "apache_beam" in reached(path.read_text())]


def test_of_the_ingest_the_batch_job_loads_the_runner_alone() -> None:
    paths = [path for path in (ROOT / "batch_infer").rglob("*.py") if path.parent.name != "commands"]
    found = closure(set().union(*(imported(path.read_text()) for path in paths)), ROOT)
    runner = {f"pipelines.ingest.{name}" for name in ("runner", "cluster", "local_workers")}
    assert {name for name in found if name.startswith("pipelines.ingest.")} == runner


@pytest.mark.parametrize("path", MODULES, ids=label)
def test_a_module_that_uses_any_gives_the_reason(path: Path) -> None:
    source = path.read_text()
    if "typing.Any" in imported(source):
        assert re.search(r"\bAny: \w", source), "Give the reason in a comment: `Any: values of JSON`."


def test_names_of_tests_have_less_than_60_characters() -> None:
    sources = "\n".join(path.read_text() for path in (ROOT / "tests").rglob("test_*.py"))
    assert [name for name in re.findall(r"^ *def (test_\w+)", sources, re.MULTILINE) if len(name) >= 60] == []


@pytest.mark.parametrize("path", sorted((ROOT / "tests").rglob("test_*.yaml")), ids=label)
def test_each_table_of_cases_has_its_test(path: Path) -> None:
    source = path.with_suffix(".py").read_text()
    assert [name for name in yaml.safe_load(path.read_text()) if f"\n@cases\ndef {name}(" not in source] == []


def test_the_folder_mlflow_holds_no_python() -> None:
    """With a module in it, it would shadow the library of that name."""
    assert list((ROOT / "mlflow").rglob("*.py")) == []


def test_the_tools_know_the_same_packages() -> None:
    tools = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]
    found = tools["setuptools"]["packages"]["find"]["include"]
    assert {name.removesuffix("*") for name in found} == {*PACKAGES, "samples"}
    assert {*tools["mypy"]["files"]} == {*PACKAGES, "docs/pages"}
    assert {*tools["coverage"]["run"]["source_pkgs"]} == {*PACKAGES}
    assert {*tools["ruff"]["lint"]["isort"]["known-first-party"]} == {*PACKAGES, "samples", "benchmarks"}
