"""Prompts -> hypotheses, in one way for training, scoring and the batch job."""

from __future__ import annotations

from collections.abc import Sequence

from training.config import SearchConfig
from training.data import Prompt, encode_prompts
from training.decode import beam_search
from training.hypothesis import Hypothesis
from training.model_folder import Bundle
from training.rewrite import rewrite


def write(bundle: Bundle, prompts: Sequence[Prompt], search: SearchConfig) -> list[list[Hypothesis]]:
    """Texts for some prompts, searched at once; for each at least one, best first."""
    ids = encode_prompts(prompts, bundle.vocabularies).to(bundle.model.w_o.device)
    return rewrite(lambda asked: beam_search(bundle.model, asked, search), ids, search.rewrites)
