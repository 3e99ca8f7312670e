"""Corpus figures as in section 5 of Kiddon et al. 2016: sums of one part that can be added up."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Any

from pipelines.text import is_word
from schemas.example import NEW, NO_ITEM, UNSUPERVISED, USED, Example

VOCABULARY_CUTOFFS = (5, 100, 1000)  # a word of the model's vocabulary; the paper's two steps of frequency


@dataclass
class Statistics:
    """Sums over the training examples; ``longest`` is a maximum."""

    examples: int = 0
    tokens: int = 0
    words: int = 0  # tokens that are neither punctuation nor line break
    longest: int = 0
    items: int = 0
    linked_items: int = 0  # items that at least one token refers to
    new: int = 0  # tokens by reference type
    used: int = 0
    unsupervised: int = 0

    def add(self, example: Example) -> None:
        self.examples += 1
        self.tokens += len(example.tokens)
        self.words += sum(map(is_word, example.tokens))
        self.longest = max(self.longest, len(example.tokens))
        self.items += len(example.agenda)
        self.linked_items += len(set(example.ref_items) - {NO_ITEM})
        self.new += example.ref_types.count(NEW)
        self.used += example.ref_types.count(USED)
        self.unsupervised += example.ref_types.count(UNSUPERVISED)

    def merge(self, other: Statistics) -> None:
        longest = max(self.longest, other.longest)
        for column in fields(self):
            setattr(self, column.name, getattr(self, column.name) + getattr(other, column.name))
        self.longest = longest


def figures(sums: Statistics, vocabulary: dict[str, int]) -> dict[str, Any]:
    """The manifest's statistics of the training part; ``vocabulary`` has the counts of words per cutoff."""
    per_example, per_token = max(sums.examples, 1), max(sums.tokens, 1)
    return {
        "train": asdict(sums),
        "mean_tokens": round(sums.tokens / per_example, 2),
        "mean_words": round(sums.words / per_example, 2),
        "longest": sums.longest,
        "mean_agenda": round(sums.items / per_example, 2),
        "linked_items_share": round(sums.linked_items / max(sums.items, 1), 4),
        "new_share": round(sums.new / per_token, 4),
        "used_share": round(sums.used / per_token, 4),
        "unsupervised_share": round(sums.unsupervised / per_token, 4),
        **{
            f"{column}_words_{cutoff}": vocabulary.get(f"{column} {cutoff}", 0)
            for column in ("text", "title")
            for cutoff in VOCABULARY_CUTOFFS
        },
    }
