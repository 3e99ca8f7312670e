"""What may become of a model folder on its way: each damage is a sentence that names the file and the remedy."""

from __future__ import annotations

import json
import resource
import shutil
import struct
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from safetensors.torch import load_file, save_file
from small_data import make_example
from tiny_model import save_tiny_model

from allsaid.modeling.data.companions import MOST, Companions
from allsaid.modeling.data.copied import CopyIndex
from allsaid.modeling.data.references import References
from allsaid.modeling.prototypes.prototypes import Prototypes
from allsaid.modeling.saved.folder_files import FILES, HASHES
from allsaid.modeling.saved.model_folder import load, save
from allsaid.proof.forms.learn import learn
from schemas.checks.table import to_table
from schemas.errors import UserError
from schemas.example import EXAMPLE

MEGABYTES = 1 << 10  # ru_maxrss counts kilobytes


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with every file that there may be."""
    place = tmp_path_factory.mktemp("whole")
    bundle = load(save_tiny_model(place))
    texts = [["add", "the", "salt"], ["stir", "."]]
    companions = Companions(np.zeros((len(bundle.vocabularies.text), MOST), np.int32))
    references = References(np.zeros(0, np.int64), np.zeros(1, np.int64), np.zeros(1, np.int64), np.zeros(0, np.int32))
    more = {"mapping": "goal: kind\n", "copies": CopyIndex.build(texts), "companions": companions}
    recipes = to_table([make_example(number) for number in range(9)], EXAMPLE)
    prototypes = Prototypes.build([recipes], bundle.lexicon, "small")
    more |= {"references": references, "phrasebook": learn(lambda: [], {}), "prototypes": prototypes}
    more |= {"example": ("Salsa", ["1 tb salt"])}
    save(place / "whole", replace(bundle, **more))
    return place / "whole"


@pytest.fixture
def folder(whole: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(whole, tmp_path / "model"))


@pytest.mark.parametrize("name", FILES)
def test_changed_bytes_of_any_file_are_found(folder: Path, name: str) -> None:
    content = bytearray((folder / name).read_bytes())
    content[-1] ^= 1
    (folder / name).write_bytes(content)
    with pytest.raises(UserError, match=rf"{name} is not the file that training wrote.*remove hashes.json"):
        load(folder)


@pytest.mark.parametrize(
    "name",
    [
        "copies.safetensors",
        "companions.safetensors",
        "references.safetensors",
        "mapping.yaml",
        "phrasebook.json",
        "example.json",
    ],
)
def test_optional_files_are_neither_lost_nor_added(folder: Path, name: str) -> None:
    there = (folder / name).read_bytes()
    (folder / name).unlink()
    with pytest.raises(UserError, match=rf"lacks {name}, which training wrote there"):
        load(folder)
    hashes = json.loads((folder / HASHES).read_text())
    (folder / HASHES).write_text(json.dumps({key: value for key, value in hashes.items() if key != name}))
    load(folder)
    (folder / name).write_bytes(there)
    with pytest.raises(UserError, match=rf"{name} is not the file that training wrote"):
        load(folder)


def test_a_folder_without_hashes_is_taken_as_it_is(folder: Path) -> None:
    (folder / HASHES).unlink()
    assert load(folder).mapping == "goal: kind\n"


def test_a_model_saved_over_another_keeps_nothing_of_it(folder: Path) -> None:
    plain = replace(
        load(folder), mapping="", copies=None, companions=None, references=None, phrasebook=None, example=("", [])
    )
    save(folder, plain)
    again = load(folder)
    assert (again.mapping, again.copies, again.companions, again.references) == ("", None, None, None)
    assert again.phrasebook is None and again.example == ("", [])


def test_links_to_a_folder_and_to_its_files_are_as_good(folder: Path, tmp_path: Path) -> None:
    linked = tmp_path / "linked"
    linked.mkdir()
    for path in folder.iterdir():
        (linked / path.name).symlink_to(path)
    (tmp_path / "alias").symlink_to(linked)
    assert load(tmp_path / "alias").vocabularies == load(folder).vocabularies
    (folder / "vocabulary.json").unlink()
    with pytest.raises(UserError, match=r"is not a model folder: it has no vocabulary.json"):
        load(tmp_path / "alias")


@pytest.mark.parametrize("name", FILES)
def test_a_folder_in_place_of_a_file(folder: Path, name: str) -> None:
    (folder / HASHES).unlink()
    (folder / name).unlink()
    (folder / name).mkdir()
    with pytest.raises(UserError, match=name):
        load(folder)


def lexicon(**parts: Any) -> str:
    """A lexicon without names, but for some parts."""
    empty = {"version": 3, "names": {}, "values": {}, "casing": {"forms": {}, "abbreviations": []}}
    return json.dumps(empty | parts)


NESTED = "[" * 100_000 + "]" * 100_000
SPECIAL = '"<pad>", "<unk>", "<text>", "</text>"'
DAMAGED: list[tuple[str, str | bytes, str]] = [
    ("hashes.json", NESTED, "hashes.json is not valid JSON"),
    ("hashes.json", "[]", "hashes.json isn't what it should be: it is no dictionary"),
    ("hashes.json", '{"config.yaml": 3}', "'config.yaml' of it is no text"),
    ("hashes.json", "{}", "model.safetensors is not the file that training wrote"),
]
UNSEALED: list[tuple[str, str | bytes, str]] = [
    ("config.yaml", b"\xff\xfe", "config.yaml can't be read as UTF-8 text"),
    ("config.yaml", NESTED, "config.yaml is no YAML"),
    ("config.yaml", "model: {hidden: 2026-99-99}", "config.yaml is no YAML"),
    (
        "config.yaml",
        "model: {hard_checklist: true}",
        "unknown key 'hard_checklist' in section 'model'",
    ),
    ("config.yaml", f"model: {{hidden: {10**30}}}", "asks for a model that is too large"),
    ("config.yaml", f"model: {{hidden: {10**10}}}", "asks for a model that is too large"),
    ("config.yaml", "model: {hidden: 9000}", r"'agenda_embedding' is 7 x 7, but they ask for 7 x 9000"),
    ("config.yaml", "model: {kind: encdec, hidden: 7}", "says it is 'checklist/1', but"),
    ("config.yaml", "model: {used_items: false, hidden: 7}", "'s' is 3 x 7, but they ask for 2 x 7"),
    ("vocabulary.json", "{", "vocabulary.json is not valid JSON"),
    ("vocabulary.json", NESTED, "vocabulary.json is not valid JSON"),
    ("vocabulary.json", '{"text": ' + NESTED + "}", "vocabulary.json is not valid JSON"),
    ("vocabulary.json", b'{"text": ["\xff"]}', "vocabulary.json is not valid JSON"),
    ("vocabulary.json", "[1]", "it is no dictionary"),
    ("vocabulary.json", '{"text": "add"}', "'text' of it is no list"),
    ("vocabulary.json", '{"text": ["add", 1]}', "'1' of 'text' of it is no text"),
    ("vocabulary.json", "{}", "'text' doesn't begin with <pad> <unk> <text> </text>"),
    ("vocabulary.json", f'{{"text": [{SPECIAL}, "add", "add"]}}', "'text' holds 'add' twice"),
    ("lexicon.json", "{}", "lexicon.json has version 1, but this version of Allsaid reads 3"),
    ("lexicon.json", NESTED, "lexicon.json is not valid JSON"),
    ("lexicon.json", "[]", "it is no dictionary"),
    ("lexicon.json", '{"version": 3}', "lexicon.json holds no lexicon: it has no 'names'"),
    ("lexicon.json", lexicon(names={"salt": "often"}), "'salt' of 'names' is no whole number"),
    ("lexicon.json", lexicon(foods={"salt": 1.5}), "'salt' of 'foods' is no whole number"),
    ("lexicon.json", lexicon(values={"a": "b"}), "'a' of 'values' is no list"),
    ("lexicon.json", lexicon(casing={"forms": {}}), "'casing' has no 'abbreviations'"),
    ("lexicon.json", lexicon(casing={"forms": [], "abbreviations": []}), "'forms' is no dictionary"),
    ("phrases.parquet", b"PAR1", "phrases.parquet can't be read as Parquet"),
    ("phrases.parquet", b"", "phrases.parquet can't be read as Parquet"),
    ("mapping.yaml", b"\xff", "mapping.yaml can't be read as UTF-8 text"),
    ("model.safetensors", b"", "model.safetensors is no safetensors file"),
    ("model.safetensors", b"no tensors", "model.safetensors is no safetensors file"),
    ("copies.safetensors", b"no tensors", "copies.safetensors is no index of copied runs"),
    ("example.json", '{"title": "Salsa", "lines": [1]}', "example.json isn't what it should be: '0' of 'lines' is no"),
    ("phrasebook.json", NESTED, "phrasebook.json is not valid JSON"),
    ("phrasebook.json", '{"spoken": {}}', "phrasebook.json is no phrasebook \\(KeyError: 'gaps'\\)"),
    ("phrasebook.json", '{"spoken": []}', "phrasebook.json is no phrasebook \\(AttributeError"),
]


def damage(folder: Path, name: str, content: str | bytes) -> None:
    (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())


@pytest.mark.parametrize(("name", "content", "sentence"), DAMAGED)
def test_damaged_hashes(folder: Path, name: str, content: str | bytes, sentence: str) -> None:
    damage(folder, name, content)
    with pytest.raises(UserError, match=sentence):
        load(folder)


@pytest.mark.parametrize(("name", "content", "sentence"), UNSEALED)
def test_what_hashes_do_not_guard_is_read_with_care(
    folder: Path, name: str, content: str | bytes, sentence: str
) -> None:
    (folder / HASHES).unlink()
    damage(folder, name, content)
    with pytest.raises(
        UserError, match=f"{sentence}.* another version of Allsaid wrote it, train the model again"
    ) as told:
        load(folder)
    assert name in str(told.value)


def test_phrases_of_another_version(folder: Path) -> None:
    (folder / HASHES).unlink()
    pq.write_table(pa.table({}, metadata={b"allsaid.schema": b"phrase/0"}), folder / "phrases.parquet")
    with pytest.raises(UserError, match=r"phrases\.parquet says it is 'phrase/0'.* train the model again") as told:
        load(folder)
    assert str(told.value).count("If another version") + str(told.value).count("if another version") == 1


def test_sizes_are_compared_before_memory_is_taken(folder: Path) -> None:
    (folder / HASHES).unlink()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    words = json.loads((folder / "vocabulary.json").read_text())
    many = words | {"text": words["text"] + [f"w{number}" for number in range(100_000)]}
    for name, content in (("config.yaml", "model: {hidden: 9000}"), ("vocabulary.json", json.dumps(many))):
        damage(folder, name, content)
        with pytest.raises(UserError, match=r"doesn't fit config.yaml and vocabulary.json beside it.* or the code"):
            load(folder)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 200 * MEGABYTES


def header(**entries: Any) -> bytes:
    text = json.dumps(entries).encode()
    return struct.pack("<Q", len(text)) + text


@pytest.mark.parametrize(
    "content",
    [
        struct.pack("<Q", 1 << 62) + b"{}",
        header(w={"dtype": "F32", "shape": [1 << 31, 1 << 31], "data_offsets": [0, 1 << 64]}),
        header(w={"dtype": "F32", "shape": [1 << 20, 1 << 20], "data_offsets": [0, 1 << 42]}),
        header(w={"dtype": "F32", "shape": [-1], "data_offsets": [0, 0]}),
        header(__metadata__={"allsaid": "[" * 100_000}),
        header(__metadata__={"allsaid": "[]"}),
        header(__metadata__={"allsaid": '{"version": {}}'}),
    ],
)
def test_a_forged_header(folder: Path, content: bytes) -> None:
    (folder / HASHES).unlink()
    damage(folder, "model.safetensors", content)
    with pytest.raises(UserError, match=r"model.safetensors is(n't| no) .*train the model again"):
        load(folder)


def test_a_weight_too_few_or_too_many(folder: Path) -> None:
    (folder / HASHES).unlink()
    weights = load_file(folder / "model.safetensors")
    said = {"allsaid": '{"version": "checklist/1"}'}
    save_file({name: value for name, value in weights.items() if name != "p"}, folder / "model.safetensors", said)
    with pytest.raises(UserError, match="'p' is nothing, but they ask for 7 x 7"):
        load(folder)
    save_file(weights | {"more": weights["p"].clone()}, folder / "model.safetensors", said)
    with pytest.raises(UserError, match="'more' is 7 x 7, but they ask for nothing"):
        load(folder)


@pytest.mark.parametrize(
    "change",
    [
        lambda index: replace(index, places=index.places + 1),
        lambda index: replace(index, places=index.places[:-1]),
        lambda index: replace(index, ids=index.ids + np.uint16(7)),
        lambda index: replace(index, places=index.places.astype(np.float32)),
    ],
)
def test_an_index_of_copied_runs_that_points_beside_itself(
    folder: Path, change: Callable[[CopyIndex], CopyIndex]
) -> None:
    path = folder / "copies.safetensors"
    change(CopyIndex.load(path)).save(path)
    with pytest.raises(UserError, match=r"copies.safetensors is no index of copied runs"):
        CopyIndex.load(path)
