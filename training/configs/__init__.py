"""The shipped configurations, a folder a family, by their names."""

from pathlib import Path

SHIPPED = {path.stem: path for path in sorted(Path(__file__).parent.rglob("*.yaml"))}
