"""A system's texts for the recipes of a split, and what they score (Kiddon et al. 2016, table 1)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from statistics import fmean

from batch_infer.rows.inputs import Row as Prompt
from batch_infer.rows.wording import publish
from evaluation.measures import bootstrap, meteor
from evaluation.tasks.rows import Row
from evaluation.tasks.system import System
from schemas.example import Example
from training.fitting.scores import generate
from training.metrics import scores, wording
from training.metrics.coverage import Coverage, Lexicon, measure
from training.search.retrieval import Nearest
from training.search.swap import swap
from training.tasks.dataset import DataSet
from training.tasks.restore import Casing

PROTOCOL = "tokens"  # the text's own words, cut as in training
RANKS = 5000  # words of the vocabulary-use curve, the most frequent ones


def tell(system: System, data: DataSet, examples: Sequence[Example]) -> list[list[str]]:
    """One text for each example, as tokens."""
    if system.bundle is None or system.search is None:
        return [found.tokens for found in _nearest(data, examples)]
    if system.swap:
        searching = replace(system.bundle, config=replace(system.bundle.config, search=system.search))
        return swap(searching, _nearest(data, examples), examples)
    found = generate(system.bundle, examples, system.search)
    return [system.bundle.words(one.tokens, example) for one, example in zip(found, examples, strict=True)]


def _nearest(data: DataSet, examples: Sequence[Example]) -> list[Example]:
    return Nearest.build(data.tables("train")).find(examples)


def score(
    texts: Sequence[Sequence[str]],
    examples: Sequence[Example],
    lexicon: Lexicon,
    vocabulary: Collection[str],
    slow: bool,
) -> dict[str, float]:
    """Figures by name and protocol, METEOR if ``slow``, where Java is; those of the true texts begin with ``true/``."""
    truth = [example.tokens for example in examples]
    words, references = list(map(scores.words_of, texts)), [[scores.words_of(tokens)] for tokens in truth]
    covered = scores.cover(texts, examples, lexicon)
    bleu, ours = _said(texts, examples, covered, vocabulary)
    _, theirs = _said(truth, examples, scores.cover(truth, examples, lexicon), vocabulary)
    figures: dict[str, float] = {
        f"bleu/{PROTOCOL}": bleu,
        **bootstrap.named(f"bleu/{PROTOCOL}", bootstrap.of_bleu(words, references)),
        **bootstrap.named("percent_given", bootstrap.of_mean([one.percent_given for one in covered])),
        **bootstrap.named("extra_items", bootstrap.of_mean([len(one.extra) for one in covered])),
    }
    if slow:
        figures |= meteor.figures(f"meteor/{PROTOCOL}", words, references)
    return figures | ours | {"texts": len(texts)} | {f"true/{name}": value for name, value in theirs.items()}


def vocabulary_use(
    texts: Sequence[Sequence[str]], examples: Sequence[Example], vocabulary: Collection[str]
) -> dict[str, list[int]]:
    """Counts of the most used words, of the texts and of the true ones (Figure 3)."""
    truth = [example.tokens for example in examples]
    return {
        "texts": wording.vocabulary_use(texts, vocabulary)[:RANKS],
        "true": wording.vocabulary_use(truth, vocabulary)[:RANKS],
    }


def _said(
    texts: Sequence[Sequence[str]],
    examples: Sequence[Example],
    covered: Sequence[Coverage],
    vocabulary: Collection[str],
) -> tuple[float, dict[str, float]]:
    """BLEU, and what can be told of texts without a reference."""
    means = scores.summarise(texts, examples, covered)
    doubled = [wording.doubled(text, one.agenda_tokens) for text, one in zip(texts, examples, strict=True)]
    return means.bleu, {
        "percent_given": means.percent_given,
        "extra_items": means.extra_items,
        "distinct_tokens": len(wording.vocabulary_use(texts, vocabulary)),
        "catch_all_percent": 100 * fmean(map(wording.has_catch_all, texts)),
        "doubled_items": fmean(sum(map(bool, found)) for found in doubled),
    }


def row(tokens: list[str], example: Example, lexicon: Lexicon, casing: Casing) -> Row:
    covered = measure(tokens, example.agenda_tokens, lexicon)
    prompt = Prompt(example.goal, example.agenda, example.goal_tokens, example.agenda_tokens)
    return Row(
        id=example.id,
        goal=example.goal,
        agenda=example.agenda,
        reference=example.text,
        text=publish(tokens, prompt, casing),
        tokens=tokens,
        missing=[line for line, given in zip(example.agenda, covered.given, strict=True) if not given],
        extra=covered.extra,
        doubled=[
            line
            for line, places in zip(example.agenda, wording.doubled(tokens, example.agenda_tokens), strict=True)
            if places
        ],
    )
