"""Measure the perplexity of recipes by a model of n-grams: `python -m benchmarks.corpora.recipe_ngrams DATA`.

DATA is what `allsaid ingest allrecipes` writes. A Kneser-Ney model of three words is counted on a quarter of the
training part, with the words that it has twice. Its perplexity of a quarter of the test part is measured three times:
of the texts as they are, with all numbers as one word, and with a tenth of these test texts also in training, as
recipes that occur twice would be. Writes benchmarks/results/recipe_ngrams.json.
"""

from __future__ import annotations

import math
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from itertools import accumulate, chain, islice
from pathlib import Path

import numpy as np
import torch

from allsaid.modeling.counting.ngram_model import NgramModel
from allsaid.modeling.data.arrays import FlatTexts
from allsaid.modeling.data.dataset import DataSet
from allsaid.modeling.data.vocabulary import END, START, choose_words
from benchmarks.result_file import RESULTS, write

RESULT = RESULTS / "recipe_ngrams.json"
ORDER = 3
EVERY = 4  # every fourth text is read
CUTOFF = 2  # of the configuration `latent`
NUMBER = "1"  # stands for all numbers

Texts = list[list[int]]


def main() -> None:
    data = DataSet(sys.argv[1])
    columns = (
        chain.from_iterable(one.column("tokens").to_pylist() for one in data.tables(split, "copies"))
        for split in ("train", "test")
    )
    train, test = ([*islice(texts, 0, None, EVERY)] for texts in columns)
    vocabulary = choose_words(Counter(chain.from_iterable(train)), CUTOFF)

    def ids(texts: Sequence[Sequence[str]]) -> Texts:
        return [vocabulary.encode(text) for text in texts]

    def of_numbers(texts: Sequence[Sequence[str]]) -> Texts:
        return ids([[NUMBER if any(map(str.isnumeric, word)) else word for word in text] for text in texts])

    found = {
        "as they are": perplexity(ids(train), ids(test), len(vocabulary)),
        "all numbers as one word": perplexity(of_numbers(train), of_numbers(test), len(vocabulary)),
        "a tenth of the test part also in training": perplexity(ids([*train, *test[::10]]), ids(test), len(vocabulary)),
    }
    sizes = {"fingerprint": data.manifest.fingerprint, "texts": len(train), "words": len(vocabulary), "order": ORDER}
    write(RESULT, sizes | {"perplexity": found})


def perplexity(train: Texts, test: Texts, words: int) -> float:
    """Return the perplexity of the test texts, ends included, of a model counted on the training texts."""
    model = NgramModel(ORDER, words)
    starts = np.array([0, *accumulate(map(len, train))])
    with tempfile.TemporaryDirectory() as folder:
        model.count(FlatTexts(np.fromiter(chain.from_iterable(train), np.int32), starts), Path(folder))
    total = 0.0
    for text in test:
        contexts = model.ngrams.contexts(torch.tensor([[START, *text]]))[0]
        total += float(model.ngrams.log_probs_of(contexts, torch.tensor([*text, END])).double().sum())
    return round(math.exp(-total / sum(len(text) + 1 for text in test)), 2)


if __name__ == "__main__":
    main()
