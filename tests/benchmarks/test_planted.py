"""Planted nonsense, as `benchmarks/quality/tables/planted.py` measures it, of a trivial judge and the certificate."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

from small_faults import SHOP

from allsaid.modeling.data.dataset import DataSet
from allsaid.proof.planted.known import study
from allsaid.proof.planted.plant import plant
from benchmarks.quality.tables import planted
from pipelines.ingest import run as ingest
from pipelines.sources.records.source import Settings

ROOT = Path(__file__).resolve().parents[2]


def test_the_texts_of_models_are_read() -> None:
    wrong, control = planted.read_models(planted.MODELS)
    assert (len(wrong), len(control)) == (71, 60)
    assert len({(text.row.id, *text.tokens) for text in [*wrong, *control]}) == 131
    assert all(text.way for text in wrong) and not any(text.way for text in control)
    first = wrong[0].row
    assert first.agenda[0] == "name=Cinder 300" and first.agenda_tokens[0] == ["SLOT_NAME"]


def test_a_model_s_wrong_text_is_refused_and_a_good_one_passes() -> None:
    wrong, control = planted.read_models(planted.MODELS)
    judge = planted.known_sentences([replace(text.row, tokens=text.tokens) for text in control])
    assert all(judge(text.tokens, text.row) for text in control)
    assert not [text.way for text in wrong if judge(text.tokens, text.row)]


def test_shares_are_measured_by_kind() -> None:
    texts = plant(SHOP, study(SHOP), 2, kinds=("cut", "polarity"))
    found = planted.measure(planted.known_sentences(SHOP), SHOP, texts, {"control": texts[:1], "models": []})
    assert found == {
        "references_passed": 100,
        "refused": 100,
        "refused, cut": 100,
        "refused, polarity": 100,
        "passed, control": 0,
    }
    assert planted.mean([{"a": 1.0}, {"a": 2.26}]) == {"a": 1.6}


def test_a_size_of_all_is_one_sample() -> None:
    assert list(planted.samples(SHOP, 3)) == [SHOP]
    assert [len(sample) for sample in planted.samples(SHOP, 2)] == [2] * 5


def test_certificates_refuse_nonsense_and_pass_references(tmp_path: Path) -> None:
    """On all of samples/products.csv; the measured figures are in the benchmark's result. 38 texts are references."""
    table = [str(ROOT / "samples" / "products.csv")]
    settings = Settings(mapping=str(ROOT / "samples" / "products.yaml"))
    ingest.run(ingest.Request("records", table, str(tmp_path / "data"), settings))
    data = DataSet(str(tmp_path / "data"))
    train, dev, test = (list(data.examples(split)) for split in ("train", "dev", "test"))
    wrong, control = planted.read_models(planted.MODELS)
    texts = plant(test, study([*train, *dev, *test]), planted.EACH, planted.SEED)
    texts += Random(planted.SEED).sample(wrong, planted.OF_MODELS)
    assert len(texts) == 200
    found = planted.measure(planted.known_forms(train), test, texts, {"control": control})
    assert found["refused"] >= 98 and found["references_passed"] >= 90 and found["passed, control"] >= 80
    assert min(share for kind, share in found.items() if kind.startswith("refused,")) >= 90
