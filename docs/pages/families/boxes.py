"""The scores and the cost of models of boxes, on docs/papers.md and docs/figures.md."""

from __future__ import annotations

import statistics
from collections.abc import Mapping
from typing import Any

from allsaid.markdown import table
from pages.families.trained import LABELS
from pages.results import facts, paper_table, result

BLEU, PERPLEXITY = "bleu", "perplexity"
STEPS = [  # systems of the paper's table 1, and the same with one more part
    ("nlm", "nlm-local"),
    ("local-start", "local"),
    ("local", "global-fields"),
    ("global-fields", "global-words"),
]


def conditioning() -> str:
    """Return the gain in BLEU of each further part of the table, and of Table NLM over Template KN."""
    systems, entries = result("wikibio")["systems"], paper_table("wikibio")["systems"]
    rows = [_step(systems, entries, *step) for step in [*STEPS, ("template-kn", "global-words")]]
    return table(["from", "to", "change", "deviation", "trainings that gain", "paper"], rows)


def _step(systems: Mapping[str, Any], entries: Mapping[str, Any], before: str, after: str) -> list[str]:
    values = systems[after][BLEU]["each"]
    changes = [value - other for value, other in zip(values, systems[before][BLEU]["each"], strict=True)]
    paper = entries[after]["paper"][BLEU] - entries[before]["paper"][BLEU]
    return [
        entries[before]["label"],
        entries[after]["label"],
        f"{statistics.fmean(changes):+.2f}",
        f"{statistics.stdev(changes):.2f}",
        f"{sum(change > 0 for change in changes)} of {len(changes)}",
        f"{paper:+.1f}",
    ]


def trainings() -> str:
    """Return perplexity and BLEU of each training of both systems of the first step, without and with local parts."""
    systems, entries = result("wikibio")["systems"], paper_table("wikibio")["systems"]
    rows = [
        [
            f"{entries[name]['label']}, {LABELS[key].short}",
            *(LABELS[key].show(value) for value in systems[name][key]["each"]),
        ]
        for name in STEPS[0]
        for key in (PERPLEXITY, BLEU)
    ]
    return table(["", *(f"training {seed}" for seed in paper_table("wikibio")["seeds"])], rows)


def beams() -> str:
    """Return BLEU and milliseconds per text by the width of the beam."""
    found = result("box_beams")
    names = list(found["beams"])
    rows = [
        [width, *(cell for name in names for cell in _point(found["beams"][name][width]))]
        for width in found["beams"][names[0]]
    ]
    head = ["width", *(title for name in names for title in (f"{name}, BLEU", "ms a text"))]
    return f"{table(head, rows)}\n\n{facts({'German dev boxes': found['boxes'], 'rounds': found['rounds']})}"


def _point(figures: Mapping[str, float]) -> tuple[str, str]:
    return f"{figures['bleu']:.2f}", f"{figures['milliseconds']:.1f}"


def scale() -> str:
    """Return time and memory of a tenth of an epoch of Table NLM, on the full corpus and a tenth of it."""
    cases = result("box_scale")["cases"]
    passes = result("wikibio")["systems"]["global-words"]["training"]["epochs"]
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
    hours = facts({f"hours for {passes} passes over the full corpus": f"{passes * cases[-1]['hours_an_epoch']:.0f}"})
    return f"{table(head, [_case(case) for case in cases])}\n\n{hours}"


def _case(case: Mapping[str, Any]) -> list[str]:
    return [
        f"{case['boxes']:,}",
        f"{case['batches']:,}",
        f"{case['readings'][-1]['batch']:,}",
        f"{case['seconds_to_first_batch']:,.0f}",
        f"{case['seconds_a_batch']:.3f}",
        f"{case['hours_an_epoch']:.1f}",
        f"{case['readings'][0]['megabytes']:,}",
        f"{max(reading['megabytes'] for reading in case['readings']):,}",
    ]


def training() -> str:
    """Return the sizes of the speed measurement, and the pace of a training next to its limit."""
    found = result("box_speed")
    trained = found["training"]
    return facts(
        {
            "words": f"{found['words']:,}",
            "of them the model's": f"{found['known']:,}",
            "words of a window": found["order"],
            "hidden units": found["hidden"],
            "texts of a training batch": found["batch"],
            "width of the beam": found["width"],
            "German dev boxes": found["boxes"],
            "rounds of training, and parts of generation": f"{found['rounds']}, {found['parts']}",
            "machine's load, and its cores": f"{found['load']}, {found['cores']}",
            "trained tokens a second": f"{trained['tokens_per_second']:,}",
            "the limit": f"{trained['limit']:,}",
            "share of the limit": f"{trained['of_limit']:.0%}",
        }
    )


def generation() -> str:
    """Return the speed of generation next to its limit, by the length of the shortlist, and the effect on texts."""
    head = ["frequent words", "ms a sentence", "the limit", "of the limit", "BLEU", "95% of the change", "equal texts"]
    head += ["brevity penalty", "n-gram precision"]
    return table(head, [_shortlist(int(name), one) for name, one in result("box_speed")["generation"].items()])


def _shortlist(frequent: int, figures: Mapping[str, float]) -> list[str]:
    return [
        f"{frequent:,}" if frequent else "all words",
        f"{figures['milliseconds']:.1f}",
        f"{figures['limit']:.1f}",
        f"{figures['of_limit']:.0%}",
        f"{figures['bleu']:.2f}",
        f"{figures['low']:+.2f} to {figures['high']:+.2f}" if frequent else "",
        f"{figures['percent_equal']:.0f}%",
        f"{figures['brevity']}",
        f"{figures['precision']}",
    ]


def heading() -> str:
    """Return the text that most boxes get from a search over all words."""
    found = result("box_speed")
    repeated = found["generation"]["0"]["repeated"]
    return facts(
        {
            "the most frequent text": f'"{repeated["text"]}"',
            "boxes that get it": f"{repeated['texts']} of {found['boxes']}",
            "its rarest word": f'"{repeated["rarest"]}"',
            "rank of that word by frequency": f"{repeated['place']:,}",
        }
    )
