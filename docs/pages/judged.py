"""Judgements by hand and by model readers, next to what the rules say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import yaml

from allsaid.markdown import table
from pages.results import ROOT, facts, labels, result

CORPORA = labels("corpora")
READINGS = {"first": "cookable", "second": "cookable_2", "third": "cookable_3"}
READINGS |= {"fourth": "cookable_4", "fifth": "cookable_5", "sixth": "cookable_6"}
# Of all systems on the raw exports and the library; of the rest on the library; of `edit` with the whole library.
OF_SYSTEMS = ("fourth", "fifth", "sixth")
BY = {
    "generated: edit": "`edit`",
    "generated: nn-swap": "NN-Swap",
    "generated: nn": "NN",
    "generated: checklist+": "Checklist+",
    "generated: checklist": "Checklist",
    "people: ": "reference texts",
}
AIMS = {("library", "yes"): 35, ("library", "usable"): 80, ("raw", "usable"): 65}  # percent of the texts of `edit`
SHARES = {"yes": "% yes", "usable": "% yes or repairs"}
PARSED = {"strict": "% strictly right", "usable": "% right or usable"}
BETTER = {"this parser is better": "new", "the earlier parser is better": "old", "as good": "same"}
POLARITY = ROOT / "tests" / "allsaid" / "proof" / "judged_polarity.yaml"


def polarity() -> str:
    """Return the number of judged sentences, and of those on which the rule of yes and no agrees."""
    cases = yaml.safe_load(POLARITY.read_text(encoding="utf-8"))
    return facts({"judged sentences": len(cases), "rule agrees": sum("rule" not in case for case in cases)})


def cookable() -> str:
    """Return the verdicts of model readers on recipes: those on all systems, then those on `edit` in all readings."""
    fourth, found = OF_SYSTEMS[0], result(READINGS[OF_SYSTEMS[0]])  # has the most texts of `edit`
    head = ["text by", "texts", *SHARES.values(), "% contradict", "% foreign food", "% fluent"]
    of_systems = [[name, *row] for name in OF_SYSTEMS for row in _judged(result(READINGS[name]))]
    by_system = table(["reading", *head], of_systems)
    by_reading = table(
        ["`edit`, reading", *head[1:4], "agreement of the readers (Krippendorff's alpha)"],
        [row for name, file in READINGS.items() for row in _edited(name, result(file))],
    )
    aims = [
        [f"{CORPORA[corpus]}: {SHARES[share]}", str(aim), *(_reached(name, corpus, share) for name in OF_SYSTEMS)]
        for (corpus, share), aim in AIMS.items()
    ]
    answered = {
        f"{fourth} reading, {CORPORA[corpus]}: % usable of the {share}% of highest confidence": value
        for corpus in CORPORA
        for share, value in _of_edit(found, corpus)["usable_percent_of_answered"].items()
    }
    reached = table(["`edit`", "aim", *(f"{name} reading" for name in OF_SYSTEMS)], aims)
    return "\n\n".join([by_system, by_reading, reached, facts(answered)])


def _reached(reading: str, corpus: str, share: str) -> str:
    found = result(READINGS[reading])["origins"].get(f"generated: edit-{corpus}")
    return f"{found[f'{share}_percent']:.0f}" if found else "–"


def _of_edit(found: Mapping[str, Any], corpus: str) -> Any:
    return found["origins"][f"generated: edit-{corpus}"]


def _edited(reading: str, found: Mapping[str, Any]) -> Iterator[list[str]]:
    for corpus, name in CORPORA.items():
        if f"generated: edit-{corpus}" not in found["origins"]:
            continue
        of = _of_edit(found, corpus)
        shares = [f"{of[f'{share}_percent']:.0f}" for share in SHARES]
        yield [f"{reading}, {name}", str(of["n"]), *shares, str(of["agreement"]["verdicts"])]


def _judged(found: Mapping[str, Any]) -> Iterator[list[str]]:
    for origin, of in found["origins"].items():
        by = next(name for key, name in BY.items() if origin.startswith(key))
        corpus = next(name for key, name in CORPORA.items() if origin.endswith(key))
        shares = (of[f"{key}_percent"] for key in (*SHARES, "contradicts", "foreign", "fluent"))
        yield [f"{by}, {corpus}", str(of["n"]), *(f"{share:.0f}" for share in shares)]


def cookable_pairs() -> str:
    """Return the verdicts of model readers on pairs of recipes, before and after a change, by corpus."""
    found = result("cookable_pairs")
    head = [
        "corpus",
        "pairs",
        "pairs with equal texts",
        "% better before",
        "% same",
        "% better after",
        "% yes",
        "% yes or repairs",
    ]
    rows = [
        [
            CORPORA[corpus],
            str(of["pairs"]),
            str(of["equal_texts"]),
            *(f"{of[key]:.0f}" for key in ("before_better_percent", "same_percent", "after_better_percent")),
            *(f"{of[f'before_{name}_percent']:.0f} → {of[f'after_{name}_percent']:.0f}" for name in ("yes", "usable")),
        ]
        for corpus, of in found["origins"].items()
    ]
    agreement = {
        f"agreement of {found['readers']} readers on {name} (Krippendorff's alpha)": value
        for name, value in found["agreement"].items()
        if value is not None
    }
    return f"{table(head, rows)}\n\n{facts(agreement)}" if agreement else table(head, rows)


def parsed() -> str:
    """Return what model readers say of records of Meal-Master as they are parsed now, and by an earlier parser."""
    rows = []
    for corpus, name in CORPORA.items():
        for label, found in result(f"recipe_reading_{corpus}")["figures"].items():
            by = "this parser" if label.endswith("new") else "the earlier parser"
            rows.append([f"{name}, {by}", str(found["n"]), *(f"{found[f'{key}_percent']:.0f}" for key in PARSED)])
    better = result("recipe_reading_pairs")["better"]
    head = ["records", "number", *PARSED.values()]
    pairs = {f"records read differently: {name}": better[by] for name, by in BETTER.items()}
    return f"{table(head, rows)}\n\n{facts(pairs)}"
