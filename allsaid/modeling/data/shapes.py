"""Prompts in few shapes, since the last bits of a sum change with its length.

Hypotheses come in whole blocks of rows, since a vectorised sum adds the last rows in a different order. Every axis
except that of the texts is padded with zeros to a power of two of at least 16. So a text is searched in the same shape
alone and among others, and nearly all texts of a corpus are searched together.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields, replace
from typing import TypeVar

import torch
from torch import Tensor
from torch.nn import functional as F

from allsaid.modeling.config import SearchConfig
from allsaid.modeling.data.tensors import Tensors

LEAST = 16
BLOCK = 32  # rows

Prompts = TypeVar("Prompts", bound=Tensors)


@contextmanager
def one_thread() -> Iterator[None]:
    """Use one thread: several split the rows at varying places, which changes the last bits."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)


def slots_of(search: SearchConfig) -> int:
    """Return the number of texts that are searched at once; their hypotheses fill whole blocks."""
    step = BLOCK // math.gcd(BLOCK, search.width)
    return max(step, search.search_batch // step * step)


def by_shape(prompts: Sequence[Prompts], sizes: Sequence[int] | None = None) -> list[tuple[list[int], Prompts]]:
    """Group the prompts of single texts by shape; return each group's positions in the input and its joined prompts.

    Prompts are dataclasses of tensors whose first axis is the texts; they are padded with zeros. Within a group, fields
    that are no tensors are the same object. sizes: of each text's other inputs of the search, equal within a group.
    """
    groups: defaultdict[tuple[object, ...], list[int]] = defaultdict(list)
    padded = [filled(of_text) for of_text in prompts]
    for place, of_text in enumerate(padded):
        size = None if sizes is None else sizes[place]
        groups[(size, *_shared(of_text), *(part.shape for part in _parts(of_text).values()))].append(place)
    return [(places, _joined([padded[place] for place in places])) for places in groups.values()]


def count(prompts: Tensors) -> int:
    """Return the number of texts of these prompts."""
    return len(next(iter(_parts(prompts).values())))


def take(prompts: Prompts, texts: Tensor) -> Prompts:
    """Select some texts."""
    return replace(prompts, **{name: part[texts] for name, part in _parts(prompts).items()})


def _parts(prompts: Tensors) -> dict[str, Tensor]:
    values = {part.name: getattr(prompts, part.name) for part in fields(prompts)}
    return {name: value for name, value in values.items() if isinstance(value, Tensor)}


def _shared(prompts: Tensors) -> tuple[int, ...]:
    """Return the identities of the other fields, such as a table that all texts refer to."""
    values = [getattr(prompts, part.name) for part in fields(prompts)]
    return tuple(id(value) for value in values if not isinstance(value, Tensor))


def filled(prompts: Prompts) -> Prompts:
    """Pad every axis of the prompts except the first, the texts."""
    return replace(prompts, **{name: _fill(part) for name, part in _parts(prompts).items()})


def _fill(part: Tensor) -> Tensor:
    missing = [max(LEAST, 1 << (size - 1).bit_length()) - size for size in part.shape[1:]]
    return F.pad(part, [number for size in reversed(missing) for number in (0, size)])


def _joined(prompts: Sequence[Prompts]) -> Prompts:
    names = _parts(prompts[0])
    return replace(prompts[0], **{name: torch.cat([getattr(of_text, name) for of_text in prompts]) for name in names})
