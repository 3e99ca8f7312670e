"""Two rules of stems on one data set (docs/architecture.md): `python -m benchmarks.corpora.stems DATA`.

Linking keeps words in -ing and -ed apart from their verb, coverage takes Snowball's stem of all. Each is measured
with the other's rule on a data set of recipes: which texts' items, and which tokens' references, would change. Writes
benchmarks/results/stems.json.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import cache
from unittest.mock import patch

from allsaid.language.stems import key, snowball
from allsaid.modeling.data.dataset import DataSet
from allsaid.proof import coverage
from allsaid.proof.foods import names
from benchmarks.result_file import RESULTS, write
from pipelines.recipes import linking
from schemas.example import NO_ITEM, SPLITS, Example

RESULT = RESULTS / "stems.json"


def main() -> None:
    data = DataSet(sys.argv[1])
    examples = [example for split in SPLITS for example in data.examples(split)]
    words = [word for example in examples for token in example.tokens for word in token.split("_") if word.isalpha()]
    other = {word for word in set(words) if key(word) != snowball(word)}
    lexicon = coverage.build_lexicon(examples)
    own, crossed = (given(examples, lexicon, rule) for rule in (snowball, key))
    figures = {
        "examples": len(examples),
        "words": len(set(words)),
        "words with another stem": len(other),
        "share of uses": round(sum(word in other for word in words) / len(words), 4),
        "% given by snowball": mean(own),
        "% given by key": mean(crossed),
        "texts whose given items change": sum(a.given != b.given for a, b in zip(own, crossed, strict=True)),
    }
    write(RESULT, figures | references(examples))


def given(
    examples: Sequence[Example], lexicon: coverage.Lexicon, rule: Callable[[str], str]
) -> list[coverage.Coverage]:
    """The coverage of all texts where words are compared by a rule."""
    names.token_stems.cache_clear()
    with patch.object(names, "snowball", rule):
        return [coverage.measure(example.tokens, example.agenda_tokens, lexicon) for example in examples]


def mean(found: Sequence[coverage.Coverage]) -> float:
    return round(sum(one.percent_given for one in found) / len(found), 2)


def references(examples: Sequence[Example]) -> dict[str, int]:
    """How many tokens that refer to an item would change with the other rule, and of how many."""
    with patch.object(linking, "key", cache(snowball)):
        crossed = [linking.link(example.agenda_tokens, example.tokens)[1] for example in examples]
    pairs = [
        pair
        for example, refs in zip(examples, crossed, strict=True)
        for pair in zip(example.ref_items, refs, strict=True)
    ]
    return {
        "references": sum(own != NO_ITEM for own, _ in pairs),
        "references that change": sum(own != other for own, other in pairs),
    }


if __name__ == "__main__":
    main()
