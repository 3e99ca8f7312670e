"""Scores of texts against their examples: mean coverage and BLEU, by the keys of `allsaid.proof.figures`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean

from allsaid.proof.coverage import Coverage, Lexicon, measure
from allsaid.proof.figures import FIGURES
from schemas.example import LINE_BREAK, PHRASE_JOINER, Example

BLEU_SHARE = 0.95  # share of the champion's BLEU that a new model must reach


def score(texts: Sequence[Sequence[str]], examples: Sequence[Example], lexicon: Lexicon) -> dict[str, float]:
    """Measure texts (lists of tokens) against the agendas and reference texts of their examples."""
    return summarise(texts, examples, cover(texts, examples, lexicon))


def cover(texts: Sequence[Sequence[str]], examples: Sequence[Example], lexicon: Lexicon) -> list[Coverage]:
    return [measure(tokens, example.agenda_tokens, lexicon) for tokens, example in zip(texts, examples, strict=True)]


def summarise(
    texts: Sequence[Sequence[str]], examples: Sequence[Example], covered: Sequence[Coverage]
) -> dict[str, float]:
    """Return the means of the texts' scores; ``covered``: the coverage of each text, already measured."""
    # An item is given by its head word, by its full name, or by any word of it.
    return {
        "percent_given": fmean(coverage.percent_given for coverage in covered),
        "percent_given_full_name": fmean(coverage.percent_given_full_name for coverage in covered),
        "percent_given_any_word": fmean(coverage.percent_given_any_word for coverage in covered),
        "extra_items": fmean(len(coverage.extra) for coverage in covered),
        **score_words(texts, [example.tokens for example in examples]),
    }


def score_words(texts: Sequence[Sequence[str]], references: Sequence[Sequence[str]]) -> dict[str, float]:
    """Return the scores that need no items: BLEU, the tokens of a text, and the number of texts."""
    return {"bleu": bleu(texts, references), "tokens": fmean(map(len, texts)), "texts": len(texts)}


def bleu(texts: Sequence[Sequence[str]], references: Sequence[Sequence[str]]) -> float:
    """Return the corpus BLEU-4, 0 to 100, of texts (lists of tokens) with one reference each."""
    import sacrebleu  # loaded here: most importers of this module need only its other figures

    # The texts are already split into words; `force` tells sacrebleu that this is intended.
    written = [join_words(tokens) for tokens in texts]
    return sacrebleu.corpus_bleu(written, [[*map(join_words, references)]], tokenize="none", force=True).score


def check_bleu(challenger: Mapping[str, float], champion: Mapping[str, float]) -> tuple[bool, str]:
    """Check one clause of a promotion rule: better figures must not come with worse texts."""
    new, old = (FIGURES["bleu"].show(scores["bleu"]) for scores in (challenger, champion))
    return (
        challenger["bleu"] >= BLEU_SHARE * champion["bleu"],
        f"its BLEU is {new}, the champion's {old}, of which it needs {BLEU_SHARE:.0%}",
    )


def join_words(tokens: Sequence[str]) -> str:
    """Return a text's words as one string: phrases split, line breaks left out."""
    return " ".join(tokens).replace(LINE_BREAK, " ").replace(PHRASE_JOINER, " ")
