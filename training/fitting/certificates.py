"""Scores by certificates, and the dev check: how many planted faults would be certified."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from allsaid.modeling.saved.model_folder import Bundle
from allsaid.modeling.tasks.contract import ScoresCertificates
from allsaid.proof.coverage import Lexicon
from allsaid.proof.planted.known import study
from allsaid.proof.planted.plant import count_certified, plant
from schemas.example import Example

# Kinds of faults that make any text wrong (`allsaid.proof.planted`).
KINDS = ("swapped", "attached", "polarity", "foreign")
EACH = 10  # planted faults of each kind


def score(bundle: Bundle, texts: Sequence[Sequence[str]], examples: Sequence[Example], lexicon: Lexicon) -> Any:
    """Return the task's scores of texts for N examples, by certificates if the task scores these."""
    if bundle.certifier is None or not isinstance(bundle.task, ScoresCertificates):
        return bundle.task.score(texts, examples, lexicon)
    certificates = [bundle.certifier.certify(*pair) for pair in zip(texts, examples, strict=True)]
    return bundle.task.score_certified(texts, examples, lexicon, certificates)


def with_dev_check(
    scores: Any, bundle: Bundle, train: Callable[[], Iterable[Example]], examples: Sequence[Example]
) -> Any:
    """Return the scores with the number of planted faults in reference texts of dev that are certified as correct."""
    certifier = bundle.certifier
    if certifier is None or not hasattr(scores, "false_certificates") or not bundle.mapping:
        return scores

    def attests(tokens: Sequence[str], row: Example) -> bool:
        return certifier.certify(tokens, row).is_attested

    planted = plant(examples, study([*train(), *examples]), EACH, kinds=KINDS)
    found = count_certified(planted, attests)
    return replace(scores, false_certificates=sum(count.certified for count in found.values()))
