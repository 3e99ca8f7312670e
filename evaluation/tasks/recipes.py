"""Scores of a system's texts for recipes (Kiddon et al. 2016, table 1)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from statistics import fmean

from allsaid.modeling.config import DataConfig
from allsaid.modeling.tasks import agenda
from allsaid.modeling.tasks.contract import Task
from allsaid.modeling.text.restore import Casing, learn_casing
from allsaid.proof import coverage, scores, wording
from allsaid.proof.coverage import Coverage, Lexicon
from allsaid.proof.known_foods import build_food_lexicon
from batch_infer.rows.inputs import Row as Prompt
from batch_infer.rows.wording import publish
from evaluation.measures import bootstrap, meteor
from evaluation.tasks import rows
from evaluation.tasks.rows import AnyExample, Evaluation, Row
from evaluation.tasks.system import Subject, write
from schemas.example import Example

PROTOCOL = "tokens"  # a text's tokens as in training
BY_TRAINING = "extra_items/training"  # by the older rule: names of the training part alone
RANKS = 5000  # words of the vocabulary-use curve, the most frequent ones


def measured(task: Task) -> tuple[str, ...]:
    """Return the keys of the figures that a run may have, in the order of its table."""
    return (
        "bleu",
        "meteor",
        "percent_given",
        "extra_items",
        BY_TRAINING,
        "distinct_tokens",
        "catch_all_percent",
        "doubled_items",
        "texts",
    )


def measure(subject: Subject, slow: bool) -> Evaluation:
    """Return the figures of a system's texts, and its texts for the dev examples that every run shows."""
    return measure_as(lambda example: example, subject, slow)


def measure_as(recipe_of: Callable[[AnyExample], Example], subject: Subject, slow: bool) -> Evaluation:
    """Return what :func:`measure` does, for a task whose examples ``recipe_of`` turns into recipes."""
    system, data, task = subject.system, subject.data, subject.system.task
    examples = rows.chosen(task, data, subject.split, subject.limit)
    shown = rows.sample(task, data, subject.limit)
    scored = {example.id for example in examples}
    all_examples = [*examples, *(example for example in shown if example.id not in scored)]
    texts = dict(zip([example.id for example in all_examples], write(system, data, all_examples), strict=True))
    lexicon = build_food_lexicon(map(recipe_of, task.examples(data, "train")))
    casing = system.bundle.casing if system.bundle else learn_casing(data.examples("train"))
    known = system.bundle.vocabularies if system.bundle else agenda.TASK.build_vocabularies(data, DataConfig())
    words = known.text.ids
    of_examples, recipes = [texts[example.id] for example in examples], [*map(recipe_of, examples)]
    return Evaluation(
        score(of_examples, recipes, lexicon, words, slow),
        [row(texts[example.id], recipe_of(example), lexicon, casing) for example in shown],
        {rows.VOCABULARY: vocabulary_use(of_examples, recipes, words)},
    )


def score(
    texts: Sequence[Sequence[str]],
    examples: Sequence[Example],
    lexicon: Lexicon,
    vocabulary: Collection[str],
    slow: bool,
) -> dict[str, float]:
    """Return the figures by name and protocol; the names of the reference texts' figures begin with ``true/``.

    ``slow``: also METEOR, if Java is installed.
    """
    truth = [example.tokens for example in examples]
    words, references = list(map(scores.join_words, texts)), [[scores.join_words(tokens)] for tokens in truth]
    covered, older = (scores.cover(texts, examples, each) for each in (lexicon, lexicon.of_training))
    of_truth, older_of_truth = (scores.cover(truth, examples, each) for each in (lexicon, lexicon.of_training))
    bleu, ours = _figures(texts, examples, covered, older, vocabulary)
    _, theirs = _figures(truth, examples, of_truth, older_of_truth, vocabulary)
    figures: dict[str, float] = {
        "bleu": bleu,
        **bootstrap.ends("bleu", bootstrap.bleu_interval(words, references)),
        **bootstrap.ends("percent_given", bootstrap.mean_interval([result.percent_given for result in covered])),
        **bootstrap.ends("extra_items", bootstrap.mean_interval([len(result.extra) for result in covered])),
        **bootstrap.ends(BY_TRAINING, bootstrap.mean_interval([len(result.extra) for result in older])),
    }
    if slow:
        figures |= meteor.figures("meteor", words, references)
    return figures | ours | {"texts": len(texts)} | {f"{rows.TRUE}{name}": value for name, value in theirs.items()}


def vocabulary_use(
    texts: Sequence[Sequence[str]], examples: Sequence[Example], vocabulary: Collection[str]
) -> dict[str, list[int]]:
    """Return the counts of the most frequent words in the texts and in the reference texts (Figure 3)."""
    truth = [example.tokens for example in examples]
    return {
        "texts": wording.vocabulary_use(texts, vocabulary)[:RANKS],
        "true": wording.vocabulary_use(truth, vocabulary)[:RANKS],
    }


def _figures(
    texts: Sequence[Sequence[str]],
    examples: Sequence[Example],
    covered: Sequence[Coverage],
    older: Sequence[Coverage],
    vocabulary: Collection[str],
) -> tuple[float, dict[str, float]]:
    """Return BLEU, and the figures that need no reference; ``older`` is the coverage by the older rule."""
    means = scores.summarise(texts, examples, covered)
    doubled = [wording.doubled(text, example.agenda_tokens) for text, example in zip(texts, examples, strict=True)]
    return means["bleu"], {
        "percent_given": means["percent_given"],
        "extra_items": means["extra_items"],
        BY_TRAINING: fmean(len(result.extra) for result in older),
        "distinct_tokens": len(wording.vocabulary_use(texts, vocabulary)),
        "catch_all_percent": 100 * fmean(map(wording.has_catch_all, texts)),
        "doubled_items": fmean(sum(map(bool, counts)) for counts in doubled),
    }


def row(tokens: list[str], example: Example, lexicon: Lexicon, casing: Casing) -> Row:
    covered = coverage.measure(tokens, example.agenda_tokens, lexicon)
    prompt = Prompt(example.goal, example.agenda, example.goal_tokens, example.agenda_tokens)
    return Row(
        id=example.id,
        goal=example.goal,
        agenda=example.agenda,
        reference=example.text,
        text=publish(tokens, prompt, casing),
        tokens=tokens,
        missing=[line for line, is_given in zip(example.agenda, covered.given, strict=True) if not is_given],
        extra=covered.extra,
        doubled=[
            line
            for line, places in zip(example.agenda, wording.doubled(tokens, example.agenda_tokens), strict=True)
            if places
        ],
    )
