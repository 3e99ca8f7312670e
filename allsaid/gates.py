"""Quality gates: limits on the figures of a run; a run that breaks one ends with exit code 2."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any  # Any: the results of a run, whose type depends on the job

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
class Check:
    """A figure of a run and its limit."""

    figure: Measured
    limit: float

    @property
    def passed(self) -> bool:
        figure = self.figure
        return not (figure.value < self.limit if figure.is_least else figure.value > self.limit)

    @property
    def sentence(self) -> str:
        """The sentence for who breaks the gate."""
        figure, verb = self.figure, "asks for" if self.figure.is_least else "allows"
        sentence = f"{figure.what}; the gate '{figure.gate}' {verb} {figure.allowed.format(self.limit)}."
        return f"{sentence} {figure.advice}".rstrip()


@dataclass(frozen=True)
class Gates:
    """Limits by name, inclusive. Subclasses declare one field for each gate with `allsaid.settings.number`."""

    def checks(self, measured: Iterable[Measured]) -> list[Check]:
        """Return each figure with its limit."""
        return [Check(figure, getattr(self, figure.gate)) for figure in measured]

    def broken(self, measured: Iterable[Measured]) -> list[str]:
        """Return one sentence for each gate that a figure breaks."""
        return broken(self.checks(measured))


def broken(checks: Iterable[Check]) -> list[str]:
    """Return the sentences of the checks that failed."""
    return [check.sentence for check in checks if not check.passed]
