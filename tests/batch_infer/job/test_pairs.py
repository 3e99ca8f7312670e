"""`allsaid generate` for sources: words never seen in training are written as they are, and the item is told."""

from __future__ import annotations

from pathlib import Path

import pyarrow.parquet as pq
import pytest
import torch
from batch_tables import write_lines
from in_process import allsaid

from schemas.attention import Attention
from schemas.example import NO_ITEM
from schemas.generated import Generated
from schemas.table import from_table
from training.config import parse_config
from training.data.vocabulary import SPECIALS, Vocabulary
from training.models.model_folder import Bundle, build_model, save
from training.tasks.copying import Vocabularies

ROWS = [
    {"id": "a", "source": 'select club where player = "Zyxo Vic"', "items": ["Zyxo Vic"]},
    {"id": "b", "source": "Qwerty"},
    {"id": "c", "source": ""},
]


@pytest.mark.parametrize("kind", ["scratchpad", "transformer"])
def test_a_word_that_no_vocabulary_has_is_copied_and_its_item_told(kind: str, tmp_path: Path) -> None:
    """The model is untrained, and copies each word of the source once."""
    search = "{width: 2, no_repeat_ngram: 1, max_tokens: 8}"
    config = parse_config(f"model: {{kind: {kind}, hidden: 8}}\nsearch: {search}", "copier.yaml")
    vocabularies = Vocabularies(Vocabulary((*SPECIALS, "select", "who", '"', "club", "where")))
    torch.manual_seed(2)
    model = build_model(config, vocabularies)
    model.switch.bias.data.fill_(30)
    save(tmp_path / "model", Bundle(model, config, vocabularies))
    given = write_lines(tmp_path / "forms.jsonl", ROWS)
    asked = ("--model", str(tmp_path / "model"), "--input", str(given), "--output", str(tmp_path / "texts"))
    assert allsaid("generate", *asked, "--attention", "--direct_running_mode=in_memory") == 0
    whole, word, fault = sorted(
        from_table(pq.read_table(tmp_path / "texts" / "texts"), Generated), key=lambda row: row.id
    )
    assert {"zyxo", "vic", "="} <= set(whole.tokens) and "zyxo" in whole.text.lower()
    told = [line for token, line in zip(whole.tokens, whole.ref_items, strict=True) if token in ("zyxo", "vic")]
    assert told == [0, 0] and whole.ref_items.count(NO_ITEM) == len(whole.tokens) - 2
    assert "qwerty" in word.tokens and {*word.ref_items} == {NO_ITEM}  # it has no items
    assert fault.error is not None
    found = from_table(pq.read_table(tmp_path / "texts" / "attention"), Attention)
    lines = {one.place: one.item for picture in found for one in picture.weights if one.map == "pointer"}
    assert lines["zyxo"] == lines["vic"] == 0 and lines["club"] == lines["qwerty"] == NO_ITEM
