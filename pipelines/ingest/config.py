"""A source's settings and the quality gates, from a YAML file and from the command line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any  # Any: values of YAML, checked here

import yaml

from allsaid.settings import fill
from allsaid.storage import files
from pipelines import sources
from pipelines.datasets.gates import DataGates
from pipelines.source import Settings
from schemas.errors import UserError

SECTIONS = ("settings", "gates")


def read(config: str | None, source: str, settings: Sequence[str], gates: Sequence[str]) -> tuple[Settings, DataGates]:
    """Return a source's settings and the gates; ``settings`` and ``gates`` (key=value) override those of the file."""
    sections = _sections(config)
    return (
        fill(sources.find(source).settings, settings, sections["settings"], f"{config}: settings"),
        fill(DataGates, gates, sections["gates"], f"{config}: gates"),
    )


def _sections(config: str | None) -> dict[str, dict[str, Any]]:  # values of YAML
    content: Any = {}
    if config is not None:
        try:
            content = yaml.safe_load(files.read_text(config)) or {}
        except (OSError, UnicodeDecodeError, yaml.YAMLError) as fault:
            raise UserError(f"--config {config} can't be read: {fault}") from fault
    # An empty section is None.
    if not isinstance(content, dict) or any(not isinstance(section or {}, dict) for section in content.values()):
        raise UserError(
            f"--config {config} must have the sections {' and '.join(SECTIONS)}, each with key: value lines."
        )
    unknown = sorted(set(content) - set(SECTIONS))
    if unknown:
        raise UserError(f"--config {config} has the section '{unknown[0]}'; the valid ones are {', '.join(SECTIONS)}.")
    return {section: content.get(section) or {} for section in SECTIONS}
