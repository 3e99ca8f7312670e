"""The shipped configurations, a folder for each family, and their lookup by name."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path

from allsaid.modeling.config import Config, parse_config
from schemas.errors import UserError

SHIPPED = {path.stem: path for path in sorted(Path(__file__).parent.rglob("*.yaml"))}


def load_config(source: str, settings: Iterable[str] = ()) -> Config:
    """Read a YAML file, or the shipped configuration of that name, and apply ``key=value`` settings to it."""
    return parse_config(find_config(source), source, settings)


def find_config(source: str) -> str:
    """Return the text of a YAML file, or of the shipped configuration of that name; raise UserError without either."""
    path = Path(source)
    if path.is_file():
        return path.read_text(encoding="utf-8")
    if source not in SHIPPED:
        near = get_close_matches(source, SHIPPED, n=1)
        raise UserError(
            f"There is no configuration file '{source}', nor a shipped one of that name: {', '.join(SHIPPED)}."
            + (f" Did you mean '{near[0]}'?" if near else "")
        )
    return SHIPPED[source].read_text(encoding="utf-8")
