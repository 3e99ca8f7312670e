"""Banned words and phrases: read from a file, excluded by the search, and found in texts.

A phrase is banned as it is read, in any letter case, however the vocabulary joins its words ("olive oil" is also
``olive_oil``), and across line breaks. Other forms of its words are not banned. Texts and phrases are cut into the same
pieces: words, single marks, and the "n't" of a contraction, which the decoder generates as a separate token.
"""

from __future__ import annotations

import re
from collections import defaultdict, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

import torch
from torch import Tensor

from allsaid.modeling.data.tensors import Tensors
from allsaid.modeling.data.vocabulary import PAD
from allsaid.modeling.text.restore import SPECIAL_TOKEN
from schemas.errors import UserError
from schemas.example import PHRASE_JOINER

_PIECE = re.compile(r"n't\b|\w+?(?=n't\b)|\w+|[^\w\s]")
_BANNED = -1  # replaces a next state in which a phrase is complete

Pieces = tuple[str, ...]


def read(path: str) -> tuple[str, ...]:
    """Read the phrases of a file, as in :func:`phrases_of`.

    Raises UserError if the file can't be read or has no phrase.
    """
    try:
        lines = Path(path).read_text(encoding="utf-8-sig").splitlines()
    except OSError as fault:
        raise UserError(f"--ban {path} can't be read ({fault.strerror}). Give a text file.") from fault
    except UnicodeDecodeError as fault:
        raise UserError(f"--ban {path} is not UTF-8. Save it as UTF-8.") from fault
    phrases = phrases_of(lines)
    if not phrases:
        raise UserError(f"--ban {path} holds no word. Write words or phrases into it, one per line.")
    return phrases


def phrases_of(lines: Iterable[str]) -> tuple[str, ...]:
    """Return the phrases, one per line, in their order; a ``#`` starts a comment."""
    phrases = (" ".join(line.partition("#")[0].split()) for line in lines)
    return tuple(dict.fromkeys(phrase for phrase in phrases if phrase))


def pieces(text: str) -> Pieces:
    return tuple(_PIECE.findall(text.replace(PHRASE_JOINER, " ").replace("’", "'").casefold()))


def first_banned(text: str, phrases: Iterable[str]) -> str | None:
    """Return the first of the phrases that is in a text, or None."""
    words = " ".join(("", *pieces(text), ""))
    return next((phrase for phrase in phrases if " ".join(("", *pieces(phrase), "")) in words), None)


@dataclass(frozen=True)
class Watch(Tensors):
    """Automaton that tracks phrases in the last words of a text (Aho and Corasick 1975), over V words and S states.

    In state 0 no phrase has begun. The other states store their next states only where these differ from state 0's.
    """

    never: Tensor  # (V,) bool: words that contain a whole phrase
    usual: Tensor  # (V,) the state after the word, from state 0
    words: Tensor  # (S, M) the words with a different next state, padded with 0
    nexts: Tensor  # (S, M) that state, or -1 where the word would complete a phrase

    def forbidden(self, states: Tensor) -> Tensor:
        """Return the words (N, M) that would complete a phrase in the states (N,), padded with PAD."""
        return torch.where(self.nexts[states] == _BANNED, self.words[states], PAD)

    def after(self, states: Tensor, words: Tensor) -> Tensor:
        """Return the states (N,) after one more word each; a copy candidate (from V on) is inside no phrase."""
        fits = (self.words[states] == words.unsqueeze(1)) & (words.unsqueeze(1) > 0)
        other = torch.where(fits, self.nexts[states], 0).sum(1)  # a word occurs once in a row
        last = len(self.usual) - 1
        usual = self.usual[words.clamp(max=last)].masked_fill(words > last, 0)
        return torch.where(fits.any(1), other, usual)


@dataclass
class _Node:
    """A state: its successors, the state of its longest proper suffix, and whether a phrase ends here."""

    children: dict[str, int] = field(default_factory=dict)
    fallback: int = 0
    ends: bool = False


@lru_cache(maxsize=4)
def watch(words: tuple[str, ...], phrases: tuple[str, ...]) -> Watch:
    """Build the automaton of phrases over a vocabulary of V words."""
    nodes = _automaton([pieces(phrase) for phrase in phrases])
    cut = [() if SPECIAL_TOKEN.fullmatch(word) else pieces(word) for word in words]
    usual = [_walk(nodes, 0, word) for word in cut]
    by_first: defaultdict[str, list[int]] = defaultdict(list)
    for position, word in enumerate(cut):
        by_first[word[0] if word else ""].append(position)
    rows: list[list[tuple[int, int]]] = [[]] + [
        [
            (position, state)
            for first in ("", *_follows(nodes, number))
            for position in by_first[first]
            if position and (state := _walk(nodes, number, cut[position])) != usual[position]
        ]
        for number in range(1, len(nodes))
    ]
    longest = max(map(len, rows)) or 1
    filled = torch.tensor([[*row, *[(0, 0)] * (longest - len(row))] for row in rows])
    ends = torch.tensor(usual)
    return Watch(ends == _BANNED, ends.clamp(min=0), filled[:, :, 0].contiguous(), filled[:, :, 1].contiguous())


def _automaton(phrases: Sequence[Pieces]) -> list[_Node]:
    nodes = [_Node()]
    for phrase in phrases:
        here = 0
        for piece in phrase:
            if piece not in nodes[here].children:
                nodes[here].children[piece] = len(nodes)
                nodes.append(_Node())
            here = nodes[here].children[piece]
        nodes[here].ends = here > 0
    queue = deque(nodes[0].children.values())
    while queue:
        here = queue.popleft()
        for piece, child in nodes[here].children.items():
            nodes[child].fallback = _step(nodes, nodes[here].fallback, piece)
            nodes[child].ends |= nodes[nodes[child].fallback].ends
            queue.append(child)
    return nodes


def _step(nodes: Sequence[_Node], here: int, piece: str) -> int:
    while here and piece not in nodes[here].children:
        here = nodes[here].fallback
    return nodes[here].children.get(piece, 0)


def _walk(nodes: Sequence[_Node], here: int, word: Pieces) -> int:
    """Return the state after a word's pieces, or -1 if a phrase ends on the way."""
    for piece in word:
        here = _step(nodes, here, piece)
        if nodes[here].ends:
            return _BANNED
    return here


def _follows(nodes: Sequence[_Node], here: int) -> list[str]:
    """Return the pieces whose next state differs from that of state 0."""
    found: dict[str, None] = {}
    while here:
        found |= dict.fromkeys(nodes[here].children)
        here = nodes[here].fallback
    return list(found)
