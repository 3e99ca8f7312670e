"""Texts for sources: what they score by hand, and a model of pairs scored by `allsaid evaluate`."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_data import as_pair, make_example
from untrained_subject import untrained

from allsaid.modeling.tasks import pair
from allsaid.modeling.tasks.pair import Example
from evaluation.measures import meteor
from evaluation.measures.bootstrap import HIGH, LOW
from evaluation.tasks import evaluate, pairs
from evaluation.tasks.rows import TRUE
from training.configs import load_config

FORM = ["select", "club", "where", "player", "=", '"', "o'neal", '"', "and", "rank", "<", '"', "3", '"']
TRUTH = ["who", "did", "o'neal", "play", "for", "before", "rank", "3", "?"]
EXAMPLE = Example("1", " ".join(FORM), FORM, ["O'Neal", "3"], [["o'neal"], ["3"]], " ".join(TRUTH), TRUTH)
BARE = Example("2", "people person children", ["people", "person", "children"], [], [], "who ?", ["who", "?"])


def test_the_true_text_scores_full_marks() -> None:
    figures = pairs.score([TRUTH], [EXAMPLE], slow=False)
    for name in ("bleu", "bleu/sentence", "rouge_1", "rouge_2", "rouge_l", "percent_given", f"{TRUE}percent_given"):
        assert figures[name] == pytest.approx(100), name
    assert figures["texts"] == 1 and "meteor" not in figures


def test_corpus_figure_and_means_have_intervals() -> None:
    wrong = ["who", "has", "3", "."]
    figures = pairs.score([TRUTH, wrong, TRUTH], [EXAMPLE] * 3, slow=False)
    assert figures["percent_given"] == pytest.approx(250 / 3)
    assert figures["rouge_l"] == pytest.approx((200 + 100 * 2 * 2 / (3 + 9)) / 3)  # "o'neal" is two words of ROUGE
    assert figures["rouge_1"] == pytest.approx(figures["rouge_l"]) and figures["rouge_2"] == pytest.approx(200 / 3)
    for name in ("bleu", "bleu/sentence", "rouge_1", "rouge_2", "rouge_l", "percent_given"):
        assert figures[LOW + name] < figures[name] < figures[HIGH + name], name


def test_only_sources_with_items_count_for_those_that_are_named() -> None:
    assert "percent_given" not in pairs.score([["who"]], [BARE], slow=False)
    assert pairs.score([["who"], TRUTH], [BARE, EXAMPLE], slow=False)["percent_given"] == 100


def test_meteor_is_one_of_the_slow_figures() -> None:
    if why := meteor.unavailable():
        pytest.skip(why)
    figures = pairs.score([TRUTH], [EXAMPLE], slow=True)
    assert figures["meteor"] == figures["meteor/sentence"] == pytest.approx(100)


def test_a_model_of_pairs_is_scored(tmp_path: Path) -> None:
    written = list(map(as_pair, map(make_example, range(6))))
    config = load_config("scratchpad-table", ["hidden=6", "text_cutoff=1", "max_tokens=9", "min_coverage=0"])
    subject = untrained(tmp_path, "pairs", written, config, pair.TASK)
    found = evaluate.measure(subject, slow=False)
    assert evaluate.protocol_of(pair.TASK, subject.data) == ("pairs", pairs)
    assert {"perplexity", "perplexity_source", "perplexity_other"} <= found.figures.keys()
    assert set(found.figures) <= {f"{end}{name}" for name in pairs.measured(pair.TASK) for end in ("", LOW, HIGH, TRUE)}
    curve = found.documents["attention.json"]
    assert curve["shares"][-1] == 1 and 0 < found.figures["attention_entropy"] <= curve["nats"][-1]
    one = found.rows[0]
    example = next(example for example in pair.TASK.examples(subject.data, "dev") if example.id == one.id)
    assert one.goal == example.source and one.agenda == example.items
    assert set(one.missing or ()) <= set(example.items)
