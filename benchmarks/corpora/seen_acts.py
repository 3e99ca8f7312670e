"""How many acts of a test part training has seen: `python -m benchmarks.corpora.seen_acts DATA [DATA …]`.

Each DATA is what `allsaid ingest dialogue-acts` writes; its folder's name is that of the domain. Acts are compared by
their kind and slots, values aside, as `allsaid.modeling.data.references` does: the choice by consensus draws reference
texts of the same act, which must occur twice in training. Writes benchmarks/results/seen_acts.json.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

from allsaid.modeling.data.dataset import DataSet
from allsaid.modeling.data.references import LEAST, MOST, key_of
from benchmarks.result_file import RESULTS, write

RESULT = RESULTS / "seen_acts.json"


def main() -> None:
    write(RESULT, {"domains": {Path(name).name: shares(DataSet(name)) for name in sys.argv[1:]}})


def shares(data: DataSet) -> dict[str, float]:
    """Return the number of different acts, and shares of the test part's acts by what training has of them."""
    train, test = (Counter(map(key_of, data.examples(split))) for split in ("train", "test"))
    acts = test.total()
    seen = sum(count for key, count in test.items() if key in train)
    texts = {key: train[key] if train[key] >= LEAST else 0 for key in test}
    drawn = sum(count for key, count in test.items() if texts[key])
    return {
        "acts": acts,
        "different acts": len(test),
        "different acts in training": len(train),
        "% seen in training": round(100 * seen / acts, 1),
        "% with reference texts": round(100 * drawn / acts, 1),
        "reference texts, mean": round(sum(count * min(texts[key], MOST) for key, count in test.items()) / acts, 1),
    }


if __name__ == "__main__":
    main()
