"""What a shortlist of words changes in the texts.

    python -m benchmarks.quality.search.shortlist --model FOLDER --data DIR

The model's own search over all words, and with a shortlist, on the same rows in one run: figures with the bootstrap
interval of the search over all words, how many texts are equal, and processor seconds. Writes
benchmarks/results/shortlist.json.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

from allsaid.modeling.config import SearchConfig
from allsaid.modeling.saved.model_folder import Bundle
from benchmarks.quality.search import model_rows
from benchmarks.result_file import RESULTS, write
from evaluation.measures.bootstrap import HIGH, LOW
from evaluation.tasks.recipes import score
from training.fitting.scores import fingerprint, generate

RESULT = RESULTS / "shortlist.json"
FREQUENT = (0, 500, 1000, 2000)
FIGURES = [f"{end}{name}" for name in ("bleu", "percent_given", "extra_items") for end in ("", LOW, HIGH)]


def texts_of(bundle: Bundle, examples: list[Any], search: SearchConfig) -> tuple[list[list[str]], float]:
    """The texts' words and the processor seconds."""
    started = time.process_time()
    found = generate(bundle, examples, search)
    seconds = time.process_time() - started
    return [bundle.words(one.tokens, example) for one, example in zip(found, examples, strict=True)], seconds


def main() -> None:
    _, bundle, examples = model_rows.read(__doc__, 200)
    lists: dict[str, dict[str, float]] = {}
    whole: list[list[str]] = []
    for frequent in FREQUENT:
        texts, seconds = texts_of(bundle, examples, replace(bundle.config.search, shortlist=frequent))
        whole = whole or texts
        figures = score(texts, examples, bundle.lexicon, bundle.vocabularies.text.ids, slow=False)
        lists[str(frequent)] = {name: round(figures[name], 3) for name in FIGURES} | {
            "percent_equal": round(100 * sum(map(list.__eq__, texts, whole)) / len(texts), 1),
            "processor_seconds": round(seconds, 1),
        }
        print(frequent, lists[str(frequent)], flush=True)
    result = {
        "words": len(bundle.vocabularies.text),
        "rows": len(examples),
        "examples_fingerprint": fingerprint(examples),
        "kind": bundle.config.model.kind,
        "hidden": bundle.config.model.hidden,
        "lists": lists,
    }
    write(RESULT, result)


if __name__ == "__main__":
    main()
