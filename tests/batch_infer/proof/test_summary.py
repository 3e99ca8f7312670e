"""The tallies of a run's parts, added up."""

from __future__ import annotations

import json
from dataclasses import asdict, fields

from allsaid.proof.coverage import Coverage
from batch_infer.proof.reasons import Reason
from batch_infer.proof.summary import summarize
from batch_infer.proof.tally import Tally, add_up, add_up_json, shares_of

FACTS = {"model_name": "tiny", "model_version": "", "input": "a.csv", "split": "", "input_fingerprint": "f"}
TIMES = {"seconds": 2.0, "texts_per_second": 3.0}


def test_every_field_of_a_tally_is_added_up() -> None:
    part = Tally(
        input_rows=4,
        search_seconds=0.5,
        texts=2,
        errors=2,
        records=2,
        taken_over=1,
        searched=3,
        sums={"tokens": 9.0},
        true_texts=1,
        true_sums={"tokens": 5.0},
        rows_with_fewer_texts=1,
        below_min_coverage=1,
        unfitted_items=3,
        faulty_texts=1,
        provable_texts=2,
        certified_texts=1,
        unattested_texts=1,
        assembled_texts=1,
        uncertified_rows=["r5", "r6"],
        plain=["aa", "bb"],
        equal_texts=1,
        runs={"7": 2},
        unfamiliar_rows=2,
        unfamiliar_goals=1,
        reasons={"no goal": Reason("no goal", 2, "no goal", ["r1", "r2"])},
        recipe_findings={"not cooked": 1},
        texts_with_findings=1,
        cell_findings={"": {"digits size": {"5": 3}}},
        rows_with_several_texts=1,
        mended_rows=1,
        replaced_texts=3,
        unproven=2,
    )
    assert [item.name for item in fields(Tally) if getattr(part, item.name) == getattr(Tally(), item.name)] == []
    other = Tally(input_rows=1, sums={"tokens": 1.0, "extra_items": 2.0}, runs={"8": 1})
    assert asdict(add_up([part, other, part])) == {
        "input_rows": 9,
        "search_seconds": 1.0,
        "texts": 4,
        "errors": 4,
        "records": 4,
        "taken_over": 2,
        "searched": 6,
        "sums": {"tokens": 19.0, "extra_items": 2.0},
        "true_texts": 2,
        "true_sums": {"tokens": 10.0},
        "rows_with_fewer_texts": 2,
        "below_min_coverage": 2,
        "unfitted_items": 6,
        "faulty_texts": 2,
        "provable_texts": 4,
        "certified_texts": 2,
        "unattested_texts": 2,
        "assembled_texts": 2,
        "uncertified_rows": ["r5", "r6", "r5"],
        "plain": ["aabbaabb"],
        "equal_texts": 2,
        "runs": {"7": 4, "8": 1},
        "unfamiliar_rows": 4,
        "unfamiliar_goals": 2,
        "reasons": {"no goal": asdict(Reason("no goal", 4, "no goal", ["r1", "r2", "r1"]))},
        "recipe_findings": {"not cooked": 2},
        "texts_with_findings": 2,
        "cell_findings": {"": {"digits size": {"5": 6}}},
        "rows_with_several_texts": 2,
        "mended_rows": 2,
        "replaced_texts": 6,
        "unproven": 4,
    }


def test_tallies_of_rows_are_added_up_as_json() -> None:
    part = Tally(input_rows=2, texts=1, errors=1, sums={"tokens": 9.0}, plain=["aa"], runs={"7": 2})
    part.add_error(Reason("no goal", 1, "no goal", ["r1"]))
    other = Tally(input_rows=1, runs={"8": 1})
    assert other.to_json() == '{"input_rows": 1, "runs": {"8": 1}}'
    assert add_up_json([part.to_json(), other.to_json()]) == add_up([part, other])
    assert Tally.from_json(json.loads(part.to_json())) == part


def test_certificates_are_counted_and_shown() -> None:
    tally = Tally(input_rows=6, texts=6)
    for number, certified in enumerate((True, False, None, False, False, False)):
        passages = ("of gold",) if number == 3 else ()
        tally.add_certificate(Coverage([], [], [], [], [], [], unattested=passages, certified=certified), f"r{number}")
    assert (tally.provable_texts, tally.certified_texts, tally.unattested_texts) == (5, 1, 1)
    assert tally.uncertified_rows == ["r1", "r3", "r4"]
    summary = summarize([tally, tally], [], **FACTS, **TIMES)
    assert summary.percent_certified == 20 and summary.uncertified_rows == ["r1", "r3", "r4"]
    rows = {label: value for label, value, _ in summary.rows()}
    assert rows["% certified texts"] == "20.0" and rows["texts with a passage in no known form"] == "2"
    assert rows["first rows without a certificate"] == "r1, r3, r4"
    assert summarize([Tally(input_rows=1, texts=1)], [], **FACTS, **TIMES).percent_certified is None


def test_reference_texts_have_one_of_three_grades() -> None:
    """What a text from elsewhere leaves out is no matter; what it adds is worse than a wording never seen."""
    tally = Tally()
    for extra, passages in (([], ()), ([], ("for the road",)), (["price=2"], ("for the road",)), ([], ())):
        said = Coverage([False], [False], [False], extra, [[]], [], unattested=passages, certified=False)
        tally.add_reference(shares_of(said.grade))
    shares = summarize([tally], **FACTS, **TIMES).true
    assert shares == {"attested_percent": 50.0, "unknown_wording_percent": 25.0, "contradicted_percent": 25.0}
    assert shares_of(Coverage([], [], [], [], [], []).grade) == {}
