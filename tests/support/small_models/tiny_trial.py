"""Untrained models of every kind of row, to be tried by hand, and a server of their page."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import fault_worlds
import torch
from tiny_model import save_tiny_model

from allsaid.modeling.config import parse_config
from allsaid.modeling.data.vocabulary import SPECIALS, Vocabularies, Vocabulary
from allsaid.modeling.saved import model_folder
from allsaid.modeling.saved.model_folder import Bundle
from allsaid.modeling.tasks.choose import own_task
from allsaid.proof.values.seen import Seen
from batch_infer.trial.server import PageServer
from batch_infer.trial.trial import open_trial

SLOTS = ("SLOT_NAME", "SLOT_MAIN_COLOUR", "SLOT_WIDTH", "SLOT_FOLDABLE_YES", "SLOT_FOLDABLE_NO")
SEEN = Seen(("chair", "bench"), {"main colour": ("blue", "sea green"), "foldable": ("yes", "no"), "name": None})
MAPPING = fault_worlds.MAPPING.replace("colour", "main colour")


def decided(bundle: Bundle) -> Bundle:
    """Untrained weights say nothing at all unless they are larger."""
    with torch.no_grad():
        for weights in bundle.model.parameters():
            weights *= 6
    return bundle


def save_recipes(folder: Path) -> Path:
    """The tiny model of recipes, which writes many words."""
    bundle = decided(model_folder.load(save_tiny_model(folder)))
    model_folder.save(folder / "recipes", bundle)
    return folder / "recipes"


def save_example(model: Path, title: str, lines: list[str]) -> Path:
    """The model once more, with an example row as training saves it."""
    model_folder.save(model, replace(model_folder.load(model), example=(title, lines)))
    return model


def save_slots(folder: Path, mapping: str = "") -> Path:
    """A model of acts or, with a mapping, of a user's table."""
    torch.manual_seed(5)
    config = parse_config("{model: {hidden: 7}, search: {width: 3, max_tokens: 12}}", "tiny.yaml")
    words = Vocabulary((*SPECIALS, *SLOTS, "the", "is", "wide", "folds", "."))
    vocabularies = Vocabularies(words, Vocabulary((*SPECIALS, "chair", "inform")), Vocabulary((*SPECIALS, *SLOTS)))
    bundle = Bundle(model_folder.build_model(config, vocabularies), config, vocabularies, mapping=mapping, seen=SEEN)
    model_folder.save(folder / "slots", decided(bundle))
    return folder / "slots"


def save_own(folder: Path, kind: str) -> Path:
    """A model whose task reads rows of its own."""
    config = parse_config(f"{{model: {{kind: {kind}, hidden: 4}}, search: {{width: 2, max_tokens: 4}}}}", "tiny.yaml")
    kind_of = own_task(kind).vocabularies
    vocabularies = kind_of.from_json(
        {name: [*SPECIALS, "salt", "leeks", "born"] for name in kind_of.__dataclass_fields__}
    )
    torch.manual_seed(5)
    model_folder.save(folder / kind, Bundle(model_folder.build_model(config, vocabularies), config, vocabularies))
    return folder / kind


@contextmanager
def served(model: Path) -> Iterator[PageServer]:
    """The page of a model, whose texts are written in a thread; `allsaid try` has the main one for it."""
    with PageServer(open_trial(str(model), "", "cpu"), 0) as server:
        for work in (server.serve_forever, server.work):
            threading.Thread(target=work, daemon=True).start()
        yield server
        server.shutdown()
