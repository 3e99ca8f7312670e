"""Texts of a model of edits as hypotheses, with their provenance."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from allsaid.decoding.editing.write import Candidate, Measure, Writer, share_copied
from allsaid.decoding.hypothesis import Edited, Hypothesis
from allsaid.decoding.step.ban import first_banned
from allsaid.modeling.config import SearchConfig
from allsaid.modeling.data.agenda_arrays import Prompt
from allsaid.modeling.data.vocabulary import UNKNOWN
from allsaid.modeling.saved.model_folder import Bundle
from schemas.example import LINE_BREAK, NO_ITEM


def write(
    bundle: Bundle, prompts: Sequence[Prompt], options: SearchConfig, banned: tuple[str, ...], measure: Measure
) -> list[list[Hypothesis]]:
    """Return the texts of each prompt, best first; none where no prototype is near enough."""
    assert bundle.prototypes is not None
    writer = Writer(bundle.prototypes, bundle.lexicon, options.width, measure)
    found = []
    for prompt in prompts:
        allowed = [one for one in writer.candidates(prompt) if not _is_banned(one.words, banned)]
        texts = [_hypothesis(one, prompt, bundle) for one in allowed]
        found.append([one for one in texts if one.edited and _is_wanted(one.edited, options)])
    return found


def _is_wanted(edited: Edited, options: SearchConfig) -> bool:
    return edited.confidence >= options.min_confidence and edited.copied_percent <= 100 * options.max_copied


def _hypothesis(one: Candidate, row: Prompt, bundle: Bundle) -> Hypothesis:
    known = bundle.vocabularies.text.ids
    own = bundle.task.own_ids(row, bundle.vocabularies)
    places = [NO_ITEM] * len(one.words)
    for item, mentions in enumerate(one.coverage.mentions[: len(row.agenda)]):
        for place in mentions:
            places[place] = item
    return Hypothesis(
        [known[word] if word in known else own.get(word, UNKNOWN) for word in one.words],
        places,
        0.0,
        sorted({*places} - {NO_ITEM}),
        finished=True,
        penalised=False,
        edited=_provenance(one, bundle.config.model.licence),
    )


def _provenance(one: Candidate, licence: str) -> Edited:
    edit = one.edit
    return Edited(
        one.prototype.id,
        one.prototype.source,
        licence,
        one.prototype.text,
        round(100 * share_copied(one.words, one.prototype.words), 1),
        [f"{old} -> {new}" for old, new in edit.swapped],
        edit.deleted,
        edit.inserted,
        round(float(1 / (1 + np.exp(-2 * (one.score - 0.5)))), 3),
    )


def _is_banned(words: Sequence[str], banned: tuple[str, ...]) -> bool:
    return first_banned(" ".join(word for word in words if word != LINE_BREAK), banned) is not None
