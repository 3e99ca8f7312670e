"""Figures of the machine's turns, and of a model's predictions of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from allsaid.modeling.tables.table_support import support_of
from allsaid.proof.figures import FIGURES as SHARED
from allsaid.proof.figures import Figure
from allsaid.proof.scores import bleu

FIGURES = {
    figure.key: figure
    for figure in (
        Figure("perplexity", "perplexity of all words", "", 2, "down", "all"),
        Figure("perplexity_table", "perplexity of words of the table", "", 2, "down", "table"),
        Figure("perplexity_table_oov", "perplexity of words of the table never seen", "", 2, "down", "table oov"),
        Figure("perplexity_word", "perplexity of the other words", "", 2, "down", "word"),
        Figure("percent_of_row", "turns about a row that say no other row's cells", "%", 1, "up", "% of its row"),
        *(SHARED[key] for key in ("bleu", "extra_items", "tokens", "texts", "texts_per_second")),
    )
}


@dataclass(frozen=True)
class Scores:
    """Scores of turns; perplexities are of the generating model, on all turns; None for references and empty parts."""

    bleu: float  # corpus BLEU-4 over words, 0 to 100
    percent_of_row: float | None  # of turns that name a row, those that state no cell of another row, 0 to 100
    extra_items: float  # cells of another row, per turn
    tokens: float  # per turn
    texts: int  # turns
    perplexity: float | None = None
    perplexity_table: float | None = None  # of words that refer to a cell
    perplexity_table_oov: float | None = None  # of those in no dialogue of the other folds
    perplexity_word: float | None = None  # of all others


def score(texts: Sequence[Sequence[str]], examples: Sequence[Any], lexicon: Any) -> Scores:
    found = [support_of(text, example.table) for text, example in zip(texts, examples, strict=True)]
    of_row = [not one.foreign for one in found if one]
    return Scores(
        bleu=bleu(texts, [example.tokens for example in examples]),
        percent_of_row=100 * fmean(of_row) if of_row else None,
        extra_items=fmean(len(one.foreign) if one else 0 for one in found),
        tokens=fmean(map(len, texts)),
        texts=len(texts),
    )


def brief(scores: Scores) -> str:
    return f"of the table's words {FIGURES['perplexity_table'].show(scores.perplexity_table)}, BLEU {scores.bleu:.1f}"
