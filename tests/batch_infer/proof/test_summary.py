"""The tallies of a run's parts, added up."""

from __future__ import annotations

import json
from dataclasses import asdict, fields
from pathlib import Path

import yaml
from small_texts import RUN

from allsaid.proof.coverage import Coverage
from batch_infer.proof.reasons import Reason
from batch_infer.proof.summary import summarize
from batch_infer.proof.tally import Tally, add_up, add_up_json, shares_of

TALLIES = yaml.safe_load((Path(__file__).parent / "tallies.yaml").read_text())  # field -> in a part, in the sum


def test_every_field_of_a_tally_is_added_up() -> None:
    part = Tally.from_json({name: value for name, (value, _) in TALLIES.items()})
    assert [item.name for item in fields(Tally) if getattr(part, item.name) == getattr(Tally(), item.name)] == []
    other = Tally(input_rows=1, sums={"tokens": 1.0, "extra_items": 2.0}, runs={"8": 1})
    assert asdict(add_up([part, other, part])) == {name: total for name, (_, total) in TALLIES.items()}


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
    summary = summarize([tally, tally], [], **RUN)
    assert summary.percent_certified == 20 and summary.uncertified_rows == ["r1", "r3", "r4"]
    rows = {label: value for label, value, _ in summary.rows()}
    assert rows["% certified texts"] == "20.0" and rows["texts with a passage in no known form"] == "2"
    assert rows["first rows without a certificate"] == "r1, r3, r4"
    assert summarize([Tally(input_rows=1, texts=1)], [], **RUN).percent_certified is None


def test_reference_texts_have_one_of_three_grades() -> None:
    """What a text from elsewhere leaves out is no matter; what it adds is worse than a wording never seen."""
    tally = Tally()
    for extra, passages in (([], ()), ([], ("for the road",)), (["price=2"], ("for the road",)), ([], ())):
        said = Coverage([False], [False], [False], extra, [[]], [], unattested=passages, certified=False)
        tally.add_reference(shares_of(said.grade))
    shares = summarize([tally], **RUN).true
    assert shares == {"attested_percent": 50.0, "unknown_wording_percent": 25.0, "contradicted_percent": 25.0}
    assert shares_of(Coverage([], [], [], [], [], []).grade) == {}
