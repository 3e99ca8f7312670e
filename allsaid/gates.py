"""Quality gates: limits on the figures of a run; a run that breaks one ends with exit code 2."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from schemas.errors import UserError


class GateBroken(UserError):
    """A run broke a quality gate; ``reached`` is its manifest or its summary of texts."""

    exit_code = 2

    def __init__(self, message: str, reached: Any) -> None:
        super().__init__(message)
        self.reached = reached


@dataclass(frozen=True)
class Measured:
    """A figure of a run, next to the gate that limits it."""

    gate: str
    value: float
    what: str  # the figure in words, as a main clause: "A text names 1.50 extra items"
    allowed: str = "{:.1%}"  # the format of the limit
    advice: str = ""  # further sentences for who breaks the gate
    is_least: bool = False  # whether the limit is the lowest allowed value, not the highest


@dataclass(frozen=True)
class Gates:
    """Limits by name, inclusive. Subclasses declare one field for each gate with `allsaid.settings.number`."""

    def broken(self, measured: Iterable[Measured]) -> list[str]:
        """Return one sentence for each gate that a figure breaks."""
        sentences = []
        for figure in measured:
            limit = getattr(self, figure.gate)
            if figure.value < limit if figure.is_least else figure.value > limit:
                verb = "asks for" if figure.is_least else "allows"
                sentence = f"{figure.what}; the gate '{figure.gate}' {verb} {figure.allowed.format(limit)}."
                sentences.append(f"{sentence} {figure.advice}".rstrip())
        return sentences
