"""What a language model makes of the documents of a split: perplexities with intervals (Yang et al. 2016, table 6).

The parts of a document are drawn together: what makes one of them hard makes the others so.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from allsaid.modeling.tasks.contract import Task
from allsaid.modeling.tasks.document import TASK, Ids, Surprise, summarise, surprises
from evaluation.measures import bootstrap
from evaluation.tasks.rows import Evaluation
from evaluation.tasks.system import Subject
from schemas.errors import UserError
from training.fitting.scores import encoded

PROTOCOL = "annotated"  # by equation 9; `marginal` figures say so themselves
SURPRISES = "surprises.json"  # in a run: of each document, by perplexity, the nats and the words


def measured(task: Task) -> tuple[str, ...]:
    """What a run may hold, in the order of its table."""
    return tuple(task.figures)


def check(subject: Subject) -> None:
    """Raises UserError where not all documents are to be scored, or by no model."""
    if subject.limit is not None:
        raise UserError("--limit: perplexities are of a whole split. Leave it out.")
    if subject.system.bundle is None:
        raise UserError(f"'{subject.system.name}' has no model, so it has no perplexity. Give a trained model.")


def measure(subject: Subject, slow: bool) -> Evaluation:
    """Figures of a model on a split; it writes no texts to show."""
    bundle, data, split = subject.system.bundle, subject.data, subject.split
    assert bundle is not None  # `check` has seen that there is one
    with encoded(bundle, data, split) as ids:
        assert isinstance(ids, Ids)
        found = surprises(bundle.model, ids, bundle.config.data)
        scores = summarise(found, ids)
    hashes = [one.content_hash for one in TASK.examples(data, split)]
    documents = {name: by_document(one, hashes) for name, one in found.items() if name in scores}
    for name, one in documents.items():
        scores |= bootstrap.named(name, bootstrap.of_perplexity(one.nats.tolist(), one.words.tolist()))
    return Evaluation(scores, [], {SURPRISES: {name: _plain(one) for name, one in documents.items()}})


def by_document(parts: Surprise, hashes: list[str]) -> Surprise:
    """The surprise of N parts added up by the D documents that they are of, in the order of their hashes."""
    _, document = np.unique(hashes, return_inverse=True)
    return Surprise(*(np.bincount(document, weights=column) for column in (parts.nats, parts.words)))


def _plain(one: Surprise) -> Mapping[str, list[float]]:
    return {"nats": one.nats.tolist(), "words": one.words.tolist()}
