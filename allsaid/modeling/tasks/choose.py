"""Choice of the task that a kind of model learns from a data set."""

from __future__ import annotations

from collections.abc import Mapping

from allsaid.modeling import systems
from allsaid.modeling.data.dataset import DataSet
from allsaid.modeling.tasks.contract import Task
from schemas.errors import UserError


def views_agendas(kind: str, data: DataSet) -> bool:
    """Return whether a model of this kind reads the agendas of a data set instead of its own task's input.

    That is so for a user's table, and where the input of its own task is missing.
    """
    task = own_task(kind)
    has_own = data.borders.issuperset(task.borders) and not data.mapping()
    return task.of_agendas is not None and "examples" in data.borders and not has_own


def task_for(kind: str, data: DataSet) -> Task:
    """Return the task that a model of this kind learns from a data set."""
    return task_of(kind, bool(data.mapping()), views_agendas(kind, data))


def task_of(kind: str, is_table: bool, is_view: bool) -> Task:
    """Return the task of a model of this kind for a user's table or not; is_view: as in :func:`views_agendas`."""
    task = own_task(kind)
    task = task.of_agendas or task if is_view else task
    return task.of_table if is_table else task


def task_of_run(params: Mapping[str, str]) -> Task:
    """Return the task of a training run by its logged parameters."""
    return task_of(params.get("kind", systems.DEFAULT), params.get("table") == "True", params.get("view") == "True")


def own_task(kind: str) -> Task:
    """Return the task that the models of a kind are made for."""
    task = systems.find(kind).TASK
    if not isinstance(task, Task):
        raise UserError(
            f"The TASK of the model kind '{kind}' is no object of a class of allsaid.modeling.tasks.contract. Update "
            "its package, or remove it."
        )
    return task
