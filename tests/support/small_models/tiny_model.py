"""A tiny untrained model's folder, the same each time, for the tests of the batch job."""

from __future__ import annotations

from pathlib import Path

import torch

from allsaid.modeling.config import Config, SearchConfig
from allsaid.modeling.data.dataset import DataSet
from allsaid.modeling.data.vocabulary import SPECIALS, Vocabularies, Vocabulary
from allsaid.modeling.models.checklist import Settings
from allsaid.modeling.saved import model_folder
from allsaid.modeling.saved.model_folder import Bundle
from allsaid.modeling.tasks.contract import Task
from allsaid.modeling.text.restore import Casing
from allsaid.proof.coverage import Lexicon
from schemas.checks.table import to_table
from schemas.phrase import PHRASE, Phrase

WORDS = ("add", "the", "salt", "olive_oil", "tomatoes", ".", "<br>", "stir", "garlic", "f")
PAIR = Phrase(1, "olive", "oil", 30, 40, 50, 900, 120.0)


def save_tiny_model(folder: Path) -> Path:
    """Write the model to ``folder``/tiny."""
    torch.manual_seed(3)
    config = Config(model=Settings(hidden=7), search=SearchConfig(search_batch=3))
    vocabularies = Vocabularies(
        Vocabulary(SPECIALS + WORDS),
        Vocabulary((*SPECIALS, "salsa", "soup")),
        Vocabulary((*SPECIALS, "salt", "olive_oil", "tomatoes")),
    )
    bundle = Bundle(
        model=model_folder.build_model(config, vocabularies),
        config=config,
        vocabularies=vocabularies,
        phrases=to_table([PAIR], PHRASE),
        lexicon=Lexicon({"garlic": 30, "olive oil": 25, "salt": 99}),
        casing=Casing({"f": "F"}, frozenset()),
        origin={"data_run": "r", "data_fingerprint": "f"},
    )
    model_folder.save(folder / "tiny", bundle)
    return folder / "tiny"


def save_untrained(folder: Path, data: Path, config: Config, task: Task, copies: bool = False) -> Path:
    """Write an untrained model of a data set to ``folder``; a pointer model that ``copies`` copies each word."""
    found = DataSet(str(data))
    vocabularies = task.build_vocabularies(found, config.data)
    torch.manual_seed(1)
    model = model_folder.build_model(config, vocabularies)
    if copies:
        model.switch.bias.data.fill_(30)
    model_folder.save(folder, Bundle(model, config, vocabularies, **task.background(found)))
    return folder
