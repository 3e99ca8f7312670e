"""Table 6 of Yang et al. 2016 on docs/pointing.md: language models of documents, beside the paper's."""

from __future__ import annotations

from allsaid.markdown import table
from pages.results import paper_table, paragraph, result, when

OF = {"": "all", "_entity": "entity", "_word": "word"}  # endings of the figures' keys
WAYS = {"perplexity": "with their entities", "marginal": "alone"}  # of words
BASE = "lm"
AS, OTHER, OPEN = "as in the paper", "the other way round", "left open by its interval"


def perplexities() -> str:
    """The systems, their differences, and which of the paper's signs are found; words with their entities and alone."""
    found, entries = result("coref"), paper_table("coref")["systems"]
    systems, splits = found["systems"], found["data"]["splits"]
    trained = [one["training"] for one in systems.values()]
    missing = [entry["label"] for name, entry in entries.items() if name not in systems]
    text = paragraph(
        f"""
        `allsaid compare coref` on LitBank ({splits["train"]} parts of documents to learn from, {splits["test"]} to
        test). The paper's corpus is another, so only its differences, behind the stroke, can be held against these.
        Each system has {trained[0]["hidden"]} units and {trained[0]["epochs"]} passes, at most
        {60 * max(one["hours"] for one in trained):.0f} minutes on a shared core. In brackets the 95% bootstrap interval
        over documents, of differences drawn in pairs. {f"Not trained yet: {', '.join(missing)}." if missing else ""}
        {when("coref")}
        """
    )
    rows = [
        [f"{entries[name]['label']}, words {said}", *(_cell(figures[way + end]) for end in OF)]
        for name, figures in systems.items()
        for way, said in WAYS.items()
        if name != BASE or way == "perplexity"  # of a model without entities both are one
    ]
    rows += [
        [
            f"{entries[name]['label']} less {entries[BASE]['label']}, words {said}",
            *(_difference(name, way, end) for end in OF),
        ]
        for name in found["differences"]
        for way, said in WAYS.items()
    ]
    return "\n\n".join([text, table(["perplexity", *OF.values()], rows), *map(_signs, WAYS)])


def _cell(figure: dict) -> str:
    paper = "" if figure["paper"] is None else f" / {figure['paper']:.2f}"
    return f"{figure['ours']:.2f} [{figure['low']:.2f}, {figure['high']:.2f}]{paper}"


def _difference(name: str, way: str, end: str) -> str:
    one = result("coref")["differences"][name][way + end]
    return f"{one['ours']:+.2f} [{one['low']:+.2f}, {one['high']:+.2f}] / {_paper(name, end):+.2f}"


def _paper(name: str, end: str) -> float:
    """The paper's difference, which does not say whether words are with their entities or alone."""
    theirs, base = (paper_table("coref")["systems"][one]["paper"][f"perplexity{end}"] for one in (name, BASE))
    return float(theirs - base)


def _signs(way: str) -> str:
    """Which differences have the paper's sign."""
    sorts: dict[str, list[str]] = {AS: [], OTHER: [], OPEN: []}
    labels = paper_table("coref")["systems"]
    for name, of in result("coref")["differences"].items():
        for end, said in OF.items():
            one = of[way + end]
            is_open = one["low"] <= 0 <= one["high"]
            sort = OPEN if is_open else AS if one["ours"] * _paper(name, end) > 0 else OTHER
            sorts[sort].append(f"{labels[name]['label']}, {said}")
    listed = ". ".join(f"{sort.capitalize()}: {'; '.join(some) or 'none'}" for sort, some in sorts.items())
    return paragraph(f"Signs of the differences, words {WAYS[way]}. {listed}.")
