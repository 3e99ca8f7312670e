"""The figures of docs/papers.md: each corpus as the ingest counts it, next to its paper."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from allsaid.markdown import table
from pages.results import facts, result
from schemas.example import SPLITS

BOXES = ("wikibio sample", "wikibio german")


def _counted(corpus: str, name: str = "corpus_statistics") -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """Return the counts of a corpus's manifest, its figures over all parts, and its vocabularies."""
    found = result(name)[corpus]
    return found, found["statistics"]["figures"]["all"], found["statistics"]["vocabularies"]


def library() -> str:
    """Return the training part of the Meal-Master library (Kiddon et al. 2016, section 5)."""
    found = result("ingest_library")["cases"][1]
    train, words = found["statistics"]["figures"]["train"], found["statistics"]["vocabularies"]["text"]
    tokens = f"{train['tokens']['mean']:.1f}, {train['words']['mean']:.1f}"
    rows = [
        ["recipes", f"{found['splits']['train']:,}", "82,590"],
        ["tokens a recipe, with and without punctuation", tokens, "102"],
        ["text words seen five times (phrases count as words)", f"{words['seen 5']:,}", "14,103"],
    ]
    rejected = facts(
        {
            "rejected as duplicates": f"{sum(found['rejected']['duplicate'].values()):,}",
            "rejected as similar to a dev or test recipe": f"{sum(found['rejected']['guard'].values()):,}",
        }
    )
    return f"{table(['training part', 'here', 'paper'], rows)}\n\n{rejected}"


def allrecipes() -> str:
    found, figures, words = _counted("allrecipes")
    cut, text = found["rejected"]["clean"], words["text"]
    breaks = figures["steps"]["mean"] - 1
    often = f"{text['seen 5']:,} of {text['seen 1']:,}"
    rows = [
        ["recipes", f"{found['read']:,}", "about 31,000"],
        ["left out, under 10 or over 500 tokens", f"{cut['too_few_tokens']} + {cut['too_many_tokens']}", "about 0.1%"],
        ["tokens a recipe", f"{figures['tokens']['mean']:.1f}", "118"],
        ["of them line breaks between two steps", f"{breaks:.1f}", ""],
        ["tokens without line breaks", f"{figures['tokens']['mean'] - breaks:.1f}", ""],
        ["ingredients a recipe", f"{figures['ingredients']['mean']:.1f}", "9"],
        ["text words, seen five times in training", often, "10,000, as a setting"],
        ["tokens that copy an ingredient's word", f"{figures['copied_tokens']['mean']:.1f} a recipe", ""],
    ]
    return table(["figure", "here", "paper"], rows)


def dstc2() -> str:
    found, figures, words = _counted("dstc2")
    unlisted = figures["turns with unlisted restaurants"]["sum"]
    rows = [
        ["dialogues", f"{found['read']:,}", "about 3,200"],
        ["turns of the machine a dialogue", f"{figures['turns']['mean']:.1f}", "8"],
        [
            "vocabulary of the training part: words, and cells of the table as tokens",
            f"{words['dialogue']['seen 1']:,}",
            "900 (about 400 cells, 500 words)",
        ],
        ["tokens that are cells", f"{figures['cells']['mean']:.1f} a dialogue", ""],
        ["restaurants named that the table lacks", f"{unlisted} turns", ""],
    ]
    return table(["figure", "here", "paper"], rows)


def dialogue_acts() -> str:
    parts = [_counted(corpus) for corpus in ("hotel", "restaurant")]
    counts = [f"{found['read']:,}" for found, _, _ in parts]
    words = [f"{words['text']['seen 1']:,}" for _, _, words in parts]
    values = [f"{figures['found values']['sum']:,} of {figures['given values']['sum']:,}" for _, figures, _ in parts]
    rows = [
        ["acts", counts[0], "", counts[1], ""],
        ["words of the delexicalised training texts", words[0], "445", words[1], "365"],
        ["values to be found in the text, found", values[0], "", values[1], ""],
    ]
    return table(["figure", "hotel", "paper", "restaurant", "paper"], rows)


def recipe_ngrams() -> str:
    """Return the perplexity of a model of n-grams on allrecipes, and what changes of the texts do to it."""
    found = result("recipe_ngrams")
    head = [f"{found['texts']:,} training texts, {found['order']}-grams", "perplexity"]
    return table(head, [[name, f"{value:.2f}"] for name, value in found["perplexity"].items()])


def seen_acts() -> str:
    """Return how much of each domain's test part training has seen."""
    found = result("seen_acts")["domains"]
    keys = list(next(iter(found.values())))
    shown = {"% seen in training": "{:.1f}", "% with reference texts": "{:.1f}", "reference texts, mean": "{:.1f}"}
    rows = [[key, *(shown.get(key, "{:,}").format(figures[key]) for figures in found.values())] for key in keys]
    return table(["test part", *found], rows)


