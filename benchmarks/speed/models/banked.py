"""What banks cost a step of the beam search: the banked search beside the plain one, on the same rows.

    python -m benchmarks.speed.models.banked [--output benchmarks/results/banked.json]

32 texts of 60 tokens, which is forced, with a beam of 10 and 10 items a row, each of which some words of the
vocabulary give. Once with the sizes of recipes, once with those of a user's table. One core by processor time, both
searches in turn, and the least of the rounds.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch

from allsaid.decoding.beam import beam_search
from allsaid.decoding.step.banks import Needed
from allsaid.modeling.config import SearchConfig
from allsaid.modeling.data import agenda_arrays
from allsaid.modeling.models.checklist import Checklist, Settings
from benchmarks.result_file import RESULTS, write
from benchmarks.speed.models import search_speed

TEXTS, LENGTH, ITEMS, ROUNDS = 32, 60, search_speed.ITEMS, 5
PLAIN = SearchConfig(width=10, max_tokens=LENGTH, search_batch=TEXTS)
SIZES = {"recipes": (256, 10_004, 40), "table": (80, 640, 20)}  # hidden units, words, words that give an item


def needed(words: int, names: int) -> Needed:
    chance = torch.Generator().manual_seed(1)
    found = torch.stack([torch.randperm(words - 4, generator=chance)[:names].sort().values + 4 for _ in range(TEXTS)])
    gives = torch.nn.functional.one_hot(torch.arange(names) % ITEMS, ITEMS).bool().expand(TEXTS, names, ITEMS)
    return Needed(found, gives, torch.full((TEXTS,), ITEMS))


def compare(hidden: int, words: int, names: int) -> dict[str, Any]:
    sizes = (words, *search_speed.SIZES[1:])
    model = search_speed.forced(Checklist(Settings(hidden=hidden), sizes))
    prompts = search_speed.made_up(TEXTS, agenda_arrays, sizes)
    seconds = {"plain": float("inf"), "banked": float("inf")}
    for _ in range(ROUNDS):
        for name, options, steps in (
            ("plain", PLAIN, []),
            ("banked", replace(PLAIN, banks=True), [needed(words, names)]),
        ):
            started = time.process_time()
            search_speed.check(beam_search(model, prompts, options, steps), LENGTH)
            seconds[name] = min(seconds[name], time.process_time() - started)
    texts = {name: round(TEXTS / value, 2) for name, value in seconds.items()}
    return {"texts_per_second": texts, "times_plain": round(seconds["banked"] / seconds["plain"], 2)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", type=Path, default=RESULTS / "banked.json")
    output = parser.parse_args().output
    torch.set_num_threads(1)
    write(output, {name: compare(*sizes) for name, sizes in SIZES.items()})


if __name__ == "__main__":
    main()
