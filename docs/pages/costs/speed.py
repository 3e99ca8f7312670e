"""The figures of docs/speed.md."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from allsaid.markdown import table
from evaluation.measures.bootstrap import HIGH, LOW
from pages.results import paragraph, point, result, when

SOURCES = ("mealmaster", "records", "allrecipes", "dstc2", "wikibio", "dialogue-acts")
WAYS = {
    "plain": "plain loop",
    "beam_1": "Beam, 1 process",
    "beam_2": "Beam, 2",
    "datatrove_1": "datatrove, 1",
    "datatrove_2": "datatrove, 2",
}
RATIOS = {
    "beam_1 / plain": "one process / plain loop",
    "beam_1 / beam_2": "one / two processes",
    "beam_1 / datatrove_1": "Beam / datatrove, 1 process",
    "beam_2 / datatrove_2": "2 processes",
}


def rates() -> str:
    """Records a second of each source, by the way in which they are read."""
    found = result("sources_speed")["sources"]
    rows = [
        [
            f"`{name}`",
            f"{found[name]['records']:,}",
            *(f"{found[name]['records_per_second'][way]:,.0f}" for way in WAYS),
        ]
        for name in SOURCES
    ]
    return f"{paragraph(when('sources_speed'))}\n\n{table(['source', 'records', *WAYS.values()], rows)}"


def ratios() -> str:
    """The same in seconds, one way against another, and what they say."""
    found = {name: of["ratios"] for name, of in result("sources_speed")["sources"].items()}
    wanted = result("sources_speed")["wanted"]
    rows = [[f"`{name}`", *(f"{found[name][ratio]:.2f}" for ratio in RATIOS)] for name in SOURCES]
    head = f"Seconds, as ratios. Wanted were {', '.join(wanted.values())}, in this order:"
    over = sorted(SOURCES, key=lambda name: found[name]["beam_1 / plain"])
    costs = [found[name]["beam_1 / plain"] - 1 for name in over]
    gains = [found[name]["beam_1 / beam_2"] for name in SOURCES]
    peers = [found[name][ratio] for name in SOURCES for ratio in ("beam_1 / datatrove_1", "beam_2 / datatrove_2")]
    loop = result("sources_speed")["sources"][over[-1]]["records_per_second"]
    points = [
        f"With one process Beam costs at most {costs[-2]:.0%} over a plain loop, but for `{over[-1]}`, where it is "
        f"{costs[-1]:.0%}. There datatrove with one process, which does the same work as the plain loop, takes "
        f"{loop['plain'] / loop['datatrove_1'] - 1:.0%} longer than it: the loop may have been lucky.",
        f"Two processes are {min(gains):.2f} to {max(gains):.2f} times as fast as one.",
        f"Beside datatrove Beam takes {min(peers):.2f} to {max(peers):.2f} times as long.",
    ]
    said = "\n".join(map(point, points))
    return f"{head}\n\n{table(['source', *RATIOS.values()], rows)}\n\n{said}"


def wikibio() -> str:
    """WikiBio at a tenth of its size and at its full size."""
    rows = [
        [f"{one['boxes']:,}", f"{one['seconds']:.0f}", f"{max(one['peak_megabytes'])} MB"]
        for one in result("wikibio_full")["cases"]
    ]
    return f"{table(['boxes', 'seconds', 'peak of the largest process'], rows)}\n\n{paragraph(when('wikibio_full'))}"


def training() -> str:
    """Target tokens a second of a training step, beside the peer and the limit."""
    found = result("train_step")
    names = {
        "joeynmt": "JoeyNMT",
        "checklist": "Checklist",
        "encdec": "EncDec",
        "no_supervision": "Checklist without supervision",
    }
    own = {name: f"{rate:,}" for name, rate in found["library_lengths"].items()}
    rows = [[label, f"{found['equal_lengths'][name]:,}", own.get(name, "")] for name, label in names.items()]
    rows.append(["the limit", f"{found['limit']:,}", ""])
    times, peak = found["times_joeynmt"], found["peak_megabytes"]["checklist, longest texts"]
    bound = found["limit"] / found["equal_lengths"]["joeynmt"]
    said = paragraph(f"""
        The Checklist reaches {found["checklist_of_limit"]:.0%} of the limit. It is {times["equal_lengths"]} times as
        fast as JoeyNMT where no text is filled up (the limit: {bound:.1f} times), and {times["library_lengths"]} times
        on texts as they are, since its batches are of texts of like length. At the longest texts it uses {peak:,} MB.
        {when("train_step")}""")
    return f"{table(['', 'texts of one length', 'texts of the library'], rows)}\n\n{said}"


def search() -> str:
    """Texts a second of the beam search, beside the peer, the search of before and the limit."""
    found = result("search_speed")
    names = {
        "joeynmt": "JoeyNMT",
        "before": "the search of before",
        "now": "the search",
        "shortlist": "with a shortlist",
    }
    rates, clock, at_once = (found[key] for key in ("texts_per_second", "by_the_clock_on_two_cores", "texts_at_once"))
    rows = [[label, f"{rates[name]:.2f}", f"{clock[name]:.2f}", str(at_once[name])] for name, label in names.items()]
    rows.append(["the limit", f"{found['limit']:.2f}", "", ""])
    said = paragraph(f"""
        It reaches {found["of_limit"]:.0%} of the limit, and writes {found["times_joeynmt"]} times as many texts as
        JoeyNMT and {found["times_before"]} times as many as before; the limit itself is
        {found["limit"] / rates["joeynmt"]:.1f} times JoeyNMT. The machine's load was {found["load"]} on
        {found["cores"]} cores. {when("search_speed")}""")
    return f"{table(['', 'one core', 'two cores, by the clock', 'texts at once'], rows)}\n\n{said}{_more(found)}"


def _more(found: Mapping[str, Any]) -> str:
    """The shortlist, a dialogue's sentence and the peak of memory."""
    short = found["shortlist"]
    said = paragraph(f"""
        With a shortlist of {short["frequent"]:,} frequent words and {short["own"]} of each text it writes
        {short["times_joeynmt"]} times as many texts as JoeyNMT, {short["of_limit"]:.0%} of the limit of its products
        ({short["limit"]:.2f} texts a second). A sentence of a dialogue of 26 words takes
        {found["milliseconds_a_sentence"]} ms, beside others, with a beam of 5 over 600 words. A process that searches
        over 13,000 words needs {found["peak_megabytes"]} MB.""")
    banked = result("banked")
    said += "\n\n" + paragraph(f"""
        A step of the banked search (`python -m benchmarks.speed.banked`) takes {banked["recipes"]["times_plain"]} times
        a plain one at the size of recipes, and {banked["table"]["times_plain"]} times at that of a user's table.
        {when("banked")}""")
    return f"\n\n{said}"


