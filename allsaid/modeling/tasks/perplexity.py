"""Base of the tasks whose models are compared by the perplexity of the reference texts, then by BLEU."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from allsaid.modeling.data.dataset import DataSet
from allsaid.modeling.tasks.contract import Background, Ids, ReadsRows, Row, Scores, Texts, Vocabularies
from allsaid.modeling.text.restore import learn_casing
from allsaid.modeling.text.surface import Surfaced
from allsaid.proof.coverage import Lexicon
from allsaid.proof.forms.certificate.certify import Certificate
from allsaid.proof.scores import check_bleu, score_words

Example = TypeVar("Example", bound=Surfaced)


class PerplexityTask(ReadsRows[Row, Example, Vocabularies, Ids]):
    deciding = ("perplexity", "bleu")

    def background(self, data: DataSet) -> Background:
        """Return the letter case of words, which restoring texts needs."""
        return {"casing": learn_casing(self.examples(data, "train"))}

    def score(
        self, texts: Texts, examples: Sequence[Example], lexicon: Lexicon, certificates: Sequence[Certificate] = ()
    ) -> dict[str, float]:
        return score_words(texts, [example.tokens for example in examples])

    def checks(self, challenger: Scores, champion: Scores) -> list[tuple[bool, str]]:
        """Check that a new model predicts the dev texts better, and that its texts are hardly worse."""
        new, old = challenger["perplexity"], champion["perplexity"]
        show = self.figures["perplexity"].show
        return [
            (new < old, f"its perplexity is {show(new)}, the champion's {show(old)}"),
            check_bleu(challenger, champion),
        ]
