"""Registry of models and baselines: finds the module of a ``kind``, as a configuration names it.

A kind is the name of a module in ``allsaid/modeling/models``, or of another package's entry point in the group
``allsaid.models``. A baseline generates texts without training. Its name is that of a module in ``training/baselines``
or of an entry point in the group ``allsaid.baselines``. A module is imported when its kind is requested.
"""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pkgutil import iter_modules
from typing import Any  # Any: modules, by the protocols of their families

from schemas.errors import UserError

DEFAULT = "checklist"  # for a configuration that names no model


@dataclass(frozen=True)
class Family:
    """Modules that define the same names."""

    group: str  # of entry points
    home: str  # the package with the modules of this project
    names: tuple[str, ...]  # that each module defines, as a protocol describes them
    label: str  # in errors: "The ... 'NAME' exists twice"
    request: str  # in errors: "A configuration asks for ... 'NAME'"


MODELS = Family(
    "allsaid.models", "allsaid.modeling.models", ("TASK", "Settings", "build"), "model kind", "a model of kind"
)


def find(kind: str, where: str = "A configuration", family: Family = MODELS) -> Any:  # of the family's protocol
    """Return the module of this kind; ``where`` is named in the error as the place of the request.

    Raises UserError where there is none or more than one, or where a package's module can't be used.
    """
    module = _find(kind, family)
    if module is None:
        near = get_close_matches(kind, kinds(family), n=1)
        raise UserError(
            f"{where} asks for {family.request} '{kind}'; the valid ones are {', '.join(kinds(family))}."
            + (f" Did you mean '{near[0]}'?" if near else " Is it of a package that is not installed here?")
        )
    return module


def kinds(family: Family = MODELS) -> list[str]:
    """Return all kinds, this project's first, without importing modules of other packages."""
    own_kinds = [name for name in _own_modules(family) if _belongs(name, family)]
    return own_kinds + [point.name for point in _points(family)]


@cache  # the list of installed packages is read from the disk each time
def _find(kind: str, family: Family) -> Any:
    points = [point for point in _points(family) if point.name == kind]
    is_own = kind in _own_modules(family) and _belongs(kind, family)
    if len(points) + is_own > 1:
        places = [*([f"{family.home}.{kind} of Allsaid"] if is_own else []), *map(_describe, points)]
        raise UserError(
            f"The {family.label} '{kind}' exists twice: {' and '.join(places)}. Remove one of the packages, or have "
            f"its author give the {family.label.split()[-1]} another name."
        )
    if points:
        return _load(points[0], family)
    return import_module(f"{family.home}.{kind}") if is_own else None


def _own_modules(family: Family) -> list[str]:
    return sorted(module.name for module in iter_modules(import_module(family.home).__path__))


def _belongs(name: str, family: Family) -> bool:
    """Return whether a module of the home package belongs to the family; other modules are shared code."""
    return all(hasattr(import_module(f"{family.home}.{name}"), attribute) for attribute in family.names)


def _points(family: Family) -> list[EntryPoint]:
    return sorted(entry_points(group=family.group), key=lambda point: (point.name, point.value))


def _load(point: EntryPoint, family: Family) -> Any:
    problem = f"The {family.label} '{point.name}' can't be used: {_describe(point)}"
    remedy = f"Update that package, or remove it: pip uninstall {_package(point)}."
    try:
        module = point.load()
    except Exception as fault:  # another package's module may raise anything while it is imported
        raise UserError(f"{problem} fails to load ({type(fault).__name__}: {fault}). {remedy}") from fault
    missing = [name for name in family.names if not hasattr(module, name)]
    if missing:
        raise UserError(f"{problem} lacks {' and '.join(missing)}, which such a module must hold. {remedy}")
    return module


def _describe(point: EntryPoint) -> str:
    return f"{point.value} of the package {_package(point)}"


def _package(point: EntryPoint) -> str:
    return point.dist.name if point.dist else "unknown"
