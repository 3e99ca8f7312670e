"""Checklist+ (Kiddon et al. 2016, section 5): generate again with more weight on the missing items.

The embeddings of the items that a text does not use are multiplied by 2 and the text is generated again, then by 3, 4,
…, until every item is used. A round that uses no more items than the one before is discarded and ends the loop.
"""

from __future__ import annotations

from dataclasses import replace

import torch

from allsaid.decoding.group import Group
from allsaid.decoding.hypothesis import Hypothesis
from allsaid.modeling.data.agenda_arrays import Prompts
from allsaid.modeling.data.shapes import count, take
from allsaid.modeling.data.vocabulary import UNKNOWN


def rewrite(group: Group, rounds: int) -> list[list[Hypothesis]]:
    """Search texts for a group of rows, and up to ``rounds`` times again if they leave items out."""
    prompts = group.prompts
    open_texts = list(range(count(prompts)))
    found = group.beam_search(prompts, open_texts)
    if not rounds:  # also for a task without items
        return found
    assert isinstance(prompts, Prompts)
    weights = torch.ones_like(prompts.item_mask, dtype=torch.float32)
    for factor in range(2, rounds + 2):
        missing = {text: _missing(prompts, text, found[text][0]) for text in open_texts if found[text]}
        open_texts = [text for text in open_texts if missing.get(text)]
        if not open_texts:
            break
        for text in open_texts:
            weights[text, missing[text]] = float(factor)
        chosen = torch.tensor(open_texts, device=prompts.goal.device)
        results = group.beam_search(take(replace(prompts, weights=weights), chosen), open_texts)
        again = dict(zip(open_texts, results, strict=True))
        open_texts = [text for text, new in again.items() if new and len(new[0].used) > len(found[text][0].used)]
        for text in open_texts:
            found[text] = again[text]
    return found


def _missing(prompts: Prompts, text: int, best: Hypothesis) -> list[int]:
    """Return the items that the text does not use, except items with unknown words only, which weights can't change."""
    known = (prompts.items[text] > UNKNOWN).any(1) & prompts.item_mask[text]
    return [item for item in known.nonzero().flatten().tolist() if item not in best.used]
