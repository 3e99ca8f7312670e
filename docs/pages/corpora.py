"""The figures of docs/corpora.md: each corpus as the ingest counts it, beside its paper."""

from __future__ import annotations

from typing import Any

from allsaid.markdown import table
from pages.results import paragraph, result, when

BOXES = ("wikibio sample", "wikibio german")


def _of(corpus: str, name: str = "corpus_statistics") -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """What a corpus's manifest counts, its figures over all parts, and its vocabularies."""
    found = result(name)[corpus]
    return found, found["statistics"]["figures"]["all"], found["statistics"]["vocabularies"]


def measured() -> str:
    return when("corpus_statistics")


def library() -> str:
    """The training part of the Meal-Master library (the paper: Kiddon et al. 2016, section 5)."""
    found = result("ingest_library")["cases"][1]
    train, words = found["statistics"]["figures"]["train"], found["statistics"]["vocabularies"]["text"]
    tokens = f"{train['tokens']['mean']:.1f}, {train['words']['mean']:.1f}"
    rows = [
        ["recipes", f"{found['splits']['train']:,}", "82,590"],
        ["tokens a recipe, with and without punctuation", tokens, "102"],
        ["text words seen five times (phrases count as words)", f"{words['seen 5']:,}", "14,103"],
    ]
    return f"{table(['training part', 'here', 'paper'], rows)}\n\n{paragraph(when('ingest_library'))}"


def allrecipes() -> str:
    found, figures, words = _of("allrecipes")
    cut, text = found["rejected"]["clean"], words["text"]
    rows = [
        ["recipes", f"{found['read']:,}", "about 31,000"],
        ["left out, under 10 or over 500 tokens", f"{cut['too_few_tokens']} + {cut['too_many_tokens']}", "about 0.1%"],
        ["tokens a recipe", f"{figures['tokens']['mean']:.1f}", "118"],
        ["ingredients a recipe", f"{figures['ingredients']['mean']:.1f}", "9"],
        [
            "text words, seen five times in training",
            f"{text['seen 5']:,} of {text['seen 1']:,}",
            "10,000, as a setting",
        ],
        ["tokens that copy an ingredient's word", f"{figures['copied_tokens']['mean']:.1f} a recipe", ""],
    ]
    breaks = figures["steps"]["mean"] - 1
    said = paragraph(
        f"""
        This crawl is younger and larger than the paper's, hence more recipes. The tokens include a line break
        between two steps, {breaks:.1f} a recipe; without them the mean is
        {figures["tokens"]["mean"] - breaks:.1f}. The paper does not name its tokeniser. Its vocabulary counts
        ingredients and text together; text alone has {text["seen 1"]:,} words here, and a model cuts where it
        wants.
        """
    )
    return f"{table(['figure', 'here', 'paper'], rows)}\n\n{said}"


def dstc2() -> str:
    found, figures, words = _of("dstc2")
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
    rows = []
    parts = [_of(corpus) for corpus in ("hotel", "restaurant")]
    counts = [f"{found['read']:,}" for found, _, _ in parts]
    words = [f"{words['text']['seen 1']:,}" for _, _, words in parts]
    values = [f"{of['found values']['sum']:,} of {of['given values']['sum']:,}" for _, of, _ in parts]
    rows = [
        ["acts", counts[0], "", counts[1], ""],
        ["words of the delexicalised training texts", words[0], "445", words[1], "365"],
        ["values to be found in the text, found", values[0], "", values[1], ""],
    ]
    return table(["figure", "hotel", "paper", "restaurant", "paper"], rows)


def wikibio() -> str:
    sentence, box = "tokens of the first sentence", "tokens of the table"
    shared = "words of the first sentence in the table"
    rows = [["boxes", *_beside([f"{_of(corpus)[0]['read']:,}" for corpus in BOXES], "728,321")]]
    for name, key, paper in (
        (sentence, sentence, "26.1"),
        (box, box, "53.1"),
        ("tokens of the sentence that the table has, too", shared, "9.5"),
        ("fields", "fields", "19.7"),
    ):
        rows.append([name, *_beside([f"{_of(corpus)[1][key]['mean']:.1f}" for corpus in BOXES], paper)])
    for name, key, paper in (
        ("sentence", sentence, "13, 46"),
        ("table", box, "20, 108"),
        ("fields", "fields", "9, 36"),
    ):
        ends = [f"{_of(corpus)[1][key]['p5']}, {_of(corpus)[1][key]['p95']}" for corpus in BOXES]
        rows.append([f"5th and 95th percentile of the {name}", *_beside(ends, paper)])
    german = _of("wikibio german")[1]
    said = paragraph(
        f"""
        The sample is a thousandth of the corpus, so its means differ from the paper's in the first decimals,
        and its tail (a few long tables) in the 95th percentile. The German boxes were cut before they came here
        to {german["fields"]["max"]} fields of a few tokens, which makes their tables short;
        {german["lines with several sentences"]["sum"]:,} of their lines hold several sentences, of which the
        first counts.
        """
    )
    head = ["mean over boxes", "the dump's sample", "paper", "German boxes"]
    return f"{table(head, rows)}\n\n{said}"


