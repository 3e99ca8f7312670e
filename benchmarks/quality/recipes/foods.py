"""Extra items of recipes by the list of foods and by the training part's names alone.

    python -m benchmarks.quality.recipes.foods --library DIR --demo DIR [--show 120]

DIR are data sets that `allsaid ingest mealmaster` wrote: of the first two files of the library, and of the samples.
Each lexicon is built from another training part: the library's, its first ten recipes, the demo's. With each of them
the same texts are measured:

- reference texts, whose extra items are foods that the recipe uses or serves without listing them, or mistakes;
- the same texts with one planted food each ("add the … ."), an item of another recipe's agenda. Its last word ends no
  item of the recipe, or else it would be a mention of that item by definition.

``--show`` prints extra items of reference texts with their surroundings, for reading. Writes
benchmarks/results/foods.json, with what was read by hand (``JUDGED``).
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import time
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from pathlib import Path
from statistics import fmean

from allsaid.modeling.data.dataset import DataSet
from allsaid.proof.coverage import Lexicon, measure
from allsaid.proof.foods.hierarchy import load_foods
from allsaid.proof.foods.names import stems_of
from allsaid.proof.known_foods import build_food_lexicon
from benchmarks.result_file import RESULTS, write
from schemas.example import Example

RESULT = RESULTS / "foods.json"
TEXTS, PLANTED, FEW, REPEATS = 1000, 200, 10, 7
# Extra items of reference texts by the list, read one by one (`--show 110`): most are foods that the agenda lacks.
JUDGED = {
    "read": 110,
    "not_in_the_agenda": 93,
    "item_by_another_name": 5,
    "misspelt_item": 4,
    "made_by_the_recipe": 3,
    "another_use_of_the_word": 5,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", required=True, type=Path)
    parser.add_argument("--demo", required=True, type=Path)
    parser.add_argument("--show", type=int, default=0, help="print so many extra items, then missed foods; stop")
    given = parser.parse_args()
    library, demo = DataSet(str(given.library)), DataSet(str(given.demo))
    texts = [*islice(library.examples("dev"), TEXTS // 2), *islice(library.examples("test"), TEXTS // 2)]
    samples = [*demo.examples("dev"), *demo.examples("test")]
    trained = {
        "library": list(library.examples("train")),
        "ten recipes of the library": list(islice(library.examples("train"), FEW)),
        "demo": list(demo.examples("train")),
    }
    lexicons = {name: build_food_lexicon(examples) for name, examples in trained.items()}
    planted = list(plant(texts))
    if given.show:
        show(texts, lexicons["library"], given.show)
        for name, lexicon in lexicons.items():
            print(
                name,
                "missed:",
                *(" ".join(item) for text, item in planted if not is_found(text, item, lexicon)),
                sep="; ",
            )
        return
    result = {
        "command": "python -m benchmarks.quality.recipes.foods --library DIR --demo DIR",
        "hardware": f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores, one process",
        "python": platform.python_version(),
        "listed": len(load_foods().names),
        "texts": {"library": len(texts), "demo": len(samples), "planted": len(planted)},
        "trained_on": {
            name: {"recipes": len(trained[name]), "list": figures(new, texts, samples, planted)}
            | {"training": figures(new.of_training, texts, samples, planted)}
            for name, new in lexicons.items()
        },
        "times_slower": slower(texts, lexicons["library"]),
        "judged": JUDGED,
    }
    write(RESULT, result)
    print(json.dumps(result, indent=2))


Planted = tuple[Example, list[str]]


def plant(texts: Sequence[Example]) -> Iterator[Planted]:
    """Recipes with an item of another recipe that theirs have no head in common with."""
    draw = random.Random(1)
    chosen = draw.sample(texts, PLANTED)
    for recipe in chosen:
        heads = {stems[-1] for stems in map(stems_of, recipe.agenda_tokens) if stems}
        while True:
            item = draw.choice(draw.choice(texts).agenda_tokens)
            stems = stems_of(item)
            if stems and stems[-1] not in heads and stems[-1] not in stems_of(recipe.tokens):
                yield recipe, item
                break


def is_found(recipe: Example, item: Sequence[str], lexicon: Lexicon) -> bool:
    tokens = [*recipe.tokens, "add", "the", *item, "."]
    places = range(len(recipe.tokens) + 2, len(tokens) - 1)
    found = measure(tokens, recipe.agenda_tokens, lexicon).extra_mentions
    return not set(places).isdisjoint(chain.from_iterable(found))


def figures(
    lexicon: Lexicon, texts: Sequence[Example], samples: Sequence[Example], planted: Sequence[Planted]
) -> dict[str, float]:
    return {
        "known_names": len(lexicon.names),
        "extra_items/library": extra_items(texts, lexicon),
        "extra_items/demo": extra_items(samples, lexicon),
        "planted_found_percent": round(100 * fmean(is_found(*one, lexicon) for one in planted), 1),
    }


def extra_items(examples: Sequence[Example], lexicon: Lexicon) -> float:
    return round(fmean(len(measure(one.tokens, one.agenda_tokens, lexicon).extra) for one in examples), 3)


def slower(texts: Sequence[Example], lexicon: Lexicon) -> float:
    """The seconds of measuring a text, over those by the older rule; the fastest run of each."""
    took = []
    for each in (lexicon.of_training, lexicon):
        runs = []
        for _ in range(REPEATS):
            begun = time.process_time()
            extra_items(texts, each)
            runs.append(time.process_time() - begun)
        took.append(min(runs))
    return round(took[1] / took[0], 2)


def show(texts: Sequence[Example], lexicon: Lexicon, count: int) -> None:
    found = []
    for one in texts:
        said = measure(one.tokens, one.agenda_tokens, lexicon)
        found += [(one, name, places[0]) for name, places in zip(said.extra, said.extra_mentions, strict=True)]
    for one, name, at in random.Random(5).sample(found, count):
        near = " ".join(one.tokens[max(at - 8, 0) : at]), one.tokens[at], " ".join(one.tokens[at + 1 : at + 7])
        print(f"[{name}] {near[0]} >>{near[1]}<< {near[2]} || {'; '.join(map(' '.join, one.agenda_tokens))}")


if __name__ == "__main__":
    main()
