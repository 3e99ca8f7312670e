"""First weights that are not of chance: those counted in the texts, and another model's (Yang et al. 2016, table 6)."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from torch import nn

from allsaid.console import say
from allsaid.modeling.models.contract import Counts
from allsaid.modeling.saved.model_folder import load
from schemas.errors import UserError


def count_weights(model: nn.Module, ids: Any, run_dir: Path) -> None:
    """Have a model that counts weights do so; ids: the training part; temporary files stand below ``run_dir``."""
    if isinstance(model, Counts):
        say("Counting in the training part.")
        with TemporaryDirectory(dir=run_dir) as folder:
            model.count(ids, Path(folder))


def take_weights(model: nn.Module, vocabularies: Any, folder: Path) -> None:
    """Set a model's weights to those that the model in ``folder`` has under the same names.

    Raises UserError where its vocabularies or the sizes of those weights are others, or where no name is the same.
    """
    other = load(folder)
    if other.vocabularies != vocabularies:
        raise UserError(
            f"The model to start from, {folder}, knows other words than this one would. Train both on the same data "
            "set and with the same cutoffs."
        )
    own, theirs = model.state_dict(), other.model.state_dict()
    shared = [name for name in own if name in theirs]
    odd = [name for name in shared if own[name].shape != theirs[name].shape]
    if odd or not shared:
        reason = f"its '{odd[0]}' is of another size" if odd else "none of its weights has the name of one here"
        raise UserError(
            f"The model to start from, {folder}, doesn't fit: {reason}. Give it the sizes of this configuration, or "
            "leave start_from out."
        )
    model.load_state_dict({name: theirs[name] for name in shared}, strict=False)
    say(f"The first weights of {', '.join(shared)} are those of {folder}.")
