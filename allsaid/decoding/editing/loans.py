"""Sentences to borrow from other training recipes for foods that the edited recipe lacks, such as those of a glaze."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from allsaid.decoding.editing.draft import SentenceDraft, draft_of
from allsaid.decoding.editing.items import Item
from allsaid.language.text import listed
from allsaid.proof.recipes.checker.numbers import stated
from allsaid.proof.recipes.frames import Sentence, Steps

_OF_ANOTHER = listed("it them they this these both remaining reserved")  # refer to another sentence
_GOES_ON = listed("add stir fold pour return continue serve")  # commands that continue another sentence


@dataclass(frozen=True, eq=False)
class Loan:
    """A sentence that can be inserted into another recipe."""

    steps: Steps
    sentence: Sentence
    items: Sequence[Item]  # the items of the recipe
    keys: tuple[str, ...]  # of the sentence's foods, each once
    place: float  # of the sentence in its recipe, from 0 to 1

    def draft(self) -> SentenceDraft:
        """Return a new draft of the sentence."""
        return draft_of(Steps(self.steps.words, (self.sentence,))).sentences[0]


def loans_of(steps: Steps, items: Sequence[Item]) -> Iterator[Loan]:
    """Yield the sentences of a recipe that name only its items, and give no time or temperature."""
    for number, sentence in enumerate(steps.sentences):
        mentions = [mention for clause in sentence.clauses for mention in clause.mentions]
        first, words = sentence.clauses[0], steps.words[sentence.start : sentence.end]
        if not first.mentions or first.verb != sentence.start or not all(mention.items for mention in mentions):
            continue
        if words[0] in _GOES_ON or _OF_ANOTHER.intersection(words) or stated(words):
            continue
        keys = dict.fromkeys(items[mention.items[0]].key for mention in mentions)
        yield Loan(steps, sentence, items, tuple(keys), number / max(len(steps.sentences) - 1, 1))
