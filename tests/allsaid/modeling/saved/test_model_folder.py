"""A model folder gives the same model back, or says in a sentence why it can't."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file
from small_data import make_example

from allsaid.modeling.config import Config, SearchConfig
from allsaid.modeling.data.vocabulary import SPECIALS, Vocabularies, Vocabulary
from allsaid.modeling.models.checklist import Settings
from allsaid.modeling.saved.folder_files import HASHES
from allsaid.modeling.saved.model_folder import Bundle, build_model, find_device, fingerprint, load, save
from allsaid.modeling.text.restore import Casing
from allsaid.proof.coverage import Lexicon
from allsaid.proof.known_foods import build_food_lexicon
from allsaid.proof.scores import score
from schemas.checks.table import to_table
from schemas.errors import UserError
from schemas.phrase import PHRASE, Phrase
from training.fitting.scores import generate

EXAMPLES = [make_example(number) for number in range(5)]


@pytest.fixture
def bundle() -> Bundle:
    torch.manual_seed(2)
    text, agenda = ("the", "flour", "mix", "."), ("flour", "milk")
    words = Vocabularies(*(Vocabulary(SPECIALS + part) for part in (text, ("baked",), agenda)))
    config = Config(model=Settings(hidden=5), search=SearchConfig(width=3, max_tokens=7, search_batch=2))
    model = build_model(config, words).eval()
    phrases = to_table([Phrase(1, "olive", "oil", 9, 10, 11, 100, 5.5)], PHRASE)
    casing = Casing({"flour": "Flour"}, frozenset({"tsp"}))
    lexicon = Lexicon({"flour": 21})
    return Bundle(model, config, words, {"data_fingerprint": "f1"}, phrases=phrases, lexicon=lexicon, casing=casing)


def test_what_is_saved_is_what_is_loaded(bundle: Bundle, tmp_path: Path) -> None:
    save(tmp_path, bundle)
    names = ["config.yaml", "hashes.json", "lexicon.json", "model.safetensors", "phrases.parquet", "vocabulary.json"]
    assert sorted(path.name for path in tmp_path.iterdir()) == names
    again = load(tmp_path)
    assert (again.config, again.vocabularies) == (bundle.config, bundle.vocabularies)
    assert (again.lexicon, again.casing, again.origin) == (bundle.lexicon, bundle.casing, bundle.origin)
    assert again.phrases.equals(bundle.phrases)
    assert not again.model.training
    for name, value in bundle.model.state_dict().items():
        assert torch.equal(again.model.state_dict()[name], value)
    assert generate(again, EXAMPLES, again.config.search) == generate(bundle, EXAMPLES, bundle.config.search)


def test_an_example_row_is_one_of_the_hashed_files(bundle: Bundle, tmp_path: Path) -> None:
    save(tmp_path, bundle)
    without = fingerprint(tmp_path)
    assert load(tmp_path).example == ("", [])
    save(tmp_path, replace(bundle, example=("Salsa", ["1 tb salt"])))
    assert load(tmp_path).example == ("Salsa", ["1 tb salt"])
    assert "example.json" in json.loads((tmp_path / HASHES).read_text()) and fingerprint(tmp_path) != without
    save(tmp_path, bundle)
    assert fingerprint(tmp_path) == without and not (tmp_path / "example.json").exists()


def test_both_lexicons_of_recipes_are_saved(bundle: Bundle, tmp_path: Path) -> None:
    lexicon = build_food_lexicon(EXAMPLES)
    save(tmp_path, replace(bundle, lexicon=lexicon))
    again = load(tmp_path).lexicon
    assert again == lexicon
    assert "beef" in again.names and again.of_training.names == {}


@pytest.mark.parametrize("name", ["config.yaml", "lexicon.json", "model.safetensors", "phrases.parquet"])
def test_a_missing_file_is_named(bundle: Bundle, tmp_path: Path, name: str) -> None:
    save(tmp_path, bundle)
    (tmp_path / name).unlink()
    with pytest.raises(
        UserError, match=f"is not a model folder: it has no {name}.* another version of Allsaid wrote it, train"
    ):
        load(tmp_path)


def test_another_version_is_told(bundle: Bundle, tmp_path: Path) -> None:
    save(tmp_path, bundle)
    (tmp_path / HASHES).unlink()
    weights = load_file(tmp_path / "model.safetensors")
    save_file(weights, tmp_path / "model.safetensors", {"allsaid": '{"version": "checklist/0"}'})
    with pytest.raises(
        UserError, match=r"is 'checklist/0', but config.yaml and this version of Allsaid ask for 'checklist/1'"
    ):
        load(tmp_path)


@pytest.mark.skipif(
    torch.cuda.is_available(),
    reason="Checks the refusal where there is no GPU, and PyTorch finds one. Hide it: CUDA_VISIBLE_DEVICES=''.",
)
def test_a_gpu_that_is_not_there_is_a_sentence(bundle: Bundle, tmp_path: Path) -> None:
    save(tmp_path, bundle)
    with pytest.raises(UserError, match=r"'cuda' was asked for, but PyTorch finds no GPU here. Use --device cpu"):
        load(tmp_path, "cuda")
    with pytest.raises(UserError, match="There is no device 'tpu'"):
        find_device("tpu")


def test_scores_of_texts_by_hand() -> None:
    lexicon = Lexicon({"salt": 20, "flour": 30, "olive oil": 25})
    example = EXAMPLES[0]
    true = score([example.tokens], [example], lexicon)
    assert (true["percent_given"], true["extra_items"], true["texts"]) == (100, 0, 1)
    assert true["bleu"] == pytest.approx(100)
    assert true["tokens"] == len(example.tokens)
    foods = [item[0] for item in example.agenda_tokens]
    stranger = next(name for name in ("salt", "flour", "olive_oil") if name not in foods)
    half = score([["mix", foods[0], "<br>", "add", stranger, "."]], [example], lexicon)
    assert half["percent_given"] == pytest.approx(100 / len(foods))
    assert half["extra_items"] == 1
    assert half["bleu"] < 50


def test_a_lexicon_of_another_version_is_refused(bundle: Bundle, tmp_path: Path) -> None:
    save(tmp_path, replace(bundle, values={"colour": ["blue"]}, mapping="goal: kind\n"))
    again = load(tmp_path)
    assert (again.values, again.mapping) == ({"colour": ["blue"]}, "goal: kind\n")
    (tmp_path / HASHES).unlink()
    lexicon = json.loads((tmp_path / "lexicon.json").read_text())
    for version in (2, 99):
        (tmp_path / "lexicon.json").write_text(json.dumps(lexicon | {"version": version}))
        with pytest.raises(UserError, match=f"lexicon.json has version {version}, but this version of Allsaid reads"):
            load(tmp_path)
