"""A model of the shop's texts (small_forms.py) with a phrasebook, of which the search is scripted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from small_forms import SHOP, SPOKEN, book_of, tokens_of

from allsaid.decoding.hypothesis import Hypothesis
from allsaid.modeling.config import Config
from allsaid.modeling.data.vocabulary import SPECIALS, Vocabularies, Vocabulary
from allsaid.modeling.models import assemble
from allsaid.modeling.saved.model_folder import Bundle, build_model
from allsaid.proof.coverage import Lexicon
from allsaid.proof.forms.phrasebook import Phrasebook
from allsaid.proof.values.seen import Seen
from schemas.example import Example

GOALS = ("mug", "lamp")


def bundle_of(
    texts: Sequence[Example] = SHOP, book: Phrasebook | None = None, model: Any = None, says_goals: bool = True
) -> Bundle:
    """A model folder's content; model: None for one that assembles."""
    counts = Counter(token for text in texts for token in text.tokens)
    vocabulary = Vocabulary((*SPECIALS, *sorted(counts)))
    vocabularies = Vocabularies(vocabulary, Vocabulary((*SPECIALS, *GOALS)), Vocabulary(SPECIALS))
    config = Config(model=assemble.Settings())
    return Bundle(
        model or build_model(config, vocabularies),
        config,
        vocabularies,
        lexicon=Lexicon({}, SPOKEN, GOALS, says_goals),
        origin={"data_run": "r", "data_fingerprint": "f"},
        seen=Seen(GOALS, mentioned_goals=GOALS, asks_goal=says_goals),
        phrasebook=book or book_of(texts),
    )


def found(bundle: Bundle, written: str, log_probability: float = -1.0) -> Hypothesis:
    """A finished text as a search has found it."""
    tokens = bundle.vocabularies.text.encode(tokens_of(written))
    return Hypothesis(tokens, [-1] * len(tokens), log_probability, [], finished=True, penalised=False)
