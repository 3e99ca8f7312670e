"""Models that cut words into pieces otherwise are not compared by perplexities of these pieces."""

from __future__ import annotations

from pathlib import Path

import pytest
from recorded import Recorded
from small_data import as_pair, make_example, publish

from allsaid.modeling.data.dataset import DataSet
from schemas.errors import UserError
from training.configs import load_config
from training.fitting import loop as fit
from training.runs import run_folder

SMALL = ["hidden=6", "layers=1", "epochs=1", "text_cutoff=1", "sample_texts=0", "score_texts=2", "max_tokens=9"]


def test_champions_with_other_subwords_are_not_compared(tmp_path: Path) -> None:
    rows = [as_pair(make_example(number)) for number in range(8)]
    data = DataSet(str(publish(tmp_path, {}, pairs={"train": rows, "dev": rows[:3]})))
    found = {}
    for merges in (0, 9):
        config, folder = load_config("scratchpad", [*SMALL, f"merges={merges}"]), tmp_path / f"run-{merges}"
        run_folder.claim(config, data, folder, False)
        found[merges] = fit.train(config, data, folder, Recorded())  # type: ignore[arg-type]
    whole, cut = found[0], found[9]
    assert cut.rescore(cut.model_folder) == cut.measured.scores
    # Another fingerprint, so that promotion measures the champion anew and does not take its old scores.
    assert whole.measured.dev_fingerprint != cut.measured.dev_fingerprint
    with pytest.raises(UserError, match=r"Its words are split with merges=0, not with merges=9\."):
        cut.rescore(whole.model_folder)
