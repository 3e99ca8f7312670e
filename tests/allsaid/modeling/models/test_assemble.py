"""The model that assembles: its dev loss is that of word frequencies, and its folder has the phrasebook."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from small_bundle import bundle_of
from small_data import make_example, publish
from small_forms import SHOP

from allsaid.decoding.write import write
from allsaid.modeling.config import DataConfig, SearchConfig
from allsaid.modeling.data.dataset import DataSet
from allsaid.modeling.data.vocabulary import END
from allsaid.modeling.models.base.contract import AssemblesTexts, Counts
from allsaid.modeling.saved.folder_files import PHRASEBOOK
from allsaid.modeling.saved.model_folder import Bundle, build_model, load, save
from allsaid.modeling.tasks import agenda
from schemas.errors import UserError

OPTIONS = SearchConfig(min_coverage=100)


def test_a_saved_phrasebook_writes_the_same_texts(tmp_path: Path) -> None:
    bundle = bundle_of()
    save(tmp_path / "model", bundle)
    again = load(tmp_path / "model")
    assert (tmp_path / "model" / PHRASEBOOK).exists() and again.phrasebook == bundle.phrasebook
    assert write(again, SHOP, OPTIONS) == write(bundle, SHOP, OPTIONS)
    assert again.certifier is not None and again.certifier.certify(SHOP[0].tokens, SHOP[0]).is_certified


def test_a_folder_without_a_phrasebook_certifies_nothing(tmp_path: Path) -> None:
    bundle = bundle_of()
    save(tmp_path / "model", bundle)
    save(tmp_path / "model", replace(bundle, phrasebook=None))
    again = load(tmp_path / "model")
    assert not (tmp_path / "model" / PHRASEBOOK).exists()
    assert again.phrasebook is again.certifier is None


def test_assembling_needs_a_phrasebook() -> None:
    """As of recipes, whose texts have no placeholders."""
    with pytest.raises(UserError, match="The model assembles its texts from a phrasebook, but it has none"):
        write(replace(bundle_of(), phrasebook=None), SHOP, OPTIONS)


@pytest.fixture
def counted(tmp_path: Path) -> Bundle:
    data = DataSet(str(publish(tmp_path / "data", {"train": [make_example(number) for number in range(12)]}, 1)))
    vocabularies = agenda.TASK.build_vocabularies(data, DataConfig(1, 1, 1, 1))
    bundle = replace(bundle_of(), vocabularies=vocabularies)
    model = build_model(bundle.config, vocabularies)
    assert isinstance(model, Counts) and isinstance(model, AssemblesTexts)
    ids = agenda.TASK.encode(data, "train", vocabularies, tmp_path / "ids")
    model.count(ids, tmp_path)
    return replace(bundle, model=model)


def test_its_loss_is_that_of_the_frequencies_of_words(counted: Bundle, tmp_path: Path) -> None:
    texts = [make_example(number).tokens for number in range(12)]
    words = [word for text in texts for word in text]
    size = len(counted.vocabularies.text)
    every = len(words) + len(texts) + size - 2  # one more of each word but <pad> and <text>
    logs = counted.model.log_probs
    assert logs.exp().sum().item() == pytest.approx(1)
    assert logs[END].item() == pytest.approx(math.log((len(texts) + 1) / every))
    (word,) = counted.vocabularies.text.encode(words[:1])
    assert logs[word].item() == pytest.approx(math.log((words.count(words[0]) + 1) / every))
    data = DataSet(str(tmp_path / "data"))
    ids = agenda.TASK.encode(data, "train", counted.vocabularies, tmp_path / "again")
    batch = agenda.TASK.collate(ids, np.arange(2), 100)
    losses = counted.model.loss(batch)
    expected = -sum(logs[id].item() for text in texts[:2] for id in [*counted.vocabularies.text.encode(text), END])
    assert losses.named["nll"].item() == pytest.approx(expected, rel=1e-5)
    assert (losses.texts, losses.words.item()) == (2, sum(map(len, texts[:2])) + 2)


def test_it_has_no_steps() -> None:
    model = bundle_of().model
    for ask in (lambda: model.start(None), lambda: model.step(None, torch.zeros(1))):
        with pytest.raises(NotImplementedError):
            ask()
