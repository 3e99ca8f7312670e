"""Tables of the system `edit`: its figures next to other systems, and the faults that the checker of recipes finds."""

from __future__ import annotations

from allsaid.markdown import table
from pages.results import facts, labels, result

CORPORA = labels("corpora")
SYSTEMS = {"edit": "`edit`", "people": "reference texts"}
FAULTS = labels("recipe_faults")


def systems() -> str:
    """Return the figures of recipes by several systems, by corpus."""
    found, columns = result("edit_figures"), labels("edit_figures")
    rows = [
        [f"{SYSTEMS.get(name, name)}, {corpus}", str(found[key]["rows"]), *(str(of.get(one, "–")) for one in columns)]
        for key, corpus in CORPORA.items()
        for name, of in found[key]["systems"].items()
    ]
    return table(["system", "texts", *columns.values()], rows)


def speed() -> str:
    """Return the time and memory of loading, building and editing on the library."""
    found = result("edit_speed")
    return facts(
        {
            "prototypes": f"{found['loading']['prototypes']:,}",
            "seconds to load them": found["loading"]["seconds"],
            "seconds to build them from the data set": found["building"]["seconds"],
            "seconds a text": found["editing"]["seconds_per_text"],
            "memory when texts are edited (MB)": f"{found['editing']['memory_mb']:,}",
        }
    )


def demo() -> str:
    """Return how three readers judged the demo's recipes; the verdict of a recipe is that of most readers."""
    found = result("demo_recipes")
    return facts({label: found[key] for key, label in labels("demo_recipes").items()})


def faults() -> str:
    """Return how many planted faults the checker finds, and what it finds in reference texts."""
    found = result("recipe_faults")
    rows = [[FAULTS[name], str(of["texts"]), str(of["found"])] for name, of in found["planted"].items()]
    share, references = found["planted"]["all"]["found_percent"], found["references"]
    figures = {
        "% of planted faults found": share,
        "reference texts": references["texts"],
        "findings in them": references["findings"],
        "false findings, as a reader judged": references["judged_false"],
        "% of the findings that are false (aim: at most 5)": round(
            100 * references["judged_false"] / references["findings"]
        ),
        "reference texts with a false finding": references["texts_judged_false"],
    }
    return f"{table(['planted fault', 'texts', 'found'], rows)}\n\n{facts(figures)}"


def neural() -> str:
    """Return what a Checklist adds: as a scorer, as a writer of sentences, and with the checker in its search."""
    columns = {"bleu": "BLEU", "meteor": "METEOR", "with_findings_percent": "% with findings"}
    found = result("edit_neural")
    labels = {"scorer": "edits chosen by {}", "search": "the Checklist's own texts, {}"}
    rows = [
        [label.format(name), str(found[part]["texts"]), *(str(of[key]) for key in columns)]
        for part, label in labels.items()
        for name, of in found[part].items()
        if isinstance(of, dict)
    ]
    infills = {
        f"inserted sentences: {label}": found["infills"][name]
        for name, label in (("sentences of a rule", "by a rule"), ("written by the Checklist", "by the Checklist"))
    }
    return f"{table(['texts', 'rows', *columns.values()], rows)}\n\n{facts(found['verdicts'] | infills)}"
