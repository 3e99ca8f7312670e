"""The examples of the sources, on docs/mapping.md."""

from __future__ import annotations

from pipelines.sources import shipped_names
from pipelines.sources.about import about


def examples() -> str:
    """Return the example of each source's own help."""
    lines = [" ".join(about(name).help.partition("\n\nExample: ")[2].split()) for name in shipped_names()]
    return "\n".join(["```sh", *lines, "```"])
