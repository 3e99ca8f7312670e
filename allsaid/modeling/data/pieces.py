"""Cut words into pieces by byte pair encoding (Sennrich et al. 2016), and join them again.

A piece is a sequence of adjacent characters of a word. The last piece of a word ends with a blank, which no word
contains. So ``schlaf`` ``en `` is one word, and joined pieces are words again.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import pairwise

from schemas.errors import UserError

MARK = " "  # after the last piece of a word
Merge = tuple[str, str]  # two pieces that are joined wherever they are adjacent
# `tokenizers` decides ties by the order of its initial pieces, which is fixed only for single characters. So in
# learning, a last character with its mark is replaced by one character, from here on (a plane for private use).
_LASTS = 0xF0000


def symbols(word: str) -> list[str]:
    """Return the symbols to join: the characters of a word, with the mark after the last."""
    return [*word[:-1], word[-1] + MARK]


def learn(counts: Mapping[str, int], merges: int, cutoff: int) -> tuple[Merge, ...]:
    """Learn the most frequent pairs in the counted words, in the order in which they are joined.

    merges: the maximum number; cutoff: minimum number of times that a pair is adjacent. Raises UserError where the
    library that learns them is missing.
    """
    try:
        from tokenizers import Tokenizer, models, pre_tokenizers, trainers
    except ImportError as fault:
        raise UserError(
            "The setting 'merges' cuts words into pieces, which are learned by the library `tokenizers`, but it is not "
            "installed here. Install it (pip install tokenizers), or leave words whole (merges=0)."
        ) from fault
    lasts = {last: chr(_LASTS + number) for number, last in enumerate(sorted({word[-1] for word in counts}))}
    words = {word[:-1] + lasts[word[-1]]: count for word, count in counts.items()}
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.CharDelimiterSplit("\n")
    characters = len({character for word in words for character in word})
    trainer = trainers.BpeTrainer(vocab_size=characters + merges, min_frequency=cutoff, show_progress=False)
    tokenizer.train_from_iterator(("\n".join([word] * count) for word, count in words.items()), trainer)
    marked = {ord(replacement): last + MARK for last, replacement in lasts.items()}
    merged = json.loads(tokenizer.to_str())["model"]["merges"]
    return tuple((first.translate(marked), second.translate(marked)) for first, second in merged)


def cut(word: str, ranks: Mapping[Merge, int]) -> tuple[str, ...]:
    """Return the pieces of a word; ranks: the place of each merge in the order of learning."""
    parts = symbols(word)
    while len(parts) > 1:
        best = min(pairwise(parts), key=lambda pair: ranks.get(pair, len(ranks)))
        if best not in ranks:
            break
        joined: list[str] = []
        for piece in parts:
            # A piece that was just joined is not joined again: "a a a" has one pair.
            if joined and (joined[-1], piece) == best:
                joined[-1] += piece
            else:
                joined.append(piece)
        parts = joined
    return tuple(parts)


def join(pieces: Sequence[str]) -> list[str]:
    """Return the words of a text in pieces; the last may be unfinished."""
    return "".join(pieces).removesuffix(MARK).split(MARK) if pieces else []


def spans(pieces: Sequence[str]) -> list[tuple[int, int]]:
    """Return the range of pieces of each word of :func:`join`: its first piece, and the piece after its last."""
    ends = [place for place, piece in enumerate(pieces, 1) if piece.endswith(MARK)]
    return [*pairwise([0, *ends, *([len(pieces)] if pieces and not pieces[-1].endswith(MARK) else [])])]
