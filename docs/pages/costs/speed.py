"""The figures of docs/figures.md."""

from __future__ import annotations

from statistics import median

from allsaid.markdown import table
from evaluation.measures.bootstrap import HIGH, LOW
from pages.results import facts, labels, result

SOURCES = ("mealmaster", "records", "allrecipes", "dstc2", "wikibio", "dialogue-acts")
WAYS = labels("sources_speed ways")
RATIOS = labels("sources_speed ratios")


def rates() -> str:
    """Return the records per second of each source, by the way in which they are read."""
    found = result("sources_speed")["sources"]
    rows = [
        [
            f"`{name}`",
            f"{found[name]['records']:,}",
            *(f"{found[name]['records_per_second'][way]:,.0f}" for way in WAYS),
        ]
        for name in SOURCES
    ]
    return table(["source", "records", *WAYS.values()], rows)


def ratios() -> str:
    """Return the same in seconds, one way against another, with the wanted ratios in the last row."""
    found = result("sources_speed")
    rows = [[f"`{name}`", *(f"{found['sources'][name]['ratios'][ratio]:.2f}" for ratio in RATIOS)] for name in SOURCES]
    return table(["source", *RATIOS.values()], [*rows, ["wanted", *found["wanted"].values()]])


def beside_commit() -> str:
    """Return the records that three sources read a second beside those of an earlier commit."""
    found = result("beside_commit")["sources"]
    rows = [
        [
            f"`{name}`",
            f"{one['records']:,}",
            *(f"{median(rates):,.0f}" for rates in zip(*one["records_per_second"], strict=True)),
            f"{one['now / before']:.2f}",
        ]
        for name, one in found.items()
    ]
    return table(["source", "records", "before", "now", "now / before"], rows)


def wikibio() -> str:
    """Return seconds and memory of WikiBio at a tenth of its size and at its full size."""
    rows = [
        [f"{case['boxes']:,}", f"{case['seconds']:.0f}", f"{max(case['peak_megabytes'])} MB"]
        for case in result("wikibio_full")["cases"]
    ]
    return table(["boxes", "seconds", "peak of the largest process"], rows)


def training() -> str:
    """Return the target tokens per second of a training step, next to the peer and the limit."""
    found, names = result("train_step"), labels("train_step")
    own = {name: f"{rate:,}" for name, rate in found["library_lengths"].items()}
    rows = [[label, f"{found['equal_lengths'][name]:,}", own.get(name, "")] for name, label in names.items()]
    rows.append(["the limit", f"{found['limit']:,}", ""])
    times, peak = found["times_joeynmt"], found["peak_megabytes"]["checklist, longest texts"]
    ratios = facts(
        {
            "Checklist, share of the limit": f"{found['checklist_of_limit']:.0%}",
            "Checklist over JoeyNMT, texts of one length": times["equal_lengths"],
            "Checklist over JoeyNMT, texts of the library": times["library_lengths"],
            "peak of the Checklist on the longest texts, MB": f"{peak:,}",
        }
    )
    return f"{table(['', 'texts of one length', 'texts of the library'], rows)}\n\n{ratios}"


def search() -> str:
    """Return the texts per second of the beam search, next to the peer, the earlier search and the limit."""
    found, names = result("search_speed"), labels("search_speed")
    rates, clock, at_once = (found[key] for key in ("texts_per_second", "by_the_clock_on_two_cores", "texts_at_once"))
    rows = [[label, f"{rates[name]:.2f}", f"{clock[name]:.2f}", str(at_once[name])] for name, label in names.items()]
    rows.append(["the limit", f"{found['limit']:.2f}", "", ""])
    short, banked = found["shortlist"], result("banked")
    rows.append(["the limit with a shortlist", f"{short['limit']:.2f}", "", ""])
    ratios = facts(
        {
            "the search, share of the limit": f"{found['of_limit']:.0%}",
            "the search over JoeyNMT": found["times_joeynmt"],
            "the search over the earlier search": found["times_before"],
            "shortlist: frequent words, and words of each text": f"{short['frequent']:,}, {short['own']}",
            "shortlist, share of its limit": f"{short['of_limit']:.0%}",
            "shortlist over JoeyNMT": short["times_joeynmt"],
            "a dialogue's sentence, milliseconds": found["milliseconds_a_sentence"],
            "peak of the process, MB": found["peak_megabytes"],
            "machine's load, and its cores": f"{found['load']}, {found['cores']}",
            "a step with banks over a plain one, recipes": banked["recipes"]["times_plain"],
            "a step with banks over a plain one, a user's table": banked["table"]["times_plain"],
        }
    )
    return f"{table(['', 'one core', 'two cores, by the clock', 'texts at once'], rows)}\n\n{ratios}"


