"""Table 6 of Yang et al. 2016 on docs/pointing.md: language models of documents, beside the paper's."""

from __future__ import annotations

from allsaid.markdown import table
from pages.results import paper_table, paragraph, result, when
from training.tasks.document import FIGURES

COLUMNS = ("perplexity", "perplexity_entity", "perplexity_word")
MARGINAL = ("marginal", "marginal_entity", "marginal_word")
BASE = "lm"


def perplexities() -> str:
    """The table, which of the paper's differences are found, and the words without their entities."""
    found, entries = result("coref"), paper_table("coref")["systems"]
    rows = [[entries[name]["label"], *(_cell(figures[key]) for key in COLUMNS)] for name, figures in _systems().items()]
    rows += [
        [f"{entries[name]['label']} less {entries[BASE]['label']}", *(_difference(name, key) for key in COLUMNS)]
        for name in found["differences"]
    ]
    splits, trained = found["data"]["splits"], [one["training"] for one in _systems().values()]
    text = paragraph(
        f"""
        `allsaid compare coref` on LitBank ({splits["train"]} parts of documents to learn from, {splits["test"]} of the
        test part), not the paper's corpus, whose figures stand behind the stroke: only the differences can be held
        against its own. Each system has {trained[0]["hidden"]} units and {trained[0]["epochs"]} passes, trained in at
        most {60 * max(one["hours"] for one in trained):.0f} minutes on a shared core. In brackets the 95% bootstrap
        interval over documents, of differences drawn in pairs. {when("coref")}
        """
    )
    head = ["perplexity", *(FIGURES[key].short for key in COLUMNS)]
    return "\n\n".join([text, table(head, rows), paragraph(_signs()), paragraph(_marginal())])


def _systems() -> dict:
    found: dict = result("coref")["systems"]
    return found


def _cell(figure: dict) -> str:
    return f"{figure['ours']:.2f} [{figure['low']:.2f}, {figure['high']:.2f}] / {figure['paper']:.2f}"


def _paper(name: str, key: str) -> float:
    systems = _systems()
    return float(systems[name][key]["paper"] - systems[BASE][key]["paper"])


def _difference(name: str, key: str) -> str:
    return f"{_interval(name, key)} / {_paper(name, key):+.2f}"


def _interval(name: str, key: str) -> str:
    one = result("coref")["differences"][name][key]
    return f"{one['ours']:+.2f} [{one['low']:+.2f}, {one['high']:+.2f}]"


def _signs() -> str:
    """Which differences have the paper's sign, and of which the interval leaves it open."""
    sorts: dict[str, list[str]] = {"As in the paper": [], "The other way round": [], "Left open by its interval": []}
    labels = paper_table("coref")["systems"]
    for name, of in result("coref")["differences"].items():
        for key in COLUMNS:
            same = of[key]["ours"] * _paper(name, key) > 0
            is_open = of[key]["low"] <= 0 <= of[key]["high"]
            sort = "Left open by its interval" if is_open else "As in the paper" if same else "The other way round"
            sorts[sort].append(f"{labels[name]['label']}, {FIGURES[key].short}")
    return "Signs of the differences. " + " ".join(
        f"{sort}: {'; '.join(some) or 'none'}." for sort, some in sorts.items()
    )


def _marginal() -> str:
    labels = paper_table("coref")["systems"]
    parts = [
        f"{labels[name]['label']} less {labels[BASE]['label']}: "
        + ", ".join(f"{FIGURES[key].short} {_interval(name, key)}" for key in MARGINAL)
        for name in result("coref")["differences"]
    ]
    return f"By the words alone. {'; '.join(parts)}."
