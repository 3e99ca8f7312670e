"""Perplexities of a language model on the documents of a split, with intervals (Yang et al. 2016, table 6).

The bootstrap draws whole documents, not parts, since the parts of one document have similar perplexities.
"""

from __future__ import annotations

import numpy as np

from allsaid.modeling.tasks.contract import Task
from allsaid.modeling.tasks.document import TASK, Ids, Surprise, summarise, surprises
from evaluation.measures import bootstrap
from evaluation.tasks.rows import Evaluation
from evaluation.tasks.system import Subject
from schemas.errors import UserError
from training.fitting.scores import encoded

PROTOCOL = "annotated"  # the measure of all figures but those named `marginal` (`allsaid.modeling.tasks.document`)
SURPRISALS_FILE = "surprises.json"  # in a run: the nats and words of each document, by perplexity


def measured(task: Task) -> tuple[str, ...]:
    """Return the keys of the figures that a run may have, in the order of its table."""
    return tuple(task.figures)


def check(subject: Subject) -> None:
    """Raise UserError if the number of documents is limited, or the system has no model."""
    if subject.limit is not None:
        raise UserError("--limit: a perplexity is that of a whole split. Leave it out.")
    if subject.system.bundle is None:
        raise UserError(f"'{subject.system.name}' has no model, so it has no perplexity. Give a trained model.")


def measure(subject: Subject, slow: bool) -> Evaluation:
    """Return the figures of a model on a split; there are no texts to show."""
    bundle, data, split = subject.system.bundle, subject.data, subject.split
    assert bundle is not None  # see `check`
    with encoded(bundle, data, split) as ids:
        assert isinstance(ids, Ids)
        surprise_of = surprises(bundle.model, ids, bundle.config.data)
        scores = summarise(surprise_of, ids)
    hashes = [example.content_hash for example in TASK.examples(data, split)]
    documents = {}
    for name, parts in surprise_of.items():
        if name in scores:
            sums = by_document(parts, hashes)
            nats, words = sums.nats.tolist(), sums.words.tolist()
            scores |= bootstrap.ends(name, bootstrap.perplexity_interval(nats, words))
            documents[name] = {"nats": nats, "words": words}
    return Evaluation(scores, [], {SURPRISALS_FILE: documents})


def by_document(parts: Surprise, hashes: list[str]) -> Surprise:
    """Add up the surprisal of N parts by their D documents, in the order of the documents' hashes."""
    _, document = np.unique(hashes, return_inverse=True)
    return Surprise(*(np.bincount(document, weights=column) for column in (parts.nats, parts.words)))
