"""The tables of docs/commands.md: every setting with its default and its meaning."""

from __future__ import annotations

from dataclasses import fields

from allsaid.markdown import table
from allsaid.modeling.config import BeamSettings, DataConfig, FitConfig, PaperSettings, TextSettings
from pages.columns import meanings

SECTIONS = {
    "`search`: what a user chooses": TextSettings,
    "`search`: how the papers search": PaperSettings,
    "`search`: speed and room in the beam": BeamSettings,
    "`data`": DataConfig,
    "`fit`": FitConfig,
}


def sections() -> str:
    """Return a section for each dataclass of settings."""
    return "\n\n".join(_section(title, kind) for title, kind in SECTIONS.items())


def _section(title: str, kind: type) -> str:
    comments = meanings(kind)
    rows = [[f"`{item.name}`", f"`{_shown(item.default)}`", comments[item.name]] for item in fields(kind)]
    return f"## {title}\n\n{table(['setting', 'default', 'meaning'], rows)}"


def _shown(default: object) -> str:
    return str(default).lower() if isinstance(default, bool) else str(default) or '""'
