"""Scores of a system's texts for boxes (Lebret et al. 2016, table 1; Dhingra et al. 2019).

As in the paper, each number is NUMBER or YEAR in texts, references and tables, so that all numbers count as equal. Only
`parent_precision/written` compares numbers as written.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from allsaid.modeling.tasks.box import Example
from allsaid.modeling.tasks.contract import Task
from allsaid.proof.scores import bleu, join_words
from evaluation.measures import bootstrap, nist
from evaluation.measures.parent import parent
from evaluation.measures.rouge import rouge
from evaluation.tasks import rows, scores
from evaluation.tasks.rows import Evaluation
from evaluation.tasks.system import Subject
from pipelines.sources.wikibio.box import mapped
from training.fitting.scores import PERPLEXITY, perplexities

PROTOCOL = "tokens"  # a text's tokens as in training
BLEU = "bleu"
WRITTEN = "parent_precision/written"


def measured(task: Task) -> tuple[str, ...]:
    """Return the keys of the figures that a run may have, in the order of its table."""
    perplexity_keys = (key for key in task.figures if key.startswith(PERPLEXITY))
    return (*perplexity_keys, BLEU, "nist", "rouge_4", "parent_precision", "parent_recall", "parent", WRITTEN, "texts")


def measure(subject: Subject, slow: bool) -> Evaluation:
    """Return the figures of a system's texts, and its texts for the dev examples that every run shows."""
    examples, texts, shown = scores.written(subject)
    figures = score(texts, examples)
    if subject.system.bundle:
        figures |= perplexities(subject.system.bundle, subject.data, subject.split)
    return Evaluation(figures, shown, documents={})


def as_read(text: Sequence[str]) -> list[str]:
    """Return the words of a text in the form of references: a number copied from the table becomes NUMBER or YEAR."""
    return [mapped(word.lower()) for word in text]


def score(texts: Sequence[Sequence[str]], examples: Sequence[Example]) -> dict[str, float]:
    """Return the figures of N texts by name, with intervals; ``true/NAME`` is a figure of the reference texts.

    ``texts``: tokens; copied numbers are as in the table.
    """
    precisions = as_written(texts, examples)
    texts, truth = [*map(as_read, texts)], [example.tokens for example in examples]
    figures: dict[str, float] = {BLEU: bleu(texts, truth), "texts": len(texts)}
    drawn = bootstrap.bleu_interval([*map(join_words, texts)], [[join_words(tokens)] for tokens in truth])
    figures |= bootstrap.ends(BLEU, drawn)
    known = nist.statistics(texts, [[tokens] for tokens in truth])
    figures["nist"] = nist.nist_of_sums(known.sum(axis=0))
    figures |= bootstrap.ends("nist", bootstrap.sums_interval(known, nist.nist_of_sums))
    pairs = zip(texts, truth, strict=True)
    rouges = [100 * rouge(text, tokens).f for text, tokens in pairs]
    figures |= bootstrap.with_intervals({"rouge_4": rouges, **parent_figures(texts, examples), WRITTEN: precisions})
    return figures | {
        rows.TRUE + name: fmean(values)
        for name, values in parent_figures(truth, examples).items()
        if name != "parent_precision"  # the references' own precision is 100 by definition
    }


def as_written(texts: Sequence[Sequence[str]], examples: Sequence[Example]) -> list[float]:
    """Return the PARENT precision of each text (0 to 100), numbers as written; a bare NUMBER or YEAR is wrong."""
    precisions = []
    for text, example in zip(texts, examples, strict=True):
        words, reference, table = (
            [*map(str.lower, tokens)] for tokens in (text, example.originals, example.table.originals)
        )
        fields = [table[first:last] for _, first, last in example.table.items]
        precisions.append(100 * parent(words, reference, fields).precision)
    return precisions


def parent_figures(texts: Sequence[Sequence[str]], examples: Sequence[Example]) -> dict[str, list[float]]:
    """Return the PARENT of each text (0 to 100), by the names of the figures."""
    agreements = []
    for text, example in zip(texts, examples, strict=True):
        fields = [example.table.tokens[first:last] for _, first, last in example.table.items]
        agreements.append(parent(text, example.tokens, fields))
    return {
        "parent_precision": [100 * agreement.precision for agreement in agreements],
        "parent_recall": [100 * agreement.recall for agreement in agreements],
        "parent": [100 * agreement.f for agreement in agreements],
    }
