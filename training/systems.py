"""Which models there are: the ``kind`` of a configuration -> the module of its model -> its task.

A kind is the name of a module in ``training/models``, or of an entry point of the group ``allsaid.models`` that
another package has. A module is imported when its kind is asked for.
"""

from __future__ import annotations

from difflib import get_close_matches
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pkgutil import iter_modules
from typing import Any

from allsaid.console import UserError

GROUP = "allsaid.models"
HOME = "training.models"
DEFAULT = "checklist"  # of a configuration that names no model
CONTRACT = ("TASK", "Settings", "build")  # the names of a model's module: `training/models/contract.py`


def find(kind: str, where: str = "A configuration") -> Any:
    """The module of this kind; ``where`` names in the error what asks for it.

    Raises UserError where there is none or more than one, or where a package's module can't be used.
    """
    found = _find(kind)
    if found is None:
        near = get_close_matches(kind, kinds(), n=1)
        raise UserError(
            f"{where} asks for a model of kind '{kind}'; the valid ones are {', '.join(kinds())}."
            + (f" Did you mean '{near[0]}'?" if near else " Is it of a package that is not installed here?")
        )
    return found


def kinds() -> list[str]:
    """All kinds there are, our own first; those of other packages are named without a look at their modules."""
    return [name for name in _own_modules() if _is_model(name)] + [point.name for point in _points()]


@cache  # the list of installed packages is read from the disk each time
def _find(kind: str) -> Any:
    points = [point for point in _points() if point.name == kind]
    own = kind in _own_modules() and _is_model(kind)
    if len(points) + own > 1:
        places = [*([f"{HOME}.{kind} of Allsaid"] if own else []), *map(_told, points)]
        raise UserError(
            f"The model kind '{kind}' exists twice: {' and '.join(places)}. Remove one of the packages, or have its "
            f"author give the kind another name."
        )
    if points:
        return _load(points[0])
    return import_module(f"{HOME}.{kind}") if own else None


def _own_modules() -> list[str]:
    return sorted(module.name for module in iter_modules(import_module(HOME).__path__))


def _is_model(name: str) -> bool:
    """Whether a module beside the models is one; others hold what models share."""
    return all(hasattr(import_module(f"{HOME}.{name}"), needed) for needed in CONTRACT)


def _points() -> list[EntryPoint]:
    return sorted(entry_points(group=GROUP), key=lambda point: (point.name, point.value))


def _load(point: EntryPoint) -> Any:
    remedy = f"Mend or update that package, or remove it: pip uninstall {_package(point)}."
    try:
        module = point.load()
    except Exception as fault:  # whatever a stranger's module does while it is imported
        raise UserError(
            f"The model kind '{point.name}' can't be used: {_told(point)} fails to load "
            f"({type(fault).__name__}: {fault}). {remedy}"
        ) from fault
    missing = [name for name in CONTRACT if not hasattr(module, name)]
    missing = missing or [f"TASK.{name}" for name in _task_names() if not hasattr(module.TASK, name)]
    if missing:
        raise UserError(
            f"The model kind '{point.name}' can't be used: {_told(point)} lacks {' and '.join(missing)}, which a "
            f"model's module must hold. {remedy}"
        )
    return module


def _task_names() -> list[str]:
    task = import_module("training.tasks.contract").Task
    return [name for name in [*task.__annotations__, *vars(task)] if not name.startswith("_")]


def _told(point: EntryPoint) -> str:
    return f"{point.value} of the package {_package(point)}"


def _package(point: EntryPoint) -> str:
    return point.dist.name if point.dist else "unknown"
