"""Generating from a model and measuring what it wrote, in one way for training, promotion and tests."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Any

from allsaid.console import progress
from training.config import SearchConfig
from training.metrics.coverage import Lexicon
from training.models.model_folder import Bundle
from training.search.hypothesis import Hypothesis
from training.search.write import PIECE, write


def generate(bundle: Bundle, prompts: Sequence[Any], search: SearchConfig) -> list[Hypothesis]:
    """The best hypothesis for each prompt."""
    found: list[Hypothesis] = []
    with progress("texts generated", len(prompts)) as bar:
        for start in range(0, len(prompts), PIECE):
            part = prompts[start : start + PIECE]
            found += [hypotheses[0] for hypotheses in write(bundle, part, search)]
            bar.advance(len(part))
    return found


def score_model(bundle: Bundle, examples: Sequence[Any], search: SearchConfig, lexicon: Lexicon) -> Any:
    """Generate for the examples and measure; ``lexicon`` is given so that two models are measured with one."""
    found = generate(bundle, examples, search)
    texts = [bundle.words(one.tokens, example) for one, example in zip(found, examples, strict=True)]
    return bundle.task.score(texts, examples, lexicon)


def fingerprint(examples: Sequence[Any]) -> str:
    """16 hex digits of what the scores of these examples depend on; a row that is no agenda is told by its id."""
    asked = ("goal_tokens", "agenda_tokens")
    parts = [(one.id, *(getattr(one, name) for name in asked if hasattr(one, name)), one.tokens) for one in examples]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:16]
