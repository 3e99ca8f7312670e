"""Reference texts of a row: the training texts with the same goal and agenda.

Values are placeholders there, so that rows with the same columns have the same texts. A search compares its own texts
with these (`allsaid.decoding.consensus`).
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Protocol

import numpy as np
import torch
from safetensors import SafetensorError
from safetensors.torch import load_file

from allsaid.modeling.data.vocabulary import Vocabulary
from allsaid.modeling.tensors import write_tensors
from schemas.errors import UserError

LEAST = 2  # texts per prompt; most goals and agendas of recipes occur once, and these are not kept
MOST = 100  # texts per prompt, the first ones; with more, the time of a choice would grow with the training part


class Prompt(Protocol):
    @property
    def goal_tokens(self) -> Sequence[str]: ...

    @property
    def agenda_tokens(self) -> Sequence[Sequence[str]]: ...


class Text(Prompt, Protocol):
    @property
    def tokens(self) -> Sequence[str]: ...


@dataclass(frozen=True)
class References:
    """The texts of P prompts, N in all."""

    keys: np.ndarray  # (P,) int64, ascending: `key_of` of each prompt
    texts: np.ndarray  # (P + 1,) int64: those of prompt p are texts[p] to texts[p + 1] - 1
    words: np.ndarray  # (N + 1,) int64: those of text n are ids[words[n]:words[n + 1]]
    ids: np.ndarray  # int32, of the text vocabulary

    @classmethod
    def build(cls, examples: Callable[[], Iterable[Text]], vocabulary: Vocabulary) -> References:
        """Collect the texts of the training part, which is read twice to keep no texts of prompts that occur once."""
        counts = Counter(key_of(example) for example in examples())
        texts_of: dict[int, list[list[int]]] = {key: [] for key, count in sorted(counts.items()) if count >= LEAST}
        for example in examples():
            texts = texts_of.get(key_of(example))
            if texts is not None and len(texts) < MOST:
                texts.append(vocabulary.encode(example.tokens))
        all_texts = [text for texts in texts_of.values() for text in texts]
        return cls(
            np.array([*texts_of], np.int64),
            np.cumsum([0, *map(len, texts_of.values())]),
            np.cumsum([0, *map(len, all_texts)]),
            np.array([word for text in all_texts for word in text], np.int32),
        )

    def of(self, prompt: Prompt) -> list[list[int]]:
        """Return the texts of a prompt, as ids; empty unless training has seen it at least twice."""
        key = key_of(prompt)
        place = int(np.searchsorted(self.keys, key))
        if place == len(self.keys) or self.keys[place] != key:
            return []
        borders = self.words[self.texts[place] : self.texts[place + 1] + 1].tolist()
        return [self.ids[first:last].tolist() for first, last in pairwise(borders)]

    def save(self, path: Path) -> None:
        write_tensors(path, {name: torch.from_numpy(array) for name, array in vars(self).items()}, {})

    @classmethod
    def load(cls, path: Path, words: int) -> References:
        """Read the file of `save` for a vocabulary of ``words`` words; raises UserError if it is damaged."""
        try:
            arrays = {name: tensor.numpy() for name, tensor in load_file(path).items()}
            references = cls(*(arrays[name] for name in ("keys", "texts", "words", "ids")))
        except (SafetensorError, OSError, KeyError) as fault:
            raise UserError(f"{path} can't be read ({fault}).") from fault
        if not references._fits(words):
            raise UserError(f"{path} is of another vocabulary.")
        return references

    def _fits(self, words: int) -> bool:
        """Return whether all borders are within the arrays that they divide, and all ids within the vocabulary."""
        is_whole = len(self.texts) == len(self.keys) + 1 and self.ids.min(initial=0) >= 0
        borders_and_sizes = ((self.texts, len(self.words) - 1), (self.words, len(self.ids)))
        in_order = all(
            len(borders) and borders[0] == 0 and borders[-1] == size and (np.diff(borders) >= 0).all()
            for borders, size in borders_and_sizes
        )
        return bool(is_whole and in_order and self.ids.max(initial=0) < words)


def key_of(prompt: Prompt) -> int:
    """Return 64 bits that identify the goal and the items, regardless of their order."""
    content = json.dumps([list(prompt.goal_tokens), sorted(map(list, prompt.agenda_tokens))])
    return int.from_bytes(hashlib.blake2b(content.encode(), digest_size=8).digest(), "little", signed=True)
