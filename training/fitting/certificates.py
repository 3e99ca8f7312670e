"""Scores by certificates, and the dev check: how many planted faults would be certified."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any  # Any: an example of the task, known only at run time

from allsaid.modeling.saved.model_folder import Bundle
from allsaid.modeling.tasks.agenda import RecordTask
from allsaid.modeling.tasks.contract import Scores, Texts
from allsaid.proof.coverage import Lexicon
from allsaid.proof.planted.known import study
from allsaid.proof.planted.plant import count_certified, plant
from schemas.example import Example

# Kinds of planted faults that make any text wrong (`allsaid.proof.planted`).
KINDS = ("swapped", "attached", "polarity", "foreign")
EACH = 10  # planted faults of each kind


def score(bundle: Bundle, texts: Texts, examples: Sequence[Any], lexicon: Lexicon) -> dict[str, float]:
    """Return the scores of texts for N examples of the model's task, by certificates if the task counts these."""
    task, certifier = bundle.text_task, bundle.certifier
    if certifier is None or not task.counts_certificates:
        return task.score(texts, examples, lexicon)
    certificates = [certifier.certify(tokens, example) for tokens, example in zip(texts, examples, strict=True)]
    return task.score(texts, examples, lexicon, certificates)


def with_dev_check(
    scores: Scores, bundle: Bundle, train: Callable[[], Iterable[Example]], examples: Sequence[Any]
) -> dict[str, float]:
    """Add, for a table, the number of planted faults in reference texts of dev that are certified as correct."""
    certifier = bundle.certifier
    if certifier is None or not isinstance(bundle.task, RecordTask):
        return dict(scores)

    def attests(tokens: Sequence[str], row: Example) -> bool:
        return certifier.certify(tokens, row).is_attested

    planted = plant(examples, study([*train(), *examples]), EACH, kinds=KINDS)
    counts = count_certified(planted, attests)
    return {**scores, "false_certificates": sum(count.certified for count in counts.values())}
