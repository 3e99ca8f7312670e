"""The figures of docs/coverage.md on texts of people and of other systems, as proven (benchmarks/corpora)."""

from __future__ import annotations

from allsaid.markdown import table
from pages.results import facts, labels, result


def people() -> str:
    """Return how many texts of each part are proven right, and how often values are wrong or missing."""
    rows = []
    for name in ("prove_e2e", "prove_viggo"):
        for part, label in labels(name).items():
            found = result(name)[part]
            errors = f"{found['findings of wrong or missing values per 100 values']:.2f}"
            number, speed = f"{found['texts']:,}", f"{found['texts_per_second']:,}"
            rows.append([label, number, f"{found['percent']:.1f}", errors, speed])
    head = ["texts", "number", "% proven right", "wrong or missing per 100 values", "texts a second, one core"]
    viggo = result("prove_viggo")["test"]["percent without the findings of a column"]["rating"]
    counts = facts(
        {"% of ViGGO's test texts proven right if findings about `rating` are ignored": f"{viggo:.1f}"}
        | {
            f"slot errors published for {label}, % of slots": f"{_published(part):.2f}"
            for part, label in (("tgen-plus", "TGen+"), ("tgen-minus", "TGen-"))
        }
    )
    return f"{table(head, rows)}\n\n{counts}"


def read() -> str:
    """Return whose error the findings of the flagged texts were that the author of the rules has read."""
    devel, test = result("prove_e2e_reading_devel"), result("prove_e2e_reading")
    verdicts, whose = devel["verdict"], test["whose error"]
    return facts(
        {
            "flagged texts of the devel part that were read": devel["texts"],
            "of them different from their rows": verdicts["text wrong"],
            "of them debatable": verdicts["debatable"],
            "of them right": verdicts["text right"],
            "flagged texts of the test part that were read, by earlier rules": test["texts"],
            "of them different from their rows, by earlier rules": whose["data"],
            "of them in words that the mapping lacked": whose["mapping"],
            "of them misread by the rules": whose["proof"],
        }
    )


def systems() -> str:
    """Return how often the proof of two systems' texts agrees with model readers."""
    found = result("system_texts")
    rows = [
        [
            label,
            *(
                str(found["systems"][part][key])
                for key in ("texts", "right by the readers", "right by the proof", "agree")
            ),
        ]
        for part, label in (("tgen-plus", "TGen+"), ("tgen-minus", "TGen-"))
    ]
    return table(["system", "texts", "right by the readers", "right by the proof", "both say the same"], rows)


def fluent() -> str:
    """Return what the proof finds in fluent texts with planted errors."""
    found = result("fluent")
    counts = [
        (f"{name}: {trade}", one)
        for name, of in found["sets"].items()
        for trade, one in (*of["trades"].items(), ("all", of["all"]))
    ]
    counts += [(name.replace(",", ": all,"), one) for name, one in found.items() if name.endswith(", unseen")]
    # Counts of the same set in another way: by earlier rules, or of its second half.
    counts += [
        (f"{name}, {way}", one | other)
        for name, one in counts
        for way, other in one.items()
        if isinstance(other, dict) and "found" in other
    ]
    rows = [[name, *(str(one[key]) for key in ("planted", "found", "right", "flagged"))] for name, one in counts]
    return table(["set: trade", "planted errors", "of them found", "right texts", "of them flagged"], rows)


def _published(part: str) -> float:
    return float(result("prove_e2e")[part]["published percent of slot errors"])