def pairs() -> str:
    """Both corpora of questions, as counted and as the papers of the corpora have them."""
    parts = [_of(corpus, "pair_statistics") for corpus in ("wikisql", "webqsp")]
    splits = [[f"{found['splits'][split]:,}" for split in ("train", "dev", "test")] for found, _, _ in parts]
    rejected = [found["rejected"].get("read", {}) for found, _, _ in parts]
    given, named = ([of[key]["sum"] for _, of, _ in parts] for key in ("items", "items in the text"))
    rows = [
        ["questions", *(f"{found['read']:,}" for found, _, _ in parts)],
        ["of train, dev and test, by the corpus's authors", "56,355, 8,421, 15,878", ""],
        ["kept, of train, dev and test", *map(", ".join, splits)],
        ["queries that don't parse", *(str(of.get("unknown_query", 0)) for of in rejected)],
        ["values that nobody knows", *(str(of.get("unknown_value", 0)) for of in rejected)],
        ["tokens of a source", *(f"{of['source tokens']['mean']:.1f}" for _, of, _ in parts)],
        ["tokens of a question", *(f"{of['tokens']['mean']:.1f}" for _, of, _ in parts)],
        ["of these in the source", *(f"{of['tokens in the source']['mean']:.1f}" for _, of, _ in parts)],
        ["values of a source", *(f"{of['items']['mean']:.2f}" for _, of, _ in parts)],
        ["values that stand in the question", *map(_share, named, given)],
        [
            "words of questions, seen five times in training",
            *(f"{words['text']['seen 5']:,} of {words['text']['seen 1']:,}" for _, _, words in parts),
        ],
    ]
    return f"{table(['figure', 'WikiSQL', 'WebQSP'], rows)}\n\n{paragraph(when('pair_statistics'))}"


def _share(part: int, whole: int) -> str:
    return f"{part:,} of {whole:,}" if whole else "none has any"


def coref() -> str:
    parts = [_of(corpus, "coref_statistics") for corpus in ("litbank", "ontogum")]

    def kept(name: str) -> list[str]:
        return [f"{_sum(found, name):,}" for found, _, _ in parts]

    shares = [_sum(found, "entity tokens") / _sum(found, "tokens") for found, _, _ in parts]
    means = [_sum(found, "tokens") / found["kept"] for found, _, _ in parts]
    read = [f"{of['tokens']['sum']:,}" for _, of, _ in parts]
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
        [
            "words, seen five times in training",
            *(f"{words['text']['seen 5']:,} of {words['text']['seen 1']:,}" for _, _, words in parts),
            "50,000, as a setting",
        ],
    ]
    head = ["figure", "LitBank", "OntoGUM", "paper (Gigaword)"]
    return f"{table(head, rows)}\n\n{paragraph(when('coref_statistics'))}"


def _sum(found: dict[str, Any], name: str) -> int:
    """A figure of all records that are kept."""
    figures = found["statistics"]["figures"]
    return sum(figures[split][name]["sum"] for split in found["splits"])


def _beside(ours: list[str], paper: str) -> list[str]:
    return [ours[0], paper, ours[1]]


def polarity() -> str:
    """What people's own texts tell the other way round, for docs/coverage.md."""
    rows = []
    for corpus in ("hotel", "restaurant"):
        parts = result("corpus_statistics")[corpus]["polarity"]
        cells = [f"{one['wrong']} of {one['asked']} ({one['wrong'] / one['asked']:.2%})" for one in parts.values()]
        rows.append([corpus, *cells])
    return f"{table(['corpus', *parts], rows)}\n\n{paragraph(when('corpus_statistics'))}"
