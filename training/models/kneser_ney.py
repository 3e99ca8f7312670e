"""Interpolated modified Kneser-Ney of n-grams (Chen and Goodman 1998), a baseline of Lebret et al. 2016, Table 1.

Its weights are n-grams that KenLM counts in the training texts; there is nothing to learn. It copies nothing: a number
of the table is any number, and a word of the table that the vocabulary lacks is an unknown word.

Letters: B texts, n hypotheses of each, T text length, V words of the vocabulary, C different words of a table, K the
order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import torch
from torch import Tensor, nn

from allsaid.console import say
from allsaid.settings import number
from training.models import lmplz
from training.models.contract import PerHypothesis, PerText, Scores, State
from training.models.losses import Losses, losses_by_kind
from training.models.ngrams import NOWHERE, Ngrams
from training.models.projection import BLOCK
from training.tasks import box as TASK
from training.tasks.arrays import FlatTexts
from training.tasks.box_arrays import Batch, Prompts, find
from training.tasks.box_table import Vocabularies
from training.tasks.vocabulary import PAD

__all__ = ["TASK", "KneserNey", "Settings", "build"]
PIECE = 100_000  # texts written at once


@dataclass(frozen=True)
class Settings:
    kind: Literal["kneser_ney"] = "kneser_ney"
    order: int = number(5, 1, 6)  # words, the next one among them


def build(settings: Settings, vocabularies: Vocabularies, dtype: torch.dtype) -> KneserNey:
    return KneserNey(settings.order, len(vocabularies.text))


class NextWords:
    """Scores of all words after some contexts, in buffers that are kept from step to step."""

    def __init__(self, ngrams: Ngrams) -> None:
        self._ngrams = ngrams
        self._values = self._room = torch.empty(0)

    def __call__(self, contexts: Tensor) -> Scores:
        """contexts: (B · n, K - 1) places."""
        words = self._ngrams.words
        if self._values.shape[1:] != contexts.shape[:1]:
            size = (words + -words % BLOCK, len(contexts))
            self._values = torch.full(size, float("-inf"), device=contexts.device)
            self._room = torch.empty_like(self._values)
        self._ngrams.write_all(contexts, self._values[:words])
        return Scores(self._values, torch.zeros(len(contexts), device=contexts.device), self._room, words)


@dataclass(frozen=True)
class KneserNeyState(State):
    score: NextWords
    words: PerText  # (B, C) ids of the table's words
    reads: PerText  # (B, C) ids below V
    contexts: PerHypothesis  # (B · n, K - 1) places of the last 1, 2, … words


class KneserNey(nn.Module):
    def __init__(self, order: int, words: int) -> None:
        """order: K; words: V."""
        super().__init__()
        self.ngrams = Ngrams(words, order)

    def count(self, ids: FlatTexts, folder: Path) -> None:
        """Count the n-grams of whole texts, however long they are."""
        words, order, text, arpa = self.ngrams.words, self.ngrams.order, folder / "text", folder / "arpa"
        with text.open("w", encoding="ascii") as file:
            for first in range(0, len(ids), PIECE):
                starts = ids.text_starts[first : first + PIECE + 1]
                lmplz.write_lines(file, ids.read(first, first + PIECE, words), starts - starts[0])
        # The words to predict are V without PAD and START; <unk> is one more.
        guessed = lmplz.estimate(text, arpa, order, words - 1)
        if guessed:
            say(
                f"There are too few {' and '.join(f'{one}-grams' for one in guessed)} to estimate the discounts of "
                "modified Kneser-Ney from; they are 0.5, 1 and 1.5 there (lmplz --discount_fallback)."
            )
        self.ngrams.read(arpa)

    def resize(self, sizes: Mapping[str, Sequence[int]]) -> None:
        self.ngrams.resize({name.removeprefix("ngrams."): size for name, size in sizes.items()})

    def loss(self, batch: Batch) -> Losses:
        """nll: −Σ log p of the words."""
        table = batch.prompts.words, batch.prompts.reads
        real = batch.targets != PAD
        numbers, targets = (one[real] for one in find(*table, batch.targets))
        contexts = self.ngrams.contexts(find(*table, batch.inputs)[1])[real]
        in_table = numbers != 0
        each = -self.ngrams.log_probs_of(contexts, targets)
        return losses_by_kind(each.sum(), each, len(real), {"table": in_table, "other": ~in_table})

    def start(self, prompts: Prompts) -> KneserNeyState:
        """The state before the first word of B texts."""
        contexts = prompts.words.new_full((len(prompts.words), self.ngrams.order - 1), NOWHERE)
        return KneserNeyState(NextWords(self.ngrams), prompts.words, prompts.reads, contexts)

    def step(self, state: KneserNeyState, tokens: Tensor) -> tuple[Scores, KneserNeyState]:
        """Read one word of each hypothesis; tokens: (B · n,)."""
        _, words = find(state.words, state.reads, tokens.view(len(state.words), -1))
        contexts = self.ngrams.follow(state.contexts, words.flatten())
        return state.score(contexts), replace(state, contexts=contexts)
