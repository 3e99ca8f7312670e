"""Measurement of coverage by the caller's judge, by the certificate, or by item names; once for each text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any  # Any: a row of the task, known only at run time

from allsaid.decoding.step.items import asked
from allsaid.modeling.saved.model_folder import Bundle
from allsaid.proof import coverage
from allsaid.proof.coverage import Coverage
from allsaid.proof.forms.certificate.certify import Certifier

# The tokens of a text and its row -> the coverage. Rows are of the caller's own type.
Measure = Callable[[Sequence[str], Any], Coverage]


class Measured:
    """A measure that caches its results: each text of a row is measured once."""

    def __init__(self, measure: Measure) -> None:
        self._measure = measure
        # The row is kept with its coverage, so that no other row can get its id.
        self._results: dict[tuple[int, tuple[str, ...]], tuple[Any, Coverage]] = {}

    def __call__(self, tokens: Sequence[str], row: Any) -> Coverage:
        key = id(row), tuple(tokens)
        if key not in self._results:
            self._results[key] = row, self._measure(tokens, row)
        return self._results[key][1]


def measure_of(bundle: Bundle) -> Measure:
    """Return the measure by certificate if the model has a phrasebook, else the measure by item names."""
    certifier = bundle.certifier
    if certifier is None:
        return lambda tokens, row: coverage.measure(tokens, asked(row, bundle.says_goals), bundle.lexicon)
    return lambda tokens, row: by_certificate(certifier, bundle.says_goals, tokens, row)


def by_certificate(certifier: Certifier, asks_goal: bool, tokens: Sequence[str], row: Any) -> Coverage:
    """Measure the coverage of T tokens with the certifier; with ``asks_goal``, the goal is the last item."""
    certificate = certifier.certify(tokens, row)
    given = [*certificate.stated, *([certificate.states_goal] if asks_goal else [])]
    passages = tuple(" ".join(tokens[finding.first : finding.end]) for finding in certificate.findings)
    mentions: list[list[int]] = [[] for _ in given]
    beyond: list[list[int]] = [[] for _ in certificate.other_goals]
    return Coverage(
        given,
        given,
        given,
        certificate.other_goals,
        mentions,
        beyond,
        certificate.repeated,
        passages,
        certificate.is_certified,
    )
