"""Registry of systems: maps the ``kind`` of a configuration to the model's module and task; also for baselines.

A kind is the name of a module in ``allsaid/modeling/models``, or of another package's entry point in the group
``allsaid.models``. A baseline generates texts without training. Its name is that of a module in ``training/baselines``
or of an entry point in the group ``allsaid.baselines``. A module is imported when its kind is requested.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pkgutil import iter_modules
from typing import Any

from schemas.errors import UserError

DEFAULT = "checklist"  # for a configuration that names no model


@dataclass(frozen=True)
class Family:
    """Modules that define the same names."""

    group: str  # of entry points
    home: str  # the package with the modules of this project
    names: tuple[str, ...]  # that each module defines: `allsaid/modeling/models/contract.py`
    called: str  # the noun for one of them, before its name
    wanted: str  # the noun after "asks for"


MODELS = Family(
    "allsaid.models", "allsaid.modeling.models", ("TASK", "Settings", "build"), "model kind", "a model of kind"
)


def find(kind: str, where: str = "A configuration", family: Family = MODELS) -> Any:
    """Return the module of this kind; ``where`` is named in the error as the place of the request.

    Raises UserError where there is none or more than one, or where a package's module can't be used.
    """
    found = _find(kind, family)
    if found is None:
        near = get_close_matches(kind, kinds(family), n=1)
        raise UserError(
            f"{where} asks for {family.wanted} '{kind}'; the valid ones are {', '.join(kinds(family))}."
            + (f" Did you mean '{near[0]}'?" if near else " Is it of a package that is not installed here?")
        )
    return found


def views_agendas(kind: str, data: Any) -> bool:
    """Return whether a model of this kind reads the agendas of a `DataSet`.

    That is so for a user's table, and where the input of the model's own task is missing.
    """
    task = find(kind).TASK
    has_own = data.borders.issuperset(task.BORDERS) and not data.mapping()
    return hasattr(task, "OF_AGENDAS") and "examples" in data.borders and not has_own


def task_for(kind: str, data: Any) -> Any:
    """Return the task that a model of this kind learns from a `DataSet`."""
    return task_of(kind, bool(data.mapping()), views_agendas(kind, data))


def task_of(kind: str, is_table: bool, is_view: bool) -> Any:
    """Return the task of a model of this kind; with ``is_view`` the one that it names for agendas (``OF_AGENDAS``).

    Either may name another for a user's table (``OF_TABLE``).
    """
    task = find(kind).TASK
    for is_so, name in ((is_view, "OF_AGENDAS"), (is_table, "OF_TABLE")):
        task = import_module(getattr(task, name)) if is_so and hasattr(task, name) else task
    return task


def task_of_run(params: Mapping[str, Any]) -> Any:
    """Return the task of a training run by its logged parameters."""
    return task_of(params.get("kind", DEFAULT), params.get("table") == "True", params.get("view") == "True")


def writes_texts(params: Mapping[str, Any]) -> bool:
    """Return whether the model of a training run generates texts, by its logged parameters; other models measure."""
    contract = import_module("allsaid.modeling.tasks.contract")  # here, since it imports data sets, and they this
    return isinstance(task_of_run(params), contract.WritesTexts)


def reads_own_rows(params: Mapping[str, Any]) -> bool:
    """Return whether the rows of a training run's task are of its own kind, instead of goal and agenda."""
    contract = import_module("allsaid.modeling.tasks.contract")
    return isinstance(task_of_run(params), contract.ReadsRows)


def speaks_of_table(params: Mapping[str, Any]) -> bool:
    """Return whether the rows refer to a table that is given separately."""
    contract = import_module("allsaid.modeling.tasks.contract")
    return isinstance(task_of_run(params), contract.SpeaksOfTable)


def kinds(family: Family = MODELS) -> list[str]:
    """Return all kinds, those of this project first; modules of other packages are not imported for that."""
    own = [name for name in _own_modules(family) if _is_one(name, family)]
    return own + [point.name for point in _points(family)]


@cache  # the list of installed packages is read from the disk each time
def _find(kind: str, family: Family) -> Any:
    points = [point for point in _points(family) if point.name == kind]
    own = kind in _own_modules(family) and _is_one(kind, family)
    if len(points) + own > 1:
        places = [*([f"{family.home}.{kind} of Allsaid"] if own else []), *map(_told, points)]
        raise UserError(
            f"The {family.called} '{kind}' exists twice: {' and '.join(places)}. Remove one of the packages, or have "
            f"its author give the {family.called.split()[-1]} another name."
        )
    if points:
        return _load(points[0], family)
    return import_module(f"{family.home}.{kind}") if own else None


def _own_modules(family: Family) -> list[str]:
    return sorted(module.name for module in iter_modules(import_module(family.home).__path__))


def _is_one(name: str, family: Family) -> bool:
    """Return whether a module of the home package belongs to the family; other modules are shared code."""
    return all(hasattr(import_module(f"{family.home}.{name}"), needed) for needed in family.names)


def _points(family: Family) -> list[EntryPoint]:
    return sorted(entry_points(group=family.group), key=lambda point: (point.name, point.value))


def _load(point: EntryPoint, family: Family) -> Any:
    called = f"The {family.called} '{point.name}' can't be used: {_told(point)}"
    remedy = f"Mend or update that package, or remove it: pip uninstall {_package(point)}."
    try:
        module = point.load()
    except Exception as fault:  # another package's module may raise anything while it is imported
        raise UserError(f"{called} fails to load ({type(fault).__name__}: {fault}). {remedy}") from fault
    missing = [name for name in family.names if not hasattr(module, name)]
    missing = missing or [f"TASK.{name}" for name in _task_names(module.TASK) if not hasattr(module.TASK, name)]
    if missing:
        raise UserError(f"{called} lacks {' and '.join(missing)}, which such a module must hold. {remedy}")
    return module


def _task_names(task: Any) -> list[str]:
    contract = import_module("allsaid.modeling.tasks.contract")  # here, since it imports data sets, and they this
    return list(contract.names_of(task))


def _told(point: EntryPoint) -> str:
    return f"{point.value} of the package {_package(point)}"


def _package(point: EntryPoint) -> str:
    return point.dist.name if point.dist else "unknown"