def proof() -> str:
    """Texts of a user's table, search and proof together, beside the code of before."""
    found = result("table_texts")
    rows = [
        [name, f"{one['before']:.1f}", f"{one['now']:.1f}", f"{one['times']:.2f}"]
        for name, one in found["texts a processor second"].items()
    ]
    said = paragraph(f"{found['rows']} rows, medians of {found['rounds']} rounds. {when('table_texts')}")
    return f"{table(['', 'before', 'now', 'times'], rows)}\n\n{said}"


def shortlist() -> str:
    """Figures of texts that are chosen from a shortlist, beside those from all words."""
    found = result("shortlist")
    whole = found["lists"]["0"]
    figures = {"bleu": "BLEU", "percent_given": "% given", "extra_items": "extra items"}
    rows = [
        [
            f"{int(name):,}" if int(name) else "all words",
            *(f"{one[key]:.2f}" for key in figures),
            f"{one['percent_equal']:.0f}%",
            f"{whole['processor_seconds'] / one['processor_seconds']:.1f}",
        ]
        for name, one in found["lists"].items()
    ]
    ends = ", ".join(f"{label} {whole[LOW + key]:.2f} to {whole[HIGH + key]:.2f}" for key, label in figures.items())
    outside = [
        f"{label} with {int(name):,}"
        for name, one in found["lists"].items()
        for key, label in figures.items()
        if not whole[LOW + key] <= one[key] <= whole[HIGH + key]
    ]
    said = paragraph(f"""
        The 95% bootstrap intervals of the texts from all words: {ends}. Outside of them:
        {", ".join(outside) or "none"}. A Checklist of size {found["hidden"]} over {found["words"]:,} words,
        {found["rows"]} rows of the library, after one pass of training. {when("shortlist")}""")
    return f"{table(['frequent words', *figures.values(), 'equal texts', 'times as fast'], rows)}\n\n{said}"


def commands() -> str:
    """Seconds of commands that do little, beside those of an older commit."""
    found = result("command_times")
    rows = [
        [f"`{name}`", *(f"{of[side][key]:.2f}" for key in ("seconds", "cpu_seconds") for side in ("here", "peer"))]
        for name, of in found["commands"].items()
    ]
    peer = found["peer"]
    heads = ["command", "seconds", f"{peer}: seconds", "CPU seconds", f"{peer}: CPU seconds"]
    return f"{paragraph(when('command_times'))}\n\n{table(heads, rows)}"
