"""The papers' tables as data: one YAML file each, read by ``evaluation.compare.table``."""

from pathlib import Path

SHIPPED = {path.stem: path for path in sorted(Path(__file__).parent.glob("*.yaml"), key=lambda path: path.stem)}
