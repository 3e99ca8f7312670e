"""What models of boxes reach and what they cost, on docs/wikibio.md."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from typing import Any

from allsaid.markdown import table
from pages.results import paper_table, paragraph, result, when

BLEU = "bleu"
STEPS = [  # of the paper's table 1: what is added to which system
    ("nlm", "nlm-local"),
    ("local-start", "local"),
    ("local", "global-fields"),
    ("global-fields", "global-words"),
]
AHEAD = 10  # wanted: BLEU of the last Table NLM over Template KN
TRAINING, GENERATION, SENTENCE = 0.6, 0.5, 10  # wanted: of the limit, of the limit, milliseconds with a shortlist


def conditioning() -> str:
    """What each further part of the table brings in BLEU, with Table NLM beside Template KN, ours and the paper's."""
    systems, given = result("wikibio")["systems"], paper_table("wikibio")["systems"]
    rows = [_step(systems, given, *step) for step in [*STEPS, ("template-kn", "global-words")]]
    ahead = systems["global-words"][BLEU]["ours"] - systems["template-kn"][BLEU]["ours"]
    said = paragraph(
        f"""
        BLEU by what is added, the difference of the means; trainings of equal seeds are paired. Table NLM with all its
        parts is {ahead:.1f} ahead of Template KN; wanted were {AHEAD}.
        """
    )
    return f"{said}\n\n{table(['from', 'to', 'change', 'deviation', 'trainings that gain', 'paper'], rows)}"


def _step(systems: Mapping[str, Any], given: Mapping[str, Any], before: str, after: str) -> list[str]:
    values = systems[after][BLEU]["each"]
    changes = [value - other for value, other in zip(values, systems[before][BLEU]["each"], strict=True)]
    paper = given[after]["paper"][BLEU] - given[before]["paper"][BLEU]
    return [
        given[before]["label"],
        given[after]["label"],
        f"{statistics.fmean(changes):+.2f}",
        f"{statistics.stdev(changes):.2f}",
        f"{sum(change > 0 for change in changes)} of {len(changes)}",
        f"{paper:+.1f}",
    ]


def beams() -> str:
    """BLEU and milliseconds a text by the width of the beam."""
    found = result("box_beams")
    names = list(found["beams"])
    rows = [
        [width, *(text for name in names for text in _point(found["beams"][name][width]))]
        for width in found["beams"][names[0]]
    ]
    said = paragraph(
        f"""
        `benchmarks/quality/box_beams.py`: {found["boxes"]} German dev boxes, numbers as tokens, one core by processor
        time, medians of {found["rounds"]} rounds; drawn in [box_beams.png](box_beams.png). {when("box_beams")}
        """
    )
    head = ["width", *(text for name in names for text in (f"{name}, BLEU", "ms a text"))]
    return f"{said}\n\n{table(head, rows)}"


def _point(one: Mapping[str, float]) -> tuple[str, str]:
    return f"{one['bleu']:.2f}", f"{one['milliseconds']:.1f}"


def scale() -> str:
    """A tenth of an epoch of Table NLM on a corpus of the full size: hours and memory."""
    found = result("box_scale")["cases"]
    whole, passes = found[-1], result("wikibio")["systems"]["global-words"]["training"]["epochs"]
    hours = passes * whole["hours_an_epoch"]
    text = paragraph(
        f"""
        `benchmarks/scale/box_scale.py`: the boxes at hand, repeated under new ids until they are as many as the paper's
        {whole["boxes"]:,}, and for comparison a tenth of these; of both a tenth of an epoch of `table-nlm` is learned
        by one core. Seconds are the processor's, memory is the training's own, without files that are mapped.
        {when("box_scale")}
        """
    )
    told = paragraph(
        f"""
        At this pace {passes} passes, as in the table above, take {hours:.0f} hours on one core, and half of that at
        best on two (`torchrun --nproc-per-node 2`), which was not measured. Nor was a GPU:
        `python -m benchmarks.quality.recipes_train --table wikibio --device cuda` is the command.
        """
    )
    head = [
        "boxes",
        "batches an epoch",
        "learned",
        "s to the first",
        "s a batch",
        "hours an epoch",
        "MB, first",
        "most",
    ]
    return f"{text}\n\n{table(head, [_case(case) for case in found])}\n\n{told}"


def _case(case: Mapping[str, Any]) -> list[str]:
    return [
        f"{case['boxes']:,}",
        f"{case['batches']:,}",
        f"{case['readings'][-1]['batch']:,}",
        f"{case['seconds_to_first_batch']:,.0f}",
        f"{case['seconds_a_batch']:.3f}",
        f"{case['hours_an_epoch']:.1f}",
        f"{case['readings'][0]['megabytes']:,}",
        f"{max(one['megabytes'] for one in case['readings']):,}",
    ]


def speed() -> str:
    """Training and generation of Table NLM beside the bare products, and what a shortlist changes."""
    found = result("box_speed")
    text = paragraph(
        f"""
        `benchmarks/speed/box_speed.py`, at the paper's sizes: {found["words"]:,} words (the model's {found["known"]:,}
        and made-up ones, which texts never hold), windows of {found["order"]} words, {found["hidden"]} hidden units,
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
