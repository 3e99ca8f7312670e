"""Staging of the model for the workers: the launcher copies its files, under their hash, to where the job writes.

A worker can reach neither the registry nor the launcher's disk. If the staged files are in a folder on disk, it loads
them from there, which maps them into memory. Otherwise it loads them from a copy that it fetches once per process.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from allsaid import scratch
from allsaid.disk import temporary_faults
from allsaid.modeling.saved.folder_files import FILES
from allsaid.modeling.saved.model_folder import fingerprint
from allsaid.storage import files
from allsaid.storage.paths import absolute
from pipelines.installed import Installed, check_worker, installed
from schemas.errors import UserError

FOLDER = "model"  # folder of the staged models, in a job's own folder


@dataclass(frozen=True)
class StagedModel:
    folder: str  # on a disk that all workers share, or in a store
    hash: str  # `model_folder.fingerprint` of the files
    launcher: Installed = field(default_factory=installed)  # the installation that the workers must match


def stage(folder: Path, hash: str, where: str) -> StagedModel:
    """Copy the files of a model folder to ``where``, under their hash; keep files that are already there."""
    staged = files.join(where, hash)
    for name in FILES:
        path = files.join(staged, name)
        if (folder / name).exists() and not files.exists(path):  # a file that exists is complete
            with files.whole(path, staged) as copy, (folder / name).open("rb") as file:
                shutil.copyfileobj(file, copy)
    return StagedModel(absolute(staged), hash)


def fetch(staged: StagedModel) -> Path:
    """Return the folder of the staged files on this machine.

    Raises UserError if they are not the files that the job began with, or if this machine has another Allsaid.
    """
    check_worker(staged.launcher)
    folder = Path(staged.folder) if files.is_local(staged.folder) else _downloaded(staged)
    if fingerprint(folder) != staged.hash:
        raise UserError(
            f"The model's files in {staged.folder} are not all there, or not those that the job began with. Remove "
            "that folder and give the same command again. On a cluster --output, or --stage, must be a folder that "
            "every worker reaches."
        )
    return folder


@cache
def _downloaded(staged: StagedModel) -> Path:
    """Download a copy that is removed when this process ends."""
    folder = scratch.folder("model")
    with temporary_faults():
        for name in {*FILES} & {*files.below(staged.folder)}:
            with files.open_read(files.join(staged.folder, name)) as file, (folder / name).open("wb") as copy:
                shutil.copyfileobj(file, copy)
    return folder
