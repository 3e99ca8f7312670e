"""Data sets of seven recipes and of four pairs, and the texts of two systems for them that people rate."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
from small_data import as_pair, make_example, publish
from tiny_model import save_tiny_model

from allsaid.modeling.data.dataset import DataSet
from allsaid.modeling.saved.model_folder import Bundle, build_model, save
from allsaid.modeling.tasks import pair
from batch_infer.job import generate
from batch_infer.options.generate import GenerateOptions
from evaluation.rating.key import Key
from training.configs import load_config

SCRIPT = "<script>window.hacked = 1</script>"
LENGTHS = {"encdec": 5, "Checklist+": 8}  # of the systems' texts, which then differ


def make_texts(folder: Path) -> Path:
    """Write ``folder``/data and an output of ``allsaid generate`` for each system; one recipe is called as a script."""
    examples = [make_example(number) for number in range(7)]
    named = replace(examples[3], goal=f"{SCRIPT} & pie", agenda=[SCRIPT, *examples[3].agenda[1:]])
    splits = {
        "train": [make_example(number) for number in range(20, 30)],
        "test": [*examples[:3], named, *examples[4:]],
    }
    publish(folder / "data", splits)
    model = save_tiny_model(folder)
    for name, length in LENGTHS.items():
        generate.run(GenerateOptions(str(model), str(folder / "data"), str(folder / name), width=2, max_tokens=length))
    return folder


# A row of pairs has no items to ask for.
SMALL = ("hidden=6", "text_cutoff=1", "max_tokens=9", "min_coverage=0")


def make_pair_texts(folder: Path) -> Path:
    """The same of pairs: ``folder``/data and the outputs of two systems, ``scratchpad`` and ``copynet``."""
    pairs = [as_pair(make_example(number)) for number in range(8)]
    splits = {"train": pairs[4:], "dev": pairs[4:5], "test": pairs[:4]}
    data = DataSet(str(publish(folder / "data", {}, pairs=splits)))
    for number, system in enumerate(("scratchpad", "copynet")):
        torch.manual_seed(number)
        config = load_config("scratchpad-table", [f"system={system}", *SMALL])
        vocabularies = pair.TASK.build_vocabularies(data, config.data)
        bundle = Bundle(build_model(config, vocabularies), config, vocabularies, **pair.TASK.background(data))
        save(folder / f"{system}-model", bundle)
        model = str(folder / f"{system}-model")
        generate.run(GenerateOptions(model, str(folder / "data"), str(folder / system), split="test"))
    return folder


def make_key(**fields: Any) -> Key:
    """The key of a study on the test part of made-up data; ``fields`` are the others, and those that differ."""
    data = {"data_name": "made up", "data_fingerprint": "f1", "data_address": "data", "split": "test"}
    return Key(**{"study": "5", "seed": 1} | data | fields)


def sheet(path: str) -> dict[str, Any]:
    """The content of a sheet."""
    found = re.search(r'id="sheet">(.*)</script>\n<script>', Path(path).read_text(), re.DOTALL)
    assert found
    content: dict[str, Any] = json.loads(found[1])
    return content
