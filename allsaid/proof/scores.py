"""Scores of texts against their examples: mean coverage and BLEU."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from allsaid.proof.coverage import Coverage, Lexicon, measure
from allsaid.proof.figures import FIGURES
from schemas.example import LINE_BREAK, PHRASE_JOINER, Example

BLEU_SHARE = 0.95  # of the champion's BLEU that a new model must reach


@dataclass(frozen=True)
class Scores:
    """Means over texts; ``allsaid.proof.coverage`` defines the figures."""

    percent_given: float  # by head word, 0 to 100
    percent_given_full_name: float
    percent_given_any_word: float
    extra_items: float  # a text
    bleu: float  # corpus BLEU-4 over words, 0 to 100: phrases split, step breaks left out
    tokens: float  # a text
    texts: int


def score(texts: Sequence[Sequence[str]], examples: Sequence[Example], lexicon: Lexicon) -> Scores:
    """Measure texts (lists of tokens) against the agendas and reference texts of their examples."""
    return summarise(texts, examples, cover(texts, examples, lexicon))


def cover(texts: Sequence[Sequence[str]], examples: Sequence[Example], lexicon: Lexicon) -> list[Coverage]:
    return [measure(tokens, example.agenda_tokens, lexicon) for tokens, example in zip(texts, examples, strict=True)]


def summarise(texts: Sequence[Sequence[str]], examples: Sequence[Example], covered: Sequence[Coverage]) -> Scores:
    """Return the means over texts whose coverage is known."""
    return Scores(
        percent_given=fmean(one.percent_given for one in covered),
        percent_given_full_name=fmean(one.percent_given_full_name for one in covered),
        percent_given_any_word=fmean(one.percent_given_any_word for one in covered),
        extra_items=fmean(len(one.extra) for one in covered),
        bleu=bleu(texts, [example.tokens for example in examples]),
        tokens=fmean(len(tokens) for tokens in texts),
        texts=len(texts),
    )


def bleu(texts: Sequence[Sequence[str]], references: Sequence[Sequence[str]]) -> float:
    """Return the corpus BLEU-4, 0 to 100, of texts (lists of tokens) with one reference each."""
    import sacrebleu  # loaded here: most importers of this module need only its other figures

    # The texts are already split into words; `force` tells sacrebleu that this is intended.
    written = [words_of(tokens) for tokens in texts]
    return sacrebleu.corpus_bleu(written, [[*map(words_of, references)]], tokenize="none", force=True).score


def check_bleu(challenger: Any, champion: Any) -> tuple[bool, str]:
    """Check one clause of a promotion rule: better figures must not come with worse texts."""
    bleu, before = (FIGURES["bleu"].show(scores.bleu) for scores in (challenger, champion))
    return (
        challenger.bleu >= BLEU_SHARE * champion.bleu,
        f"its BLEU is {bleu}, the champion's {before}, of which it needs {BLEU_SHARE:.0%}",
    )


def words_of(tokens: Sequence[str]) -> str:
    """Join a text's words by blanks: phrases split, step breaks left out."""
    return " ".join(tokens).replace(LINE_BREAK, " ").replace(PHRASE_JOINER, " ")
