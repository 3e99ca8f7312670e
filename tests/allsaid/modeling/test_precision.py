"""In what a model's products are computed, as it is trained, loaded and asked for."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
from tiny_model import save_tiny_model

from allsaid.modeling.precision import check_precision, set_tf32
from allsaid.modeling.saved.model_folder import load
from schemas.errors import UserError
from training.configs import load_config
from training.options import TrainOptions
from training.runs import start


@pytest.fixture
def usual() -> Iterator[None]:
    """PyTorch's settings are as they were when the test ends."""
    before = torch.backends.cuda.matmul.allow_tf32, torch.backends.cudnn.allow_tf32
    yield
    torch.backends.cuda.matmul.allow_tf32, torch.backends.cudnn.allow_tf32 = before


def test_precision_is_that_of_training_unless_given(tmp_path: Path) -> None:
    folder = save_tiny_model(tmp_path)
    assert load(folder).model.dtype == load(folder, "cpu", "float32").model.dtype == torch.float32
    low = load(folder, "cpu", "bfloat16")
    assert low.model.dtype == torch.bfloat16 and low.config.fit.dtype == "bfloat16"
    assert {one.dtype for one in low.model.parameters()} == {torch.float32}
    text = (folder / "config.yaml").read_text()
    assert "dtype: float32" in text, "the folder says what it was trained with"


def test_tf32_is_of_a_gpu_alone(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"Only a GPU multiplies in tf32\. Give --device cuda with it, or take float32"):
        load(save_tiny_model(tmp_path), "cpu", "tf32")
    with pytest.raises(UserError, match="no precision 'half'; the valid ones are float32, tf32, bfloat16"):
        check_precision("half", "cuda")
    check_precision("tf32", "cuda")
    with pytest.raises(UserError, match="Only a GPU multiplies in tf32"):
        start.train(TrainOptions(config="checklist-paper", data="none", set=("dtype=tf32",)))
    assert load_config("checklist-paper", ["dtype=tf32"]).fit.dtype == "tf32"


@pytest.mark.parametrize(("precision", "is_on"), [("float32", False), ("tf32", True), ("bfloat16", False)])
def test_float32_is_float32_in_recurrences_too(precision: str, is_on: bool, usual: None) -> None:
    set_tf32(precision)
    assert (torch.backends.cuda.matmul.allow_tf32, torch.backends.cudnn.allow_tf32) == (is_on, is_on)
