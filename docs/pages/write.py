"""Write the tables between the markers of the pages: `PYTHONPATH=docs:tests/support/faulty python -m pages.write`."""

from __future__ import annotations

from cogapp import Cog

from pages.results import ROOT

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def write(*options: str) -> None:
    """Run cog over all pages; with `--check`, write nothing and raise CogCheckFailed if a page is out of date."""
    Cog().callable_main(["cog", "-P", "-U", "-n", "utf-8", *options, *map(str, PAGES)])


if __name__ == "__main__":
    write("-r")
