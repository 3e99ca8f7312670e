"""What workers must have installed as the launcher has it: this project's code, and libraries that data depend on."""

from __future__ import annotations

import hashlib
import platform
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from allsaid import PACKAGES
from schemas.errors import UserError

ROOT = Path(__file__).resolve().parents[1]
PROJECT = "allsaid"
LIBRARIES = (PROJECT, "torch", "numpy", "pyarrow", "spacy", "snowballstemmer", "apache-beam")


@dataclass(frozen=True)
class Installed:
    """What a machine has."""

    versions: tuple[tuple[str, str], ...]  # of LIBRARIES; "" of what is missing
    code: str  # a hash of all modules of the rooms


@cache
def installed() -> Installed:
    """What this process works with."""
    digest = hashlib.sha256()
    for path in sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py")):
        digest.update(f"{path.relative_to(ROOT)}\n".encode() + path.read_bytes())
    return Installed(tuple((name, _version(name)) for name in LIBRARIES), digest.hexdigest()[:16])


def _version(name: str) -> str:
    """Without what tells builds apart: PyTorch for a GPU, "2.13.0+cu130", and for none are one version."""
    try:
        return version(name).partition("+")[0]
    except PackageNotFoundError:
        return ""


@cache
def check_worker(launcher: Installed) -> None:
    """Raise UserError where this process, a worker, has something else than the launcher; looked at once a process."""
    here, there = installed(), dict(launcher.versions)
    differing = [
        f"{name} {found or 'of no version'} (there {there.get(name) or 'of none'})"
        for name, found in here.versions
        if found != there.get(name, "")
    ]
    if here.code != launcher.code:
        differing.append("other code of Allsaid")
    if differing:
        raise UserError(
            f"The worker on {platform.node()} is not installed as the machine that started the job: it has "
            f"{', '.join(differing)}. Install the same wheel there (--extra_package), or use an image built from the "
            "same checkout (deploy/Dockerfile)."
        )
