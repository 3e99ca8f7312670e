"""No search writes a claim that the mapping forbids."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from small_data import make_example, publish

from allsaid.decoding.write import write
from allsaid.modeling.config import SearchConfig
from allsaid.modeling.data.dataset import DataSet
from allsaid.modeling.saved.model_folder import Bundle, build_model
from allsaid.modeling.tasks import agenda
from training.configs import load_config


def test_forbidden_claims_are_banned_beside_those_of_the_caller(tmp_path: Path) -> None:
    data = DataSet(str(publish(tmp_path, {"train": [make_example(n) for n in range(9)]})))
    config = load_config("table", ["hidden=4"])
    words = agenda.TASK.build_vocabularies(data, config.data)
    every = [word for word in words.text.words if word[0].isalpha()]
    banned, last = every[0], every[1:-1]
    bundle = Bundle(build_model(config, words), config, words, **agenda.TASK.background(data))
    bundle = replace(bundle, mapping=f"claims: {{forbidden: [{', '.join(map(repr, last))}]}}")
    assert bundle.forbidden == tuple(last)
    (found,) = write(bundle, [make_example(1)], SearchConfig(max_tokens=6, finished=9), (banned,))
    texts = [bundle.words(one.tokens, make_example(1)) for one in found]
    assert texts and {word for text in texts for word in text}.isdisjoint({banned, *last})
