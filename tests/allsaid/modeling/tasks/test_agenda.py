"""From agendas to arrays and batches."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from small_data import make_example, publish

from allsaid.modeling.config import DataConfig
from allsaid.modeling.data.dataset import DataSet
from allsaid.modeling.data.vocabulary import END, PAD, START, UNKNOWN
from allsaid.modeling.tasks import agenda
from schemas.act import Act
from schemas.example import NO_ITEM, NONE, UNSUPERVISED

LONGEST = 16
PLAIN = [make_example(number) for number in range(5)]
LENGTH = len(PLAIN[1].tokens)
# A word that stands twice in a name, an agenda without an item, and a text that is too long.
EXAMPLES = [
    replace(PLAIN[0], agenda_tokens=[["salt", "and", "salt"], *PLAIN[0].agenda_tokens[1:]]),
    replace(
        PLAIN[1],
        agenda=[],
        agenda_tokens=[],
        ref_types=[NONE] * LENGTH,
        ref_items=[NO_ITEM] * LENGTH,
    ),
    *PLAIN[2:],
]


def test_a_batch_is_what_its_examples_are_one_by_one(tmp_path: Path) -> None:
    data = DataSet(str(publish(tmp_path, {"train": EXAMPLES})))
    vocabularies = agenda.TASK.build_vocabularies(data, DataConfig(text_cutoff=2, title_cutoff=1, agenda_cutoff=1))
    ids = agenda.TASK.encode(data, "train", vocabularies, tmp_path / "ids")
    every = [*agenda.TASK.examples(data, "train")]
    rows = np.array([4, 0, 3, 1])
    for longest in (100, LONGEST):
        batch = agenda.TASK.collate(ids, rows, longest)
        prompts = agenda.TASK.prompts([every[row] for row in rows], vocabularies)
        for name in ("goal", "items", "names", "item_mask", "weights"):
            assert torch.equal(getattr(batch.prompts, name), getattr(prompts, name)), name
        for place, one in enumerate(every[row] for row in rows):
            targets = [*vocabularies.text.encode(one.tokens), END][:longest]
            length = len(targets)
            types, refs = [*one.ref_types, NONE][:length], [*one.ref_items, NO_ITEM][:length]
            known = [word != UNKNOWN for word in targets]
            filled = batch.targets.shape[1] - length
            assert batch.targets[place].tolist() == targets + [PAD] * filled
            assert batch.inputs[place, :length].tolist() == [START, *targets[:-1]]
            assert (
                batch.types[place].tolist()
                == [one if is_known else UNSUPERVISED for one, is_known in zip(types, known, strict=True)]
                + [UNSUPERVISED] * filled
            )
            assert (
                batch.refs[place].tolist()
                == [one if is_known else NO_ITEM for one, is_known in zip(refs, known, strict=True)]
                + [NO_ITEM] * filled
            )
    assert {END in row for row in batch.targets.tolist()} == {True, False}


def test_only_recipes_are_measured_with_the_list_of_foods(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = DataSet(str(publish(tmp_path, {"train": EXAMPLES})))
    assert agenda.TASK.background(data)["lexicon"].foods is not None
    files = {**data.manifest.files, "acts": [{"path": "acts/split=train/0.parquet", "rows": 0}]}
    monkeypatch.setattr(data, "manifest", replace(data.manifest, files=files))
    acts = [Act(one.id, one.goal, [], "", "", [], [], "", "", 0) for one in EXAMPLES]
    monkeypatch.setattr(data, "acts", lambda split: iter(acts))
    assert agenda.TASK.background(data)["lexicon"].foods is None
