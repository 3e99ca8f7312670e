"""Scores of a system's texts for sources, against each source's own text (Benmalek et al. 2019, section 4).

BLEU-4 is computed over the corpus, and as the mean of the smoothed BLEU of each text; METEOR over the corpus and as
the mean over the texts. Covered items are counted only if the corpus has items.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from statistics import fmean

from allsaid.modeling.tasks.contract import Task
from allsaid.modeling.tasks.pair import Example
from allsaid.modeling.tasks.pair import measure as measure_items
from allsaid.proof.scores import bleu, join_words
from evaluation.measures import attention, bootstrap, meteor
from evaluation.measures.rouge import rouge, rouge_l
from evaluation.measures.sentence_bleu import sentence_bleu
from evaluation.tasks import rows, scores
from evaluation.tasks.rows import Evaluation, Row
from evaluation.tasks.system import Subject
from schemas.checks.json_value import JsonValue
from training.fitting.scores import PERPLEXITY, perplexities

PROTOCOL = "tokens"  # a text's tokens as in training
BLEU, GIVEN = "bleu", "percent_given"
METEOR = ("meteor", "meteor/sentence")  # of the corpus, of each text
ROUGE = {"rouge_1": 1, "rouge_2": 2}  # words of an n-gram


def measured(task: Task) -> tuple[str, ...]:
    """Return the keys of the figures that a run may have, in the order of its table."""
    perplexity_keys = (key for key in task.figures if key.startswith(PERPLEXITY))
    return (*perplexity_keys, BLEU, "bleu/sentence", *METEOR, *ROUGE, "rouge_l", GIVEN, attention.FIGURE, "texts")


def measure(subject: Subject, slow: bool) -> Evaluation:
    """Return the figures of a system's texts, and its texts for the dev examples that every run shows."""
    examples, texts, shown = scores.written(subject)
    figures, documents = score(texts, examples, slow), dict[str, Mapping[str, JsonValue]]()
    if subject.system.bundle:
        figures |= perplexities(subject.system.bundle, subject.data, subject.split)
        nats = attention.entropies(subject.system.bundle, subject.data, subject.split)
        if len(nats):
            figures[attention.FIGURE] = float(nats.mean())
            documents[attention.DOCUMENT] = attention.at_most(nats)
    sample = rows.sample(subject.system.task, subject.data, subject.limit)
    return Evaluation(figures, [*map(_with_missing, shown, sample)], documents)


def score(texts: Sequence[Sequence[str]], examples: Sequence[Example], slow: bool) -> dict[str, float]:
    """Return the figures by name, with intervals; slow: also METEOR, if Java is installed."""
    truth = [example.tokens for example in examples]
    ours, theirs = ([*map(join_words, corpus)] for corpus in (texts, truth))
    figures: dict[str, float] = {BLEU: bleu(texts, truth), "texts": len(texts)}
    figures |= bootstrap.ends(BLEU, bootstrap.bleu_interval(ours, [[reference] for reference in theirs]))
    averaged = {
        "bleu/sentence": sentence_bleu(ours, theirs),
        "rouge_l": [100 * rouge_l(text, tokens).f for text, tokens in zip(texts, truth, strict=True)],
    }
    averaged |= {
        name: [100 * rouge(text, tokens, order).f for text, tokens in zip(texts, truth, strict=True)]
        for name, order in ROUGE.items()
    }
    with_items = [(text, example) for text, example in zip(texts, examples, strict=True) if example.items]
    if with_items:
        averaged[GIVEN] = [measure_items(text, example).percent_given for text, example in with_items]
        figures[rows.TRUE + GIVEN] = fmean(
            measure_items(example.tokens, example).percent_given for _, example in with_items
        )
    figures |= bootstrap.with_intervals(averaged)
    corpus_key, texts_key = METEOR
    return figures | (meteor.figures(corpus_key, ours, [[text] for text in theirs], texts_key) if slow else {})


def _with_missing(row: Row, example: Example) -> Row:
    """Add to a row the items that its text does not name; a source without items leaves it unchanged."""
    if not example.items:
        return row
    given = measure_items(row.tokens, example).given
    return replace(row, missing=[item for item, is_given in zip(example.items, given, strict=True) if not is_given])
