"""Measurement of texts by the caller's judge, by the certificate, or by names; once for each text."""

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
    """Measure that is computed once for each text of a row."""

    def __init__(self, measure: Measure) -> None:
        self._measure = measure
        # The row is kept with its coverage, so that no other row can get its id.
        self._found: dict[tuple[int, tuple[str, ...]], tuple[Any, Coverage]] = {}

    def __call__(self, tokens: Sequence[str], row: Any) -> Coverage:
        key = id(row), tuple(tokens)
        if key not in self._found:
            self._found[key] = row, self._measure(tokens, row)
        return self._found[key][1]


def measure_of(bundle: Bundle) -> Measure:
    """Return the measure by the certificate of a model with a phrasebook, else by names."""
    certifier = bundle.certifier
    if certifier is None:
        return lambda tokens, row: coverage.measure(tokens, asked(row, bundle.says_goals), bundle.lexicon)
    return lambda tokens, row: by_certificate(certifier, bundle.says_goals, tokens, row)


def by_certificate(certifier: Certifier, asks_goal: bool, tokens: Sequence[str], row: Any) -> Coverage:
    """Measure what T tokens state by their certificate; the goal is the last item if texts state theirs."""
    found = certifier.certify(tokens, row)
    given = [*found.stated, *([found.states_goal] if asks_goal else [])]
    passages = tuple(" ".join(tokens[one.first : one.last]) for one in found.findings)
    mentions: list[list[int]] = [[] for _ in given]
    beyond: list[list[int]] = [[] for _ in found.others]
    return Coverage(given, given, given, found.others, mentions, beyond, found.repeated, passages, found.is_certified)
