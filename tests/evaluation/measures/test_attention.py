"""How sharply a model looks at its source, against sums written out."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
import torch
from small_data import as_pair, make_example, publish

from allsaid.modeling.config import parse_config
from allsaid.modeling.data.dataset import DataSet
from allsaid.modeling.data.vocabulary import START
from allsaid.modeling.saved.model_folder import Bundle, build_model
from allsaid.modeling.tasks import pair
from evaluation.measures.attention import at_most, entropies


@pytest.mark.parametrize("system", ["scratchpad", "seq2seq"])
def test_entropy_is_that_of_the_shown_attention(system: str, tmp_path: Path) -> None:
    pairs = [as_pair(make_example(number)) for number in range(4)]
    data = DataSet(str(publish(tmp_path, {}, pairs={"train": pairs, "dev": pairs[:2]})))
    config = parse_config(f"model: {{kind: scratchpad, system: {system}, hidden: 8, init: 0.9}}", "notes.yaml")
    torch.manual_seed(3)
    vocabularies = pair.TASK.build_vocabularies(data, config.data)
    bundle = Bundle(build_model(config, vocabularies).eval(), config, vocabularies)
    by_hand = []
    for example in pair.TASK.examples(data, "dev"):
        state = bundle.model.start(bundle.prompts([example]))
        for word in [START, *vocabularies.text.encode(example.tokens)]:
            _, state = bundle.model.step(state, torch.tensor([word]))
            *_, weights = bundle.model.attention_of(state).values()
            by_hand.append(-sum(share * math.log(share) for share in weights.flatten().tolist() if share))
    assert sorted(entropies(bundle, data, "dev")) == pytest.approx(sorted(by_hand), abs=1e-5)


def test_the_curve_holds_the_share_at_or_below_each_value() -> None:
    curve = at_most([0.0, 0.05, 0.12, 0.12])
    assert curve == {"nats": [0.0, 0.05, 0.1, 0.15], "shares": [0.25, 0.5, 0.5, 1.0]}
