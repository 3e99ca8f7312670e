"""Texts assembled from the sentences of training texts, for small tables and for acts (`allsaid.proof.forms`).

`allsaid.decoding.certified` makes the texts from the phrasebook alone, which every model of a table has.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import torch

from allsaid.modeling.counting.frequencies import WordFrequencies
from allsaid.modeling.data.vocabulary import VocabularySet
from allsaid.modeling.tasks.agenda import TASK

__all__ = ["TASK", "Settings", "build"]


@dataclass(frozen=True)
class Settings:
    kind: Literal["assemble"] = "assemble"


def build(settings: Settings, vocabularies: VocabularySet, dtype: torch.dtype) -> Assemble:
    return Assemble(len(vocabularies.text))


class Assemble(WordFrequencies):
    assembles: Literal[True] = True
