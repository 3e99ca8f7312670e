"""The manifest of an empty run, of which tests replace what they are about."""

from __future__ import annotations

from schemas.runs.manifest import Manifest

EMPTY = Manifest(
    run="1",
    source="mealmaster",
    created="2026-11-21T10:00:00Z",
    settings={},
    unit="examples",
    shards=[],
    inputs=[],
    files={},
    read=0,
    kept=0,
    rejected={},
    splits={},
    statistics={},
    losses=[],
    fingerprint="f1",
)
