"""Prompts in few shapes, each text's the same wherever it stands: the last bits of a sum change with its length.

Hypotheses come in whole blocks of rows, since a vectorised sum takes the last rows in another order than the others.
Every axis but the texts' is filled up with zeros to a power of two, and at least to 16. So a text is searched in the
same shape alone and among others, and nearly all texts of a corpus are searched together.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields, replace
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

from allsaid.modeling.config import SearchConfig

LEAST = 16
BLOCK = 32  # rows


@contextmanager
def one_thread() -> Iterator[None]:
    """Several threads cut the rows where it suits them, and the last bits change with that."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)


def slots_of(options: SearchConfig) -> int:
    """How many texts are searched at once: so many that their hypotheses fill whole blocks."""
    step = BLOCK // math.gcd(BLOCK, options.width)
    return max(step, options.search_batch // step * step)


def by_shape(prompts: Sequence[Any], sizes: Sequence[int] | None = None) -> list[tuple[list[int], Any]]:
    """Group prompts of one text each: the places of a group in the input, and its texts as one.

    Prompts are dataclasses of tensors whose first axis is the texts; zero is their filling. A field that is no tensor
    belongs to all texts, and is the same object for those of a group. sizes: of what else is searched with each text,
    equal in a group.
    """
    groups: defaultdict[tuple[Any, ...], list[int]] = defaultdict(list)
    whole = [filled(one) for one in prompts]
    for place, one in enumerate(whole):
        size = None if sizes is None else sizes[place]
        groups[(size, *_shared(one), *(part.shape for part in _parts(one).values()))].append(place)
    return [(places, _joined([whole[place] for place in places])) for places in groups.values()]


def count(prompts: Any) -> int:
    """How many texts these are prompts of."""
    return len(next(iter(_parts(prompts).values())))


def take(prompts: Any, texts: Tensor) -> Any:
    """Only some texts."""
    return replace(prompts, **{name: part[texts] for name, part in _parts(prompts).items()})


def _parts(prompts: Any) -> dict[str, Tensor]:
    values = {one.name: getattr(prompts, one.name) for one in fields(prompts)}
    return {name: value for name, value in values.items() if isinstance(value, Tensor)}


def _shared(prompts: Any) -> tuple[int, ...]:
    """What other fields there are, such as a table that all texts speak of."""
    values = [getattr(prompts, one.name) for one in fields(prompts)]
    return tuple(id(value) for value in values if not isinstance(value, Tensor))


def filled(prompts: Any) -> Any:
    """Prompts with every axis but the texts' filled up."""
    return replace(prompts, **{name: _fill(part) for name, part in _parts(prompts).items()})


def _fill(part: Tensor) -> Tensor:
    missing = [max(LEAST, 1 << (size - 1).bit_length()) - size for size in part.shape[1:]]
    return F.pad(part, [number for size in reversed(missing) for number in (0, size)])


def _joined(prompts: Sequence[Any]) -> Any:
    names = _parts(prompts[0])
    return replace(prompts[0], **{name: torch.cat([getattr(one, name) for one in prompts]) for name in names})
