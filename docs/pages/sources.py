"""What the classes of the sources say of themselves, on docs/mapping.md."""

from __future__ import annotations

from allsaid.markdown import table
from pipelines import sources
from pipelines.sources.about import about


def examples() -> str:
    """Return the example of each source's own help."""
    lines = [" ".join(about(name).help.partition("\n\nExample: ")[2].split()) for name in sources.shipped_names()]
    return "\n".join(["```sh", *lines, "```"])


def tables() -> str:
    """Return what each source reads, and the tables that it writes."""
    rows = [
        [
            f"`{name}`",
            about(name).help.partition("\n")[0],
            ", ".join(f"`{table}`" for table in sources.find(name).borders),
        ]
        for name in sources.shipped_names()
    ]
    return table(["source", "what it does", "tables"], rows)


def samples() -> str:
    """Return the small input of each source, file by file."""
    blocks = [
        f"==> {name}: {file} <==\n{content}"
        for name in sources.shipped_names()
        for file, content in sources.find(name).sample.items()
    ]
    return "\n".join(["```text", *blocks, "```"])