def short_search() -> str:
    """Return the texts per second with a shortlist next to earlier code and the limit, and which texts differ."""
    found, equal = result("shortlist_speed"), result("equal_texts")
    rates, of_limit = found["texts_per_second"], found["of_limit"]
    rows = [[name, f"{rates[name]:.2f}", f"{of_limit[name]:.1%}"] for name in ("before", "now")]
    rows.append(["the limit", f"{rates['limit']:.2f}", ""])
    counts = facts(
        {
            "rounds, whose medians are shown": found["rounds"],
            "machine's load, and its cores": f"{found['load']}, {found['cores']}",
            "recipes of the library, by a Checklist of size 256": equal["rows"],
            "texts that differ from those before": len(equal["differ"]),
            "texts that differ by rounding alone": len(equal["differ_by_rounding_alone"]),
        }
    )
    ties = [
        f"- row {one['row']}, from word {one['word']}: {' or '.join(map(repr, one['words']))}, log-probability a word "
        f"{one['ranks'][0]} and {one['ranks'][1]}"
        for one in equal["differ"]
    ]
    return "\n".join([table(["", "texts a second", "share of the limit"], rows), "", counts, *ties])


def proof() -> str:
    """Return the texts of a user's table per second, search and proof together, next to earlier code."""
    found = result("table_texts")
    rows = [
        [name, f"{pace['before']:.1f}", f"{pace['now']:.1f}", f"{pace['times']:.2f}"]
        for name, pace in found["texts a processor second"].items()
    ]
    counts = facts({"rows": found["rows"], "rounds, whose medians are shown": found["rounds"]})
    return f"{table(['', 'before', 'now', 'times'], rows)}\n\n{counts}"


def shortlist() -> str:
    """Return the figures of texts that are chosen from a shortlist, next to those from all words."""
    found = result("shortlist")
    whole = found["lists"]["0"]
    figures = {"bleu": "BLEU", "percent_given": "% given", "extra_items": "extra items"}
    rows = [
        [
            f"{int(name):,}" if int(name) else "all words",
            *(f"{cells[key]:.2f}" for key in figures),
            f"{cells['percent_equal']:.0f}%",
            f"{whole['processor_seconds'] / cells['processor_seconds']:.1f}",
        ]
        for name, cells in found["lists"].items()
    ]
    ends = [f"{whole[LOW + key]:.2f} to {whole[HIGH + key]:.2f}" for key in figures]
    rows.insert(1, ["all words, 95% bootstrap interval", *ends, "", ""])
    counts = facts(
        {"size of the Checklist": found["hidden"], "words": f"{found['words']:,}", "rows of the library": found["rows"]}
    )
    return f"{table(['frequent words', *figures.values(), 'equal texts', 'times as fast'], rows)}\n\n{counts}"


def commands() -> str:
    """Return the seconds of short commands, next to those of an older commit."""
    found = result("command_times")
    rows = [
        [
            f"`{name}`",
            *(f"{times[side][key]:.2f}" for key in ("seconds", "cpu_seconds") for side in ("here", "peer")),
        ]
        for name, times in found["commands"].items()
    ]
    peer = found["peer"]
    return table(["command", "seconds", f"{peer}: seconds", "CPU seconds", f"{peer}: CPU seconds"], rows)


def new_machine() -> str:
    """Return how long `make demo` takes on a machine that has nothing of Allsaid, by the version of Python."""
    rows = [
        [
            version,
            *(f"{case['seconds'][key]}" for key in ("set up", "first proof", "end")),
            f"{case['environment_gigabytes']} GB",
        ]
        for version, case in result("new_machine")["versions"].items()
    ]
    return table(["Python", "set up, seconds", "first proven text", "end of the demo", "environment"], rows)
