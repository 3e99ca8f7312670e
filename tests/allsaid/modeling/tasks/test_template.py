"""Sentences as templates: words of the table are their field and position, and words again when they are written."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from small_boxes import table
from small_data import as_box, make_example, publish

from allsaid.modeling.config import DataConfig
from allsaid.modeling.data.dataset import DataSet
from allsaid.modeling.data.vocabulary import END, PAD, START
from allsaid.modeling.tasks import template
from allsaid.modeling.tasks.box import Example
from schemas.box import YEAR

BOXES = [as_box(make_example(number)) for number in range(4)]


def test_a_word_of_the_table_is_its_first_place() -> None:
    """As the paper's "name 1 name 2 ( birthdate 1 ..." of section 5.2."""
    given = table(name="Ada Lovelace", born="10 December 1815", also="ada")
    example = Example("a", "", given, "", ["ada", "was", "born", YEAR, YEAR], ["ada", "was", "born", "1815", "1820"])
    assert template.templated(example) == ["⟨name_1⟩", "was", "born", "⟨born_3⟩", YEAR]


def test_a_template_is_written_as_the_rows_own_word(tmp_path: Path) -> None:
    data = DataSet(str(publish(tmp_path, {}, boxes={"train": BOXES, "dev": BOXES[:2]})))
    known = template.TASK.build_vocabularies(data, DataConfig(text_cutoff=1))
    ids = template.TASK.encode(data, "train", known, tmp_path / "ids")
    every = [*template.TASK.examples(data, "train")]
    batch = template.TASK.collate(ids, np.arange(4), 100)
    for one, targets, inputs in zip(every, batch.targets.tolist(), batch.inputs.tolist(), strict=True):
        length = len(one.tokens)
        assert targets[length] == END and inputs[0] == START
        words = template.TASK.words(targets[:length], one, known)
        assert [word.lower() for word in words] == [
            YEAR if word == "1990" else word.lower() for word in one.originals
        ]  # 1990 is of no field
    assert (batch.prompts.templates == template.TASK.prompts(every, known).templates).all()
    of_first = {known.text.words[word] for word in batch.prompts.templates[0].tolist() if word != PAD}
    assert of_first <= set(template.templates_of(every[0].table)) and "⟨dish_1⟩" in of_first
