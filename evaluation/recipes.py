"""A system's texts for the recipes of a split, and what they score (Kiddon et al. 2016, table 1)."""

from __future__ import annotations

from collections.abc import Sequence

from batch_infer.inputs import Row as Prompt
from batch_infer.wording import publish
from evaluation import meteor
from evaluation.rows import Row
from evaluation.system import System
from schemas.example import Example
from training import evaluate
from training.metrics.coverage import Lexicon, measure
from training.restore import Casing

PROTOCOL = "tokens"  # the text's own words, cut as in training


def tell(system: System, examples: Sequence[Example]) -> list[list[str]]:
    """One text for each example, as tokens."""
    assert system.bundle is not None and system.search is not None
    found = evaluate.generate(system.bundle, examples, system.search)
    return [system.bundle.vocabularies.text.decode(one.tokens) for one in found]


def score(texts: Sequence[Sequence[str]], examples: Sequence[Example], lexicon: Lexicon) -> dict[str, float]:
    """Figures by name and protocol; METEOR where Java is."""
    scores = evaluate.score(texts, examples, lexicon)
    figures: dict[str, float] = {
        f"bleu/{PROTOCOL}": scores.bleu,
        "percent_given": scores.percent_given,
        "extra_items": scores.extra_items,
        "texts": scores.texts,
    }
    if not meteor.unavailable():
        references = [[" ".join(example.tokens)] for example in examples]
        figures[f"meteor/{PROTOCOL}"] = meteor.meteor([" ".join(text) for text in texts], references)
    return figures


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
        doubled=[],
    )
