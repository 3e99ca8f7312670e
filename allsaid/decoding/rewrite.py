"""Checklist+ (Kiddon et al. 2016, section 5): generate again with more weight on the missing items.

The embeddings of the items that a text does not use are multiplied by 2 and the text is generated again, then by 3, 4,
…, until every item is used. A round that uses no more items than the one before is discarded and ends the loop.
"""

from __future__ import annotations

from dataclasses import replace

import torch
from torch import Tensor

from allsaid.decoding.group import Group
from allsaid.decoding.hypothesis import Hypothesis
from allsaid.modeling.data.agenda_arrays import Prompts
from allsaid.modeling.data.shapes import count, take
from allsaid.modeling.data.vocabulary import UNKNOWN


def rewrite(group: Group, rounds: int) -> list[list[Hypothesis]]:
    """Search texts for a group of rows, and at most ``rounds`` times again for those that leave items out."""
    prompts = group.prompts
    open_texts = list(range(count(prompts)))
    found = group.search(prompts, open_texts)
    if not rounds:  # also for a task without items
        return found
    weights = torch.ones_like(prompts.item_mask, dtype=torch.float32)
    for factor in range(2, rounds + 2):
        missing = {text: _missing(prompts, text, found[text][0]) for text in open_texts if found[text]}
        open_texts = [text for text in open_texts if missing.get(text)]
        if not open_texts:
            break
        for text in open_texts:
            weights[text, missing[text]] = float(factor)
        again = group.search(_only(prompts, open_texts, weights), open_texts)
        better = [text for text, new in zip(open_texts, again, strict=True) if _says_more(new, found[text])]
        found = [
            again[open_texts.index(text)] if text in better else hypotheses for text, hypotheses in enumerate(found)
        ]
        open_texts = better
    return found


def _missing(prompts: Prompts, text: int, best: Hypothesis) -> list[int]:
    """Return the items that the text does not use, except items of unknown words only, which can't be asked for."""
    known = (prompts.items[text] > UNKNOWN).any(1) & prompts.item_mask[text]
    return [item for item in known.nonzero().flatten().tolist() if item not in best.used]


def _only(prompts: Prompts, texts: list[int], weights: Tensor) -> Prompts:
    return take(replace(prompts, weights=weights), torch.tensor(texts, device=prompts.goal.device))


def _says_more(new: list[Hypothesis], old: list[Hypothesis]) -> bool:
    return bool(new) and len(new[0].used) > len(old[0].used)
