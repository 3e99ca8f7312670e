"""Scores by the task's own ``score``, for a task without a protocol in this package."""

from __future__ import annotations

from allsaid.modeling.tasks.contract import Background, Learned, Task
from allsaid.modeling.text.restore import Casing, restore
from allsaid.proof.coverage import Lexicon
from evaluation.tasks import rows
from evaluation.tasks.rows import AnyExample, Evaluation, Row
from evaluation.tasks.system import Subject, write
from training.fitting.scores import PERPLEXITY, perplexities

PROTOCOL = "score"  # as in training, on dev


def measured(task: Task) -> tuple[str, ...]:
    """Return the keys of the figures that a run may have, in the order of its table."""
    return tuple(task.figures)


def measure(subject: Subject, slow: bool) -> Evaluation:
    """Return the figures of a system's texts, and its texts for the dev examples that every run shows."""
    system, data, task = subject.system, subject.data, subject.system.text_task
    examples, texts, shown = written(subject)
    lexicon = background(subject).get("lexicon", Lexicon({}))
    references = [example.tokens for example in examples]
    ours, true = (task.score(corpus, examples, lexicon) for corpus in (texts, references))
    if system.bundle and PERPLEXITY in task.deciding:
        ours |= perplexities(system.bundle, data, subject.split)
    return Evaluation(ours | {f"{rows.TRUE}{key}": value for key, value in true.items() if key != "texts"}, shown, {})


def written(subject: Subject) -> tuple[list[AnyExample], list[list[str]], list[Row]]:
    """Return the examples to score, a system's texts for them, and the table of its texts that every run shows."""
    system, data, task = subject.system, subject.data, subject.system.task
    examples = rows.chosen(task, data, subject.split, subject.limit)
    shown = rows.sample(task, data, subject.limit)
    texts = write(system, data, [*examples, *shown])
    casing = background(subject).get("casing", Casing({}, frozenset()))
    sample_texts = zip(shown, texts[len(examples) :], strict=True)
    return examples, texts[: len(examples)], [_row(task, example, tokens, casing) for example, tokens in sample_texts]


def background(subject: Subject) -> Background:
    """Return the lexicon and the letter case with which a system's texts are measured and restored."""
    if bundle := subject.system.bundle:
        return {"lexicon": bundle.lexicon, "casing": bundle.casing}
    return subject.system.task.background(subject.data)


def _row(task: Task, example: Learned, tokens: list[str], casing: Casing) -> Row:
    title, lines = task.show(example)
    text = restore(tokens, casing)
    return Row(example.id, title, lines, example.text, text, tokens, missing=None, extra=None, doubled=[])
