"""Small packages outside the tree, as an installer leaves them: modules, and a dist-info with their entry points."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path


def install(folder: Path, package: str, modules: Mapping[str, str], points: Mapping[str, Mapping[str, str]]) -> None:
    """Write a package into ``folder``, which is on the path; ``points``: its entry points, kind -> module, by group."""
    (folder / package).mkdir(parents=True)
    for name, source in {"__init__": "", **modules}.items():
        (folder / package / f"{name}.py").write_text(source, encoding="utf-8")
    info = folder / f"{package}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    lines = [
        line
        for group, kinds in points.items()
        for line in (f"[{group}]", *(f"{kind} = {module}" for kind, module in kinds.items()))
    ]
    (info / "entry_points.txt").write_text("\n".join([*lines, ""]))
