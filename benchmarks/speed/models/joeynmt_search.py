"""JoeyNMT's beam search, for search_speed.py beside it, which runs it in the environment that joeynmt_step.py names.

Reads sizes and numbers of texts (JSON: hidden, words, source_words, source, width, length, threads, batches) from the
standard input; prints of each batch its texts, processor seconds and seconds by the clock.
"""

from __future__ import annotations

import json
import sys
import time

import torch
from joeynmt.batch import Batch
from joeynmt.search import search
from joeynmt_step import EOS, PAD, model_of


def main() -> None:
    given = json.load(sys.stdin)
    torch.set_num_threads(given["threads"])
    torch.manual_seed(1)
    model = model_of(given["hidden"], given["source_words"], given["words"]).eval()
    for texts in given["batches"]:
        sources = torch.randint(4, given["source_words"], (texts, given["source"]))
        sources[:, -1] = EOS
        lengths, numbers = torch.full((texts,), given["source"]), torch.arange(texts)
        batch = Batch(sources, lengths, None, None, None, numbers, torch.device("cpu"), PAD, EOS, is_train=False)
        clock, processor = time.monotonic(), time.process_time()
        forced = {"min_output_length": given["length"], "generate_unk": False}
        found, _, _ = search(model, batch, given["length"], given["width"], -1, **forced)
        clock, processor = time.monotonic() - clock, time.process_time() - processor
        if found.shape != (texts, given["length"]):
            raise SystemExit(f"JoeyNMT wrote {found.shape} words, not {given['length']} in each of {texts} texts.")
        print(texts, processor, clock, flush=True)


if __name__ == "__main__":
    main()
