"""The scripts that measure a GPU: all they measure is measured here on the CPU, as small as it goes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import torch
from small_data import make_example, publish

from allsaid.modeling.config import Config
from allsaid.modeling.data.dataset import DataSet
from allsaid.modeling.saved.model_folder import Bundle, build_model, save
from allsaid.modeling.tasks import agenda
from benchmarks.scale import gpu_generate, gpu_train
from benchmarks.scale.gpu_parts import Parts
from benchmarks.speed.models import train_step
from training.configs import load_config

ROOT = Path(__file__).resolve().parents[2]
SMALL = ["hidden=8", "device=cpu", "epochs=1", "text_cutoff=1", "title_cutoff=1", "agenda_cutoff=1"]
SMALL += ["width=2", "max_tokens=6"]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> str:
    examples = [make_example(number) for number in range(40)]
    splits = {"train": examples[:30], "dev": examples[30:33], "test": examples[33:]}
    return str(publish(tmp_path_factory.mktemp("data"), splits))


@pytest.fixture
def config() -> Config:
    return load_config("checklist-paper", SMALL)


def small_model(folder: Path, data: str, config: Config) -> Path:
    found = DataSet(data)
    vocabularies = agenda.TASK.build_vocabularies(found, config.data)
    torch.manual_seed(1)  # a model of chance may write one text alone
    save(folder, Bundle(build_model(config, vocabularies), config, vocabularies, **agenda.TASK.background(found)))
    return folder


def test_texts_are_compared_and_timed(
    data: str, config: Config, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = small_model(tmp_path / "model", data, config)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    parts = Parts("cpu")
    gpu_generate.measure(parts, model, data, (16,), (2,), 3)
    result = parts.result()
    assert result["left_out"] == [
        "The Beam job with its proof: `allsaid generate --device cuda` where Beam and spaCy are."
    ]
    assert result["parity"]["examples"] == result["parity"]["equal"] == 3 and result["parity"]["differing"] == []
    assert result["parity"]["largest_difference_of_log_probabilities"] == 0
    assert result["workers, 2"]["processes_with_the_model"] == 1 and result["workers, 2"]["texts_per_second"] > 0
    assert set(result["texts_per_second, 16 at once"]) == {"float32", "bfloat16"}


def test_differing_texts_are_listed_with_score_gaps(data: str, config: Config, tmp_path: Path) -> None:
    bundle = gpu_generate.plain(small_model(tmp_path / "model", data, config), "cpu")
    rows: list[Any] = list(DataSet(data).examples("test"))[:1]
    first, *others = gpu_generate.write(bundle, rows, config.search)[0]
    found = gpu_generate.difference(bundle, rows[0], first, others[-1])
    for one, told in zip((first, others[-1]), found["scores"], strict=True):
        assert told == pytest.approx(one.log_probability / (len(one.tokens) + one.finished), abs=1e-5)
    assert found["id"] == rows[0].id and found["gap"] > 0 and found["cpu"] != found["gpu"]


def test_trainings_are_timed_and_their_losses_compared(
    data: str, config: Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (gpu_train, train_step):
        monkeypatch.setattr(module, "SIZES", (50, 20, 20))
    monkeypatch.setattr(gpu_train, "HIDDEN", 8)
    parts = Parts("cpu")
    gpu_train.measure(parts, data, config, (2, 3))
    result = parts.result()
    assert [one.split(":")[0] for one in result["left_out"]] == ["JoeyNMT"]
    ways = {"step by step", "recorded", "cuDNN's plain GRU"}
    assert set(result["tokens_per_second, batches of 3"]["float32"]) == ways
    for size in (2, 3):
        (row,) = result[f"losses, batches of {size}"]["epochs"]
        assert row["epoch"] == 1 and 0 < row["dev_nll"] < 20


def test_what_comes_too_late_or_fails_is_named() -> None:
    late = Parts("cpu", seconds=-1)
    late.measure("speed", lambda: 1)
    fails = Parts("cpu")
    fails.measure("speed", lambda: 1 // 0)
    assert late.left_out == ["speed: the time was over."] and late.found == fails.found == {}
    assert fails.left_out == ["speed: ZeroDivisionError: integer division or modulo by zero"]


@pytest.mark.skipif(
    torch.cuda.is_available(),
    reason="Checks the refusal where there is no GPU, and PyTorch finds one. Hide it: CUDA_VISIBLE_DEVICES=''.",
)
@pytest.mark.parametrize("script", ["gpu_generate --model none", "gpu_train"])
def test_without_a_gpu_a_script_says_what_it_would_measure(script: str, tmp_path: Path) -> None:
    name, *options = script.split()
    output = tmp_path / "result.json"
    done = subprocess.run(
        [sys.executable, "-m", f"benchmarks.scale.{name}", *options, "--data", "none", "--output", str(output)],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    assert done.stdout.startswith("Left out: this machine has no GPU that PyTorch can use. With one this script ")
    assert done.stdout.count("\n") == 1 and not output.exists()
