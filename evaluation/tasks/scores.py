"""A system's texts by the task's own ``score``: the figures of any task that brings no protocol of its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from allsaid.modeling.text.restore import Casing, restore
from allsaid.proof.coverage import Lexicon
from evaluation.tasks import rows
from evaluation.tasks.rows import Evaluation, Row
from evaluation.tasks.system import Subject, write
from training.fitting.scores import PERPLEXITY, perplexities

PROTOCOL = "score"  # as training measures its dev part


def measured(task: Any) -> tuple[str, ...]:
    """What a run may hold, in the order of its table."""
    return tuple(task.FIGURES)


def check(subject: Subject) -> None:
    """All examples can be scored."""


def measure(subject: Subject, slow: bool) -> Evaluation:
    """Figures of a system's texts, and its texts for the dev examples that every run shows."""
    system, data, task = subject.system, subject.data, subject.system.task
    examples, texts, shown = written(subject)
    lexicon = background(subject).get("lexicon", Lexicon({}))
    ours, true = (
        _figures(task.score(some, examples, lexicon)) for some in (texts, [example.tokens for example in examples])
    )
    if system.bundle and PERPLEXITY in task.DECIDING:
        ours |= perplexities(system.bundle, data, subject.split)
    return Evaluation(
        ours | {f"{rows.TRUE}{key}": value for key, value in true.items() if key != "texts"},
        shown,
        {},
    )


def written(subject: Subject) -> tuple[list[Any], list[list[str]], list[Row]]:
    """The examples to score, a system's texts for them, and the table of its texts that every run shows."""
    system, data, task = subject.system, subject.data, subject.system.task
    examples = rows.chosen(task, data, subject.split, subject.limit)
    shown = rows.sample(task, data, subject.limit)
    texts = write(system, data, [*examples, *shown])
    casing = background(subject).get("casing", Casing({}, frozenset()))
    more = zip(shown, texts[len(examples) :], strict=True)
    return examples, texts[: len(examples)], [_row(task, example, tokens, casing) for example, tokens in more]


def background(subject: Subject) -> Mapping[str, Any]:
    """What a system's texts are measured and restored with."""
    system = subject.system
    known: Mapping[str, Any] = vars(system.bundle) if system.bundle else system.task.background(subject.data)
    return known


def _figures(scores: Any) -> dict[str, float]:
    return {key: value for key, value in asdict(scores).items() if value is not None}


def _row(task: Any, example: Any, tokens: list[str], casing: Any) -> Row:
    title, lines = task.show(example)
    text = restore(tokens, casing)
    return Row(example.id, title, lines, example.text, text, tokens, missing=None, extra=None, doubled=[])
