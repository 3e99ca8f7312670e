"""What `searches.py` and `shortlist.py` share: a model, and rows of the data set that it was trained on."""

from __future__ import annotations

import argparse
from pathlib import Path

import torch

from allsaid.modeling.data.dataset import DataSet, fixed_sample
from allsaid.modeling.saved.model_folder import Bundle, load
from schemas.example import Example


def read(description: str | None, limit: int) -> tuple[str, Bundle, list[Example]]:
    """Return the split, the model and the rows that the command line names, for one thread; limit: rows by default."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--model", required=True, type=Path, help="a model folder")
    parser.add_argument("--data", required=True, help="the data set it was trained on")
    parser.add_argument("--split", default="test")
    parser.add_argument("--limit", type=int, default=limit, help="so many rows")
    given = parser.parse_args()
    torch.set_num_threads(1)
    return given.split, load(given.model), fixed_sample(DataSet(given.data).examples(given.split), given.limit)
