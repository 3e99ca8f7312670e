"""`allsaid generate` for sources: words never seen in training are written as they are, and the item is told."""

from __future__ import annotations

from pathlib import Path

import pyarrow.parquet as pq
import pytest
import torch
from batch_tables import write_lines
from in_process import allsaid

from allsaid.modeling.config import parse_config
from allsaid.modeling.data.vocabulary import SPECIALS, Vocabulary, VocabularySet
from allsaid.modeling.saved.model_folder import Bundle, build_model, save
from schemas.checks.table import from_table
from schemas.example import NO_ITEM
from schemas.texts.attention import Attention
from schemas.texts.generated import Generated

ROWS = [
    {"id": "a", "source": 'select club where player = "Zyxo Vic"', "items": ["Zyxo Vic"]},
    {"id": "b", "source": "Qwerty"},
    {"id": "c", "source": ""},
]


@pytest.mark.parametrize("system", ["scratchpad", "seq2seq"])
def test_a_model_of_pieces_tells_of_words(system: str, tmp_path: Path) -> None:
    """The model is untrained; each text has an item, and each place a share, for each of its words and the end."""
    settings = f"{{kind: scratchpad, system: {system}, hidden: 8, init: 0.5}}"
    search = "{width: 2, no_repeat_ngram: 1, max_tokens: 8}"
    config = parse_config(f"data: {{merges: 9}}\nmodel: {settings}\nsearch: {search}", "cut.yaml")
    merges = (("v", "i"), ("vi", "c "), ("x", "o "))
    words = (*SPECIALS, "vic ", "z", "y", "xo ", "vi", "x", "o ", "c ")
    vocabularies = VocabularySet(Vocabulary(words, merges))
    torch.manual_seed(2)
    model = build_model(config, vocabularies)
    if system == "scratchpad":
        model.switch.bias.data.fill_(30)
    save(tmp_path / "model", Bundle(model, config, vocabularies))
    given = write_lines(tmp_path / "forms.jsonl", [{"id": "a", "source": "Zyxo Vic", "items": ["Vic"]}])
    asked = ("--model", str(tmp_path / "model"), "--input", str(given), "--direct_running_mode=in_memory")
    assert allsaid("generate", *asked, "--output", str(tmp_path / "plain")) == 0
    assert allsaid("generate", *asked, "--output", str(tmp_path / "texts"), "--attention") == 0
    (row,) = from_table(pq.read_table(tmp_path / "texts" / "texts"), Generated)
    assert from_table(pq.read_table(tmp_path / "plain" / "texts"), Generated) == [row]
    assert len(row.ref_items) == len(row.tokens) < 8 and any(len(token) > 2 for token in row.tokens)
    if system == "scratchpad":  # every piece is copied, and a word is where all of its pieces are of one
        assert [*zip(row.tokens, row.ref_items, strict=True)].count(("vic", 0)) == row.tokens.count("vic") == 1
    else:
        assert {*row.ref_items} == {NO_ITEM}
    (found,) = from_table(pq.read_table(tmp_path / "texts" / "attention"), Attention)
    shares = [one for one in found.weights if one.map in ("pointer", "attention")]
    assert {one.place for one in shares} == {"zyxo", "vic"}
    assert all(len(one.shares) == len(row.tokens) + 1 for one in found.weights)
    assert all(sum(column) == pytest.approx(255, abs=2) for column in zip(*(one.shares for one in shares), strict=True))


@pytest.mark.parametrize("kind", ["scratchpad", "transformer"])
def test_unknown_words_are_copied_with_their_item(kind: str, tmp_path: Path) -> None:
    """The model is untrained, and copies each word of the source once."""
    search = "{width: 2, no_repeat_ngram: 1, max_tokens: 8}"
    config = parse_config(f"model: {{kind: {kind}, hidden: 8}}\nsearch: {search}", "copier.yaml")
    vocabularies = VocabularySet(Vocabulary((*SPECIALS, "select", "who", '"', "club", "where")))
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
