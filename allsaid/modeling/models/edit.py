"""Recipes by retrieval: the nearest training recipe is edited for the row (`allsaid.decoding.editing`).

The model consists of the training recipes and counts of what they do with foods (`allsaid.modeling.prototypes`).
Hashimoto et al. 2018 (A Retrieve-and-Edit Framework for Predicting Structured Outputs) describe such systems; here the
edits are rules over clauses and lists of foods.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import torch

from allsaid.modeling.counting.frequencies import WordFrequencies
from allsaid.modeling.data.vocabulary import VocabularySet
from allsaid.modeling.tasks.recipe import TASK

__all__ = ["TASK", "Settings", "build"]


@dataclass(frozen=True)
class Settings:
    kind: Literal["edit"] = "edit"
    licence: str = ""  # of the training recipes; each text names it next to its prototype


def build(settings: Settings, vocabularies: VocabularySet, dtype: torch.dtype) -> Edit:
    return Edit(len(vocabularies.text))


class Edit(WordFrequencies):
    edits: Literal[True] = True
