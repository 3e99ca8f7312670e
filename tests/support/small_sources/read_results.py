"""What a source has read, as tests compare it."""

from __future__ import annotations

from collections.abc import Sequence

from pipelines.source import Rejected, Result, Unreadable


def rejected(found: Sequence[Result]) -> list[tuple[str, str]]:
    """Reason and detail of each rejected record."""
    return [(result.reason, result.detail) for result in found if isinstance(result, Rejected)]


def lost(found: Sequence[Result]) -> list[str]:
    """The sentences on what could not be read."""
    return [result.sentence for result in found if isinstance(result, Unreadable)]
