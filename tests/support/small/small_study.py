"""A data set of seven recipes, the texts of two systems for them, and the study that people rate."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from small_data import make_example, publish
from tiny_model import save_tiny_model

from batch_infer.job import generate
from batch_infer.job.request import Request

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
        generate.run(Request(str(model), str(folder / "data"), str(folder / name), beam=2, max_tokens=length))
    return folder
