"""Words and phrases that must not be written: read from a file, watched for by the search, looked for in a text.

A phrase is banned as it is read, whatever its letter case and however its words are held together in the vocabulary
("olive oil" is also ``olive_oil``), over line breaks too; no other form of its words is. Texts and phrases are cut to
pieces in one way: words, single marks, and the "n't" of a contraction, which the search writes as a token of its own.
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
from allsaid.modeling.text.restore import MARK
from schemas.errors import UserError
from schemas.example import PHRASE_JOINER

_PIECE = re.compile(r"n't\b|\w+?(?=n't\b)|\w+|[^\w\s]")
_BANNED = -1  # instead of a next state

Pieces = tuple[str, ...]


def read(path: str) -> tuple[str, ...]:
    """The phrases of a file, as of :func:`phrases_of`.

    Raises UserError where there is no such file, or no phrase in it.
    """
    try:
        lines = Path(path).read_text(encoding="utf-8-sig").splitlines()
    except OSError as fault:
        raise UserError(f"--ban {path} can't be read ({fault.strerror}). Give a text file.") from fault
    except UnicodeDecodeError as fault:
        raise UserError(f"--ban {path} is no UTF-8 text. Save it as UTF-8.") from fault
    found = phrases_of(lines)
    if not found:
        raise UserError(f"--ban {path} holds no word. Write words or phrases into it, one a line.")
    return found


def phrases_of(lines: Iterable[str]) -> tuple[str, ...]:
    """The phrases, one a line, in their order; what follows a ``#`` is a comment."""
    phrases = (" ".join(line.partition("#")[0].split()) for line in lines)
    return tuple(dict.fromkeys(phrase for phrase in phrases if phrase))


def pieces(text: str) -> Pieces:
    return tuple(_PIECE.findall(text.replace(PHRASE_JOINER, " ").replace("’", "'").casefold()))


def first_banned(text: str, phrases: Iterable[str]) -> str | None:
    """The first of the phrases that stands in a text, or None."""
    said = " ".join(("", *pieces(text), ""))
    return next((phrase for phrase in phrases if " ".join(("", *pieces(phrase), "")) in said), None)


@dataclass(frozen=True)
class Watch(Tensors):
    """How far a text's last words lead into the phrases (Aho and Corasick 1975), over V words and S states.

    State 0 is a text that is inside no phrase. The other states differ from it in a few words only.
    """

    never: Tensor  # (V,) bool: words that hold a whole phrase
    usual: Tensor  # (V,) the state after the word, if the one before is 0
    words: Tensor  # (S, M) the words after which it is another, filled up with 0
    nexts: Tensor  # (S, M) that state, or -1 where the word would complete a phrase

    def forbidden(self, states: Tensor) -> Tensor:
        """The words (N, M) that would complete a phrase in the states (N,), filled up with PAD."""
        return torch.where(self.nexts[states] == _BANNED, self.words[states], PAD)

    def after(self, states: Tensor, words: Tensor) -> Tensor:
        """The states (N,) after one more word each; one of the example's own (from V on) is inside no phrase."""
        fits = (self.words[states] == words.unsqueeze(1)) & (words.unsqueeze(1) > 0)
        other = torch.where(fits, self.nexts[states], 0).sum(1)  # a word stands once in a row
        last = len(self.usual) - 1
        usual = self.usual[words.clamp(max=last)].masked_fill(words > last, 0)
        return torch.where(fits.any(1), other, usual)


@dataclass
class _Node:
    """A state: what follows it, the state of its longest proper ending, and whether a phrase ends here."""

    children: dict[str, int] = field(default_factory=dict)
    fallback: int = 0
    ends: bool = False


@lru_cache(maxsize=4)
def watch(words: tuple[str, ...], phrases: tuple[str, ...]) -> Watch:
    """Watch for phrases in texts over a vocabulary of V words."""
    nodes = _automaton([pieces(phrase) for phrase in phrases])
    cut = [() if MARK.fullmatch(word) else pieces(word) for word in words]
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
    """The state after a word's pieces, or -1 where a phrase ends on the way."""
    for piece in word:
        here = _step(nodes, here, piece)
        if nodes[here].ends:
            return _BANNED
    return here


def _follows(nodes: Sequence[_Node], here: int) -> list[str]:
    """The pieces after which a state is another than state 0."""
    found: dict[str, None] = {}
    while here:
        found |= dict.fromkeys(nodes[here].children)
        here = nodes[here].fallback
    return list(found)
