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
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

from allsaid.modeling.config import SearchConfig

LEAST = 16
BLOCK = 32  # rows


@contextmanager
def one_thread() -> Iterator[None]:
    """Use one thread: several split the rows at varying places, which changes the last bits."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)


def slots_of(options: SearchConfig) -> int:
    """Return the number of texts that are searched at once; their hypotheses fill whole blocks."""
    step = BLOCK // math.gcd(BLOCK, options.width)
    return max(step, options.search_batch // step * step)


def by_shape(prompts: Sequence[Any], sizes: Sequence[int] | None = None) -> list[tuple[list[int], Any]]:
    """Group prompts of one text each; return the positions of each group in the input, and its prompts as one.

    Prompts are dataclasses of tensors whose first axis is the texts; they are padded with zeros. A field that is no
    tensor belongs to all texts, and is the same object within a group.

    sizes: of other inputs that are searched with each text; equal within a group.
    """
    groups: defaultdict[tuple[Any, ...], list[int]] = defaultdict(list)
    whole = [filled(one) for one in prompts]
    for place, one in enumerate(whole):
        size = None if sizes is None else sizes[place]
        groups[(size, *_shared(one), *(part.shape for part in _parts(one).values()))].append(place)
    return [(places, _joined([whole[place] for place in places])) for places in groups.values()]


def count(prompts: Any) -> int:
    """Return the number of texts of these prompts."""
    return len(next(iter(_parts(prompts).values())))


def take(prompts: Any, texts: Tensor) -> Any:
    """Select some texts."""
    return replace(prompts, **{name: part[texts] for name, part in _parts(prompts).items()})


def _parts(prompts: Any) -> dict[str, Tensor]:
    values = {one.name: getattr(prompts, one.name) for one in fields(prompts)}
    return {name: value for name, value in values.items() if isinstance(value, Tensor)}


def _shared(prompts: Any) -> tuple[int, ...]:
    """Return the identities of the other fields, such as a table that all texts refer to."""
    values = [getattr(prompts, one.name) for one in fields(prompts)]
    return tuple(id(value) for value in values if not isinstance(value, Tensor))


def filled(prompts: Any) -> Any:
    """Pad every axis of the prompts except that of the texts."""
    return replace(prompts, **{name: _fill(part) for name, part in _parts(prompts).items()})


def _fill(part: Tensor) -> Tensor:
    missing = [max(LEAST, 1 << (size - 1).bit_length()) - size for size in part.shape[1:]]
    return F.pad(part, [number for size in reversed(missing) for number in (0, size)])


def _joined(prompts: Sequence[Any]) -> Any:
    names = _parts(prompts[0])
    return replace(prompts[0], **{name: torch.cat([getattr(one, name) for one in prompts]) for name in names})
