"""Comparison of a worker's installation with the launcher's: Allsaid's code, and the libraries that data depend on."""

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
    """The installation of a machine."""

    versions: tuple[tuple[str, str], ...]  # of LIBRARIES; "" for one that is missing
    code: str  # a hash of all modules of Allsaid


@cache
def installed() -> Installed:
    """Return the installation that this process uses."""
    digest = hashlib.sha256()
    for path in sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py")):
        digest.update(f"{path.relative_to(ROOT)}\n".encode() + path.read_bytes())
    return Installed(tuple((name, _version(name)) for name in LIBRARIES), digest.hexdigest()[:16])


def _version(name: str) -> str:
    """Return a library's version without the tag of its build, such as the "+cu130" of PyTorch for GPUs."""
    try:
        return version(name).partition("+")[0]
    except PackageNotFoundError:
        return ""


@cache
def check_worker(launcher: Installed) -> None:
    """Raise UserError if this process, a worker, differs from the launcher; checked once per process."""
    here, there = installed(), dict(launcher.versions)
    differing = [
        f"{name} {found or 'missing'} (there {there.get(name) or 'missing'})"
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
