"""Initial weights that are not random: counted in the texts, or another model's (Yang et al. 2016, table 6)."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any  # Any: ids and vocabularies of the task, known only at run time

from torch import nn

from allsaid.console import say
from allsaid.modeling.models.base.contract import Counts
from allsaid.modeling.saved.model_folder import load
from schemas.errors import UserError


def count_weights(model: nn.Module, ids: Any, run_dir: Path) -> None:
    """Count the weights of a model that counts; ids: the training part; run_dir: folder for temporary files."""
    if isinstance(model, Counts):
        say("Counting in the training part.")
        with TemporaryDirectory(dir=run_dir) as folder:
            model.count(ids, Path(folder))


def take_weights(model: nn.Module, vocabularies: Any, folder: Path) -> None:
    """Set a model's weights to those of the same names in the model in ``folder``.

    Raises UserError if its vocabularies or the sizes of these weights differ, or if no name is the same.
    """
    other = load(folder)
    if other.vocabularies != vocabularies:
        raise UserError(
            f"The model to start from, {folder}, has other vocabularies than this one. Train both on the same data set "
            "and with the same cutoffs."
        )
    own, theirs = model.state_dict(), other.model.state_dict()
    shared = [name for name in own if name in theirs]
    misfits = [name for name in shared if own[name].shape != theirs[name].shape]
    if misfits or not shared:
        reason = f"its '{misfits[0]}' has another size" if misfits else "none of its weights has a name of this model's"
        raise UserError(
            f"The model to start from, {folder}, doesn't fit: {reason}. Give it the sizes of this configuration, or "
            "leave start_from out."
        )
    model.load_state_dict({name: theirs[name] for name in shared}, strict=False)
    say(f"The initial weights of {', '.join(shared)} are those of {folder}.")
