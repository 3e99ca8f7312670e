"""`allsaid generate --attention`: what a model looked at is kept beside its texts, and drawn one click from each."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pyarrow.parquet as pq
import pytest
import torch
from batch_tables import write_lines
from in_process import allsaid

from allsaid.decoding.reread import read_again
from allsaid.modeling.data.vocabulary import END, START
from allsaid.modeling.saved.model_folder import load
from batch_infer.rows import inputs
from pipelines.linking import phrases
from schemas.checks.table import check_schema, from_table
from schemas.phrase import Phrase
from schemas.texts.attention import ATTENTION, Attention
from schemas.texts.generated import Generated

AGENDAS = [
    {"id": "a", "goal": "Salsa", "agenda": ["2 tomatoes, chopped", "1 tb Olive oil"]},
    {"id": "b", "goal": "", "agenda": []},
    {"id": "c", "goal": "Garlic oil", "agenda": ["1 clove garlic"]},
]


def generate(model: Path, given: Path, output: Path, *more: str) -> int:
    asked = ("--model", str(model), "--input", str(given), "--output", str(output), "--width", "2", *more)
    return allsaid("generate", *asked, "--max-tokens", "6", "--direct_running_mode=in_memory")


def pictures(output: Path) -> Sequence[Attention]:
    found = pq.read_table(output / "attention" / "part-00000.parquet")
    check_schema(found.schema, ATTENTION, str(output))
    return from_table(found, Attention)


def test_each_text_of_a_checklist_has_the_weights_of_its_items(model: Path, tmp_path: Path) -> None:
    given = write_lines(tmp_path / "agendas.jsonl", AGENDAS)
    assert generate(model, given, tmp_path / "texts", "--attention", "--texts", "2") == 0
    rows = from_table(pq.read_table(tmp_path / "texts" / "texts"), Generated)
    found = pictures(tmp_path / "texts")
    assert len(found) == len(rows) and [one.weights for one, row in zip(found, rows, strict=True) if row.error] == [[]]
    bundle = load(model)
    merged = phrases.passes(from_table(bundle.phrases, Phrase))
    for one, row in zip(found, rows, strict=True):
        if row.error is None:
            assert {weights.map for weights in one.weights} == {"new", "used", "checklist"}
            prompt = inputs.raw_row({"goal": row.goal, "agenda": row.agenda}, merged)
            ids = bundle.vocabularies.text.encode(row.tokens)
            state, held = bundle.model.start(bundle.prompts([prompt])), []
            with torch.no_grad():
                for word in [START, *ids]:
                    _, state = bundle.model.step(state, torch.tensor([word]))
                    held.append(bundle.model.attention_of(state)["new"][0])
            for weights in one.weights:
                assert weights.place == row.agenda[weights.item] and len(weights.shares) == len(row.tokens) + 1
                if weights.map == "new":
                    expected = [round(255 * step[weights.item].item()) for step in held]
                    assert list(weights.shares) == pytest.approx(expected, abs=1)
    assert allsaid("report", str(tmp_path / "texts")) == 0
    shown = (tmp_path / "texts" / "report.html").read_text().count('<details class="looked">')
    assert shown == sum(row.error is None for row in rows)
    assert allsaid("validate", str(tmp_path / "texts")) == 0


def test_texts_that_are_taken_over_have_no_picture(model: Path, tmp_path: Path) -> None:
    given = write_lines(tmp_path / "agendas.jsonl", AGENDAS[:1])
    assert generate(model, given, tmp_path / "first", "--attention") == 0
    more = write_lines(tmp_path / "more.jsonl", [AGENDAS[2], AGENDAS[0]])
    assert generate(model, more, tmp_path / "second", "--attention", "--previous", str(tmp_path / "first")) == 0
    assert [bool(one.weights) for one in pictures(tmp_path / "second")] == [True, False]


def test_nothing_is_kept_that_was_not_asked_for(model: Path, tmp_path: Path) -> None:
    assert generate(model, write_lines(tmp_path / "agendas.jsonl", AGENDAS[:1]), tmp_path / "texts") == 0
    assert not (tmp_path / "texts" / "attention").exists()


def test_texts_of_several_lengths_are_read_as_each_by_itself(model: Path) -> None:
    bundle = load(model)
    rows = [inputs.raw_row(one, []) for one in (AGENDAS[0], AGENDAS[2])]
    texts = [[5, 6, 4, 5], [6]]
    together = read_again(bundle, rows, texts, bundle.config.search, attention=True)
    for row, text, reading in zip(rows, texts, together, strict=True):
        (alone,) = read_again(bundle, [row], [text], bundle.config.search, attention=True)
        assert alone.sources == reading.sources == [(-1, -1)] * len(text)
        for one, other in zip(alone.weights, reading.weights, strict=True):
            assert (one.map, one.place) == (other.map, other.place)
            assert list(one.shares) == pytest.approx(list(other.shares), abs=1)
    assert END not in texts[0]