def wikibio() -> str:
    found = [_counted(corpus) for corpus in BOXES]
    sentence, box = "tokens of the first sentence", "tokens of the table"
    shared = "words of the first sentence in the table"

    def row(title: str, paper: str, show: Callable[[dict[str, Any]], str]) -> list[str]:
        ours, german = (show(figures) for _, figures, _ in found)
        return [title, ours, paper, german]

    def mean(title: str, key: str, paper: str) -> list[str]:
        return row(title, paper, lambda figures: f"{figures[key]['mean']:.1f}")

    def ends(title: str, key: str, paper: str) -> list[str]:
        title = f"5th and 95th percentile of the {title}"
        return row(title, paper, lambda figures: f"{figures[key]['p5']}, {figures[key]['p95']}")

    german = found[1][1]
    rows = [
        ["boxes", f"{found[0][0]['read']:,}", "728,321", f"{found[1][0]['read']:,}"],
        mean(sentence, sentence, "26.1"),
        mean(box, box, "53.1"),
        mean("tokens of the sentence that the table has, too", shared, "9.5"),
        mean("fields", "fields", "19.7"),
        ends("sentence", sentence, "13, 46"),
        ends("table", box, "20, 108"),
        ends("fields", "fields", "9, 36"),
        ["most fields", "", "", str(german["fields"]["max"])],
        ["lines with several sentences", "", "", f"{german['lines with several sentences']['sum']:,}"],
    ]
    return table(["mean over boxes", "the dump's sample", "paper", "German boxes"], rows)


def pairs() -> str:
    """Return the counts of both corpora of questions, and those that the papers of the corpora have."""
    parts = [_counted(corpus, "pair_statistics") for corpus in ("wikisql", "webqsp")]
    splits = [", ".join(f"{found['splits'][split]:,}" for split in SPLITS) for found, _, _ in parts]
    rejected = [found["rejected"].get("read", {}) for found, _, _ in parts]
    given, named = ([figures[key]["sum"] for _, figures, _ in parts] for key in ("items", "items in the text"))
    rows = [
        ["questions", *(f"{found['read']:,}" for found, _, _ in parts)],
        ["of train, dev and test, by the corpus's authors", "56,355, 8,421, 15,878", ""],
        ["kept, of train, dev and test", *splits],
        ["queries that don't parse", *(str(reasons.get("unknown_query", 0)) for reasons in rejected)],
        ["unknown values", *(str(reasons.get("unknown_value", 0)) for reasons in rejected)],
        ["tokens of a source", *(f"{figures['source tokens']['mean']:.1f}" for _, figures, _ in parts)],
        ["tokens of a question", *(f"{figures['tokens']['mean']:.1f}" for _, figures, _ in parts)],
        ["of these in the source", *(f"{figures['tokens in the source']['mean']:.1f}" for _, figures, _ in parts)],
        ["values of a source", *(f"{figures['items']['mean']:.2f}" for _, figures, _ in parts)],
        ["values in the question", *map(_share, named, given)],
        ["words of questions, seen five times in training", *_frequent(words for _, _, words in parts)],
    ]
    return table(["figure", "WikiSQL", "WebQSP"], rows)


def _share(part: int, whole: int) -> str:
    return f"{part:,} of {whole:,}" if whole else "no values"


def _frequent(vocabularies: Iterable[dict[str, Any]]) -> list[str]:
    return [f"{words['text']['seen 5']:,} of {words['text']['seen 1']:,}" for words in vocabularies]


def coref() -> str:
    parts = [_counted(corpus, "coref_statistics") for corpus in ("litbank", "ontogum")]

    def kept(name: str) -> list[str]:
        return [f"{_sum(found, name):,}" for found, _, _ in parts]

    shares = [_sum(found, "entity tokens") / _sum(found, "tokens") for found, _, _ in parts]
    means = [_sum(found, "tokens") / found["kept"] for found, _, _ in parts]
    read = [f"{figures['tokens']['sum']:,}" for _, figures, _ in parts]
    rejected = [str(sum(found["rejected"].get("read", {}).values())) for found, _, _ in parts]
    rows = [
        ["tokens read", *read, "23 million"],
        ["documents rejected", *rejected, ""],
        ["documents kept", *kept("documents"), "100,000"],
        ["their tokens", *kept("tokens"), "23 million"],
        ["their chains and mentions", *map(", ".join, zip(kept("chains"), kept("mentions"), strict=True)), ""],
        ["parts of at most 500 tokens", *(f"{found['kept']:,}" for found, _, _ in parts), "100,000, not cut"],
        ["tokens a part", *(f"{mean:.0f}" for mean in means), "234"],
        ["parts without an entity", *kept("without entities"), ""],
        ["entities of a part with two mentions or more", *kept("entities"), ""],
        ["mentions of single ones, ignored", *kept("single mentions"), "ignored"],
        ["mentions without a token of their own", *kept("covered mentions"), ""],
        ["mentions across a cut", *kept("cut mentions"), ""],
        ["tokens that mention an entity", *kept("entity tokens"), ""],
        ["their share", *(f"{share:.1%}" for share in shares), "about 10%"],
        ["words, seen five times in training", *_frequent(words for _, _, words in parts), "50,000, as a setting"],
    ]
    return table(["figure", "LitBank", "OntoGUM", "paper (Gigaword)"], rows)


def _sum(found: dict[str, Any], name: str) -> int:
    """Return a figure of all kept records."""
    figures = found["statistics"]["figures"]
    return sum(figures[split][name]["sum"] for split in found["splits"])


def polarity() -> str:
    """Return the polarity errors of reference texts, for docs/coverage.md."""
    rows = []
    for corpus in ("hotel", "restaurant"):
        parts = result("corpus_statistics")[corpus]["polarity"]
        cells = [f"{part['wrong']} of {part['asked']} ({part['wrong'] / part['asked']:.2%})" for part in parts.values()]
        rows.append([corpus, *cells])
    return table(["corpus", *SPLITS], rows)
