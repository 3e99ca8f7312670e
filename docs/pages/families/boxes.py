"""What models of boxes cost, on docs/wikibio.md."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from allsaid.markdown import table
from pages.results import paragraph, result, when

TRAINING, GENERATION, SENTENCE = 0.6, 0.5, 10  # wanted: of the limit, of the limit, milliseconds with a shortlist


def speed() -> str:
    """Training and generation of Table NLM beside the bare products, and what a shortlist changes."""
    found = result("box_speed")
    text = paragraph(
        f"""
        `benchmarks/box_speed.py`, at the paper's sizes: {found["words"]:,} words (the model's {found["known"]:,} and
        made-up ones, which texts never hold), windows of {found["order"]} words, {found["hidden"]} hidden units,
        batches of {found["batch"]} texts in training, a beam of {found["width"]} in the search of {found["boxes"]}
        German dev boxes, a part of them in each round. The limit are the bare matrix products of the same shapes in the
        same run. One core by processor time, medians of {found["rounds"]} rounds of training and {found["parts"]} of
        generation; the machine's load was {found["load"]} on {found["cores"]} cores. {when("box_speed")}
        """
    )
    trained = found["training"]
    learned = paragraph(
        f"""
        Training reaches {trained["of_limit"]:.0%} of the limit ({trained["tokens_per_second"]:,} of
        {trained["limit"]:,} tokens a second); wanted were {TRAINING:.0%}. A sentence takes about 200 ms in the paper.
        Wanted were {GENERATION:.0%} of the limit over all words, and less than {SENTENCE} ms with a shortlist at equal
        BLEU. Not reached: {", ".join(_missed(found)) or "none"}. The interval of the change in BLEU is drawn in pairs.
        """
    )
    written = found["generation"]
    return "\n\n".join([text, learned, _generation(written), _of_lists(written, found["boxes"])])


def _missed(found: Mapping[str, Any]) -> list[str]:
    """What of the wanted figures is not reached."""
    lists = [one for name, one in found["generation"].items() if int(name)]
    is_reached = {
        "training": found["training"]["of_limit"] >= TRAINING,
        "generation over all words": found["generation"]["0"]["of_limit"] >= GENERATION,
        "generation with a shortlist": any(
            one["milliseconds"] < SENTENCE and one["low"] <= 0 <= one["high"] for one in lists
        ),
    }
    return [name for name, reached in is_reached.items() if not reached]


def _of_lists(found: Mapping[str, Mapping[str, Any]], boxes: int) -> str:
    """Why some lists have a higher BLEU than all words: they can't write the text that most boxes have."""
    repeated = found["0"]["repeated"]
    without, others = (
        [one for name, one in found.items() if (0 < int(name) < repeated["place"]) == lacks] for lacks in (True, False)
    )
    return paragraph(
        f"""
        Over all words {repeated["texts"]} of {boxes} boxes get the heading "{repeated["text"]}", which the corpus gives
        as the first sentence of a few articles. "{repeated["rarest"]}" is the {repeated["place"]:,}th frequent word:
        lists without it write sentences there, so their texts are longer (brevity penalty
        {_range(without, "brevity")} in place of {_range(others, "brevity")}) and BLEU is higher, though their n-grams
        are less precise ({_range(without, "precision")} in place of {_range(others, "precision")}).
        """
    )


def _range(some: Sequence[Mapping[str, Any]], name: str) -> str:
    low, high = (end(one[name] for one in some) for end in (min, max))
    return f"{low}" if low == high else f"{low} to {high}"


def _generation(found: Mapping[str, Mapping[str, float]]) -> str:
    head = ["frequent words", "ms a sentence", "the limit", "of the limit", "BLEU", "95% of the change", "equal texts"]
    return table(head, [_row(int(name), one) for name, one in found.items()])


def _row(frequent: int, one: Mapping[str, float]) -> list[str]:
    return [
        f"{frequent:,}" if frequent else "all words",
        f"{one['milliseconds']:.1f}",
        f"{one['limit']:.1f}",
        f"{one['of_limit']:.0%}",
        f"{one['bleu']:.2f}",
        f"{one['low']:+.2f} to {one['high']:+.2f}" if frequent else "",
        f"{one['percent_equal']:.0f}%",
    ]
